from __future__ import annotations

from dataclasses import replace

import pytest

from forgetest.grade import Grade
from forgetest.rewards.measures import MEASURES
from forgetest.sample import Score
from forgetest.verdict import TestOutcome
from specimens import a_verdict


def a_grade(*statuses: tuple[str, bool | None], compiled: bool = True) -> Grade:
    tests = tuple(
        TestOutcome(name=f"t{index}", status=status, **({} if visible is None else {"visible": visible}))  # type: ignore[arg-type]
        for index, (status, visible) in enumerate(statuses)
    )
    score = Score(compilation=1.0, tests=0.5, lint=0.9, overall=0.74)
    verdict = replace(a_verdict(), tests=tests, compiled=compiled)
    return Grade(outcome="judged", correct=False, score=score, reason="x", code="x", verdict=verdict, total_ms=1.0)


def test_each_measure_is_what_its_name_says():
    grade = a_grade(("passed", None), ("failed", None))
    assert {name: measure(grade) for name, measure in MEASURES.items()} == {
        "correct": 0.0,
        "score": 0.74,
        "tests": 0.5,
        "hidden_tests": 0.5,
    }
    assert MEASURES["correct"](replace(grade, correct=True)) == 1.0


def test_an_answer_without_code_is_worth_nothing():
    score = Score(compilation=0.0, tests=0.0, lint=0.0, overall=0.0)
    grade = replace(a_grade(), score=score, verdict=None, code=None)
    assert {measure(grade) for measure in MEASURES.values()} == {0.0}


@pytest.mark.parametrize(
    ("statuses", "share"),
    [
        ([("passed", True), ("failed", False)], 0.0),
        ([("failed", True), ("passed", False)], 1.0),
        ([("passed", False), ("failed", False), ("ignored", False)], 0.5),
        ([("passed", True)], 0.0),
    ],
)
def test_visible_tests_do_not_count_as_hidden(statuses: list[tuple[str, bool]], share: float):
    assert MEASURES["hidden_tests"](a_grade(*statuses)) == share


def test_hidden_tests_of_code_that_does_not_compile_are_not_passed():
    assert MEASURES["hidden_tests"](a_grade(("passed", False), compiled=False)) == 0.0
