"""A comparison as text, JSON or markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import IO, Any

import msgspec

from forgetest.comparison import Change, ChangedCondition, Comparison, NotComparable
from forgetest.comparison.per_model import ModelChange, ModelScores, TagChange
from forgetest.renderers import markdown, model_table, terminal
from forgetest.renderers.comparison import significance_text
from forgetest.report.encode import encode_coverage, encode_estimates, rounded
from forgetest.statistics.intervals import Estimate
from forgetest.statistics.significance import Evidence

FORMAT_VERSION = 1
"""Raised when a reader of the JSON form would have to change."""


def write_text(comparison: Comparison, stream: IO[str]) -> None:
    """Readable at a glance: the sentence that matters, then regressions, then the rest."""
    stream.writelines(line + "\n" for line in _text(comparison))


def write_json(comparison: Comparison, stream: IO[str]) -> None:
    """The stable, documented form."""
    written = msgspec.json.encode(encoded(comparison))
    stream.write(msgspec.json.format(written, indent=2).decode() + "\n")


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
        model_table.counted(len(comparison.regressions), "regression"),
        model_table.counted(len(comparison.improvements), "improvement"),
        f"{len(comparison.unchanged)} unchanged",
    ]
    if comparison.not_comparable:
        counted.append(f"{len(comparison.not_comparable)} not comparable")
    told = f"{', '.join(counted)} (threshold: {100 * comparison.threshold:g} points)"
    return f"{comparison.ruling}: {told}" if comparison.gate == "significant" else told


def _sides(old: str, new: str) -> str:
    return f"{old} → {new}"


_CONDITIONS = "Not the same in both reports, so the change may not be the model's"
_CHANGE_HEADINGS = ("Case", "Model", "Score", "Change")


def _change_row(change: Change) -> list[str]:
    sides = _sides(model_table.score(change.baseline), model_table.score(change.current))
    return [f"{change.eval_set_id}/{change.case_id}", change.model, sides, significance_text.points(change.delta)]


def _model_headings(models: Sequence[ModelChange]) -> list[str]:
    passing = sorted({k for each in models for k in each.baseline.pass_at_k})
    return ["Model", "Cases", "Score", *(f"Pass@{k}" for k in passing)]


def _model_row(each: ModelChange | TagChange) -> list[str]:
    sides = zip(_figures(each.baseline), _figures(each.current), strict=True)
    return [each.model, str(each.cases), *(_sides(old, new) for old, new in sides)]


def _figures(standing: ModelScores) -> list[str]:
    return [model_table.score(standing.mean_score.value), *map(model_table.pass_at_k, standing.pass_at_k.values())]


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
    if comparison.changed_conditions:
        yield from ("", _CONDITIONS)
        yield from (f"  {_condition(changed)}" for changed in comparison.changed_conditions)
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
    headings = _model_headings(comparison.models)
    yield from ("", "Over the cases compared")
    rows = [_model_row(each) for each in comparison.models]
    yield from ("  " + line for line in terminal.table(headings, rows))
    yield from ("", f"What the data can bear: {significance_text.ruling(comparison)}")
    for each in comparison.models:
        first, *others = significance_text.sentences(each, comparison)
        yield f"  {each.model} {first}"
        yield from (f"    {sentence}" for sentence in others)
    changed = [each for each in comparison.tags if _figures(each.baseline) != _figures(each.current)]
    if changed:
        same = len(comparison.tags) - len(changed)
        yield from ("", f"By tag ({same} unchanged not shown)" if same else "By tag")
        rows = [[each.tag, *_model_row(each)] for each in changed]
        yield from ("  " + line for line in terminal.table(["Tag", *headings], rows, left=2))


def _name(each: NotComparable) -> str:
    return f"{each.eval_set_id}/{each.case_id} {each.model}"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"## forgetest: {headline(comparison)}"
    yield ""
    if comparison.changed_conditions:
        yield from (f"**{_CONDITIONS}:**", "")
        yield from (f"- {markdown.code(_condition(changed))}" for changed in comparison.changed_conditions)
        yield ""
    for sentence in _pairing(comparison):
        yield from (sentence.replace(str(comparison.paired), markdown.code(str(comparison.paired))), "")
    yield from markdown.table(
        _model_headings(comparison.models),
        ([markdown.code(each.model), *_model_row(each)[1:]] for each in comparison.models),
    )
    for title, changes, characters in (
        ("Regressions", comparison.regressions, 20_000),
        ("Improvements", comparison.improvements, 10_000),
    ):
        if changes:
            yield from (f"### {title}", "")
            rows = [_change_row(change) for change in changes]
            coded = [[markdown.code(row[0]), markdown.code(row[1]), *row[2:]] for row in rows]
            yield from _fitting_table(_CHANGE_HEADINGS, coded, characters)
    yield from (f"**{significance_text.ruling(comparison)}**", "")
    for each in comparison.models:
        first, *others = significance_text.sentences(each, comparison, markdown.code)
        yield f"- {markdown.code(each.model)} {first}"
        yield from (f"  - {sentence}" for sentence in others)
    yield ""
    if comparison.tags:
        yield from ("<details><summary>By tag</summary>", "")
        tagged = [
            [markdown.code(each.tag), markdown.code(each.model), *_model_row(each)[1:]] for each in comparison.tags
        ]
        yield from _fitting_table(["Tag", *_model_headings(comparison.models)], tagged, 8_000)
        yield from ("</details>", "")
    if comparison.not_comparable:
        yield from (f"<details><summary>{len(comparison.not_comparable)} not comparable</summary>", "")
        named = [[markdown.code(_name(each)), each.reason] for each in comparison.not_comparable]
        yield from _fitting_table(["Case and model", "Why"], named, 8_000)
        yield "</details>"


def _fitting_table(headings: Sequence[str], rows: Sequence[Sequence[str]], characters: int) -> Iterator[str]:
    # a comment on GitHub holds 65,536 characters; one that is too long is refused whole
    shown = markdown.fitting(rows, characters)
    yield from markdown.table(headings, shown, left=2)
    if len(rows) > len(shown):
        yield from (f"{len(rows) - len(shown)} more are told by `--format json` or `html`.", "")


def encoded(comparison: Comparison) -> dict[str, Any]:
    """The JSON form, as a value."""
    return {
        "format_version": FORMAT_VERSION,
        "threshold": comparison.threshold,
        "gate": comparison.gate,
        "regressed": comparison.regressed,
        "ruling": comparison.ruling,
        "baseline": asdict(comparison.baseline),
        "current": asdict(comparison.current),
        "paired_models": asdict(comparison.paired) if comparison.paired else None,
        "changed_conditions": [asdict(changed) for changed in comparison.changed_conditions],
        "regressions": [_encoded_change(change) for change in comparison.regressions],
        "improvements": [_encoded_change(change) for change in comparison.improvements],
        "unchanged": [_encoded_change(change) for change in comparison.unchanged],
        "not_comparable": [asdict(each) for each in comparison.not_comparable],
        "models": [
            {
                "model": each.model,
                "cases": each.cases,
                "baseline": _encoded_standing(each.baseline),
                "current": _encoded_standing(each.current),
                "evidence": _encoded_evidence(each.evidence),
            }
            for each in comparison.models
        ],
        "tags": [
            {
                "tag": each.tag,
                "model": each.model,
                "cases": each.cases,
                "baseline": _encoded_standing(each.baseline),
                "current": _encoded_standing(each.current),
            }
            for each in comparison.tags
        ],
    }


def _encoded_change(change: Change) -> dict[str, Any]:
    return {
        "eval_set_id": change.eval_set_id,
        "case_id": change.case_id,
        "model": change.model,
        "baseline": rounded(change.baseline),
        "current": rounded(change.current),
        "baseline_attempts": change.baseline_attempts,
        "current_attempts": change.current_attempts,
        "delta": rounded(change.delta),
        "p_worse": rounded(change.evidence.p_worse) if change.evidence else None,
        "p_worse_adjusted": rounded(change.evidence.p_adjusted) if change.evidence else None,
    }


def _encoded_standing(standing: ModelScores) -> dict[str, Any]:
    passing = {k: each.estimate for k, each in standing.pass_at_k.items()}
    return {
        "pass_at_k_cases": encode_coverage(standing.pass_at_k),
        **encode_estimates(passing, mean_score=standing.mean_score, pass_rate=standing.pass_rate),
    }


def _encoded_evidence(found: Evidence) -> dict[str, Any]:
    return {
        "ruling": found.ruling,
        "test": found.test,
        "pass_rate": _encoded_estimate(found.change),
        "pass_rate_change_at_least": rounded(found.at_least),
        "p_worse": rounded(found.p.worse),
        "p_better": rounded(found.p.better),
        "p_worse_adjusted": rounded(found.p_adjusted),
        "level": found.level,
        "mean_score": {
            **_encoded_estimate(found.score.estimate),
            "p_worse": rounded(found.score.p.worse),
            "p_better": rounded(found.score.p.better),
        },
        "power_at_threshold": rounded(found.power),
        "minimum_detectable_effect": found.minimum_detectable_effect,
        "cases_to_settle": found.cases_to_settle,
        "attempts_to_settle": found.attempts_to_settle,
    }


def _encoded_estimate(found: Estimate) -> dict[str, Any]:
    interval = [rounded(end) for end in found.interval] if found.interval else None
    return {"change": rounded(found.value), "interval": interval}
