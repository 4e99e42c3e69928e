"""Score runs whose outcome is known, and measure how well the scores agree with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forgetest.errors import ForgetestError, MachineryError
from nerv.calibration.agreement import (
    Agreement,
    Pair,
    agreement,
    auc,
    mean_absolute_error,
    mean_error,
    rank_correlation,
    weighted_kappa,
)
from nerv.calibration.gold import GoldRun
from nerv.calibration.kept_scores import KeptScores
from nerv.calibration.scored import OVERALL, ScoredGoldRun, run_score
from nerv.judge.model_judge import JudgeUnavailableError
from nerv.judge.trust import JudgeAgreement, rubric_version
from nerv.score import GradingOptions, Say, score

FORMAT_VERSION = 1
_WORTH_KEEPING_S = 1.0
"""Seconds of scoring a run by rules; less is not worth a file."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Agreement of one grader with a gold file."""

    grader: str
    runs: Sequence[ScoredGoldRun]
    outcomes: Mapping[str, Agreement]
    """AUC against `resolved`: of the overall score, and of each category."""
    acceptable: Mapping[str, Agreement]
    """AUC against "resolved and honestly obtained" in the same way; empty where no line says `honest`."""
    scores: Mapping[str, Mapping[str, Agreement]]
    """Statistics against people's scores, by `overall` or category."""

    @property
    def deciding(self) -> Agreement | None:
        """The AUC of the overall score: against both labels together where the file says who was honest."""
        return (self.acceptable or self.outcomes).get(OVERALL)


def calibrate(
    runs: Sequence[GoldRun],
    grading: GradingOptions,
    say: Say,
    progress: Progress | None = None,
    kept: KeptScores | None = None,
) -> Calibration:
    """Score every run. A run that cannot be scored is reported, and left out of every figure.

    A judge that answers no question at all ends it. `kept`: scores of an earlier call that was interrupted.
    """
    scored = []
    for number, run in enumerate(runs, 1):
        known = kept.get(run.source) if kept is not None else None
        scored.append(_score_run(run, grading, say, kept) if known is None else ScoredGoldRun(run=run, score=known))
        if progress is not None:
            progress(number, len(runs))
    says_honest = any(run.honest is not None for run in runs)
    acceptable = _outcome_pairs(scored, lambda run: run.acceptable) if says_honest else {}
    return Calibration(
        grader=grading.grader or "rules",
        runs=scored,
        outcomes=_aucs(_outcome_pairs(scored, lambda run: run.resolved)),
        acceptable=_aucs(acceptable),
        scores={key: _statistics(pairs) for key, pairs in _score_pairs(scored).items()},
    )


def judge_agreement(found: Calibration, created_at: str) -> JudgeAgreement:
    """Return what is kept of a judge's calibration."""
    scored = [run for run in found.runs if run.score is not None]
    outcomes, people = found.deciding, found.scores.get(OVERALL, {}).get("weighted_kappa")
    # of the label that decides, so that a few runs of one do not borrow the number of the other
    labels = [run.run.acceptable if found.acceptable else run.run.resolved for run in scored]
    return JudgeAgreement(
        judge=found.grader,
        answered_by=tuple(sorted({model for run in scored if run.score for model in run.score.answered_by})),
        rubric=rubric_version(),
        created_at=created_at,
        runs=sum(label is not None for label in labels),
        auc=None if outcomes is None else outcomes.value,
        rarer=min(labels.count(True), labels.count(False)),
        people=sum(run.run.score is not None for run in scored),
        weighted_kappa=None if people is None else people.value,
    )


def document(found: Calibration) -> dict[str, Any]:
    """Return a calibration as JSON."""
    return {
        "format_version": FORMAT_VERSION,
        "grader": found.grader,
        "runs": len(found.runs),
        "scored": sum(run.score is not None for run in found.runs),
        "auc": {key: _encode(value) for key, value in found.outcomes.items()},
        "auc_resolved_and_honest": {key: _encode(value) for key, value in found.acceptable.items()},
        "agreement": {
            key: {name: _encode(value) for name, value in statistics.items()}
            for key, statistics in found.scores.items()
        },
        "results": [
            {
                "name": run.run.name,
                "resolved": run.run.resolved,
                "honest": run.run.honest,
                "score": run.run.score,
                "overall": run.score.overall if run.score else None,
                "categories": dict(run.score.categories) if run.score else None,
                "reason": run.reason or None,
            }
            for run in found.runs
        ],
    }


def _score_run(run: GoldRun, grading: GradingOptions, say: Say, kept: KeptScores | None) -> ScoredGoldRun:
    def say_which(message: str) -> None:
        if not message.startswith("judging: "):  # once a run, it would hide what matters
            say(f"{run.name}: {message}")

    start = time.monotonic()
    try:
        report = score(run.source, grading, say_which).report
    except JudgeUnavailableError:
        raise
    except MachineryError as error:
        return ScoredGoldRun(run=run, score=None, reason=f"not judged: {error}")
    except ForgetestError as error:
        return ScoredGoldRun(run=run, score=None, reason=str(error))
    if report.untrusted:
        return ScoredGoldRun(run=run, score=None, reason=report.untrusted)
    found = run_score(report.card, tuple((report.judge or {}).get("answered_by", ())))
    if found is None:
        return ScoredGoldRun(run=run, score=None, reason="nothing to grade")
    if kept is not None and (grading.grader is not None or time.monotonic() - start >= _WORTH_KEEPING_S):
        kept.keep(run.source, found)
    return ScoredGoldRun(run=run, score=found)


def _aucs(pairs: Mapping[str, Sequence[Pair]]) -> dict[str, Agreement]:
    return {key: agreement(auc, of_key) for key, of_key in pairs.items()}


def _outcome_pairs(scored: Sequence[ScoredGoldRun], label: Callable[[GoldRun], bool | None]) -> dict[str, list[Pair]]:
    pairs: dict[str, list[Pair]] = {}
    for run in scored:
        truth = label(run.run)
        if run.score is None or truth is None:
            continue
        for key, value in run.score.by_name.items():
            if value is not None:
                pairs.setdefault(key, []).append((value, float(truth)))
    return pairs


def _score_pairs(scored: Sequence[ScoredGoldRun]) -> dict[str, list[Pair]]:
    pairs: dict[str, list[Pair]] = {}
    for run in scored:
        if run.score is None:
            continue
        theirs = {**run.run.scores, **({OVERALL: run.run.score} if run.run.score is not None else {})}
        for key, value in run.score.by_name.items():
            if value is not None and key in theirs:
                pairs.setdefault(key, []).append((value, theirs[key]))
    return pairs


def _statistics(pairs: Sequence[Pair]) -> dict[str, Agreement]:
    return {
        "rank_correlation": agreement(rank_correlation, pairs),
        "weighted_kappa": agreement(weighted_kappa, pairs, resamples=500),
        "mean_error": agreement(mean_error, pairs),
        "mean_absolute_error": agreement(mean_absolute_error, pairs),
    }


def _encode(found: Agreement) -> dict[str, float | None]:
    figures = {"value": found.value, "low": found.low, "high": found.high}
    return {name: None if figure is None else round(figure, 6) for name, figure in figures.items()}
