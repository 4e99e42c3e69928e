"""Probing a sandbox: runs `breakout.py` in it, which tries to break each promise.

The program is ours and honest: it reports what it managed to do. What it cannot know itself (whether it was stopped,
whether anything of it is left) is checked from outside.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from forgetest.errors import ForgetestError, MachineryError, UserError
from forgetest.sandboxes.process import exit_status, seccomp
from forgetest.verdict import Ending, Limits, Mount, Step

if TYPE_CHECKING:
    from forgetest.sandboxes import Sandbox

_PREFIX = "/python"
_SHOWN = "/shown"
_NAMESPACES = ("user", "pid", "net", "ipc", "uts", "mnt")
_WALL_S = 120.0
_LIMITS = Limits(cpu_s=60, wall_s=_WALL_S, memory_bytes=2 << 30, file_bytes=4 << 20, processes=64, open_files=256)
_FILL_MB = 600
"""More than any folder of a sandbox holds."""
_LONGEST_SOCKET_PARENT = 70
"""Bytes: an address has 107, and the names of the probe's folder and of its socket follow."""
_KILL_S = 60.0
"""Time that killed processes may take to be gone, on a busy machine."""

PROMISES = frozenset(
    {"network", "files", "writing", "environment", "processes", "devices", "privileges", "namespaces"}
    | {"system_calls", "memory", "tree_memory", "cpu_time", "wall_time", "disk", "file_size", "open_files"}
    | {"process_count", "output", "daemons", "parent"}
)
TRIALS = frozenset(
    {"walls", "work_folder", "through_proc", "through_loopback"}
    | {"crowd", "busy_crowd", "sleep", "flood", "daemon", "parent"}
)
"""The trials for every kind of sandbox. `burst` is for those that claim that the kernel counts their memory."""

