"""Scripts of many cases share each call of the grader."""

from __future__ import annotations

from typing import Any

from audit_fakes import FakeGrader, a_case, notices_all
from forgetest.auditing.rounds import Samples, Script, run_together


def asks(*rounds: int) -> Script[int]:
    total = 0
    for count in rounds:
        total += len((yield [("code", a_case())] * count))
    return total


def test_each_round_is_one_call_for_all_scripts_and_grades_find_their_way():
    grader: Any = FakeGrader(notices_all)
    calls: list[int] = []

    def grade(samples: Samples) -> Any:
        calls.append(len(samples))
        return grader.grade_many(samples)

    assert run_together([asks(2, 1), asks(), asks(3)], grade) == [3, 0, 3]
    assert calls == [5, 1]


def test_nothing_is_judged_where_no_script_asks():
    def refuse(_: Samples) -> Any:
        raise AssertionError

    assert run_together([asks(0), asks()], refuse) == [0, 0]
