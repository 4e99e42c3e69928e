"""One self-contained page: models, matrix, and every sample one click away. It fetches nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import IO

from forgetest.renderers import plots
from forgetest.renderers.html import contents, page
from forgetest.renderers.html.page_budget import PageBudget
from forgetest.report import Report
from forgetest.report.aggregate import CaseId

FILENAME = "report.html"

_STYLES = ("style.css", "table.css", "sample.css")
_SCRIPTS = (
    "dom.js",
    "format.js",
    "highlight.js",
    "data.js",
    "table.js",
    "models.js",
    "matrix.js",
    "samples.js",
    "code.js",
    "detail.js",
    "sample.js",
    "theme.js",
    "main.js",
)


def write(report: Report, stream: IO[str]) -> None:
    """Write the page: its frame, the samples as data while they are read, and the scripts that show them."""
    title = ", ".join(eval_set.name for eval_set in report.eval_sets) or "no eval set"
    pictures = "".join(
        f'<figure id="plot-{name}">\n{drawn}</figure>\n'
        for name, draw in plots.PICTURES.items()
        if (drawn := draw(report))
    )
    page.write(
        stream,
        body="report.html",
        title=f"forgetest: {title}",
        styles=_STYLES,
        scripts=_SCRIPTS,
        data=_report_data(report),
        pictures=pictures,
    )


def _report_data(report: Report) -> Iterator[str]:
    budget = PageBudget(report)
    cases = {case: number for number, case in enumerate(report.aggregate.per_case)}
    models = {model: number for number, model in enumerate(report.models_evaluated)}
    summaries = {CaseId(eval_set.id, case.id): case for eval_set in report.eval_sets for case in eval_set.cases}
    yield page.embedded("report", contents.overview(report))
    rows: list[contents.Json] = []
    for case, group in groupby(report.results, key=lambda s: CaseId(s.attempt.eval_set_id, s.attempt.case_id)):
        is_case_written = False
        for sample in group:
            if not budget.selects(sample):
                continue
            text = page.embedded(f"sample-{len(rows)}", contents.detail(sample))
            if not budget.takes(sample, len(text)):
                continue
            if not is_case_written and case in summaries:
                yield page.embedded(f"case-{cases[case]}", contents.question(summaries[case]))
            is_case_written = True
            rows.append(contents.row(sample, cases[case], models[sample.attempt.model_name]))
            yield text
    yield page.embedded("samples", {"rows": rows, "held": budget.summary()})
