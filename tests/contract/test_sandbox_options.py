"""The purpose of each option of bubblewrap, and of each limit: without it, the probe finds a way out.

Where two mechanisms hold the same promise, the test takes away both: only the promise counts.
"""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable
from dataclasses import replace

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes import bubblewrap
from forgetest.sandboxes.bubblewrap import Bubblewrap, BwrapStart
from forgetest.sandboxes.factory import sandbox_settings
from forgetest.sandboxes.memory import cgroup_paths, process_tree
from forgetest.sandboxes.memory.cgroup import CgroupV1, CgroupV2
from forgetest.sandboxes.process import rlimits, seccomp
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Limits, Step

BWRAP = shutil.which("bwrap") or ""
pytestmark = pytest.mark.skipif(not BWRAP, reason="bwrap is not installed")

Alteration = Callable[[list[str]], list[str]]


def without(*options: str, values: int = 0) -> Alteration:
    """Remove these options, each with this number of values."""

    def alter(argv: list[str]) -> list[str]:
        left, skip = [], 0
        for argument in argv:
            if argument in options:
                skip = 1 + values
            if skip:
                skip -= 1
            else:
                left.append(argument)
        assert len(left) < len(argv), "there was nothing to remove"
        return left

    return alter


def both(*alterations: Alteration) -> Alteration:
    def alter(argv: list[str]) -> list[str]:
        for alteration in alterations:
            argv = alteration(argv)
        return argv

    return alter


def instead(option: str, other: str) -> Alteration:
    return lambda argv: [other if argument == option else argument for argument in argv]


def unaltered(argv: list[str]) -> list[str]:
    return argv


def altered_bubblewrap(alter: Alteration) -> Bubblewrap:
    class Altered(Bubblewrap):
        def options(self, step: Step, start: BwrapStart) -> list[str]:
            return alter(super().options(step, start))

    return Altered(BWRAP, sandbox_settings())


def broken_promises(alter: Alteration, *trials: str, **options) -> set[str]:
    """The promises that do not hold when bubblewrap's options are altered."""
    sandbox = altered_bubblewrap(alter)
    try:
        breaches = probe.find_breaches(sandbox, make_disposable=sandbox.disposable, trials=trials, **options)
    finally:
        sandbox.close()
    return {promise for promise, ways in breaches.items() if ways}


NO_FILTER = without("--seccomp", values=1)


@pytest.mark.parametrize(
    ("alter", "trial", "promise"),
    [
        pytest.param(without("--unshare-pid"), "walls", "processes", id="pid"),
        pytest.param(without("--unshare-pid"), "daemon", "daemons", id="pid-daemons"),
        pytest.param(without("--unshare-net"), "walls", "network", id="net"),
        pytest.param(without("--unshare-net"), "through_loopback", "network", id="net-with-loopback"),
        pytest.param(both(NO_FILTER, without("--unshare-net")), "walls", "network", id="net-and-filter"),
        pytest.param(without("--unshare-ipc"), "through_proc", "namespaces", id="ipc"),
        pytest.param(without("--unshare-uts"), "through_proc", "namespaces", id="uts"),
        pytest.param(without("--uid", "--gid", values=1), "walls", "privileges", id="uid"),
        pytest.param(both(NO_FILTER, without("--disable-userns")), "walls", "namespaces", id="userns"),
        pytest.param(without("--die-with-parent"), "parent", "parent", id="die-with-parent"),
        pytest.param(without("--new-session"), "walls", "processes", id="session"),
        pytest.param(without("--clearenv"), "walls", "environment", id="clearenv"),
        pytest.param(without("--remount-ro", values=1), "walls", "writing", id="remount-ro"),
        pytest.param(instead("--ro-bind", "--bind"), "walls", "writing", id="ro-bind"),
        pytest.param(without("--size", values=1), "walls", "disk", id="size"),
        pytest.param(without("--size", values=1), "work_folder", "disk", id="size-of-work-folder"),
        # bubblewrap keeps no capability by default either: so with all of them
        pytest.param(instead("--cap-drop", "--cap-add"), "walls", "privileges", id="cap-drop"),
        pytest.param(NO_FILTER, "walls", "system_calls", id="seccomp"),
        pytest.param(NO_FILTER, "walls", "network", id="seccomp-loopback"),
        pytest.param(lambda argv: [*argv, "--dev-bind", "/dev", "/dev"], "walls", "devices", id="devices"),
        pytest.param(lambda argv: ["--ro-bind", "/etc", "/etc", *argv], "walls", "files", id="files"),
    ],
)
def test_without_an_option_the_probe_finds_a_way_out(
    alter: Alteration, trial: str, promise: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cgroup_paths, "find", list)  # processes left in a cgroup would be killed with it
    # whatever outlives its sandbox does so for as long as one waits
    assert promise in broken_promises(alter, trial, kill_s=2.0)


