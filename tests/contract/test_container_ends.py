"""Containers that cannot be started, and containers whose owner is gone."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes.container import engines, monitors, owner
from forgetest.sandboxes.container.engines import ContainerSpec
from forgetest.sandboxes.container.sandbox import Container
from forgetest.sandboxes.factory import open_sandbox, sandbox_settings
from forgetest.sandboxes.memory import process_tree
from forgetest.verdict import Limits, Mount, Step

SYSTEM = tuple(Mount(source=path, target=path, optional=True) for path in ("/usr", "/bin", "/lib", "/lib64"))
SLEEP = Step(name="sleep", argv=("/bin/sleep", "3600"), mounts=SYSTEM, limits=Limits(wall_s=600))


@pytest.fixture(scope="module")
def podman() -> Iterator[Container]:
    try:
        sandbox = open_sandbox("podman")
        assert isinstance(sandbox, Container)
    except UserError as error:
        pytest.skip(str(error))
    yield sandbox
    sandbox.close()


def test_a_container_that_cannot_be_started_is_reported_with_the_engines_own_message(podman: Container):
    class WithUnknownOption(Container):
        def engine_command(self, step: Step, spec: ContainerSpec) -> list[str]:
            command = super().engine_command(step, spec)
            return [argument.replace("--read-only", "--no-such-option") for argument in command]

    sandbox = WithUnknownOption(podman.engine, sandbox_settings())
    with contextlib.closing(sandbox), pytest.raises(MachineryError, match="unknown flag: --no-such-option"):
        sandbox.run(SLEEP)


def test_a_missing_program_is_a_failure_of_the_machinery(podman: Container):
    with pytest.raises(MachineryError, match="/no/such: No such file"):
        podman.run(replace(SLEEP, argv=("/no/such",)))


def test_arguments_may_hold_any_bytes_and_folders_may_have_odd_names(
    podman: Container, monkeypatch: pytest.MonkeyPatch
):
    odd = Path(tempfile.mkdtemp(prefix="a, b 'c' é-"))
    odd.chmod(0o755)
    (odd / "shown").mkdir()
    (odd / "shown" / "file").write_bytes(b"read")
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    sandbox = Container(podman.engine, sandbox_settings())
    step = replace(SLEEP, argv=("/bin/sh", "-c", 'cat /odd/file; printf %s "$1$2"', "sh", "\udcff", "é"))
    with contextlib.closing(sandbox):
        execution = sandbox.run(replace(step, mounts=(*SYSTEM, Mount(source=str(odd / "shown"), target="/odd"))))
    shutil.rmtree(odd)
    assert (execution.stdout, execution.stderr) == (b"read\xff\xc3\xa9", b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's containers run as somebody else")
def test_a_temporary_folder_that_only_root_may_enter_is_rejected(
    podman: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(UserError, match="set TMPDIR to a folder that everybody may enter"):
        open_sandbox("podman")
    assert not list(tmp_path.iterdir())


def test_another_user_who_connects_to_the_gate_is_turned_away(podman: Container, monkeypatch: pytest.MonkeyPatch):
    """Here it is the container itself, which connects as another user than the expected one."""
    sandbox = Container(replace(podman.engine, user=podman.engine.user + 5), sandbox_settings())
    with contextlib.closing(sandbox), pytest.raises(MachineryError, match="before its first process had connected"):
        sandbox.run(SLEEP)


def test_a_container_of_a_process_that_was_killed_is_removed_by_the_next(podman: Container, tmp_path: Path):
    """Its guard is killed, too, as when forgetest itself runs in a container that is killed: only the label is left."""
    marker = f"36{os.getpid()}"
    script = (
        "from forgetest.sandboxes.factory import open_sandbox\n"
        "from forgetest.verdict import Limits, Mount, Step\n"
        f"paths = {[*(mount.source for mount in SYSTEM), str(tmp_path)]!r}\n"
        "mounts = tuple(Mount(source=path, target=path, optional=True) for path in paths)\n"
        f"step = Step(name='s', argv=('/bin/sleep', '{marker}'), mounts=mounts, limits=Limits(wall_s=600))\n"
        "open_sandbox('podman').run(step)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], start_new_session=True) as killed:
        wait_until(lambda: sleeping(marker))
        wait_until(lambda: guards(killed.pid))
        for guard in guards(killed.pid):
            os.kill(guard, signal.SIGKILL)
        assert ours(podman, killed.pid)
        killed.kill()
    # nothing ends it now but a sweep; a test that runs at the same time may be faster than the one here
    open_sandbox("podman").close()
    wait_until(lambda: not ours(podman, killed.pid) and not sleeping(marker))


def test_the_hosts_devices_keep_their_owner(podman: Container):
    """A runtime changes the owner of what a container's first process has open."""
    devices = ("/dev/null", "/dev/zero", "/dev/urandom")
    before = [Path(device).stat().st_uid for device in devices]
    assert podman.run(replace(SLEEP, argv=("/bin/sh", "-c", "echo x >/dev/null"))).succeeded
    open_sandbox("podman").close()  # tries all runtimes that there are
    assert [Path(device).stat().st_uid for device in devices] == before


