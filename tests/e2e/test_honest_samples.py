"""Honest samples lose nothing by the defences: hundreds of them get the verdict on record, and none is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import honest_samples
from external_data import needs_external
from forgetest import Grader
from forgetest.verdict import Verdict
from honest_samples import HonestSample
from workbench import needs_judging

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500), needs_judging]

CHANCE = {"rust-algorithms-trie-unordered", "rust-basics-top-counts-random-ties"}
"""Planted mistakes whose tests fail by chance only."""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(cache_mb=0) as opened:
        yield opened


@pytest.mark.parametrize(
    ("samples", "least"),
    [
        pytest.param(
            honest_samples.of_humanevalpack,
            300,
            marks=needs_external(honest_samples.HUMANEVALPACK),
            id="humanevalpack",
        ),
        pytest.param(honest_samples.of_gpt4, 50, marks=needs_external(honest_samples.GPT4), id="gpt4"),
        pytest.param(honest_samples.of_multipl_e, 140, marks=needs_external(honest_samples.MULTIPL_E), id="multipl-e"),
        pytest.param(honest_samples.of_built_in_sets, 200, id="built-in"),
    ],
)
def test_honest_samples_get_their_verdict_and_none_is_refused(
    grader: Grader, samples: Callable[[], Iterator[HonestSample]], least: int
) -> None:
    chosen = list(samples())
    assert len(chosen) >= least

    grades = dict(
        zip(
            [sample.name for sample in chosen],
            grader.grade_many([(sample.code, sample.case) for sample in chosen], as_code=True),
            strict=True,
        )
    )

    controls = [grade.verdict.controls for grade in grades.values() if grade.verdict and grade.verdict.controls]
    asked, passed = sum(each.asked for each in controls), sum(each.passed for each in controls)
    correct = sum(grade.correct for grade in grades.values())
    verified = sum(grade.correct and grade.verified for grade in grades.values())
    print(f"{len(grades)} honest samples judged, {correct} correct, {verified} of them verified")
    print(f"controls asked {asked}, passed {passed}")
    assert [name for name, grade in grades.items() if grade.outcome != "judged" or grade.verdict is None] == []
    forbidden = {
        name: finding
        for name, grade in grades.items()
        for finding in (grade.verdict.integrity if grade.verdict else ())
        if finding.forbids
    }
    assert forbidden == {}
    expected = {sample.name: sample.is_correct for sample in chosen if sample.is_correct is not None}
    disagreements = {
        name: grades[name].reason or "correct"
        for name, is_correct in expected.items()
        if grades[name].correct != is_correct and name not in CHANCE
    }
    assert disagreements == {}
    unverified = {name: grade for name, grade in grades.items() if grade.correct and not grade.verified}
    assert [name for name, grade in unverified.items() if not (grade.verdict and _is_guessable(grade.verdict))] == []
    assert asked > 0


def _is_guessable(verdict: Verdict) -> bool:
    """Return whether only its own operators keep a sample from being verified."""
    if {finding.kind for finding in verdict.integrity} == {"sample_comparison"}:  # in Python
        return True
    controls = verdict.controls
    return controls is not None and controls.guessable and controls.passed == controls.without == 0
