"""The summary at the end of a run: a plain table, the same on a terminal and in a log."""

from __future__ import annotations

from collections.abc import Sequence

from forgetest.files.printable import terminal_safe_line
from forgetest.renderers import model_table
from forgetest.report import Report


def summary(report: Report) -> str:
    """Return a row for each model with its 95% intervals below, then remarks about unjudged and flaky samples."""
    models = report.aggregate.per_model
    if not models:
        return "no samples\n"
    intervals = {model: model_table.intervals(figures) for model, figures in models.items()}
    rows = [
        row
        for model, figures in models.items()
        for row in (model_table.values(model, figures), intervals[model])
        if any(row)  # a model without judged samples has no intervals
    ]
    lines = table(model_table.headings(report.settings.pass_k), rows)
    if any(map(any, intervals.values())):
        lines += ["", "Under each value: its 95% interval."]
    kinds = (
        model_table.left_out,
        model_table.unjudged,
        model_table.visible_gap,
        model_table.integrity,
        model_table.flaky,
    )
    remarks = [remark for kind in kinds for remark in kind(report)]
    return "\n".join([*lines, *map(terminal_safe_line, remarks)]) + "\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return lines of aligned columns: the first `left` to the left, the others to the right."""
    everything = [[terminal_safe_line(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[column]) for row in everything) for column in range(len(headings))]
    return [_table_line(row, widths, left) for row in everything]


def _table_line(row: Sequence[str], widths: Sequence[int], left: int) -> str:
    sized = list(zip(row, widths, strict=True))
    cells = [
        *(cell.ljust(width) for cell, width in sized[:left]),
        *(cell.rjust(width) for cell, width in sized[left:]),
    ]
    return "  ".join(cells).rstrip()
