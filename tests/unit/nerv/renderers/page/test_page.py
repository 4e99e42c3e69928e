"""The sections of the page: what was asked, what changed, findings, claims, the unverified, earlier scores."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import get_args

from nerv.actions import Actions, Ending, Message
from nerv.evidence import Configuration, SpecCompletion
from nerv.finding import Finding
from nerv.location import Location
from nerv.renderers.page import page, request
from nerv.rules.requirement_status import MEANINGS, VALUES, RequirementStatus
from nerv.scorecard.history import HistoryLine
from nerv.verification.result import Verification
from page_runs import diff, facts, moment, report, suite, suite_run

HOSTILE = "</pre></blockquote><script>alert(1)</script>"


def words(html: str) -> str:
    """The text that a reader sees, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html.partition("<body>")[2])).split())


def section(html: str, key: str) -> str:
    return words("<body>" + html.partition(f'<section id="{key}">')[2].partition("</section>")[0])


def line(overall: float | None, day: int) -> HistoryLine:
    return HistoryLine(
        timestamp=f"2026-01-{day:02}T10:00:00Z",
        overall=overall,
        passed=None if overall is None else overall >= 7,
        scores=(None, None, None, None),
        mode="rules",
        cycles=None,
        cost_usd=None,
        spec="Add roman numerals",
        run="log.jsonl",
    )


def test_the_test_result_comes_before_the_score_and_the_findings() -> None:
    found = facts(test_runs=(suite_run(passed=5),))
    text = words(page(report(found), found))
    assert text.index("The tests passed when") < text.index("/10") < text.index("Findings") < text.index("What was")


def test_code_in_a_spec_is_shown_as_code_and_a_long_title_ends_with_a_word() -> None:
    found = facts("`roman(4)` gives `IV`", "`<b>` is no tag")
    spec = replace(found.evidence.spec, title="It is wr", text="It is wrong that `roman(4)` gives `IIII`. Mend it.")
    found = replace(found, evidence=replace(found.evidence, spec=spec))
    html = page(report(found), found)
    assert "<li><code>roman(4)</code> gives <code>IV</code> " in html
    assert "<li><code>&lt;b&gt;</code> is no tag " in html
    assert "<h1>It is wrong that <code>roman(4)</code> gives <code>IIII</code>.</h1>" in html


def test_what_a_spec_stresses_is_stressed_and_a_long_item_ends_with_a_word() -> None:
    found = facts("**Limits of `weight`.** At most 30 kg, `2**3**4` g", "word " * 100)
    html = page(report(found), found)
    assert "<li><strong>Limits of <code>weight</code>.</strong> At most 30 kg, <code>2**3**4</code> g " in html
    assert "word word … <" in html


def test_boxes_that_the_run_counts_are_those_of_its_own_list() -> None:
    found = facts("Add roman numerals")
    counted = SpecCompletion(moment=moment(3), checked=2, total=3, cycle=1)
    workflow = replace(found.evidence.workflow, completion=(counted,))
    found = replace(found, evidence=replace(found.evidence, workflow=workflow))
    assert "It counts 2 of 3 items as ticked off." in section(page(report(found), found), "claims")


def test_items_have_their_status_in_plain_words_and_files_their_lines() -> None:
    found = facts("Add roman numerals", "Write a page", changed=diff("roman.py", "page.html"))
    html = page(report(found), found)
    assert "without any evidence" in section(html, "asked")
    assert "2 files: 24 lines added , 6 lines removed." in section(html, "changed")
    assert "roman.py modified +12 \u22123" in section(html, "changed")


def test_every_status_of_an_item_has_its_colour_and_its_meaning_in_plain_words() -> None:
    assert request.TONES.keys() == MEANINGS.keys() == VALUES.keys() == set(get_args(RequirementStatus))


def test_findings_stand_strongest_first_with_their_lines() -> None:
    found = facts()
    weak = Finding(kind="hooks_bypassed", level="note", text="A hook was bypassed.")
    strong = Finding(
        kind="printed_success",
        level="proven",
        text="The run printed the success itself.",
        location=Location(file="log.jsonl", line=7),
        lines=("echo '8 passed'", HOSTILE),
    )
    html = page(report(found, weak, strong, vetoes=(strong.text,)), found)
    text = section(html, "findings")
    assert text.index("printed the success") < text.index("A hook was bypassed")
    assert "log.jsonl:7" in text
    assert "echo '8 passed'" in text
    assert "It cannot pass, whatever the scores say" in words(html)
    assert "<script" not in html


