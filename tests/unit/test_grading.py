from __future__ import annotations

import os

import pytest

from forgetest.config import ExecutorSettings, Settings
from forgetest.errors import UserError
from forgetest.grade import Grade
from forgetest.grading import Grader, open_executor
from forgetest.loading import load_case
from forgetest.sample import Score
from specimens import a_verdict


def test_by_default_every_core_has_a_slot() -> None:
    assert open_executor(None, None, Settings()).slots == len(os.sched_getaffinity(0))


def test_an_executor_that_is_chosen_by_name_has_its_configured_options() -> None:
    settings = Settings(executor=ExecutorSettings(type="local", options={"colour": "red"}))
    with pytest.raises(UserError, match="has no option colour"):
        open_executor("local", 1, settings)
    assert open_executor(ExecutorSettings(type="local"), 3, settings).slots == 3


def test_a_closed_grader_says_so() -> None:
    grader = Grader()
    grader.close()

    with pytest.raises(UserError, match="this Grader is closed"):
        grader.grade("fn f() {}", load_case("quickstart/add"))


def test_a_grade_in_a_notebook_escapes_what_a_model_wrote() -> None:
    grade = Grade(
        outcome="judged",
        correct=False,
        score=Score(compilation=1.0, tests=0.0, lint=1.0, overall=0.5),
        reason="<script>alert(1)</script>",
        code="fn f<T>() {}",
        verdict=a_verdict(),
        total_ms=1.0,
    )

    shown = grade._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "fn f&lt;T&gt;() {}" in shown
    assert "0.500" in shown


def test_a_grade_without_a_verdict_is_not_verified() -> None:
    grade = Grade(outcome="unjudged", correct=False, score=None, reason="no room", code="x", verdict=None, total_ms=0.0)

    assert not grade.verified
    assert "n/a" in grade._repr_html_()
