"""A comparison as text, JSON or markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import IO, Any

import msgspec

from forgetest.comparison import Change, ChangedCondition, Comparison, ModelChange, NotComparable, Standing
from forgetest.renderers import columns, markdown, terminal
from forgetest.report import encode_coverage, encode_estimates, rounded

FORMAT_VERSION = 1
"""Raised when a reader of the JSON form would have to change."""


def write_text(comparison: Comparison, stream: IO[str]) -> None:
    """Readable at a glance: the sentence that matters, then regressions, then the rest."""
    stream.writelines(line + "\n" for line in _text(comparison))


def write_json(comparison: Comparison, stream: IO[str]) -> None:
    """The stable, documented form."""
    encoded = msgspec.json.encode(_encoded(comparison))
    stream.write(msgspec.json.format(encoded, indent=2).decode() + "\n")


def write_markdown(comparison: Comparison, stream: IO[str]) -> None:
    """Fit for a pull-request comment."""
    stream.writelines(line + "\n" for line in _markdown(comparison))


WRITERS: Mapping[str, Callable[[Comparison, IO[str]], None]] = {
    "text": write_text,
    "json": write_json,
    "markdown": write_markdown,
}
"""By the name of the format."""


def headline(comparison: Comparison) -> str:
    """The outcome in one sentence."""
    counted = [
        columns.counted(len(comparison.regressions), "regression"),
        columns.counted(len(comparison.improvements), "improvement"),
        f"{len(comparison.unchanged)} unchanged",
    ]
    if comparison.not_comparable:
        counted.append(f"{len(comparison.not_comparable)} not comparable")
    return f"{', '.join(counted)} (threshold: {100 * comparison.threshold:g} points)"


def _points(delta: float) -> str:
    return f"{100 * delta:+.1f} points"


def _sides(old: str, new: str) -> str:
    return f"{old} → {new}"


_CHANGE_HEADINGS = ("Case", "Model", "Score", "Change")


def _change_row(change: Change) -> list[str]:
    sides = _sides(columns.score(change.baseline), columns.score(change.current))
    return [f"{change.eval_set_id}/{change.case_id}", change.model, sides, _points(change.delta)]


def _model_headings(models: Sequence[ModelChange]) -> list[str]:
    passing = sorted({k for each in models for k in each.baseline.pass_at_k})
    return ["Model", "Cases", "Score", *(f"Pass@{k}" for k in passing)]


def _model_row(each: ModelChange) -> list[str]:
    old, new = each.baseline, each.current
    return [
        each.model,
        str(each.cases),
        _sides(columns.score(old.mean_score.value), columns.score(new.mean_score.value)),
        *(_sides(columns.pass_at_k(old.pass_at_k[k]), columns.pass_at_k(new.pass_at_k[k])) for k in old.pass_at_k),
    ]


def _pairing(comparison: Comparison) -> Iterator[str]:
    if comparison.paired:
        yield f"Each report holds one model, so two models are compared: {comparison.paired}"


def _condition(changed: ChangedCondition) -> str:
    unknown = "not recorded"
    return f"{changed.name}: {_sides(changed.baseline or unknown, changed.current or unknown)}"


def _text(comparison: Comparison) -> Iterator[str]:
    yield headline(comparison)
    yield f"baseline: {comparison.baseline.path} ({comparison.baseline.created_at})"
    yield f"current:  {comparison.current.path} ({comparison.current.created_at})"
    yield from _pairing(comparison)
    for title, changes in (
        ("Regressions", comparison.regressions),
        ("Improvements", comparison.improvements),
    ):
        if changes:
            rows = [_change_row(change) for change in changes]
            yield from ("", title)
            yield from ("  " + line for line in terminal.table(_CHANGE_HEADINGS, rows, left=2))
    if comparison.not_comparable:
        yield from ("", "Not comparable")
        yield from (f"  {_name(each)}: {each.reason}" for each in comparison.not_comparable)
    if comparison.changed_conditions:
        yield from ("", "Not the same in both reports, so the change may not be the model's")
        yield from (f"  {_condition(changed)}" for changed in comparison.changed_conditions)
    yield from ("", "Over the cases compared")
    rows = [_model_row(each) for each in comparison.models]
    yield from ("  " + line for line in terminal.table(_model_headings(comparison.models), rows))


def _name(each: NotComparable) -> str:
    return f"{each.eval_set_id}/{each.case_id} {each.model}"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"## forgetest: {headline(comparison)}"
    yield ""
    for sentence in _pairing(comparison):
        yield from (sentence.replace(str(comparison.paired), markdown.code(str(comparison.paired))), "")
    yield from markdown.table(
        _model_headings(comparison.models),
        ([markdown.code(each.model), *_model_row(each)[1:]] for each in comparison.models),
    )
    for title, changes in (
        ("Regressions", comparison.regressions),
        ("Improvements", comparison.improvements),
    ):
        if changes:
            yield from (f"### {title}", "")
            rows = (_change_row(change) for change in changes)
            yield from markdown.table(
                _CHANGE_HEADINGS,
                ([markdown.code(row[0]), markdown.code(row[1]), *row[2:]] for row in rows),
                left=2,
            )
    remarks = [
        *(f"{_name(each)}: {each.reason}" for each in comparison.not_comparable),
        *(_condition(changed) for changed in comparison.changed_conditions),
    ]
    if remarks:
        yield from ("<details><summary>Not comparable, or not the same in both reports</summary>", "")
        yield from (f"- {markdown.code(remark)}" for remark in remarks)
        yield from ("", "</details>")


def _encoded(comparison: Comparison) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "threshold": comparison.threshold,
        "baseline": asdict(comparison.baseline),
        "current": asdict(comparison.current),
        "paired_models": asdict(comparison.paired) if comparison.paired else None,
        "regressions": [_encoded_change(change) for change in comparison.regressions],
        "improvements": [_encoded_change(change) for change in comparison.improvements],
        "unchanged": [_encoded_change(change) for change in comparison.unchanged],
        "not_comparable": [asdict(each) for each in comparison.not_comparable],
        "changed_conditions": [asdict(changed) for changed in comparison.changed_conditions],
        "models": [
            {
                "model": each.model,
                "cases": each.cases,
                "baseline": _encoded_standing(each.baseline),
                "current": _encoded_standing(each.current),
            }
            for each in comparison.models
        ],
    }


def _encoded_change(change: Change) -> dict[str, Any]:
    numbers = {
        "baseline": rounded(change.baseline),
        "current": rounded(change.current),
        "delta": rounded(change.delta),
    }
    return {**asdict(change), **numbers}


def _encoded_standing(standing: Standing) -> dict[str, Any]:
    passing = {k: each.estimate for k, each in standing.pass_at_k.items()}
    return {
        "pass_at_k_cases": encode_coverage(standing.pass_at_k),
        **encode_estimates(passing, mean_score=standing.mean_score),
    }
