"""Table cells and sentences that several formats of a comparison share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from forgetest.comparison import Change, ChangedCondition, Comparison, NotComparable
from forgetest.comparison.per_model import ModelChange, ModelScores, TagChange
from forgetest.renderers import model_table
from forgetest.renderers.comparison import significance_text


def headline(comparison: Comparison) -> str:
    """Return the outcome in one sentence."""
    counts = [
        model_table.counted(len(comparison.regressions), "regression"),
        model_table.counted(len(comparison.improvements), "improvement"),
        f"{len(comparison.unchanged)} unchanged",
    ]
    if comparison.not_comparable:
        counts.append(f"{len(comparison.not_comparable)} not comparable")
    sentence = f"{', '.join(counts)} (threshold: {100 * comparison.threshold:g} points)"
    return f"{comparison.ruling}: {sentence}" if comparison.gate == "significant" else sentence


def arrow(old: str, new: str) -> str:
    """Return both sides of a change."""
    return f"{old} → {new}"


CONDITIONS = "Not the same in both reports, so the change may not be the model's"
CHANGE_HEADINGS = ("Case", "Model", "Score", "Change")


def change_row(change: Change) -> list[str]:
    """Return the cells of `CHANGE_HEADINGS`."""
    scores = arrow(model_table.score(change.baseline), model_table.score(change.current))
    return [f"{change.eval_set_id}/{change.case_id}", change.model, scores, significance_text.points(change.delta)]


def model_headings(models: Sequence[ModelChange]) -> list[str]:
    """Return the headings of the table of models."""
    passing = sorted({k for change in models for k in change.baseline.pass_at_k})
    return ["Model", "Cases", "Score", *(f"Pass@{k}" for k in passing)]


def model_row(change: ModelChange | TagChange) -> list[str]:
    """Return the cells of `model_headings`."""
    pairs = zip(figures(change.baseline), figures(change.current), strict=True)
    return [change.model, str(change.cases), *(arrow(old, new) for old, new in pairs)]


def figures(scores: ModelScores) -> list[str]:
    """Return a model's mean score and Pass@k as text."""
    return [model_table.score(scores.mean_score.value), *map(model_table.pass_at_k, scores.pass_at_k.values())]


def pairing(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence if two models of different names are compared."""
    if comparison.paired:
        yield f"Each report holds one model, so two models are compared: {comparison.paired}"


def condition(changed: ChangedCondition) -> str:
    """Return a changed condition as text."""
    unknown = "not recorded"
    return f"{changed.name}: {arrow(changed.baseline or unknown, changed.current or unknown)}"


def name_of(case: NotComparable) -> str:
    """Return the name of a case and model."""
    return f"{case.eval_set_id}/{case.case_id} {case.model}"
