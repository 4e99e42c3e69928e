"""What every sandbox must do. A new kind joins by its name in KINDS, with what it does not promise in DIFFERENCES."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.engine.judging.sandbox import open_sandbox
from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Sandbox
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Execution, Limits, Mount, Step

KINDS = ("bubblewrap", "landlock", "none", "podman", "docker")
DIFFERENCES = {
    "test_the_work_folder_is_of_a_limited_size": {"landlock", "none"},
    "test_processes_are_limited_in_number": {"landlock", "none"},
    "test_every_promise_is_kept_when_it_is_tried": {"none"},
    "test_a_promise_that_is_broken_is_seen": {"none"},
}
"""What a kind says that it does not promise."""
VARIANTS = {"none", "docker"}
"""Kinds that hold nothing back, or are driven like another one (docker like podman): the slow lane has them."""
SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))


def made(kind: str) -> Sandbox:
    try:
        return open_sandbox(kind)
    except UserError as error:
        pytest.skip(str(error))


@pytest.fixture(
    scope="module", params=[pytest.param(kind, marks=pytest.mark.slow) if kind in VARIANTS else kind for kind in KINDS]
)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def kept(kind):
    sandbox = made(kind)
    yield sandbox
    sandbox.close()


@pytest.fixture
def sandbox(request, kind, kept):
    if kind in DIFFERENCES.get(request.node.originalname, ()):
        pytest.skip(f"{kind} does not promise this, and says so")
    return kept


def shell(sandbox: Sandbox, script: str, **further) -> Execution:
    step = Step(name="shell", argv=("/bin/sh", "-c", script), mounts=SYSTEM, env={"PATH": "/usr/bin:/bin"})
    return sandbox.run(replace(step, **further))


def test_a_command_gets_its_input_and_says_its_output_and_exit_code(sandbox):
    execution = shell(sandbox, "cat; echo problem >&2; exit 7", stdin=b"hello")
    assert (execution.stdout, execution.stderr) == (b"hello", b"problem\n")
    assert (execution.ended, execution.exit_code, execution.succeeded) == ("exited", 7, False)


def test_input_larger_than_a_pipe_arrives_whole(sandbox):
    assert shell(sandbox, "wc -c", stdin=b"x" * 5_000_000).stdout.strip() == b"5000000"


def test_a_command_that_does_not_read_its_input_is_no_failure(sandbox):
    assert shell(sandbox, "exit 0", stdin=b"x" * 5_000_000).succeeded


def test_files_are_laid_into_the_work_folder_and_read_back(sandbox):
    execution = shell(
        sandbox, "cat in/a.txt > out.txt", files={"in/a.txt": b"content"}, outputs=("out.txt", "never-made.txt")
    )
    assert execution.outputs == {"out.txt": b"content"}


def test_a_link_left_for_the_host_to_follow_is_not_followed(sandbox, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the host's own")
    execution = shell(
        sandbox, f"ln -s {secret} out; mkfifo pipe; ln -s /etc/passwd etc", outputs=("out", "pipe", "etc")
    )
    assert execution.outputs == {}


def test_a_folder_on_the_way_to_an_output_is_not_followed_if_it_is_a_link(sandbox, tmp_path):
    (tmp_path / "out").write_text("the host's own")
    execution = shell(
        sandbox, f"ln -s {tmp_path} folder; mkdir own; echo mine > own/out", outputs=("folder/out", "own/out")
    )
    assert execution.outputs == {"own/out": b"mine\n"}


def test_the_work_folder_is_of_a_limited_size(sandbox):
    execution = shell(sandbox, "for n in $(seq 20); do head -c 100m /dev/zero > $n || exit 28; done")
    assert execution.exit_code == 28


def test_nothing_of_the_work_folder_is_left_on_the_host(sandbox):
    mark = f"left-{os.getpid()}"
    shell(sandbox, f"echo x > {mark}; mkdir {mark}.d; chmod 0 {mark}.d")
    places = (Path("/dev/shm"), Path(tempfile.gettempdir()))
    folders = [folder for place in places for folder in place.glob("forgetest-*")]
    # by os.walk, which does not mind that others' folders vanish meanwhile
    names = {name for folder in folders for _, below, files in os.walk(folder) for name in (*below, *files)}
    assert not [name for name in names if name.startswith(mark)]


def test_the_environment_is_what_the_step_says_and_nothing_else(sandbox, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    execution = shell(sandbox, "env", env={"PATH": "/usr/bin:/bin", "GREETING": "hello"})
    names = {line.split(b"=")[0] for line in execution.stdout.splitlines()}
    assert names <= {b"PATH", b"GREETING", b"PWD", b"SHLVL", b"_", b"OLDPWD"}
    assert b"GREETING" in names


def test_without_a_work_folder_nothing_of_the_host_can_be_written(sandbox):
    execution = shell(
        sandbox,
        "pwd; for d in / /usr /lib; do touch $d/written 2>/dev/null && echo wrote; done; touch /tmp/x",
        workdir=False,
    )
    assert execution.stdout == b"/tmp\n"
    assert execution.succeeded


def test_a_command_that_sleeps_is_stopped_by_the_clock(sandbox):
    # for longer than this test may take
    assert shell(sandbox, "sleep 3600", limits=Limits(wall_s=0.5)).ended == "wall_limit"


def test_a_command_that_loops_is_stopped_by_its_cpu_time(sandbox):
    execution = shell(sandbox, "while :; do :; done", limits=Limits(cpu_s=1, wall_s=60))
    assert execution.ended == "cpu_limit"


def test_a_flood_of_output_is_cut_and_stopped(sandbox):
    execution = shell(sandbox, "yes", limits=Limits(output_bytes=10_000, wall_s=60))
    assert execution.ended == "output_limit"
    assert len(execution.stdout) == 10_000


def test_memory_is_limited(sandbox):
    hog = "head -c 500m /dev/zero | tail -c 500m | wc -c"
    assert b"524288000" not in shell(sandbox, hog, limits=Limits(memory_bytes=200 << 20)).stdout


def test_memory_is_limited_for_all_processes_together(sandbox):
    one = "head -c 60m /dev/zero | tail -c 60m | sleep 60"  # tail holds what nobody reads yet
    script = " & ".join([f"({one})"] * 8) + " & wait"
    assert shell(sandbox, script, limits=Limits(memory_bytes=200 << 20, wall_s=120)).ended == "memory_limit"


def test_cpu_time_is_limited_for_all_processes_together(sandbox):
    short = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
    script = f"while :; do ({short}); done"
    assert shell(sandbox, script, limits=Limits(cpu_s=1, wall_s=120)).ended == "cpu_limit"


def test_processes_are_limited_in_number(sandbox):
    script = "n=0; while [ $n -lt 200 ]; do sleep 60 & n=$((n+1)); done; echo all of them"
    assert b"all of them" not in shell(sandbox, script, limits=Limits(processes=50, wall_s=60)).stdout


def test_each_sandbox_counts_its_own_processes(sandbox):
    """Ten at once, of thirty processes each, with a limit of fifty."""
    script = "n=0; while [ $n -lt 30 ]; do sleep 0.5 & n=$((n+1)); done; wait; echo all of them"
    with ThreadPoolExecutor(10) as pool:
        ran = list(pool.map(lambda _: shell(sandbox, script, limits=Limits(processes=50, wall_s=120)), range(10)))
    assert {execution.stdout for execution in ran} == {b"all of them\n"}


def test_files_are_limited_in_size(sandbox):
    execution = shell(sandbox, "head -c 50m /dev/zero > big", limits=Limits(file_bytes=1 << 20), outputs=("big",))
    assert len(execution.outputs.get("big", b"")) <= 1 << 20


def test_what_a_command_leaves_running_dies_with_it(sandbox):
    marker = f"7{os.getpid()}"
    shell(sandbox, f"(setsid sleep {marker} &) ; (nohup sleep {marker} >/dev/null 2>&1 &) ; exit 0")
    wait_until(lambda: not sleeping(marker))


def test_a_signal_is_told_apart_from_an_exit_code(sandbox):
    execution = shell(sandbox, "kill -SEGV $$")
    assert (execution.ended, execution.exit_code) == ("signalled", -11)


def test_a_sandbox_that_cannot_start_is_a_failure_of_ours(sandbox):
    broken = Mount(source="/no/such/folder", target="/x-missing")
    with pytest.raises(MachineryError):
        shell(sandbox, "true", mounts=(*SYSTEM, broken))


def test_many_threads_may_use_it_at_once(sandbox):
    with ThreadPoolExecutor(8) as pool:
        outputs = pool.map(lambda number: shell(sandbox, f"sleep 0.05; echo {number}").stdout, range(40))
    assert list(outputs) == [f"{number}\n".encode() for number in range(40)]


def test_every_promise_is_kept_when_it_is_tried(sandbox):
    isolation = sandbox.probe()
    assert set(isolation.held) == probe.PROMISES
    assert {promise: ways for promise, ways in isolation.breaches.items() if ways and promise in isolation.broken} == {}
    assert {promise for promise, held in isolation.held.items() if not held} <= set(isolation.not_promised)


def test_a_promise_that_is_broken_is_seen(sandbox):
    """The probe's own attempts can succeed: here it runs in a sandbox with holes in its walls."""

    class Holed:
        def run(self, step: Step) -> Execution:
            seen = (*step.mounts, Mount(source="/etc/passwd", target="/etc/passwd"))
            wide = replace(step.limits, memory_bytes=8 << 30, open_files=1024)
            return sandbox.run(replace(step, mounts=seen, env={"LEAKED": "1"}, limits=wide))

    found = probe.find_breaches(Holed(), trials={"walls"})
    not_promised = set(getattr(sandbox, "not_promised", ()))
    broken = {promise for promise, ways in found.items() if ways}
    assert broken - not_promised == {"files", "environment", "memory", "open_files"}


def test_closing_it_ends_what_is_running(kind):
    sandbox = made(kind)
    marker = f"8{os.getpid()}"
    ended = threading.Event()

    def run() -> None:
        with pytest.raises(MachineryError):
            shell(sandbox, f"sleep {marker} & sleep {marker}; true")
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    wait_until(lambda: sleeping(marker))
    sandbox.close()
    assert ended.wait(120)
    wait_until(lambda: not sleeping(marker))
    with pytest.raises(MachineryError):
        shell(sandbox, "true")


def sleeping(marker: str) -> bool:
    """Whether a `sleep` with this argument runs anywhere on the machine."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cmdline").read_bytes().split(b"\0")[-2:-1] == [marker.encode()]:
                return True
        except OSError:
            continue
    return False


def wait_until(condition, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)
