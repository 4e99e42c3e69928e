"""Proves what a sandbox holds back: runs `breaches.py` in it, which tries to break each promise.

The program is ours and honest; it reports what it managed to do. What it cannot know itself (whether it was
stopped, whether something of it is left) is looked at from outside.
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
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from forgetest.errors import ForgetestError, MachineryError
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

PROMISES = frozenset(
    {"network", "files", "writing", "environment", "processes", "devices", "privileges", "namespaces"}
    | {"system_calls", "memory", "tree_memory", "cpu_time", "wall_time", "disk", "file_size", "open_files"}
    | {"process_count", "output", "daemons", "parent"}
)
_PATIENCE_S = 60.0
"""How long what was killed may take to be gone, on a machine that is busy."""

TRIALS = frozenset(
    {"walls", "work_folder", "through_proc", "crowd", "busy_crowd", "sleep", "flood", "daemon", "parent"}
)
"""What every kind is tried by. `burst` is for those that say that the kernel counts their memory."""

Breaches = dict[str, list[str]]
"""Each promise, and the ways in which it was broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deed:
    """Something that must be stopped, and by what."""

    promise: str
    name: str
    limits: Limits
    ended: Ending


_DEEDS = (
    _Deed(
        promise="tree_memory",
        name="crowd",
        limits=replace(_LIMITS, memory_bytes=256 << 20),
        ended="memory_limit",
    ),
    _Deed(
        promise="tree_memory",
        name="burst",
        limits=replace(_LIMITS, memory_bytes=256 << 20),
        ended="memory_limit",
    ),
    _Deed(promise="cpu_time", name="busy_crowd", limits=replace(_LIMITS, cpu_s=1), ended="cpu_limit"),
    _Deed(promise="wall_time", name="sleep", limits=replace(_LIMITS, wall_s=0.2), ended="wall_limit"),
    _Deed(promise="output", name="flood", limits=replace(_LIMITS, output_bytes=1 << 20), ended="output_limit"),
)


def attempt_everything(
    sandbox: Sandbox,
    *,
    abandoned: Callable[[], AbandonedSandbox] | None = None,
    trials: Collection[str] = TRIALS,
) -> Breaches:
    """Each promise, and the ways in which it was broken; `abandoned` makes a sandbox that loses its parent."""
    with _bait() as bait:
        found = bait.try_out(sandbox, trials)
    for deed in _DEEDS:
        if deed.name in trials:
            execution = sandbox.run(_step(deed.name, {"memory": deed.limits.memory_bytes}, limits=deed.limits))
            stopped = execution.ended == deed.ended and len(execution.stdout) <= deed.limits.output_bytes
            found.setdefault(deed.promise, []).extend([] if stopped else [f"{deed.name}: {execution.ended}"])
    if "daemon" in trials:
        mark = _mark()
        sandbox.run(_step("daemon", {"mark": mark}))
        found["daemons"] = [] if _gone(mark) else ["one outlived its sandbox"]
        _end(mark)
    if abandoned and "parent" in trials:
        found["parent"] = _outlives(abandoned(), _mark())
    return found


class AbandonedSandbox:
    """A sandbox whose parent can end without a word."""

    def __init__(self, sandbox: Sandbox, abandon: Callable[[], None]) -> None:
        self.sandbox = sandbox
        self.abandon = abandon


def _outlives(abandoned: AbandonedSandbox, mark: str) -> list[str]:
    def run() -> None:
        with contextlib.suppress(ForgetestError):  # it is killed: that is the point
            abandoned.sandbox.run(_step("sleep", {"mark": mark}, limits=replace(_LIMITS, wall_s=2 * _WALL_S)))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        if not _until(lambda: _running(mark)):
            raise MachineryError("the sandbox could not be probed: a step that sleeps did not start")
        abandoned.abandon()
        return [] if _gone(mark) else ["a sandbox outlived its parent"]
    finally:
        _end(mark)
        abandoned.sandbox.close()
        thread.join()


@dataclass(frozen=True, slots=True)
class _Bait:
    """What there is on the host to be reached, and what must not have been."""

    facts: Mapping[str, object]
    shown: Path
    listeners: tuple[socket.socket, ...]

    def try_out(self, sandbox: Sandbox, trials: Collection[str]) -> Breaches:
        """Run each trial; what the host itself saw comes last."""
        found: Breaches = {}
        shown = Mount(source=str(self.shown), target=_SHOWN)
        for name in ("walls", "work_folder", "through_proc"):
            if name not in trials:
                continue
            step = _step(name, self.facts, shown, workdir=name == "work_folder", proc=name == "through_proc")
            execution = sandbox.run(step)
            if not execution.succeeded:
                told = execution.stderr.decode(errors="replace").strip().splitlines()
                raise MachineryError(f"the sandbox could not be probed: {told[-1] if told else execution.ended}")
            for promise, ways in msgspec.json.decode(execution.stdout, type=Breaches).items():
                found.setdefault(promise, []).extend(ways)
        for listener in self.listeners:
            with contextlib.suppress(BlockingIOError):
                listener.recv(1) if listener.type == socket.SOCK_DGRAM else listener.accept()[0].close()
                found.setdefault("network", []).append("a listener on the host heard something")
        if sorted(path.name for path in self.shown.iterdir()) != ["file"]:
            found.setdefault("writing", []).append("a folder of the host was changed")
        return found


@contextlib.contextmanager
def _bait() -> Iterator[_Bait]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="forgetest-probe-")))
        folder.chmod(0o755)
        shown = folder / "shown"
        shown.mkdir()
        shown.chmod(0o777)  # that nothing can be written there is the sandbox's doing
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
        yield _Bait(
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
                "namespaces": {name: str(Path(f"/proc/self/ns/{name}").readlink()) for name in _NAMESPACES},
            },
            shown=shown,
            listeners=tuple(listeners),
        )


def _step(
    name: str,
    facts: Mapping[str, object],
    *mounts: Mount,
    limits: Limits = _LIMITS,
    workdir: bool = False,
    proc: bool = False,
) -> Step:
    prefix = os.path.realpath(sys.base_prefix)
    interpreter = f"{_PREFIX}/{Path(sys.executable).resolve().relative_to(prefix)}"
    system = [path for path in ("/usr", "/lib", "/lib64") if Path(path).exists()]
    program = resources.files(__package__).joinpath("breakout.py").read_text(encoding="utf-8")
    return Step(
        name=f"probe: {name}",
        argv=(interpreter, "-I", "-S", "-c", program, name, msgspec.json.encode(facts).decode()),
        mounts=(
            *(Mount(source=os.path.realpath(path), target=path) for path in system),
            Mount(source=prefix, target=_PREFIX),
            *mounts,
        ),
        limits=limits,
        workdir=workdir,
        proc=proc,
    )


def _mark() -> str:
    """A word by which the processes of one trial are found on the host."""
    return f"forgetest-mark-{os.getpid()}-{time.monotonic_ns()}"


def _running(mark: str) -> list[int]:
    """The interpreters in sandboxes that have this word in their last argument."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if f"{_PREFIX}/".encode() in words[0] and mark.encode() in words[-2]:
                found.append(int(process.name))
    return found


def _end(mark: str) -> None:
    for process in _running(mark):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def _gone(mark: str) -> bool:
    return _until(lambda: not _running(mark), seconds=_PATIENCE_S)


def _until(condition: Callable[[], object], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
