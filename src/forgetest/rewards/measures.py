"""What is rewarded: measures that turn a judged grade into a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from forgetest.grade import Grade

Measure = Callable[[Grade], float]
"""The value of a sample that was judged, and in which nothing forbids a correct verdict."""


def correct(grade: Grade) -> float:
    """Return 1 for a sample that does all that its case asks, else 0."""
    return float(grade.correct)


def score(grade: Grade) -> float:
    """Return the score: compilation, tests and lint, by their weights."""
    return grade.score.overall if grade.score is not None else 0.0


def tests(grade: Grade) -> float:
    """Return the share of passed tests; 0 for code that does not compile."""
    return grade.score.tests if grade.score is not None else 0.0


def hidden_tests(grade: Grade) -> float:
    """Return the share of passed tests among those that the model has not seen; 0 where there are none.

    Tests that are not by input and output are all hidden.
    """
    if grade.verdict is None or not grade.verdict.compiled:
        return 0.0
    statuses = [test.status for test in grade.verdict.tests if test.visible is not True]
    passed, failed = statuses.count("passed"), statuses.count("failed")
    return passed / (passed + failed) if passed + failed else 0.0


MEASURES: Mapping[str, Measure] = {
    "correct": correct,
    "score": score,
    "tests": tests,
    "hidden_tests": hidden_tests,
}
