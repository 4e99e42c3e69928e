"""The memory of all processes of a sandbox together: limited by a memory cgroup, or else by the watcher."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.bubblewrap import Bubblewrap
from forgetest.sandboxes.factory import open_sandbox
from forgetest.sandboxes.landlock import Landlock
from forgetest.sandboxes.memory import cgroup_paths
from forgetest.sandboxes.memory.pool import CgroupPool
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Execution, Limits, Mount, Step

KINDS = ("bubblewrap", "landlock")
SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))
LIMIT = 200 << 20
HOLDING = "head -c 60m /dev/zero | tail -c 60m | sleep 600"  # tail holds what nobody has read yet
PASSING = "head -c 60m /dev/zero | tail -c 60m >/dev/null"
"""Takes 60 MB for a moment."""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def by_cgroup(kind: str) -> Iterator[Sandbox]:
    sandbox = made(kind)
    memory = pool(sandbox)
    if not memory.is_usable:
        sandbox.close()
        pytest.skip(memory.description)
    yield sandbox
    sandbox.close()


@pytest.fixture
def by_watcher(kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    monkeypatch.setattr(cgroup_paths, "find", list)
    sandbox = made(kind)
    yield sandbox
    sandbox.close()


@pytest.fixture(params=["by_cgroup", "by_watcher"])
def sandbox(request: pytest.FixtureRequest, kind: str) -> Sandbox:
    held: Sandbox = request.getfixturevalue(request.param)
    return held


def made(kind: str) -> Sandbox:
    try:
        return open_sandbox(kind)
    except UserError as error:
        pytest.skip(str(error))


def pool(sandbox: Sandbox) -> CgroupPool:
    assert isinstance(sandbox, Bubblewrap | Landlock)
    return sandbox.memory


def group_folder(sandbox: Sandbox) -> Path:
    folder = pool(sandbox).folder
    assert folder
    return folder


def shell(sandbox: Sandbox, script: str, *, memory_bytes: int = LIMIT, mounts: tuple[Mount, ...] = ()) -> Execution:
    step = Step(name="shell", argv=("/bin/sh", "-c", script), mounts=(*SYSTEM, *mounts))
    limits = Limits(cpu_s=600, memory_bytes=memory_bytes, wall_s=600)
    return sandbox.run(replace(step, env={"PATH": "/usr/bin:/bin"}, limits=limits))


def at_once(count: int, script: str) -> str:
    return " & ".join([f"({script})"] * count) + " & wait"


def test_one_process_cannot_take_more(sandbox: Sandbox):
    execution = shell(sandbox, "head -c 500m /dev/zero | tail -c 500m | wc -c")
    assert b"524288000" not in execution.stdout


def test_many_processes_cannot_take_more_together(sandbox: Sandbox):
    assert shell(sandbox, at_once(8, HOLDING)).ended == "memory_limit"


def test_many_processes_may_take_what_is_allowed(sandbox: Sandbox):
    execution = shell(sandbox, at_once(3, "head -c 20m /dev/zero | tail -c 20m | wc -c"))
    assert (execution.ended, execution.stdout.split()) == ("exited", [b"20971520"] * 3)


def test_processes_that_run_in_turn_may_each_take_the_memory(sandbox: Sandbox):
    execution = shell(sandbox, f"for n in 1 2 3 4; do {PASSING}; done; echo done")
    assert (execution.ended, execution.stdout) == ("exited", b"done\n")


def test_processes_that_end_before_the_watcher_looks_are_counted(by_cgroup: Sandbox):
    """Each waits until the next has its part, so no clock decides; all of it ends before the watcher looks."""
    assert probe.find_breaches(by_cgroup, trials={"burst"})["tree_memory"] == []


def test_memory_of_one_sandbox_is_not_counted_in_the_next(by_cgroup: Sandbox):
    shell(by_cgroup, at_once(8, HOLDING))
    execution = shell(by_cgroup, f"{PASSING}; echo done")
    assert (execution.ended, execution.stdout) == ("exited", b"done\n")


def test_sandboxes_that_run_at_once_are_counted_separately(by_cgroup: Sandbox):
    scripts = [f"{at_once(8, HOLDING)}", f"{PASSING}; echo done"] * 2
    with ThreadPoolExecutor(len(scripts)) as pool:
        ended = [execution.ended for execution in pool.map(lambda script: shell(by_cgroup, script), scripts)]
    assert ended == ["memory_limit", "exited"] * 2


def test_files_of_the_host_that_are_read_do_not_count(by_cgroup: Sandbox, tmp_path: Path):
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(600 << 20)
    big.chmod(0o644)
    execution = shell(by_cgroup, "wc -c </shown", mounts=(Mount(source=str(big), target="/shown"),))
    assert (execution.ended, execution.stdout.strip()) == ("exited", str(600 << 20).encode())


@pytest.mark.parametrize("kind", ["bubblewrap"], indirect=True)
@pytest.mark.parametrize(
    ("script", "memory_bytes"),
    [
        pytest.param("for n in 1 2 3; do head -c 100m /dev/zero >$n; done", LIMIT, id="large"),
        pytest.param("n=0; while [ $n -lt 200000 ]; do : >$n; n=$((n+1)); done", 24 << 20, id="empty"),
    ],
)
def test_files_in_the_work_folder_count_even_empty_ones(by_cgroup: Sandbox, script: str, memory_bytes: int):
    assert shell(by_cgroup, script, memory_bytes=memory_bytes).ended == "memory_limit"


@pytest.mark.parametrize("kind", ["bubblewrap"], indirect=True)
def test_the_mechanism_that_limits_memory_is_reported(by_watcher: Sandbox):
    isolation = by_watcher.probe()
    assert isolation.watched == ("tree_memory",)
    assert isolation.level.endswith(" ~tree_memory")
    assert "watcher" in isolation.held_by["tree_memory"]


IN_A_SMALL_MACHINE = """
import contextlib, os, sys, time
from pathlib import Path
from forgetest.sandboxes.factory import open_sandbox
from forgetest.errors import MachineryError
from forgetest.sandboxes import host
from forgetest.verdict import Limits, Mount, Step

