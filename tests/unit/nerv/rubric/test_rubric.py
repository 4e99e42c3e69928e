"""The rubric is complete, and its numbers agree with its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.rubric import BANDS, TITLES, WEIGHTS, guide, guide_text, guides_of, rubric_text
from nerv.rubric.rubric_data import GUIDES
from nerv.rubric.scale import Guide
from nerv.scorecard import CATEGORIES

SHARES = {
    "requirements": 35,
    "tests": 25,
    "organisation": 25,
    "repetition": 15,
    "progression": 30,
    "scoping": 25,
    "delivery": 25,
    "alignment": 20,
    "tokens": 30,
    "cost": 30,
    "compaction": 20,
    "speed": 20,
    "ux_and_docs": 30,
    "isolation": 20,
    "review": 20,
    "merges": 15,
    "permissions": 15,
}


def test_criteria_and_shares_are_those_of_the_specification() -> None:
    assert {found.key: found.share for found in GUIDES} == SHARES
    assert all(sum(found.share for found in guides_of(category)) == 100 for category in CATEGORIES)
    assert sum(WEIGHTS.values()) == 100


@pytest.mark.parametrize("found", GUIDES, ids=lambda found: found.key)
def test_every_criterion_has_bands_bounds_and_a_reason(found: Guide) -> None:
    assert len(found.bands) == len(set(found.bands)) == len(BANDS)
    assert all(found.bands)
    assert found.looks_at
    assert found.advice
    assert found.scale.figure
    assert found.scale.reason


@pytest.mark.parametrize("found", GUIDES, ids=lambda found: found.key)
def test_bounds_are_monotonic(found: Guide) -> None:
    bounds = list(found.scale.bounds)
    assert bounds == sorted(set(bounds), reverse=found.scale.more_is_better)


@pytest.mark.parametrize("found", GUIDES, ids=lambda found: found.key)
def test_a_figure_on_a_bound_earns_its_score(found: Guide) -> None:
    assert [found.scale.score(bound) for bound in found.scale.bounds] == [10, 9, 8, 7, 6, 5, 4, 3, 2]


@given(st.sampled_from(GUIDES), st.floats(-1, 1e6), st.floats(0, 1e6))
def test_a_better_figure_never_scores_less(found: Guide, figure: float, more: float) -> None:
    better, worse = (figure + more, figure) if found.scale.more_is_better else (figure, figure + more)
    assert 1 <= found.scale.score(worse) <= found.scale.score(better) <= 10


def test_extreme_figures_score_one() -> None:
    assert guide("tokens").scale.score(float("inf")) == 1
    assert guide("requirements").scale.score(0.0) == 1


def test_the_printed_rubric_has_every_guide_and_number() -> None:
    text = rubric_text()
    for found in GUIDES:
        assert f"{found.key} ({found.share}%)" in text
        assert all(band in text for band in found.bands)
        assert found.scale.reason in text
        assert f"{found.scale.bounds[0]:g}" in text


def test_a_judge_gets_the_guide_of_its_category_and_no_other() -> None:
    text = guide_text("efficiency")
    assert text.startswith(TITLES["efficiency"])
    assert "tokens (30%)" in text
    assert "requirements" not in text.split("\n")[2]
    assert "progression" not in text
