"""The summary that a run ends with: a plain table, the same on a terminal and in a log."""

from __future__ import annotations

from collections.abc import Sequence

from forgetest.renderers import model_table
from forgetest.report import Report


def summary(report: Report) -> str:
    """A row for each model with its 95% intervals under it, then what was not judged."""
    models = report.aggregate.per_model
    if not models:
        return "no samples\n"
    told = {model: model_table.intervals(each) for model, each in models.items()}
    rows = [
        row for model, each in models.items() for row in (model_table.values(model, each), told[model]) if any(row)
    ]  # of a model of which nothing was judged, there is no interval
    lines = table(model_table.headings(report.settings.pass_k), rows)
    if any(map(any, told.values())):
        lines += ["", "Under each value: its 95% interval."]
    return (
        "\n".join([*lines, *model_table.unjudged(report), *model_table.integrity(report), *model_table.flaky(report)])
        + "\n"
    )


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Lines of aligned columns: the first `left` of them to the left, numbers to the right."""
    everything = [headings, *rows]
    widths = [max(len(row[column]) for row in everything) for column in range(len(headings))]
    return [_line(row, widths, left) for row in everything]


def _line(row: Sequence[str], widths: Sequence[int], left: int) -> str:
    sized = list(zip(row, widths, strict=True))
    cells = [
        *(cell.ljust(width) for cell, width in sized[:left]),
        *(cell.rjust(width) for cell, width in sized[left:]),
    ]
    return "  ".join(cells).rstrip()
