"""The markdown as GitHub renders it, with hostile text still text."""

from __future__ import annotations

import io
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from forgetest.comparison import compare
from forgetest.comparison.scores import CaseScores, ReportScores, ScoredCase
from forgetest.renderers import markdown
from forgetest.renderers.comparison import markdown as comparison_markdown
from forgetest.report import Report
from forgetest.report.aggregate import CaseId
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample

COMMENT = 65_536
"""GitHub accepts at most this many characters."""

HOSTILE = "</details>\n```\n| a | b |\n<script>alert(1)</script> [x](javascript:alert(1)) @everyone ![i](http://x/y)"


class Page(HTMLParser):
    """The elements of a rendered page, and the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(MarkdownIt("commonmark").enable("table").render(text))

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        if tag != "br":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements are nested as they were opened"

    def handle_data(self, text: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += text


def rendered(report: Report) -> Page:
    stream = io.StringIO()
    markdown.write(report, stream)
    return Page(stream.getvalue())


def test_tables_are_rendered_as_tables_and_failures_are_folded():
    page = rendered(
        a_report(
            [a_sample("a", 1), a_sample("a", 2, verdict=a_verdict(failed=1)), a_refusal("b"), an_unjudged_sample("c")]
        )
    )
    assert page.open == []
    assert page.tags.count("table") == 2
    assert {len(row) for row in page.rows[:2]} == {7}
    assert page.rows[1][0] == "acme/small"
    assert page.tags.count("details") == 3


@pytest.mark.parametrize("place", ["case", "model", "reason", "code"])
def test_hostile_text_stays_text(place: str):
    odd = {
        "case": a_sample(HOSTILE, correct=False, reason="wrong"),
        "model": a_sample("a", model=f"acme/{HOSTILE}", correct=False, reason="wrong"),
        "reason": a_sample("a", correct=False, reason=HOSTILE),
        "code": a_sample("a", correct=False, reason="wrong", code=HOSTILE),
    }[place]
    page = rendered(a_report([odd]))
    assert page.open == []
    assert not {"script", "a", "img"} & set(page.tags)
    assert page.tags.count("details") == 1
    assert len({len(row) for row in page.rows[:2]}) == 1


def test_a_report_fits_into_a_comment_for_any_number_of_cases():
    broken = a_verdict(compiled=False)
    samples = [
        a_sample(f"case-{number:05}-{'x' * 120}", verdict=broken, model="acme/a-long-name") for number in range(900)
    ]
    stream = io.StringIO()
    markdown.write(a_report(samples), stream)
    assert len(stream.getvalue()) < COMMENT
    assert Page(stream.getvalue()).open == []


def test_a_comparison_fits_into_a_comment_for_any_number_of_changes():
    def recorded(scores: Mapping[int, float]) -> ReportScores:
        cases = {
            ScoredCase("basics", f"case-{number:05}-{'x' * 80}", "acme/a-long-name"): CaseScores(
                scores=(score,), correct=0
            )
            for number, score in scores.items()
        }
        tags = {CaseId("basics", key.case_id): (f"tag-{key.case_id}",) for key in cases}
        return ReportScores(
            path="r", id="r", created_at="2026-01-01", pass_k=(1,), cases=cases, conditions={}, tags=tags
        )

    before = recorded(dict.fromkeys(range(900), 0.5))
    after = recorded({number: 1.0 if number % 3 else 0.0 for number in range(300, 1200)})
    stream = io.StringIO()
    comparison_markdown.write(compare(before, after, 0.05), stream)
    assert len(stream.getvalue()) < COMMENT
    page = Page(stream.getvalue())
    assert page.open == []
    assert stream.getvalue().count("more are in `--format json`") == 4
