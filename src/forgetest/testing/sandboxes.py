"""Contract suite for sandboxes.

A plugin's tests are a few lines; `create` is its entry point:

    class TestMine(SandboxContract):
        @pytest.fixture(scope="class")
        @classmethod
        def create(cls):
            return my_package.create

Promises that a sandbox does not make (`Isolation.not_promised`) are not tested. Steps use `/bin/sh` and the usual
commands of the machine that the tests run on.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation, Sandbox, SandboxSettings
from forgetest.sandboxes.factory import sandbox_settings
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Execution, Limits, Mount, Step

Create = Callable[[SandboxSettings], Sandbox]

SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))
"""Mounts that a shell needs."""


def open_or_skip(create: Create) -> Sandbox:
    """Return a new sandbox; skips the test where this machine cannot run it."""
    try:
        return create(sandbox_settings())
    except UserError as error:
        pytest.skip(str(error))


def run_shell(sandbox: Sandbox, script: str, **fields: Any) -> Execution:
    """Run a shell script as a step; `fields` are further fields of the step."""
    step = Step(name="shell", argv=("/bin/sh", "-c", script), mounts=SYSTEM, env={"PATH": "/usr/bin:/bin"})
    return sandbox.run(replace(step, **fields))


def is_sleeping(marker: str) -> bool:
    """True if a `sleep` with this argument runs anywhere on the machine."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.joinpath("cmdline").read_bytes().split(b"\0")[-2:-1] == [marker.encode()]:
                return True
    return False


def wait_until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait for a condition; fails the test if it does not come true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.02)


class _HoledSandbox:
    """A sandbox with holes: more mounts, more environment, and wider limits than the step asks for."""

    configuration = "holed"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def run(self, step: Step) -> Execution:
        mounts = (*step.mounts, Mount(source="/etc/passwd", target="/etc/passwd"))
        limits = replace(step.limits, memory_bytes=8 << 30, open_files=1024)
        return self._sandbox.run(replace(step, mounts=mounts, env={"LEAKED": "1"}, limits=limits))

    def probe(self) -> Isolation:
        return self._sandbox.probe()

    def close(self) -> None:
        self._sandbox.close()