kind, place = sys.argv[1:]
small = Path(place, f"small-{os.getpid()}")
small.mkdir()
(small / "memory.limit_in_bytes").write_text(str(250 << 20))
(small / "cgroup.procs").write_text(str(os.getpid()))
print("here:", host.memory_bytes() >> 20)
sandbox = open_sandbox(kind)
mounts = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))
script = " & ".join(["(head -c 60m /dev/zero | tail -c 60m | sleep 600)"] * 8) + " & wait"
step = Step(name="greedy", argv=("/bin/sh", "-c", script), mounts=mounts, env={"PATH": "/usr/bin:/bin"})
try:
    print("ended:", sandbox.run(step).ended)
except MachineryError as error:
    print("unjudged:", error)
sandbox.close()
Path(place, "cgroup.procs").write_text(str(os.getpid()))
end = time.monotonic() + 30
while small.exists() and time.monotonic() < end:  # the kernel may take a moment to forget processes that were killed
    with contextlib.suppress(OSError):
        small.rmdir()
    time.sleep(0.05)
"""


def test_a_machine_with_less_memory_than_the_limit_is_not_the_samples_fault(kind: str, by_cgroup: Sandbox):
    parents = [parent for parent in cgroup_paths.find() if parent.version == 1]
    if not parents:
        pytest.skip("a smaller machine is simulated by a cgroup of version 1")
    output = subprocess.run(
        [sys.executable, "-c", IN_A_SMALL_MACHINE, kind, str(parents[0].folder)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    assert output.splitlines()[0] == "here: 250"
    assert "unjudged: greedy: the machine ran out of memory" in output


KILLED = """
import sys, time
from forgetest.sandboxes.factory import open_sandbox
from forgetest.verdict import Mount, Step

sandbox = open_sandbox(sys.argv[1])
mounts = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))
print(sandbox.memory.folder, flush=True)
step = Step(name="s", argv=("/bin/sh", "-c", "(setsid sleep 600 &) ; sleep 600"), mounts=mounts)
sandbox.run(step)
"""


def test_cgroups_of_a_killed_forgetest_are_removed_by_the_next(kind: str, by_cgroup: Sandbox):
    process = subprocess.Popen([sys.executable, "-c", KILLED, kind], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout
        left = Path(process.stdout.readline().strip())
        wait_until(lambda: inside(left))
        process.kill()
    assert left.exists()

    def is_removed_by_another() -> bool:
        made(kind).close()
        return not left.exists()

    wait_until(is_removed_by_another)  # one that comes while killed processes still end leaves it to the one after it


def test_no_cgroup_is_left_when_the_sandbox_is_closed(by_cgroup: Sandbox):
    group = group_folder(by_cgroup)
    shell(by_cgroup, at_once(8, HOLDING))
    assert group.exists()
    by_cgroup.close()
    assert not group.exists()


def test_a_cgroup_that_somebody_removes_does_not_fail_the_step(by_cgroup: Sandbox):
    shell(by_cgroup, "true")
    group = group_folder(by_cgroup)
    for cgroup in (*(path for path in group.iterdir() if path.is_dir()), group):
        wait_until(lambda cgroup=cgroup: is_removed(cgroup))  # the kernel may still be ending the step's processes
    assert shell(by_cgroup, "echo done").stdout == b"done\n"
    assert shell(by_cgroup, at_once(8, HOLDING)).ended == "memory_limit"


def is_removed(cgroup: Path) -> bool:
    """Remove a cgroup; return False if it is still busy."""
    try:
        cgroup.rmdir()
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


def inside(group: Path) -> bool:
    """True if a process is in one of the cgroups."""
    return any(file.read_text() for file in group.glob("*/cgroup.procs"))


def wait_until(condition, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.02)
