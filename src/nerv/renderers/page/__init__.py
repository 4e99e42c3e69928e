"""A scored run as one self-contained HTML page without scripts: the tests first, then findings, claims and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from nerv.evidence import Evidence
from nerv.renderers.page.charts import completion_chart, cost_chart, legend, spending_title, timeline
from nerv.renderers.page.claims import claims_html, unverified_html
from nerv.renderers.page.findings import findings_html
from nerv.renderers.page.html import bullets, escaped, folded, section
from nerv.renderers.page.overview import overall_text, overview_html, title
from nerv.renderers.page.request import changes_html, commits_html, request_html
from nerv.renderers.page.scores import cards_html, category_html
from nerv.renderers.page.trend import trend_html
from nerv.rules.run_facts import RunFacts
from nerv.scorecard.history import HistoryLine
from nerv.scorecard.score_report import ScoreReport

__all__ = ["page"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(report: ScoreReport, facts: RunFacts | None, earlier: Sequence[HistoryLine] = ()) -> str:
    """Return the page; `earlier` has the earlier scores of the same spec, oldest first."""
    name = f"{overall_text(report.card)} · {title(report, facts)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(name)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in _sections(report, facts, earlier) if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def _sections(report: ScoreReport, facts: RunFacts | None, earlier: Sequence[HistoryLine]) -> Iterator[str]:
    yield overview_html(report, facts)
    if facts is not None:
        graded = not facts.evidence.nothing_to_grade
        yield findings_html(report.findings) if graded or report.findings else ""
        yield request_html(facts)
        yield changes_html(facts.evidence)
        yield claims_html(report, facts)
        yield unverified_html(report, facts)
    yield trend_html(report, earlier)
    if any(category.score is not None for category in report.card.categories):
        yield cards_html(report.card)
        for category in report.card.categories:
            yield category_html(category, report)
    if facts is not None:
        yield from _charts_html(facts.evidence)
        yield commits_html(facts.evidence)
    if report.warnings:
        yield section("Warnings", bullets(map(escaped, report.warnings)))
    if report.inputs:
        rows = bullets(f"{escaped(name)} <code>{escaped(digest[:16])}</code>" for name, digest in report.inputs.items())
        yield folded("Files that were read", rows)


def _charts_html(evidence: Evidence) -> Iterator[str]:
    drawn = timeline(evidence)
    if drawn:
        yield section("Timeline", f"{drawn}{legend(drawn)}")
    charts = [
        f"<figure><figcaption>{name}</figcaption>{chart}</figure>"
        for name, chart in (
            ("Spec completion over time", completion_chart(evidence)),
            (spending_title(evidence), cost_chart(evidence)),
        )
        if chart
    ]
    if charts:
        yield section("Over time", "".join(charts))


def _style() -> str:
    return files(__package__).joinpath("page.css").read_text(encoding="utf-8")