def test_the_probe_finds_each_call_that_the_filter_forgets(monkeypatch: pytest.MonkeyPatch):
    assert ways_around_the_filter() == []
    names = ["statmount", "lsm_list_modules", "open_tree_attr", "io_setup", "vmsplice", "sync", "memfd_create"]
    for name in names:
        monkeypatch.delitem(seccomp.REFUSED, name)
    assert sorted(ways_around_the_filter()) == sorted(names)


def test_the_probe_finds_a_call_that_is_newer_than_the_filter(monkeypatch: pytest.MonkeyPatch):
    complete = seccomp.program()
    monkeypatch.setattr(seccomp, "program", lambda **_: complete)
    monkeypatch.setattr(seccomp, "NEWEST_CALL", 436)  # openat2 follows, which every kernel has
    assert ways_around_the_filter() == ["a call that is newer than the filter"]


def ways_around_the_filter() -> list[str]:
    sandbox = altered_bubblewrap(unaltered)
    try:
        return probe.find_breaches(sandbox, trials={"walls"})["system_calls"]
    finally:
        sandbox.close()


@pytest.mark.parametrize(
    ("limit", "promise"),
    [
        (resource.RLIMIT_AS, "memory"),
        (resource.RLIMIT_FSIZE, "file_size"),
        (resource.RLIMIT_NOFILE, "open_files"),
        (resource.RLIMIT_NPROC, "process_count"),
    ],
)
def test_without_a_limit_the_probe_takes_more(limit: int, promise: str, monkeypatch: pytest.MonkeyPatch):
    complete = rlimits.from_limits

    def incomplete(limits: Limits) -> dict[int, tuple[int, int]]:
        return {which: value for which, value in complete(limits).items() if which != limit}

    monkeypatch.setattr(rlimits, "from_limits", incomplete)
    assert promise in broken_promises(unaltered, "walls")


@pytest.fixture
def no_watcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree.TreeWatcher, "__call__", lambda _watcher: None)


@pytest.fixture
def bubblewrap_with_cgroups():
    sandbox = Bubblewrap(BWRAP, sandbox_settings())
    yield sandbox
    sandbox.close()


def skip_without_cgroups(sandbox: Bubblewrap) -> None:
    if not sandbox.memory.is_usable:
        pytest.skip(sandbox.memory.description)


@pytest.mark.usefixtures("no_watcher")
def test_without_the_watcher_a_memory_cgroup_limits_memory(bubblewrap_with_cgroups: Bubblewrap):
    skip_without_cgroups(bubblewrap_with_cgroups)
    assert broken_promises(unaltered, "burst") == set()


@pytest.mark.usefixtures("no_watcher")
def test_without_the_watcher_and_a_memory_cgroup_memory_is_taken_for_a_moment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cgroup_paths, "find", list)
    assert broken_promises(unaltered, "burst") == {"tree_memory"}


def test_a_memory_cgroup_that_does_not_work_is_not_used(
    bubblewrap_with_cgroups: Bubblewrap, monkeypatch: pytest.MonkeyPatch
):
    sandbox = bubblewrap_with_cgroups
    skip_without_cgroups(sandbox)
    before = sandbox.configuration
    for version in (CgroupV1, CgroupV2):
        monkeypatch.setattr(version, "kill_count", lambda _: 0)
    sandbox.memory.verify(lambda: probe.find_breaches(sandbox, trials={"burst"})["tree_memory"])
    assert "did not hold" in sandbox.memory.description
    assert sandbox.configuration != before
    assert sandbox.memory.watched == ("tree_memory",)


@pytest.mark.usefixtures("no_watcher")
@pytest.mark.parametrize(
    ("trial", "promise"), [pytest.param("crowd", "tree_memory", marks=pytest.mark.slow), ("busy_crowd", "cpu_time")]
)
def test_without_the_watcher_many_small_processes_take_more_together(
    trial: str, promise: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cgroup_paths, "find", list)
    short = [replace(each, limits=replace(each.limits, wall_s=4)) for each in probe.LIMIT_TRIALS]
    assert promise in broken_promises(unaltered, trial, limit_trials=short)


def test_the_environment_of_bubblewrap_itself_would_be_seen(monkeypatch: pytest.MonkeyPatch):
    leaking = {"PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "sk-secret"}
    monkeypatch.setattr(bubblewrap, "BWRAP_ENVIRONMENT", leaking)
    assert "environment" in broken_promises(unaltered, "through_proc")


def test_a_bubblewrap_that_ends_at_once_does_not_change_our_own_limits():
    names = sorted(rlimits.from_limits(Limits()))
    before = [resource.getrlimit(name) for name in names]
    sandbox = altered_bubblewrap(lambda argv: ["--no-such-option", *argv])
    with pytest.raises(MachineryError, match="no-such-option"):
        sandbox.run(Step(name="s", argv=("/bin/true",)))
    sandbox.close()
    assert [resource.getrlimit(name) for name in names] == before


def test_core_dumps_and_cpu_time_are_limited_too():
    assert {resource.RLIMIT_CORE, resource.RLIMIT_CPU} < set(rlimits.from_limits(Limits()))