def test_the_last_words_stand_beside_the_record_with_their_line_breaks() -> None:
    actions = Actions(
        final_message=Message(moment=moment(40), text=f"All done.\n- all tests pass {HOSTILE}"),
        ending=Ending(kind="turn_limit", moment=moment(41), text="error_max_turns"),
    )
    found = facts(actions=actions, test_runs=(suite_run(passed=3, failed=2),))
    html = page(report(found), found)
    assert "All done.\n- all tests pass" in html
    assert "<script" not in html
    text = section(html, "claims")
    assert "The tests failed when the agent last ran them: 3 passed, 2 failed" in text
    assert "It ended because the limit of turns was reached “error_max_turns”" in text


def test_long_last_words_are_cut_and_can_be_opened() -> None:
    actions = Actions(final_message=Message(moment=moment(40), text="word " * 500 + "the end"))
    found = facts(actions=actions)
    html = page(report(found), found)
    assert html.count("the end") == 1
    assert "All of it" in section(html, "claims")


def test_the_unverified_says_what_nothing_stands_behind() -> None:
    idle = Verification(suites=(suite(a="passed"),), idle=("test_a",), builds=True)
    found = facts("Add roman numerals", "Write a page", verification=idle)
    text = section(page(report(found), found), "unverified")
    assert "1 test proves nothing about the change: it passed before it, too (test_a)" in text
    assert "2 of 2 items asked for: no test or audit stands behind them (items 1, 2)" in text
    assert "Whether the tests pass" not in text
    assert "left out of the score: organisation, repetition, progression" in text  # no code is at hand


def test_new_tests_that_do_not_build_on_the_base_are_no_gap_of_the_verification() -> None:
    expected = replace(suite(), tree="base", source="changed", problem="undefined: roman", broken_build=True)
    found = facts(verification=Verification(suites=(suite(a="passed"), expected), shown=("a",), builds=True))
    assert "undefined: roman" not in section(page(report(found), found), "unverified")
    gap = replace(suite(), problem="Go is not installed on this machine")
    found = facts(verification=Verification(suites=(gap,)))
    assert "Go is not installed on this machine" in section(page(report(found), found), "unverified")


def test_earlier_scores_are_a_chart_and_a_table_with_the_newest_first() -> None:
    found = facts()
    html = page(report(found), found, [line(4.2, 1), line(None, 2), line(7.4, 3)])
    text = section(html, "earlier")
    assert "2 earlier scores of the same spec" in text
    assert text.index("this run") < text.index("7.4/10 PASS") < text.index("4.2/10 not passed")
    assert "Scores from the oldest to this run: 4.2, 7.4" in text
    assert 'id="earlier"' not in page(report(found), found)


def test_with_nothing_to_grade_the_page_has_no_scores_and_no_accusations() -> None:
    found = facts(nothing_to_grade="the session changed no file.")
    html = page(report(found), found)
    text = words(html)
    assert "Nothing to grade The session changed no file." in text
    assert not [title for title in ("Implementation Quality", "Findings", "unverified") if title in text]


def test_a_score_that_rests_on_too_little_says_so_in_plain_words() -> None:
    verified = Verification(suites=(suite(a="passed"),), shown=("a",), builds=True)
    found = facts(test_runs=(suite_run(passed=5),), changed=diff("roman.py"), verification=verified)
    text = words(page(replace(report(found), card=replace(report(found).card, threshold=Fraction(1))), found))
    assert "not enough recorded model" in text
    assert "which is not enough to say that the run passed or failed" in text


def test_the_model_and_the_commit_are_named_or_said_to_be_unknown() -> None:
    found = facts()
    assert "model not recorded commit not recorded" in words(page(report(found), found))
    found = facts(head_commit="b" * 40, base_commit="a" * 40, configuration=Configuration(model="opus"))
    assert f"model opus commit {'b' * 10}, since {'a' * 10}" in words(page(report(found), found))


def test_no_reason_on_the_page_speaks_of_weighting() -> None:
    found = facts("Add roman numerals", test_runs=(suite_run(passed=5),), changed=diff("roman.py"))
    assert "weight" not in words(page(report(found), found))


def test_a_mock_page_needs_no_facts() -> None:
    found = facts()
    html = page(replace(report(found), mode="mock"), None)
    assert "this is a mock score" in words(html)