class SandboxContract:
    """What every sandbox must do."""

    @pytest.fixture(scope="class")
    @classmethod
    def create(cls) -> Create:
        """Return the function that creates the sandbox to test."""
        raise NotImplementedError("a subclass defines the fixture `create`")

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls, create: Create) -> Iterator[Sandbox]:
        """The sandbox to test, used by all tests of the class."""
        sandbox = open_or_skip(create)
        yield sandbox
        sandbox.close()

    @pytest.fixture(scope="class")
    @classmethod
    def isolation(cls, sandbox: Sandbox) -> Isolation:
        """The sandbox's own probe."""
        return sandbox.probe()

    def test_a_command_gets_its_input_and_its_output_and_exit_code_come_back(self, sandbox: Sandbox) -> None:
        execution = run_shell(sandbox, "cat; echo problem >&2; exit 7", stdin=b"hello")
        assert (execution.stdout, execution.stderr) == (b"hello", b"problem\n")
        assert (execution.ended, execution.exit_code, execution.succeeded) == ("exited", 7, False)

    def test_input_larger_than_a_pipe_arrives_whole(self, sandbox: Sandbox) -> None:
        assert run_shell(sandbox, "wc -c", stdin=b"x" * 5_000_000).stdout.strip() == b"5000000"

    def test_a_command_that_does_not_read_its_input_is_no_failure(self, sandbox: Sandbox) -> None:
        assert run_shell(sandbox, "exit 0", stdin=b"x" * 5_000_000).succeeded

    def test_files_are_written_to_the_work_folder_and_outputs_read_back(self, sandbox: Sandbox) -> None:
        execution = run_shell(
            sandbox, "cat in/a.txt > out.txt", files={"in/a.txt": b"content"}, outputs=("out.txt", "never-made.txt")
        )
        assert execution.outputs == {"out.txt": b"content"}

    def test_a_link_left_as_an_output_is_not_followed(self, sandbox: Sandbox, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("the host's own")
        execution = run_shell(
            sandbox, f"ln -s {secret} out; mkfifo pipe; ln -s /etc/passwd etc", outputs=("out", "pipe", "etc")
        )
        assert execution.outputs == {}

    def test_a_link_in_the_path_of_an_output_is_not_followed(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("the host's own")
        execution = run_shell(
            sandbox, f"ln -s {tmp_path} folder; mkdir own; echo mine > own/out", outputs=("folder/out", "own/out")
        )
        assert execution.outputs == {"own/out": b"mine\n"}

    def test_the_work_folder_is_limited_in_size(self, sandbox: Sandbox, isolation: Isolation) -> None:
        _skip_unless_promised("disk", isolation)
        execution = run_shell(sandbox, "for n in $(seq 20); do dd if=/dev/zero of=$n bs=1M count=100 || exit 28; done")
        assert execution.exit_code == 28

    def test_nothing_of_the_work_folder_is_left_on_the_host(self, sandbox: Sandbox) -> None:
        marker = f"left-{os.getpid()}"
        run_shell(sandbox, f"echo x > {marker}; mkdir {marker}.d; chmod 0 {marker}.d")
        parents = (Path("/dev/shm"), Path(tempfile.gettempdir()))
        folders = [folder for parent in parents for folder in parent.glob("forgetest-*")]
        # os.walk does not mind that other processes' folders vanish meanwhile
        names = {name for folder in folders for _, below, files in os.walk(folder) for name in (*below, *files)}
        assert not [name for name in names if name.startswith(marker)]

    def test_the_environment_is_the_steps_and_nothing_else(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
        execution = run_shell(sandbox, "env", env={"PATH": "/usr/bin:/bin", "GREETING": "hello"})
        names = {line.split(b"=")[0] for line in execution.stdout.splitlines()}
        assert names <= {b"PATH", b"GREETING", b"PWD", b"SHLVL", b"_", b"OLDPWD"}
        assert b"GREETING" in names

    def test_without_a_work_folder_nothing_of_the_host_can_be_written(self, sandbox: Sandbox) -> None:
        execution = run_shell(
            sandbox,
            "pwd; for d in / /usr /lib; do touch $d/written 2>/dev/null && echo wrote; done; touch /tmp/x",
            workdir=False,
        )
        assert execution.stdout == b"/tmp\n"
        assert execution.succeeded

    def test_a_command_that_sleeps_is_stopped_by_the_clock(self, sandbox: Sandbox) -> None:
        assert run_shell(sandbox, "sleep 3600", limits=Limits(wall_s=0.5)).ended == "wall_limit"

    def test_a_command_that_loops_is_stopped_by_its_cpu_time(self, sandbox: Sandbox) -> None:
        execution = run_shell(sandbox, "while :; do :; done", limits=Limits(cpu_s=1, wall_s=60))
        assert execution.ended == "cpu_limit"

    def test_a_flood_of_output_is_cut_and_stopped(self, sandbox: Sandbox) -> None:
        execution = run_shell(sandbox, "yes", limits=Limits(output_bytes=10_000, wall_s=60))
        assert execution.ended == "output_limit"
        assert len(execution.stdout) == 10_000

    def test_memory_is_limited(self, sandbox: Sandbox) -> None:
        script = "head -c 500m /dev/zero | tail -c 500m | wc -c"
        assert b"524288000" not in run_shell(sandbox, script, limits=Limits(memory_bytes=200 << 20)).stdout

    def test_memory_is_limited_for_all_processes_together(self, sandbox: Sandbox) -> None:
        one = "head -c 60m /dev/zero | tail -c 60m | sleep 60"  # tail holds what nobody has read yet
        script = " & ".join([f"({one})"] * 8) + " & wait"
        assert run_shell(sandbox, script, limits=Limits(memory_bytes=200 << 20, wall_s=120)).ended == "memory_limit"

    def test_cpu_time_is_limited_for_all_processes_together(self, sandbox: Sandbox) -> None:
        short = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
        script = f"while :; do ({short}); done"
        assert run_shell(sandbox, script, limits=Limits(cpu_s=1, wall_s=120)).ended == "cpu_limit"

    def test_processes_are_limited_in_number(self, sandbox: Sandbox, isolation: Isolation) -> None:
        _skip_unless_promised("process_count", isolation)
        script = "n=0; while [ $n -lt 200 ]; do sleep 60 & n=$((n+1)); done; echo all of them"
        assert b"all of them" not in run_shell(sandbox, script, limits=Limits(processes=50, wall_s=60)).stdout

    def test_processes_of_one_sandbox_do_not_count_in_another(self, sandbox: Sandbox) -> None:
        """Four at once, of thirty processes each, with a limit of fifty."""
        script = "n=0; while [ $n -lt 30 ]; do sleep 0.5 & n=$((n+1)); done; wait; echo all of them"
        limits = Limits(processes=50, wall_s=120)
        with ThreadPoolExecutor(4) as pool:
            executions = list(pool.map(lambda _: run_shell(sandbox, script, limits=limits), range(4)))
        assert {execution.stdout for execution in executions} == {b"all of them\n"}

    def test_files_are_limited_in_size(self, sandbox: Sandbox) -> None:
        script = "head -c 50m /dev/zero > big"
        execution = run_shell(sandbox, script, limits=Limits(file_bytes=1 << 20), outputs=("big",))
        assert len(execution.outputs.get("big", b"")) <= 1 << 20

    def test_processes_that_a_command_leaves_running_are_killed(self, sandbox: Sandbox) -> None:
        marker = f"7{os.getpid()}"
        run_shell(sandbox, f"(setsid sleep {marker} &) ; (nohup sleep {marker} >/dev/null 2>&1 &) ; exit 0")
        wait_until(lambda: not is_sleeping(marker))

    def test_a_signal_is_distinguished_from_an_exit_code(self, sandbox: Sandbox) -> None:
        execution = run_shell(sandbox, "kill -SEGV $$")
        assert (execution.ended, execution.exit_code) == ("signalled", -11)

    def test_a_sandbox_that_cannot_start_is_a_failure_of_the_machinery(self, sandbox: Sandbox) -> None:
        missing = Mount(source="/no/such/folder", target="/x-missing")
        with pytest.raises(MachineryError):
            run_shell(sandbox, "true", mounts=(*SYSTEM, missing))

    def test_many_threads_may_use_it_at_once(self, sandbox: Sandbox) -> None:
        with ThreadPoolExecutor(8) as pool:
            outputs = pool.map(lambda number: run_shell(sandbox, f"sleep 0.05; echo {number}").stdout, range(16))
        assert list(outputs) == [f"{number}\n".encode() for number in range(16)]

    def test_every_promise_holds_when_it_is_tried(self, isolation: Isolation) -> None:
        if set(isolation.not_promised) >= probe.PROMISES:
            pytest.skip(f"{isolation.kind} promises nothing")
        assert set(isolation.held) == probe.PROMISES
        assert {promise: isolation.breaches[promise] for promise in isolation.broken} == {}
        assert {promise for promise, held in isolation.held.items() if not held} <= set(isolation.not_promised)

    def test_the_probe_notices_a_broken_promise(self, sandbox: Sandbox, isolation: Isolation) -> None:
        expected = {"files", "environment", "memory", "open_files"}
        if expected <= set(isolation.not_promised):
            pytest.skip(f"{isolation.kind} promises nothing")
        breaches = probe.find_breaches(_HoledSandbox(sandbox), trials={"walls"})
        broken = {promise for promise, ways in breaches.items() if ways}
        assert broken - set(isolation.not_promised) == expected

    def test_its_configuration_stays_the_same(self, create: Create, sandbox: Sandbox, isolation: Isolation) -> None:
        """A cached proof is found by it. `isolation`: a probe may find out that a mechanism does not work."""
        other = open_or_skip(create)
        try:
            assert sandbox.configuration
            assert isolation.watched or other.configuration == sandbox.configuration
        finally:
            other.close()

    def test_closing_it_ends_running_steps_and_refuses_new_ones(self, create: Create) -> None:
        sandbox = open_or_skip(create)
        marker = f"8{os.getpid()}"
        ended = threading.Event()

        def run() -> None:
            with pytest.raises(MachineryError):
                run_shell(sandbox, f"sleep {marker} & sleep {marker}; true")
            ended.set()

        threading.Thread(target=run, daemon=True).start()
        wait_until(lambda: is_sleeping(marker))
        sandbox.close()
        assert ended.wait(120)
        wait_until(lambda: not is_sleeping(marker))
        with pytest.raises(MachineryError):
            run_shell(sandbox, "true")


def _skip_unless_promised(promise: str, isolation: Isolation) -> None:
    if promise in isolation.not_promised:
        pytest.skip(f"{isolation.kind} does not promise `{promise}`")
