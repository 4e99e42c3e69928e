"""What each option of bubblewrap, and each limit, is there for: without it, the probe finds the way out.

Where two walls stand behind one another, the test takes down both: what is promised is the promise.
"""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes import bubblewrap
from forgetest.sandboxes.bubblewrap import Bubblewrap
from forgetest.sandboxes.memory import cgroups, process_tree
from forgetest.sandboxes.memory.cgroup import Version1, Version2
from forgetest.sandboxes.process import rlimits
from forgetest.sandboxes.proof import probe
from forgetest.verdict import Limits, Step

BWRAP = shutil.which("bwrap") or ""
pytestmark = pytest.mark.skipif(not BWRAP, reason="bwrap is not installed")

Alteration = Callable[[list[str]], list[str]]


def without(*options: str, values: int = 0) -> Alteration:
    """Bubblewrap's words less these options, each with so many values."""

    def alter(words: list[str]) -> list[str]:
        left, skip = [], 0
        for word in words:
            if word in options:
                skip = 1 + values
            if skip:
                skip -= 1
            else:
                left.append(word)
        assert len(left) < len(words), "there was nothing to take away"
        return left

    return alter


def both(*alterations: Alteration) -> Alteration:
    def alter(words: list[str]) -> list[str]:
        for one in alterations:
            words = one(words)
        return words

    return alter


def instead(option: str, other: str) -> Alteration:
    return lambda words: [other if word == option else word for word in words]


def found(alter: Alteration, *trials: str) -> set[str]:
    """The promises that do not hold when bubblewrap's words are altered."""
    sandbox = Bubblewrap(BWRAP, alter)
    try:
        breaches = probe.attempt_everything(sandbox, abandoned=sandbox._abandoned, trials=trials)
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
        # to keep none is bubblewrap's own habit, too: so with all of them
        pytest.param(instead("--cap-drop", "--cap-add"), "walls", "privileges", id="cap-drop"),
        pytest.param(NO_FILTER, "walls", "system_calls", id="seccomp"),
        pytest.param(NO_FILTER, "walls", "network", id="seccomp-loopback"),
        pytest.param(lambda words: [*words, "--dev-bind", "/dev", "/dev"], "walls", "devices", id="devices"),
        pytest.param(lambda words: ["--ro-bind", "/etc", "/etc", *words], "walls", "files", id="files"),
    ],
)
def test_without_it_the_probe_finds_the_way_out(
    alter: Alteration, trial: str, promise: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cgroups, "find", list)  # what is left in a cgroup is killed, too
    monkeypatch.setattr(probe, "_PATIENCE_S", 2.0)  # what outlives its sandbox does so for as long as one waits
    assert promise in found(alter, trial)


@pytest.mark.parametrize(
    ("limit", "promise"),
    [
        (resource.RLIMIT_AS, "memory"),
        (resource.RLIMIT_FSIZE, "file_size"),
        (resource.RLIMIT_NOFILE, "open_files"),
        (resource.RLIMIT_NPROC, "process_count"),
    ],
)
def test_without_its_limit_the_probe_takes_more(limit: int, promise: str, monkeypatch: pytest.MonkeyPatch):
    limits = rlimits.of
    monkeypatch.setattr(
        rlimits, "of", lambda of: {which: value for which, value in limits(of).items() if which != limit}
    )
    assert promise in found(lambda words: words, "walls")


@pytest.fixture
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "watcher", lambda *_: lambda: None)


@pytest.mark.usefixtures("nobody_looks")
def test_without_the_watcher_a_memory_cgroup_holds():
    sandbox = Bubblewrap(BWRAP)
    usable, held_by = sandbox._seats.usable, sandbox._seats.held_by
    sandbox.close()
    if not usable:
        pytest.skip(held_by)
    assert found(lambda words: words, "burst") == set()


@pytest.mark.usefixtures("nobody_looks")
def test_without_the_watcher_and_a_memory_cgroup_memory_is_taken_for_a_moment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cgroups, "find", list)
    assert found(lambda words: words, "burst") == {"tree_memory"}


def test_a_memory_cgroup_that_does_not_hold_is_done_without(monkeypatch: pytest.MonkeyPatch):
    sandbox = Bubblewrap(BWRAP)
    if not sandbox._seats.usable:
        pytest.skip(sandbox._seats.held_by)
    before = sandbox.configuration
    for version in (Version1, Version2):
        monkeypatch.setattr(version, "kills", lambda _: 0)
    sandbox._seats.prove(lambda: probe.attempt_everything(sandbox, trials={"burst"})["tree_memory"])
    assert "did not hold" in sandbox._seats.held_by
    assert sandbox.configuration != before
    assert sandbox._seats.watched == ("tree_memory",)
    sandbox.close()


@pytest.mark.usefixtures("nobody_looks")
@pytest.mark.parametrize(("deed", "promise"), [("crowd", "tree_memory"), ("busy_crowd", "cpu_time")])
def test_without_the_watcher_many_small_processes_take_it_all(deed: str, promise: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cgroups, "find", list)
    short = tuple(
        probe.replace(one, limits=probe.replace(one.limits, wall_s=4)) if one.name == deed else one
        for one in probe._DEEDS
    )
    monkeypatch.setattr(probe, "_DEEDS", short)
    assert promise in found(lambda words: words, deed)


def test_what_bubblewrap_itself_was_started_with_would_be_seen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bubblewrap, "_HOST_ENVIRONMENT", {"PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "sk-secret"})
    assert "environment" in found(lambda words: words, "through_proc")


def test_a_bubblewrap_that_ends_at_once_leaves_our_own_limits_as_they_were():
    names = sorted(rlimits.of(Limits()))
    before = [resource.getrlimit(name) for name in names]
    sandbox = Bubblewrap(BWRAP, lambda words: ["--no-such-option", *words])
    with pytest.raises(MachineryError, match="no-such-option"):
        sandbox.run(Step(name="s", argv=("/bin/true",)))
    sandbox.close()
    assert [resource.getrlimit(name) for name in names] == before


def test_the_limits_of_a_step_are_all_set():
    assert {resource.RLIMIT_CORE, resource.RLIMIT_CPU} < set(rlimits.of(Limits()))