Breaches = dict[str, list[str]]
"""For each promise, the ways in which it was broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitTrial:
    """A trial that exceeds a limit and must be stopped, and the ending that it must have."""

    name: str
    promise: str
    limits: Limits
    ended: Ending


LIMIT_TRIALS = (
    LimitTrial(
        name="crowd", promise="tree_memory", limits=replace(_LIMITS, memory_bytes=256 << 20), ended="memory_limit"
    ),
    LimitTrial(
        name="burst", promise="tree_memory", limits=replace(_LIMITS, memory_bytes=256 << 20), ended="memory_limit"
    ),
    LimitTrial(name="busy_crowd", promise="cpu_time", limits=replace(_LIMITS, cpu_s=1), ended="cpu_limit"),
    LimitTrial(name="sleep", promise="wall_time", limits=replace(_LIMITS, wall_s=0.2), ended="wall_limit"),
    LimitTrial(name="flood", promise="output", limits=replace(_LIMITS, output_bytes=1 << 20), ended="output_limit"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisposableSandbox:
    """A sandbox whose parent can be ended without warning, as if forgetest had been killed."""

    sandbox: Sandbox
    end_parent: Callable[[], None]


def find_breaches(
    sandbox: Sandbox,
    *,
    make_disposable: Callable[[], DisposableSandbox] | None = None,
    trials: Collection[str] = TRIALS,
    limit_trials: Sequence[LimitTrial] = LIMIT_TRIALS,
    kill_s: float = _KILL_S,
) -> Breaches:
    """Try to break each promise, and return the ways that succeeded.

    `make_disposable` is for the trial `parent`; `kill_s` is the time that killed processes may take to be gone.
    """
    with _decoys() as decoys:
        breaches = _try_walls(sandbox, decoys, trials)
    for trial in limit_trials:
        if trial.name in trials:
            breaches.setdefault(trial.promise, []).extend(_exceed_limit(sandbox, trial))
    if "daemon" in trials:
        marker = _new_marker()
        sandbox.run(_step("daemon", {"mark": marker}))
        breaches["daemons"] = [] if _wait_until_gone(marker, kill_s) else ["one outlived its sandbox"]
        _kill_marked(marker)
    if make_disposable and "parent" in trials:
        breaches["parent"] = _outlive_parent(make_disposable(), _new_marker(), kill_s)
    return breaches


def _try_walls(sandbox: Sandbox, decoys: _Decoys, trials: Collection[str]) -> Breaches:
    """Run the trials that report what they reached, and add what the host noticed."""
    breaches: Breaches = {}
    shown = Mount(source=str(decoys.shown), target=_SHOWN)
    for name in ("walls", "work_folder", "through_proc", "through_loopback"):
        if name not in trials:
            continue
        step = replace(
            _step(name, decoys.facts, shown),
            workdir=name == "work_folder",
            proc=name == "through_proc",
            loopback=name == "through_loopback",
        )
        execution = sandbox.run(step)
        if not execution.succeeded:
            reason = exit_status.last_line(execution.stderr) or execution.ended
            raise MachineryError(f"the sandbox could not be probed: {reason}")
        for promise, ways in msgspec.json.decode(execution.stdout, type=Breaches).items():
            breaches.setdefault(promise, []).extend(ways)
    for listener in decoys.listeners:
        with contextlib.suppress(BlockingIOError):
            listener.recv(1) if listener.type == socket.SOCK_DGRAM else listener.accept()[0].close()
            breaches.setdefault("network", []).append("a listener on the host was reached")
    if sorted(path.name for path in decoys.shown.iterdir()) != ["file"]:
        breaches.setdefault("writing", []).append("a folder of the host was changed")
    return breaches


def _exceed_limit(sandbox: Sandbox, trial: LimitTrial) -> list[str]:
    execution = sandbox.run(_step(trial.name, {"memory": trial.limits.memory_bytes}, limits=trial.limits))
    stopped = execution.ended == trial.ended and len(execution.stdout) <= trial.limits.output_bytes
    return [] if stopped else [f"{trial.name}: {execution.ended}"]


def _outlive_parent(disposable: DisposableSandbox, marker: str, kill_s: float) -> list[str]:
    def run() -> None:
        with contextlib.suppress(ForgetestError):  # it is killed, which is the point
            disposable.sandbox.run(_step("sleep", {"mark": marker}, limits=replace(_LIMITS, wall_s=2 * _WALL_S)))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        if not _wait_for_condition(lambda: _processes(marker)):
            raise MachineryError("the sandbox could not be probed: a step that sleeps did not start")
        disposable.end_parent()
        return [] if _wait_until_gone(marker, kill_s) else ["a sandbox outlived its parent"]
    finally:
        _kill_marked(marker)
        disposable.sandbox.close()
        thread.join()


@dataclass(frozen=True, slots=True)
class _Decoys:
    """Things on the host that a sandbox must not reach: files, sockets, processes."""

    facts: Mapping[str, object]
    """Everything that `breakout.py` needs to know to find them."""
    shown: Path
    """A folder that the sandbox may read and must not change."""
    listeners: tuple[socket.socket, ...]


def _socket_parent() -> str:
    """Return the folder for temporary files, or /tmp if its path is too long for the address of a socket."""
    for folder in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(folder)) <= _LONGEST_SOCKET_PARENT and os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise UserError(f"TMPDIR: {tempfile.gettempdir()} is too long for the address of a socket; set a shorter path")


@contextlib.contextmanager
def _decoys() -> Iterator[_Decoys]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="forgetest-probe-", dir=_socket_parent())))
        folder.chmod(0o755)
        shown = folder / "shown"
        shown.mkdir()
        shown.chmod(0o777)  # only the sandbox keeps anybody from writing there
        (shown / "file").touch()
        (shown / "file").chmod(0o666)
        ipv4 = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        name = f"{folder.name}-{os.getpid()}"
        abstract.bind(f"\0{name}")
        listeners = [ipv4, udp, unix, abstract]
        ipv6_port = 9
        with contextlib.suppress(OSError):  # a machine may have no IPv6
            ipv6 = stack.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6))
            ipv6_port = ipv6.getsockname()[1]
            listeners.append(ipv6)
        for listener in listeners:
            if listener.type == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
        yield _Decoys(
            facts={
                "ipv4": ipv4.getsockname()[1],
                "ipv6": ipv6_port,
                "udp": udp.getsockname()[1],
                "unix": str(folder / "socket"),
                "abstract": name,
                "canary": str(shown / "file"),
                "shown": _SHOWN,
                "home": str(Path.home()),
                "host_pid": os.getpid(),
                "known": ["dev", "lib", "lib64", "python", "proc", "shown", "tmp", "usr", "w", "x"],
                "fill_mb": _FILL_MB,
                "file_mb": _LIMITS.file_bytes >> 20,
                "memory": _LIMITS.memory_bytes,
                "processes": _LIMITS.processes,
                "open_files": _LIMITS.open_files,
                "newest_call": seccomp.NEWEST_CALL,
                "namespaces": {name: str(Path(f"/proc/self/ns/{name}").readlink()) for name in _NAMESPACES},
            },
            shown=shown,
            listeners=tuple(listeners),
        )


def _step(
    trial: str,
    facts: Mapping[str, object],
    *mounts: Mount,
    limits: Limits = _LIMITS,
) -> Step:
    prefix = os.path.realpath(sys.base_prefix)
    interpreter = f"{_PREFIX}/{Path(sys.executable).resolve().relative_to(prefix)}"
    system = [path for path in ("/usr", "/lib", "/lib64") if Path(path).exists()]
    program = resources.files(__package__).joinpath("breakout.py").read_text(encoding="utf-8")
    return Step(
        name=f"probe: {trial}",
        argv=(interpreter, "-I", "-S", "-c", program, trial, msgspec.json.encode(facts).decode()),
        mounts=(
            *(Mount(source=os.path.realpath(path), target=path) for path in system),
            Mount(source=prefix, target=_PREFIX),
            *mounts,
        ),
        limits=limits,
        workdir=False,
    )


def _new_marker() -> str:
    """A word by which the processes of one trial are found on the host."""
    return f"forgetest-mark-{os.getpid()}-{time.monotonic_ns()}"


def _processes(marker: str) -> list[int]:
    """Interpreters in sandboxes that have this marker in their last argument."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            argv = (process / "cmdline").read_bytes().split(b"\0")
            if f"{_PREFIX}/".encode() in argv[0] and marker.encode() in argv[-2]:
                found.append(int(process.name))
    return found


def _kill_marked(marker: str) -> None:
    for process in _processes(marker):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def _wait_until_gone(marker: str, seconds: float) -> bool:
    return _wait_for_condition(lambda: not _processes(marker), seconds)


def _wait_for_condition(condition: Callable[[], object], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
