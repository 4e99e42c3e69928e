"""The purpose of each option of a container engine, and of each instruction to the first process.

Without it, the probe finds a way out. Where two mechanisms hold the same promise, the test takes away both: only the
promise counts.
"""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes.container import supervision
from forgetest.sandboxes.container.engines import ContainerSpec, Podman
from forgetest.sandboxes.container.sandbox import Container
from forgetest.sandboxes.factory import open_sandbox, sandbox_settings
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.process import rlimits
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Limits, Step

pytestmark = pytest.mark.slow

Alteration = Callable[[list[str]], list[str]]


@pytest.fixture(scope="module")
def podman() -> Iterator[Container]:
    try:
        sandbox = open_sandbox("podman")
    except UserError as error:
        pytest.skip(str(error))
    assert isinstance(sandbox, Container)
    yield sandbox
    sandbox.close()


@pytest.fixture
def altered(podman: Container) -> Iterator[Callable[[Alteration], Container]]:
    """Containers of the same engine, whose command line is altered."""
    with contextlib.ExitStack() as stack:

        def make(alter: Alteration = lambda argv: argv) -> Container:
            class Altered(Container):
                def engine_command(self, step: Step, spec: ContainerSpec) -> list[str]:
                    return alter(super().engine_command(step, spec))

            sandbox = Altered(podman.engine, sandbox_settings())
            stack.callback(sandbox.close)
            return sandbox

        yield make


def without(option: str) -> Alteration:
    """Remove an option and its value."""
    return lambda argv: [*argv[: argv.index(option)], *argv[argv.index(option) + 2 :]]


def given(option: str, value: str) -> Alteration:
    """Give an option another value."""
    return lambda argv: [*argv[: argv.index(option) + 1], value, *argv[argv.index(option) + 2 :]]


def instead(before: str, after: str) -> Alteration:
    return lambda argv: [argument.replace(before, after) for argument in argv]


def without_flag(flag: str) -> Alteration:
    return lambda argv: [argument for argument in argv if argument != flag]


def with_options(*further: str) -> Alteration:
    return lambda argv: [*argv[: argv.index("run") + 1], *further, *argv[argv.index("run") + 1 :]]


def broken_promises(sandbox: Container, *trials: str, **options) -> set[str]:
    breaches = probe.find_breaches(sandbox, make_disposable=sandbox.disposable, trials=trials, **options)
    return {promise for promise, ways in breaches.items() if ways}


@pytest.mark.parametrize(
    ("alter", "trial", "promise"),
    [
        pytest.param(given("--network", "host"), "through_proc", "namespaces", id="network"),
        pytest.param(with_options("--pid", "host"), "walls", "processes", id="pid"),
        pytest.param(with_options("--uts", "host"), "through_proc", "namespaces", id="uts"),
        pytest.param(instead("size=67108864", "size=2g"), "walls", "disk", id="size"),
        pytest.param(instead("size=536870912", "size=2g"), "work_folder", "disk", id="size-of-work-folder"),
        pytest.param(without("--cap-drop"), "walls", "privileges", id="cap-drop"),
    ],
)
def test_without_an_option_the_probe_finds_a_way_out(altered, alter: Alteration, trial: str, promise: str):
    assert promise in broken_promises(altered(alter), trial)


def test_a_container_with_another_user_is_turned_away(altered):
    with pytest.raises(MachineryError, match="before its first process had connected"):
        broken_promises(altered(without("--user")), "walls")


def test_without_landlock_the_engines_own_files_can_be_opened(altered):
    sandbox = altered()
    sandbox.landlock_rights = 0
    assert "files" in broken_promises(sandbox, "walls")


def test_without_its_own_dev_and_landlock_the_engines_devices_can_be_opened(altered):
    def alter(argv: list[str]) -> list[str]:
        at = next(at for at, argument in enumerate(argv) if argument.endswith("target=/dev,readonly"))
        return [*argv[: at - 1], *argv[at + 1 :]]

    sandbox = altered(alter)
    sandbox.landlock_rights = 0
    assert "devices" in broken_promises(sandbox, "walls")


def test_without_a_read_only_root_and_read_only_folders_it_writes_everywhere(altered):
    sandbox = altered(lambda argv: without_flag("--read-only")(instead(",readonly", "")(argv)))
    sandbox.landlock_rights = 0
    assert "writing" in broken_promises(sandbox, "walls")


def test_without_both_filters_more_system_calls_can_be_made(altered):
    """The engine's own filter refuses most, but not all, of what ours does: both are taken away."""
    sandbox = altered(with_options("--security-opt", "seccomp=unconfined"))
    sandbox.seccomp_filters = dict.fromkeys(sandbox.seccomp_filters, b"")
    assert {"system_calls", "network"} <= broken_promises(sandbox, "walls")


def test_without_our_filter_the_engines_own_allows_a_loopback_connection(altered):
    sandbox = altered()
    sandbox.seccomp_filters = dict.fromkeys(sandbox.seccomp_filters, b"")
    assert "network" in broken_promises(sandbox, "walls")


@pytest.mark.parametrize(
    ("limit", "promise"),
    [(resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "file_size"), (resource.RLIMIT_NOFILE, "open_files")],
)
def test_without_a_limit_the_probe_takes_more(altered, limit: int, promise: str, monkeypatch: pytest.MonkeyPatch):
    complete = rlimits.from_limits

    def incomplete(limits: Limits) -> dict[int, tuple[int, int]]:
        return {which: value for which, value in complete(limits).items() if which != limit}

    monkeypatch.setattr(rlimits, "from_limits", incomplete)
    assert promise in broken_promises(altered(), "walls")


def test_without_both_counts_of_processes_their_number_is_unlimited(altered, monkeypatch: pytest.MonkeyPatch):
    complete = rlimits.from_limits
    monkeypatch.setattr(rlimits, "from_limits", lambda limits: complete(limits) | {rlimits.PROCESSES: (4096, 4096)})
    sandbox = altered()
    assert isinstance(sandbox.engine, Podman)
    if sandbox.engine.cgroups == "limited":
        sandbox.engine = replace(sandbox.engine, cgroups="enabled")
    assert "process_count" in broken_promises(sandbox, "walls")


def test_without_the_watcher_many_small_processes_use_up_time(altered, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process_tree.TreeWatcher, "__call__", lambda _watcher: None)
    short = [replace(trial, limits=replace(trial.limits, wall_s=4)) for trial in probe.LIMIT_TRIALS]
    assert "cpu_time" in broken_promises(altered(), "busy_crowd", limit_trials=short)


def test_without_its_guard_a_container_outlives_us(altered, monkeypatch: pytest.MonkeyPatch):
    program = supervision.supervisor_program()
    assert "guard.watch(first)" in program
    unguarded = program.replace("guard.watch(first)", "pass")
    monkeypatch.setattr(supervision, "supervisor_program", lambda: unguarded)
    # whatever outlives us does so for as long as one waits
    assert "parent" in broken_promises(altered(), "parent", kill_s=3.0)
