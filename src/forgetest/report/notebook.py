"""Small HTML tables, for notebooks that show a value by its `_repr_html_`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from forgetest.report.aggregate import ModelAggregate


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; all texts are escaped."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def models_table(report_id: str, models: Mapping[str, ModelAggregate]) -> str:
    """Return a table of a report's models."""
    pass_k = sorted({k for summary in models.values() for k in summary.pass_at_k})
    headings = ["Model", "Judged", *(f"Pass@{k}" for k in pass_k), "Score"]
    rows = [
        [
            model,
            f"{summary.judged} of {summary.asked}",
            *(_percent(_pass_at_k(summary, k)) for k in pass_k),
            f"{summary.mean_score.value:.3f}" if summary.mean_score else "n/a",
        ]
        for model, summary in models.items()
    ]
    return table(f"forgetest report {report_id}", headings, rows)


def _pass_at_k(summary: ModelAggregate, k: int) -> float | None:
    passing = summary.pass_at_k.get(k)
    return passing.estimate.value if passing and passing.estimate else None


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f}%"
