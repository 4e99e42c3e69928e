"""Steps that wait for something that never comes."""

from __future__ import annotations

import os

import pytest

from forgetest.sandboxes.memory import process_tree
from forgetest.verdict import Ending, Limits


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch):
    """Returns what the watcher says at a time, when so much CPU time was used, with ten seconds to be idle."""
    now = [0.0]
    monkeypatch.setattr(process_tree.time, "monotonic", lambda: now[0])
    watchers: dict[float | None, object] = {}

    def look_at(at_s: float, cpu_s: float, idle_s: float | None = 10) -> Ending | None:
        if idle_s not in watchers:
            watchers[idle_s] = process_tree.TreeWatcher(os.getpid(), Limits(idle_s=idle_s))
        now[0] = at_s
        monkeypatch.setattr(process_tree, "usage", lambda _: (0, cpu_s))
        return watchers[idle_s]()  # type: ignore[operator]

    return look_at


def test_a_step_that_uses_no_cpu_time_for_long_enough_is_ended(look):
    assert [look(at, 1.0) for at in (0.5, 5, 10.4)] == [None, None, None]
    assert look(10.6, 1.0) == "wall_limit"


def test_a_loop_that_only_looks_is_idle_and_work_between_two_sleeps_is_not(look):
    assert look(1, 0.5) is None
    assert look(11.5, 0.505) == "wall_limit"
    assert [look(at, at * 0.01) for at in range(12, 60, 5)] == [None] * 10


def test_cpu_time_that_falls_with_a_process_that_nobody_waited_for_is_no_idleness(look):
    assert [look(1, 5.0), look(9, 2.0), look(18, 2.0)] == [None] * 3
    assert look(19.5, 2.0) == "wall_limit"


def test_without_such_a_limit_a_step_may_wait_as_long_as_it_likes(look):
    assert [look(at, 1.0, idle_s=None) for at in (0.5, 10_000)] == [None, None]


def test_processes_that_start_one_another_thousands_deep_are_all_found(tmp_path):
    """Such a chain had ended the supervisor with an error."""
    for process in range(1, 3001):
        folder = tmp_path / str(process) / "task" / str(process)
        folder.mkdir(parents=True)
        (folder / "children").write_text(f"{process + 1} ")
    found = {each.name for each in process_tree._tree(tmp_path / "1")}
    assert found == {str(process) for process in range(1, 3002)}