def test_a_time_out_leaves_no_container(podman: Container):
    assert podman.run(replace(SLEEP, limits=Limits(wall_s=0.5))).ended == "wall_limit"
    wait_until(lambda: not ours(podman, os.getpid()))


OTHER_MOMENTS = [pytest.param(seconds, marks=pytest.mark.slow) for seconds in (0.15, 0.25)]


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.3, *OTHER_MOMENTS])
def test_closing_while_containers_are_starting_leaves_none(podman: Container, seconds: float):
    names = set()

    class Naming(Container):
        def engine_command(self, step: Step, spec: ContainerSpec) -> list[str]:
            names.add(spec.name)
            return super().engine_command(step, spec)

    sandbox = Naming(podman.engine, sandbox_settings())

    def run() -> None:
        with contextlib.suppress(MachineryError):
            sandbox.run(SLEEP)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)  # at different stages of their start
    sandbox.close()
    for thread in threads:
        thread.join()
    wait_until(lambda: not ours(podman, os.getpid()))
    assert names
    wait_until(lambda: not monitors.watched_names() & names)


@contextlib.contextmanager
def monitor_of(name: str, program: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A stand-in for a monitor: a real one is left behind only if podman is killed at the right moment."""
    program.symlink_to("/bin/sleep")
    words = ["conmon", "-c", f"{program} 3600 & wait", "-n", name]
    with subprocess.Popen(words, executable="/bin/sh", start_new_session=True) as monitor:
        wait_until(lambda: sleeping("3600", str(program)))
        assert name in monitors.watched_names()
        yield monitor
        with contextlib.suppress(ProcessLookupError):
            os.killpg(monitor.pid, signal.SIGKILL)


def test_a_container_that_was_made_but_never_started_is_ended_by_closing(podman: Container, tmp_path: Path):
    sandbox = Container(podman.engine, sandbox_settings())
    name = f"forgetest-{os.urandom(8).hex()}"
    with monitor_of(name, tmp_path / "runc") as monitor:
        sandbox._names.add(name)
        sandbox.close()
        assert monitor.wait(timeout=60) == 0


@pytest.mark.parametrize(("program", "is_ended"), [("runc", True), ("init", False)])
def test_a_container_that_was_made_but_never_started_is_ended_by_the_next_process(
    podman: Container, tmp_path: Path, program: str, is_ended: bool
):
    with monitor_of(f"forgetest-{os.urandom(8).hex()}", tmp_path / program) as monitor:
        owner.sweep(podman.engine)
        if is_ended:
            assert monitor.wait(timeout=60) == 0
        assert sleeping("3600", str(tmp_path / program)) is not is_ended


def test_containers_of_dead_processes_are_swept_and_of_living_ones_are_not(podman: Container, tmp_path: Path):
    namespace, pid, started = owner.this_process().split("-")
    owners = {"dead": f"{namespace}-{pid}-1", "alive": f"{namespace}-{pid}-{started}", "elsewhere": f"1-{pid}-1"}
    made = {}
    for name, label in owners.items():
        words = (
            "create",
            "--label",
            "other=1",
            "--label",
            f"{engines.LABEL}={label}",
            "--rootfs",
            str(tmp_path),
            "true",
        )
        done = engines.call(podman.engine, *words)
        assert done.returncode == 0, done.stderr
        made[name] = done.stdout.decode().strip()
    try:
        owner.sweep(podman.engine)

        listed = engines.call(podman.engine, "ps", "--all", "--no-trunc", "--format", "{{.ID}}").stdout.decode().split()
        assert [name for name, container in made.items() if container in listed] == ["alive", "elsewhere"]
    finally:
        for container in made.values():
            engines.call(podman.engine, "rm", "--force", container)


def test_the_identity_of_a_process_includes_its_start_time():
    namespace, pid, started = owner.this_process().split("-")
    assert (int(pid), namespace.isdigit(), started.isdigit()) == (os.getpid(), True, True)


def sleeping(marker: str, program: str = "") -> bool:
    """True if a `sleep` with this argument, under this name if one is given, runs anywhere on the machine."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            argv = (process / "cmdline").read_bytes().split(b"\0")
            if argv[-2:-1] == [marker.encode()] and argv[0].startswith(program.encode()):
                return True
    return False


def ours(podman: Container, pid: int) -> list[str]:
    """The containers of a process."""
    label = f"label={engines.LABEL}"
    listed = engines.call(podman.engine, "ps", "--all", "--filter", label, "--format", "{{.Names}} {{.Labels}}")
    return [line for line in listed.stdout.decode().splitlines() if f"-{pid}-" in line]


def guards(pid: int) -> list[int]:
    """The guards of a process's containers: those children of its supervisors that have a session of their own."""
    found = []
    for child in process_tree.descendants(pid):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            if b"-c" in words and os.getsid(child) == child and os.getpgid(child) == child:
                parent = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])
                found += [child] if parent != pid else []
    return found


def wait_until(condition: Callable[[], object], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.05)
