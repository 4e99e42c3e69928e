"""What each option of a container engine, and each order to its first process, is there for: the probe finds out.

Where two walls stand behind one another, the test takes down both: what is promised is the promise.
"""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from forgetest import plugins
from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes.container import supervision
from forgetest.sandboxes.container.sandbox import Container
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.process import rlimits
from forgetest.sandboxes.proof import probe

pytestmark = pytest.mark.slow

Alteration = Callable[[list[str]], list[str]]


@pytest.fixture(scope="module")
def podman() -> Iterator[Container]:
    try:
        sandbox = plugins.find("sandboxes", "podman")()
    except UserError as error:
        pytest.skip(str(error))
    yield sandbox
    sandbox.close()


@pytest.fixture
def altered(podman: Container) -> Iterator[Callable[[Alteration], Container]]:
    """Containers of the same engine, with other words."""
    with contextlib.ExitStack() as stack:

        def make(alter: Alteration = lambda words: words) -> Container:
            sandbox = Container(podman.engine, alter)
            stack.callback(sandbox.close)
            sandbox.furnish()
            return sandbox

        yield make


def without(option: str) -> Alteration:
    """The engine's words less an option and its value."""
    return lambda words: [*words[: words.index(option)], *words[words.index(option) + 2 :]]


def given(option: str, value: str) -> Alteration:
    """The engine's words with another value of an option."""
    return lambda words: [*words[: words.index(option) + 1], value, *words[words.index(option) + 2 :]]


def instead(before: str, after: str) -> Alteration:
    return lambda words: [word.replace(before, after) for word in words]


def less(flag: str) -> Alteration:
    return lambda words: [word for word in words if word != flag]


def more(*further: str) -> Alteration:
    return lambda words: [*words[: words.index("run") + 1], *further, *words[words.index("run") + 1 :]]


def found(sandbox: Container, *trials: str) -> set[str]:
    breaches = probe.attempt_everything(sandbox, abandoned=sandbox._abandoned, trials=trials)
    return {promise for promise, ways in breaches.items() if ways}


@pytest.mark.parametrize(
    ("alter", "trial", "promise"),
    [
        pytest.param(given("--network", "host"), "through_proc", "namespaces", id="network"),
        pytest.param(more("--pid", "host"), "walls", "processes", id="pid"),
        pytest.param(more("--uts", "host"), "through_proc", "namespaces", id="uts"),
        pytest.param(instead("size=67108864", "size=2g"), "walls", "disk", id="size"),
        pytest.param(instead("size=536870912", "size=2g"), "work_folder", "disk", id="size-of-work-folder"),
        pytest.param(without("--cap-drop"), "walls", "privileges", id="cap-drop"),
    ],
)
def test_without_an_option_the_probe_finds_the_way_out(altered, alter: Alteration, trial: str, promise: str):
    assert promise in found(altered(alter), trial)


def test_without_its_user_a_container_is_not_let_in(altered):
    with pytest.raises(MachineryError, match="nobody of it had come to the gate"):
        found(altered(without("--user")), "walls")


def test_without_landlock_what_the_engine_brings_along_can_be_opened(altered):
    sandbox = altered()
    sandbox.held_back = 0
    assert "files" in found(sandbox, "walls")


def test_without_a_dev_of_its_own_and_landlock_there_are_the_engines_devices(altered):
    def alter(words: list[str]) -> list[str]:
        at = next(at for at, word in enumerate(words) if word.endswith("target=/dev,readonly"))
        return [*words[: at - 1], *words[at + 1 :]]

    sandbox = altered(alter)
    sandbox.held_back = 0
    assert "devices" in found(sandbox, "walls")


def test_without_a_read_only_root_and_read_only_folders_it_writes_everywhere(altered):
    sandbox = altered(lambda words: less("--read-only")(instead(",readonly", "")(words)))
    sandbox.held_back = 0
    assert "writing" in found(sandbox, "walls")


def test_without_the_filters_more_can_be_called(altered):
    """The engine's own filter holds back most, but not all, of what ours does: both are taken away."""
    sandbox = altered(more("--security-opt", "seccomp=unconfined"))
    sandbox.filter = b""
    assert {"system_calls", "network"} <= found(sandbox, "walls")


def test_without_our_filter_the_engines_own_leaves_it_a_loopback(altered):
    sandbox = altered()
    sandbox.filter = b""
    assert "network" in found(sandbox, "walls")


@pytest.mark.parametrize(
    ("limit", "promise"),
    [(resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "file_size"), (resource.RLIMIT_NOFILE, "open_files")],
)
def test_without_its_limit_the_probe_takes_more(altered, limit: int, promise: str, monkeypatch: pytest.MonkeyPatch):
    limits = rlimits.of
    monkeypatch.setattr(
        rlimits, "of", lambda of: {which: value for which, value in limits(of).items() if which != limit}
    )
    assert promise in found(altered(), "walls")


def test_without_both_counts_of_processes_it_starts_as_many_as_it_likes(altered, monkeypatch: pytest.MonkeyPatch):
    limits = rlimits.of
    many = (4096, 4096)
    monkeypatch.setattr(rlimits, "of", lambda of: limits(of) | {rlimits.PROCESSES: many})
    sandbox = altered()
    sandbox.engine = (
        replace(sandbox.engine, cgroups="enabled") if sandbox.engine.cgroups == "limited" else sandbox.engine
    )
    assert "process_count" in found(sandbox, "walls")


def test_without_the_watcher_many_small_processes_use_up_time(altered, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process_tree, "watcher", lambda first, limits, seat: lambda: None)
    deed = next(one for one in probe._DEEDS if one.name == "busy_crowd")
    monkeypatch.setattr(probe, "_DEEDS", (replace(deed, limits=replace(deed.limits, wall_s=4)),))
    assert "cpu_time" in found(altered(), "busy_crowd")


def test_without_its_guard_a_container_outlives_us(altered, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(probe, "_PATIENCE_S", 3.0)  # what outlives us does so for as long as one waits
    program = supervision.resources.files(supervision.__package__).joinpath("supervisor.py").read_text()
    assert "guard.look_after(first)" in program
    unguarded = program.replace("guard.look_after(first)", "pass")
    monkeypatch.setattr(supervision, "_program", lambda: unguarded)
    assert "parent" in found(altered(), "parent")
