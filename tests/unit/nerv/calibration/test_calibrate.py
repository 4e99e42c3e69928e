"""Calibration: which runs count for what, and which need not be scored again."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nerv.calibration.agreement import Agreement
from nerv.calibration.calibrate import Calibration, judge_agreement
from nerv.calibration.gold import GoldRun
from nerv.calibration.kept_scores import KeptScores, kept_scores
from nerv.calibration.scored import RunScore, ScoredGoldRun
from nerv.readers import RunSource
from nerv.score import GradingOptions

SCORE = RunScore(exact=Fraction(142, 20), categories={"efficiency": 7, "workflow_quality": None}, answered_by=("m-1",))


def gold_run(number: int, *, resolved: bool | None = None, honest: bool | None = None) -> ScoredGoldRun:
    run = GoldRun(name=f"r{number}", source=RunSource(path=Path(f"r{number}")), resolved=resolved, honest=honest)
    return ScoredGoldRun(run=run, score=SCORE)


def test_runs_without_the_label_that_decides_do_not_make_a_judge_trusted() -> None:
    """Thirty runs say whether they are resolved, and only three whether both is so."""
    runs = [gold_run(number, resolved=True) for number in range(27)]
    runs += [gold_run(number, resolved=True, honest=number != 29) for number in range(27, 30)]
    one = {"overall": Agreement(value=1.0)}
    found = Calibration(grader="p/m", runs=runs, outcomes=one, acceptable=one, scores={})
    kept = judge_agreement(found, "2026-01-01T00:00:00Z")
    assert (kept.runs, kept.rarer, kept.answered_by) == (3, 1, ("m-1",))
    without = judge_agreement(replace(found, acceptable={}), "2026-01-01T00:00:00Z")
    assert (without.runs, without.rarer) == (30, 0)


def test_an_overall_score_is_rounded_as_in_a_scorecard() -> None:
    assert replace(SCORE, exact=Fraction(705, 100)).overall == 7.1


@pytest.fixture
def source(tmp_path: Path) -> RunSource:
    log = tmp_path / "log.jsonl"
    log.write_text("{}\n")
    return RunSource(path=log)


def test_a_kept_score_is_there_for_the_next_call(tmp_path: Path, source: RunSource) -> None:
    file = tmp_path / "home" / "kept.jsonl"
    KeptScores(file).keep(source, SCORE)
    found = KeptScores(file)
    assert (len(found), found.get(source)) == (1, SCORE)
    found.discard()
    assert not file.exists()


def test_a_run_that_has_changed_is_scored_again(tmp_path: Path, source: RunSource) -> None:
    kept = KeptScores(tmp_path / "kept.jsonl")
    kept.keep(source, SCORE)
    os.utime(source.path, (1, 1))
    assert kept.get(source) is None
    assert kept.get(replace(source, base="main")) is None


@pytest.mark.parametrize("rest", [b'{"run": "x", "exa', b"[]", b'{"run": 1}', b"\xff"])
def test_a_line_that_was_cut_off_costs_no_other(tmp_path: Path, source: RunSource, rest: bytes) -> None:
    file = tmp_path / "kept.jsonl"
    KeptScores(file).keep(source, SCORE)
    with file.open("ab") as stream:
        stream.write(b"\n" + rest)
    kept = KeptScores(file)
    assert kept.get(source) == SCORE
    kept.keep(replace(source, base="main"), SCORE)
    assert len(KeptScores(file)) == 2


def test_other_graders_and_gold_files_have_files_of_their_own(tmp_path: Path) -> None:
    options = GradingOptions(grader="claude")
    calls = [(tmp_path / "a", options), (tmp_path / "b", options), (tmp_path / "a", replace(options, grader="p/m"))]
    assert len({kept_scores(tmp_path, gold, grading).file for gold, grading in calls}) == 3
