"""Step runner: runs steps in a sandbox; steps of preparation once, with their results kept for later runs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from forgetest.engine.judging.single_flight import SingleFlight
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.files import atomic, locks
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.host import run_on_host
from forgetest.toolchains import Prepared, Toolchain
from forgetest.verdict import VERDICT_FORMAT, Execution, Step

_KEPT = "kept:"


class StepRunner:
    """Runs steps in a sandbox. Steps of preparation run once; their results are kept in a folder. Thread-safe."""

    def __init__(
        self,
        sandbox: Sandbox,
        folder: Path,
        host_environment: Mapping[str, str],
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`announce` is called with the name of each step that takes a while."""
        self._sandbox = sandbox
        self._folder = folder
        self._host_environment = host_environment
        self._announce = announce
        self._known: dict[str, Execution] = {}
        self._flights: SingleFlight[Execution] = SingleFlight()

    def prepare(self, toolchain: Toolchain, case: Case) -> Prepared:
        """Run the steps that the toolchain asks for until it is ready for samples of this case."""
        executions: list[Execution] = []
        while isinstance(answer := toolchain.prepare(case, executions), Step):
            executions.append(self._once(answer))
        return answer

    def run(self, step: Step) -> Execution:
        """Run a step of judging."""
        if step.on_host or step.keep or step.proc or step.loopback:
            raise MachineryError(f"{step.name}: only preparation may ask for that")
        return self._once(step) if step.stored else self._sandbox.run(self.resolved(step))

    def _once(self, step: Step) -> Execution:
        key = self._key(step)
        known = self._known.get(key)
        # different steps may run at the same time
        return known if known is not None else self._flights.do(key, lambda: self._run_once(step, key))

    def _key(self, step: Step) -> str:
        host = sorted(self._host_environment.items()) if step.stamped else []
        return hashlib.sha256(msgspec.msgpack.encode((VERDICT_FORMAT, _fields(step), host))).hexdigest()

    def _run_once(self, step: Step, key: str) -> Execution:
        if key in self._known:
            return self._known[key]
        with _locked(self._folder / "locks" / key):
            execution = self._stored(step, key)
            if execution is None:
                if step.keep or (step.on_host and not step.stamped):
                    self._announce(step.name)
                execution = self._execute(step)
                # a compiler may well say no, and will say it again; a folder that was not finished is not kept
                is_answer = execution.exit_code == 0 or not (step.keep or step.must_succeed)
                if execution.ended == "exited" and is_answer:
                    self._store(key, execution)
                elif execution.ended == "signalled" and execution.exit_code == -signal.SIGKILL:
                    return execution  # killed from outside: whoever asks again may learn more
            return self._known.setdefault(key, execution)

    def _stored(self, step: Step, key: str) -> Execution | None:
        """Return the stored execution of a step; None if there is none that still holds."""
        if step.keep is not None and not (self._folder / "kept" / step.keep).is_dir():
            return None
        execution = _stored_execution(self._record(key))
        return execution if execution is not None and (not step.stamped or _still_true(execution)) else None

    def _store(self, key: str, execution: Execution) -> None:
        record = self._record(key)
        try:
            record.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(PermissionError):  # a cache folder that users of a group share
                record.parent.chmod(0o700)  # what a step prints may be a secret
            atomic.write_bytes(record, msgspec.msgpack.encode(execution))
        except OSError as error:
            raise _not_kept(self._folder, error) from error

    def _record(self, key: str) -> Path:
        return self._folder / "steps" / f"{key}.msgpack"

    def _execute(self, step: Step) -> Execution:
        with self._kept_folder(step) as folder:
            resolved = replace(self.resolved(step), keep=str(folder) if folder else None)
            return run_on_host(resolved, self._host_environment) if step.on_host else self._sandbox.run(resolved)

    @contextlib.contextmanager
    def _kept_folder(self, step: Step) -> Iterator[Path | None]:
        """An empty folder, which takes its place under its name when the step is over."""
        if step.keep is None:
            yield None
            return
        try:
            with atomic.new_folder(self._folder / "kept" / step.keep) as folder:
                yield folder
        except OSError as error:
            raise _not_kept(self._folder, error) from error

    def resolved(self, step: Step) -> Step:
        """Put paths of the host in the place of kept folders' names."""
        kept = self._folder / "kept"
        mounts = (
            replace(mount, source=str(kept / mount.source.removeprefix(_KEPT)))
            if mount.source.startswith(_KEPT)
            else mount
            for mount in step.mounts
        )
        return replace(step, mounts=tuple(mounts))


def _stored_execution(file: Path) -> Execution | None:
    """Return the stored execution of a step; None if there is none, or if a power cut left half of it."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=Execution)
    except (OSError, msgspec.MsgspecError):
        return None


def _not_kept(folder: Path, error: OSError) -> UserError:
    return UserError(f"{folder}: cannot be written: {error.strerror}; free some space, or set FORGETEST_CACHE")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes from doing the same work at the same time."""
    with contextlib.ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(locks.exclusive(path))
        except OSError as error:
            raise UserError(f"{path.parent}: cannot be written: {error.strerror}; set FORGETEST_CACHE") from error
        yield


def _still_true(execution: Execution) -> bool:
    """Return whether every file that the output stamps is unchanged; False if it stamps none."""
    lines = execution.stdout.decode(errors="surrogateescape").splitlines()
    stamps = [line.removeprefix("stamp=").rsplit(" ", 2) for line in lines if line.startswith("stamp=")]
    try:
        found = [[path, str(status.st_size), str(int(status.st_mtime))] for path, status in _stamped_statuses(stamps)]
    except OSError:
        return False
    return bool(stamps) and found == stamps


def _stamped_statuses(stamps: Iterable[Sequence[str]]) -> Iterator[tuple[str, os.stat_result]]:
    for path, *_ in stamps:
        yield path, os.stat(path)  # noqa: PTH116  (a path of any bytes)


def _fields(step: Step) -> dict[str, object]:
    fields: dict[str, object] = msgspec.to_builtins(step, builtin_types=(bytes,))
    return fields
