"""Runs of a tree's tests in the sandbox that forgetest proves: offline, with limits, on a copy that is thrown away."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from forgetest.files import atomic
from forgetest.sandboxes import Sandbox, host
from forgetest.sandboxes.factory import open_proved_sandbox
from forgetest.verdict import Execution, Limits, Mount, Step
from nerv.verification.ecosystems import PROJECT, Preparation, TestCommand
from nerv.verification.trees import Tree, archive

DEFAULT_SANDBOX = "bubblewrap"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl")
_GIGABYTE = 1 << 30
_IDLE_S = 120.0
"""For tests that wait for ever: for each other, or at the end for a server that a failed test has not stopped."""
_OWN_FILES = {
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "hosts: files\npasswd: files\ngroup: files\n",
    "passwd": "nobody:x:65534:65534:nobody:/w/home:/bin/sh\n",
    "group": "nogroup:x:65534:\n",
}
"""Files of `/etc` that tests of servers and of users look into; the host's own are not shown."""
# the archive comes on stdin, so that the tree is never laid out on the host
_UNPACK = 'mkdir -p project home tmp reports && tar -xf - -C project && cd "$0" && exec "$@" </dev/null'


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSandbox:
    """A proved sandbox, and the limits of one run of a test suite."""

    __test__ = False  # pytest: this is no test

    sandbox: Sandbox
    limits: Limits
    mounts: tuple[Mount, ...] = ()
    """What every run sees: the system's programs and libraries, and a few files of `/etc`."""

    def with_patience(self, factor: float) -> TestSandbox:
        """Return the same sandbox with a multiple of its time limits."""
        limits = self.limits
        return replace(self, limits=replace(limits, cpu_s=factor * limits.cpu_s, wall_s=factor * limits.wall_s))

    def run(
        self, tree: Tree, folder: str, command: TestCommand, preparation: Preparation, keep: Path | None = None
    ) -> Execution:
        """Run the tests of the project in `folder` of a tree; `keep`: a folder that is left as the work folder was."""
        below = f"{folder}/" if folder else ""
        variables = {**_environment(), **preparation.environment, **command.environment}
        whole = {**tree, **{f"{below}{path}": file for path, file in command.added.items()}}
        return self.sandbox.run(
            Step(
                name="tests",
                argv=("/bin/sh", "-c", _UNPACK, f"{PROJECT}/{folder}".rstrip("/"), *command.argv),
                stdin=archive(whole),
                files=command.files,
                outputs=tuple(f"reports/{name}" for name in command.reports),
                env={name: value for name, value in variables.items() if name not in command.hidden},
                mounts=(*self.mounts, *preparation.mounts),
                limits=self.limits,
                keep=None if keep is None else str(keep),
                loopback=True,  # tests start servers
                proc=True,  # cargo, go and java find themselves there; it shows only the processes of the sandbox
            )
        )


@contextlib.contextmanager
def open_test_sandbox(kind: str, cache_folder: Path, cpu_s: float) -> Iterator[TestSandbox]:
    """Open and prove a sandbox; raises UserError if there is none, or it does not hold."""
    sandbox, _ = open_proved_sandbox(kind, cache_folder)
    try:
        yield TestSandbox(sandbox=sandbox, limits=_limits(cpu_s), mounts=_system_mounts(cache_folder))
    finally:
        sandbox.close()


def _limits(cpu_s: float) -> Limits:
    memory = host.memory_bytes() or 4 * _GIGABYTE
    return Limits(
        cpu_s=cpu_s,
        wall_s=4 * cpu_s,
        idle_s=_IDLE_S,
        memory_bytes=min(6 * _GIGABYTE, max(_GIGABYTE, memory // 2)),
        address_space_bytes=256 * _GIGABYTE,  # JavaScript engines reserve ten for each instance of WebAssembly
        processes=1024,
        open_files=8192,
    )


def _environment() -> Mapping[str, str]:
    return {
        "HOME": "/w/home",
        "TMPDIR": "/w/tmp",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "CI": "true",
    }


def _system_mounts(cache_folder: Path) -> tuple[Mount, ...]:
    own = cache_folder / "verification" / "etc"
    own.mkdir(parents=True, exist_ok=True)
    for name, text in _OWN_FILES.items():
        if not (own / name).exists():
            atomic.write_bytes(own / name, text.encode())
    system = (Mount(source=path, target=path) for path in _SYSTEM if Path(path).exists())
    return (*system, *(Mount(source=str(own / name), target=f"/etc/{name}") for name in _OWN_FILES))
