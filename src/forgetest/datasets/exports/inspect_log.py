"""Logs of Inspect, written by its own package: one log for each eval set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forgetest.datasets.exports.selection import Selection, failure
from forgetest.errors import UserError
from forgetest.report import CaseSummary, EvalSetSummary
from forgetest.sample import Sample
from forgetest.version import __version__

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

_SCORER = "forgetest"


def write_log(selection: Selection, path: Path) -> None:
    """Write the log of one eval set; `.json` is written as JSON, anything else as Inspect's `.eval`."""
    try:
        from inspect_ai.log import write_eval_log
    except ImportError as error:
        raise UserError(f"Inspect's logs are written by its own package: pip install inspect-ai ({error})") from None
    if len(selection.eval_sets) != 1:
        ids = ", ".join(each.id for each in selection.eval_sets)
        raise UserError(f"{selection.content.path}: a log of Inspect holds one eval set; choose by --eval-set: {ids}")
    write_eval_log(_log(selection, selection.eval_sets[0]), str(path), "json" if path.suffix == ".json" else "eval")


def _log(selection: Selection, eval_set: EvalSetSummary) -> EvalLog:
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalMetric,
        EvalPlan,
        EvalResults,
        EvalScore,
        EvalSpec,
        EvalStats,
    )
    from inspect_ai.model import GenerateConfig

    content, settings = selection.content, selection.content.settings
    samples = list(_samples(selection))
    scored = [sample.scores for sample in samples if sample.scores]
    values = [1.0 if scores["correct"].value == "C" else 0.0 for scores in scored]
    generation = GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens, seed=settings.seed)
    finished = content.created_at + timedelta(milliseconds=content.duration_ms)
    accuracy = {"accuracy": EvalMetric(name="accuracy", value=sum(values) / len(values))} if values else {}
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=content.id,
            run_id=content.id,
            created=content.created_at.isoformat(),
            task=eval_set.id,
            task_id=eval_set.id,
            task_version=eval_set.hash,
            dataset=EvalDataset(name=eval_set.name, samples=len(eval_set.cases), sample_ids=_ids(eval_set)),
            model=selection.model,
            model_generate_config=generation,
            config=EvalConfig(epochs=max((sample.epoch for sample in samples), default=1)),
            packages={"forgetest": __version__},
        ),
        plan=EvalPlan(config=generation),
        results=EvalResults(
            total_samples=len(samples),
            completed_samples=len(scored),
            scores=[EvalScore(name="correct", scorer=_SCORER, scored_samples=len(scored), metrics=accuracy)],
        ),
        stats=EvalStats(started_at=content.created_at.isoformat(), completed_at=finished.isoformat()),
        samples=samples,
    )


def _ids(eval_set: EvalSetSummary) -> list[str]:
    return [case.id for case in eval_set.cases]


def _samples(selection: Selection) -> Iterator[EvalSample]:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput, ModelUsage

    for sample, case in selection.samples():
        output = ModelOutput.from_content(selection.model, sample.code or "")
        usage = sample.usage
        if usage.prompt_tokens is not None and usage.completion_tokens is not None:
            total = usage.prompt_tokens + usage.completion_tokens
            output.usage = ModelUsage(
                input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens, total_tokens=total
            )
        yield EvalSample(
            id=case.id,
            epoch=sample.attempt.attempt,
            input=case.prompt,
            target="",
            output=output,
            scores=_scores(sample),
            metadata=_metadata(sample, case),
        )


def _scores(sample: Sample) -> dict[str, Any] | None:
    """Return the scores of a judged sample; one that was not judged has none, and is in no rate."""
    from inspect_ai.scorer import CORRECT, INCORRECT, Score

    if sample.score is None:
        return None
    explanation = None if sample.correct else failure(sample)
    return {
        "correct": Score(value=CORRECT if sample.correct else INCORRECT, answer=sample.code, explanation=explanation),
        "score": Score(value=sample.score.overall),
    }


def _metadata(sample: Sample, case: CaseSummary) -> dict[str, Any]:
    verdict = sample.verdict
    return {
        "language": case.language,
        "tags": list(case.tags),
        "outcome": sample.outcome,
        "reason": sample.reason,
        "verified": verdict.verified if verdict else None,
        "integrity": [finding.kind for finding in verdict.integrity] if verdict else [],
    }
