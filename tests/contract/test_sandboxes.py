"""What every sandbox must do. A new kind joins by its name in KINDS."""

from __future__ import annotations

import os
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest import plugins
from forgetest.errors import MachineryError
from forgetest.sandboxes import Sandbox, probe
from forgetest.verdict import Execution, Limits, Mount, Step

KINDS = {"bubblewrap": "bwrap"}
SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))


@pytest.fixture(scope="module", params=sorted(KINDS))
def sandbox(request):
    if shutil.which(KINDS[request.param]) is None:
        pytest.skip(f"{KINDS[request.param]} is not installed")
    made: Sandbox = plugins.find("sandboxes", request.param)()
    yield made
    made.close()


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


def test_nothing_of_the_work_folder_is_left_on_the_host(sandbox):
    before = set(Path("/dev/shm").glob("forgetest-*"))
    shell(sandbox, "echo x > file")
    assert set(Path("/dev/shm").glob("forgetest-*")) <= before


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
    started = time.monotonic()
    execution = shell(sandbox, "sleep 60", limits=Limits(wall_s=0.5))
    assert execution.ended == "wall_limit"
    assert time.monotonic() - started < 20


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


def test_files_are_limited_in_size(sandbox):
    execution = shell(sandbox, "head -c 50m /dev/zero > big", limits=Limits(file_bytes=1 << 20), outputs=("big",))
    assert len(execution.outputs.get("big", b"")) <= 1 << 20


def test_what_a_command_leaves_running_dies_with_it(sandbox):
    marker = f"7{os.getpid()}"
    shell(sandbox, f"(setsid sleep {marker} &) ; (nohup sleep {marker} >/dev/null 2>&1 &) ; exit 0")
    time.sleep(0.2)
    assert not sleeping(marker)


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
    assert isolation.held
    assert {promise: held for promise, held in isolation.held.items() if not held} == {}
    assert isolation.level == isolation.kind


def test_a_promise_that_is_broken_is_seen(sandbox):
    """The probe's own attempts can fail: here it runs in a sandbox whose walls were taken down."""

    class Holed:
        def run(self, step: Step) -> Execution:
            seen = (*step.mounts, Mount(source="/etc/passwd", target="/etc/passwd"))
            return sandbox.run(replace(step, mounts=seen, env={"LEAKED": "1"}, limits=Limits(wall_s=60), workdir=True))

    held = probe.attempt_everything(Holed())
    assert {promise for promise, kept in held.items() if not kept} == {"files", "environment", "memory"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_closing_it_ends_what_is_running(kind):
    if shutil.which(KINDS[kind]) is None:
        pytest.skip(f"{KINDS[kind]} is not installed")
    sandbox: Sandbox = plugins.find("sandboxes", kind)()
    marker = f"8{os.getpid()}"
    ended = threading.Event()

    def run() -> None:
        with pytest.raises(MachineryError):
            shell(sandbox, f"sleep {marker}")
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    wait_until(lambda: sleeping(marker))
    sandbox.close()
    assert ended.wait(10)
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


def wait_until(condition, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)
