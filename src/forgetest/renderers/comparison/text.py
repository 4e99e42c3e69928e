"""A comparison as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from forgetest.comparison import Comparison
from forgetest.files.printable import terminal_safe_line
from forgetest.renderers import terminal
from forgetest.renderers.comparison import rows, significance_text


def write(comparison: Comparison, stream: IO[str]) -> None:
    """Write the outcome in one sentence, then the regressions, then the rest."""
    stream.writelines(terminal_safe_line(line) + "\n" for line in _text_lines(comparison))


def _text_lines(comparison: Comparison) -> Iterator[str]:
    yield rows.headline(comparison)
    yield f"baseline: {comparison.baseline.path} ({comparison.baseline.created_at})"
    yield f"current:  {comparison.current.path} ({comparison.current.created_at})"
    yield from rows.pairing(comparison)
    if comparison.changed_conditions:
        yield from ("", rows.CONDITIONS)
        yield from (f"  {rows.condition(changed)}" for changed in comparison.changed_conditions)
    for title, changes in (
        ("Regressions", comparison.regressions),
        ("Improvements", comparison.improvements),
    ):
        if changes:
            cells = [rows.change_row(change) for change in changes]
            yield from ("", title)
            yield from ("  " + line for line in terminal.table(rows.CHANGE_HEADINGS, cells, left=2))
    if comparison.not_comparable:
        yield from ("", "Not comparable")
        yield from (f"  {rows.name_of(case)}: {case.reason}" for case in comparison.not_comparable)
    if comparison.models:
        yield from _models_lines(comparison)


def _models_lines(comparison: Comparison) -> Iterator[str]:
    headings = rows.model_headings(comparison.models)
    yield from ("", "Over the cases compared")
    cells = [rows.model_row(model) for model in comparison.models]
    yield from ("  " + line for line in terminal.table(headings, cells))
    yield from ("", f"What the data can bear: {significance_text.ruling(comparison)}")
    for model in comparison.models:
        first, *others = significance_text.sentences(model, comparison)
        yield f"  {model.model} {first}"
        yield from (f"    {sentence}" for sentence in others)
    changed = [tag for tag in comparison.tags if rows.figures(tag.baseline) != rows.figures(tag.current)]
    if changed:
        same = len(comparison.tags) - len(changed)
        yield from ("", f"By tag ({same} unchanged not shown)" if same else "By tag")
        cells = [[tag.tag, *rows.model_row(tag)] for tag in changed]
        yield from ("  " + line for line in terminal.table(["Tag", *headings], cells, left=2))
