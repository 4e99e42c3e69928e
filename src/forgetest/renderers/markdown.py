"""Markdown for a job summary or a pull-request comment: models, cases, and folded failures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from forgetest.files.printable import terminal_safe, terminal_safe_line
from forgetest.renderers import model_table, verdict_text
from forgetest.report import FILENAME as FULL_REPORT
from forgetest.report import FORMAT_VERSION, Report
from forgetest.sample import Sample
from forgetest.verdict import Verdict

FILENAME = "report.md"

_CASE_ROWS = 200
_CASE_CHARACTERS = 25_000
_FAILURE_CHARACTERS = 30_000
"""A comment on GitHub holds 65,536 characters; the table of cases and the failures must fit."""
_EXCERPT_CHARACTERS = 3_000


def write(report: Report, stream: IO[str]) -> None:
    """Write the tables, then the failures."""
    sets = ", ".join(f"{code(each.id)} ({model_table.counted(each.case_count, 'case')})" for each in report.eval_sets)
    stream.write(f"## forgetest: {sets or 'no eval set'}\n\n")
    for part in (_models_section(report), _unjudged(report), _cases(report), _failures(report)):
        stream.writelines(line + "\n" for line in part)
    stream.write(f"\n<!-- format_version: {FORMAT_VERSION} -->\n")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """Yield the lines of a table: the first `left` columns to the left, the others to the right; cells are Markdown."""
    yield _table_row(headings)
    yield _table_row([":--"] * left + ["--:"] * (len(headings) - left))
    for row in rows:
        yield _table_row(row)
    yield ""


def rows_within(rows: Sequence[Sequence[str]], characters: int) -> Sequence[Sequence[str]]:
    """Return as many of the first rows of a table as fit."""
    for number, row in enumerate(rows):
        characters -= len(_table_row(row)) + 1
        if characters < 0:
            return rows[:number]
    return rows


def code(text: str) -> str:
    """Return text as a code span on one line, in which nothing is Markdown, HTML or a mention."""
    flat = terminal_safe_line(" ".join(text.split())) or " "
    ticks = _longer_than_any(flat, "`", 1)
    room = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{room}{flat}{room}{ticks}"


def _table_row(cells: Sequence[str]) -> str:
    # a bar would end the cell even inside a code span
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _longer_than_any(text: str, character: str, least: int) -> str:
    runs = re.findall(re.escape(character) + "+", text)
    return character * max(least, 1 + max(map(len, runs), default=0))


def _models_section(report: Report) -> Iterator[str]:
    models = report.aggregate.per_model
    if not models:
        yield "No samples."
        return
    rows = []
    for model, each in models.items():
        values, intervals = model_table.values(code(model), each), model_table.intervals(each)
        rows.append([f"{v}<br><sub>{i}</sub>" if i else v for v, i in zip(values, intervals, strict=True)])
    yield from table(model_table.headings(report.settings.pass_k), rows)
    yield "<sub>Under each value: its 95% interval.</sub>"
    yield ""


def _unjudged(report: Report) -> Iterator[str]:
    remarks = [f"- **Left out**: {code(sentence)}" for sentence in model_table.left_out(report)]
    remarks += [f"- **Not judged**: {sentence}" for sentence in model_table.unjudged(report, code)]
    remarks += [f"- **Hidden tests**: {sentence}" for sentence in model_table.visible_gap(report, code)]
    remarks += [f"- **Integrity**: {sentence}" for sentence in model_table.integrity(report, code)]
    remarks += [f"- **Flaky**: {sentence}" for sentence in model_table.flaky(report, code)]
    if remarks:
        yield from (*remarks, "")


def _cases(report: Report) -> Iterator[str]:
    rows = [
        [
            code(str(case)),
            code(model),
            *(model_table.estimate(passing, model_table.percent) for passing in each.pass_at_k.values()),
            model_table.estimate(each.mean_score, model_table.score),
            str(each.judged) if each.judged == each.asked else f"{each.judged}/{each.asked}",
        ]
        for case, models in report.aggregate.per_case.items()
        for model, each in models.items()
    ]
    if not rows:
        return
    yield "### Cases"
    yield ""
    passing = (f"Pass@{k}" for k in report.settings.pass_k)
    shown = rows_within(rows[:_CASE_ROWS], _CASE_CHARACTERS)
    yield from table(["Case", "Model", *passing, "Score", "Judged"], shown, left=2)
    if len(rows) > len(shown):
        yield f"{len(rows) - len(shown)} more are in `{FULL_REPORT}`."
        yield ""


def _failures(report: Report) -> Iterator[str]:
    models = [model for case in report.aggregate.per_case.values() for model in case.values()]
    left = sum(model.asked - model.correct for model in models)
    if not left:
        return
    yield "### Failures"
    yield ""
    written = 0
    for sample in report.results:
        if sample.correct:
            continue
        text = "\n".join(_failure(sample))
        written += len(text)
        if written > _FAILURE_CHARACTERS:
            break
        yield text
        left -= 1
    if left:
        yield f"{left} more are in `{FULL_REPORT}`."


def _failure(sample: Sample) -> Iterator[str]:
    attempt = sample.attempt
    kind = "not judged" if sample.outcome == "unjudged" else "failed"
    case, model = _html_code(f"{attempt.eval_set_id}/{attempt.case_id}"), _html_code(attempt.model_name)
    yield f"<details><summary>{case} · {model} · attempt {attempt.attempt}: {kind}</summary>"
    yield ""
    lines = [sample.reason or "no reason given", *(_verdict_lines(sample.verdict) if sample.verdict else ())]
    yield from _block("\n".join(lines))
    if sample.code:
        yield from _block(sample.code)
    yield "</details>"
    yield ""


def _html_code(text: str) -> str:
    """Return a name for HTML that Markdown does not look into; only in code, `@name` is not a mention."""
    return f"<code>{html.escape(terminal_safe_line(' '.join(text.split())))}</code>"


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    yield from verdict_text.errors(verdict)
    yield from (f"test {verdict_text.failure(test)}" for test in verdict_text.failed_tests(verdict))
    for finding in verdict.integrity:
        if not finding.forbids:  # the others are the reason above
            yield f"noted: {finding.kind}: {finding.detail}"


def _block(text: str) -> Iterator[str]:
    excerpt = terminal_safe(text if len(text) <= _EXCERPT_CHARACTERS else text[:_EXCERPT_CHARACTERS] + "\n…")
    fence = _longer_than_any(excerpt, "`", 3)
    yield from (fence, excerpt.rstrip("\n"), fence, "")
