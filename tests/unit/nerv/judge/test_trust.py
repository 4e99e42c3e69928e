"""A judge decides only with a measured agreement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nerv.judge.trust import (
    LEAST_AUC,
    LEAST_KAPPA,
    LEAST_RUNS,
    JudgeAgreement,
    distrust,
    keep_agreement,
    read_agreement,
    rubric_version,
)

GOOD = JudgeAgreement(
    judge="p/m",
    answered_by=("model-1",),
    rubric=rubric_version(),
    created_at="2026-01-01T00:00:00Z",
    runs=LEAST_RUNS,
    auc=LEAST_AUC,
)


def test_a_calibrated_judge_is_trusted() -> None:
    assert distrust("p/m", ("model-1",), GOOD) == ""
    assert distrust("p/m", ("model-1",), replace(GOOD, people=LEAST_RUNS, weighted_kappa=LEAST_KAPPA)) == ""


def test_people_may_stand_in_for_outcomes() -> None:
    assert distrust("p/m", ("model-1",), replace(GOOD, auc=None, people=30, weighted_kappa=0.7)) == ""


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "was never calibrated"),
        (replace(GOOD, rubric="another"), "calibrated with other questions"),
        (
            replace(GOOD, answered_by=("model-0",)),
            "model-1 answered for the judge p/m, which was",
        ),
        (replace(GOOD, runs=LEAST_RUNS - 1), f"calibrated with {LEAST_RUNS - 1} runs, and {LEAST_RUNS}"),
        (replace(GOOD, auc=None), f"and {LEAST_RUNS} of both outcomes are needed"),
        (replace(GOOD, rarer=4), "calibrated with 4 runs of one outcome, and 5 of each are needed"),
        (replace(GOOD, answered_by=()), "which was calibrated with a model that was not named"),
        (replace(GOOD, auc=0.79), "has an AUC of 0.79"),
        (replace(GOOD, people=30, weighted_kappa=0.2), "at a kappa of 0.20"),
    ],
)
def test_anything_less_is_not_trusted(found: JudgeAgreement | None, reason: str) -> None:
    assert reason in distrust("p/m", ("model-1",), found)


def test_a_model_that_does_not_say_its_name_is_not_the_one_that_was_calibrated() -> None:
    assert "nothing says which model answered for the judge p/m" in distrust("p/m", (), GOOD)
    assert distrust("p/m", (), replace(GOOD, answered_by=())) == ""


def test_what_is_kept_can_be_read_again_and_is_replaced_by_a_later_measurement(tmp_path: Path) -> None:
    keep_agreement(tmp_path, replace(GOOD, judge="claude"))
    keep_agreement(tmp_path, GOOD)
    keep_agreement(tmp_path, replace(GOOD, auc=0.5))
    assert read_agreement(tmp_path, "p/m") == replace(GOOD, auc=0.5)
    assert read_agreement(tmp_path, "claude") == replace(GOOD, judge="claude")
    assert read_agreement(tmp_path, "other") is None


@pytest.mark.parametrize("text", ["", "[]", '{"format_version": 99, "judges": {}}', '{"judges": 1}'])
def test_a_file_that_cannot_be_read_is_no_calibration(tmp_path: Path, text: str) -> None:
    file = keep_agreement(tmp_path, GOOD)
    file.write_text(text)
    assert read_agreement(tmp_path, "p/m") is None
