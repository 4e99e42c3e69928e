"""Workers: a judge with a sandbox of its own, opened where an executor wants it to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forgetest import config
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases, shared_memory
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.factory import open_proved_sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """The `WorkerSpec` of a judge: all that it needs to open in another process."""

    sandbox: str
    """The kind of sandbox."""
    sandbox_level: str
    """The level that the caller has proved. A worker whose sandbox proves another one does not open."""
    folder: Path
    """Folder of prepared dependencies and of proofs."""
    host_environment: tuple[tuple[str, str], ...]
    """Environment of tools that prepare cases outside the sandbox."""
    sharing: bool = True
    confirm_failures: bool = False

    def open(self) -> JudgeWorker:
        """Open a sandbox, prove it, and return a worker."""
        sandbox, isolation = open_proved_sandbox(self.sandbox, self.folder)
        if isolation.level != self.sandbox_level:
            sandbox.close()
            raise MachineryError(
                f"a worker's sandbox proves {isolation.level}, and the one of this process {self.sandbox_level}"
            )
        return JudgeWorker(sandbox, self)

    def for_this_machine(self) -> JudgeSpec:
        """Return the spec with the cache folder and the environment of this machine."""
        environment = tuple(sorted(config.host_environment().items()))
        return replace(self, folder=config.cache_folder(), host_environment=environment)


class JudgeWorker:
    """A judge and its sandbox. Thread-safe."""

    def __init__(self, sandbox: Sandbox, spec: JudgeSpec) -> None:
        self._sandbox = sandbox
        runner = StepRunner(sandbox, spec.folder, dict(spec.host_environment))
        cases = PreparedCases(runner, memory=shared_memory(spec.folder, spec.host_environment))
        self._cases = cases
        self._judge = Judge(
            runner, cases, spec.sandbox_level, sharing=spec.sharing, confirm_failures=spec.confirm_failures
        )

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[list[Judged]]:
        """Judge a group; yield results as they finish."""
        return self._judge.judge(group)

    def version(self, case: Case) -> str:
        """Return the version of the tools that samples of this case are judged with."""
        return self._cases.prepare(case).version

    def close(self) -> None:
        """End what is still running and release the sandbox."""
        self._sandbox.close()
