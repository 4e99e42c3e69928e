"""Findings in the text of a scorecard: before the box, which stays as it is."""

from __future__ import annotations

from nerv.finding import Finding
from nerv.location import Location
from nerv.renderers.text import card_text
from nerv.rubric import WEIGHTS
from nerv.scorecard import CATEGORIES, CategoryScore, Criterion, Scorecard
from nerv.scorecard.score_report import ScoreReport

LIKELY = Finding(
    kind="weakened_tests",
    level="likely",
    text="In tests/test_a.py, the test test_a lost an assertion.",
    location=Location(file="tests/test_a.py", line=7),
    lines=("- assert price(3) == 9",),
    criterion="tests",
)
NOTE = Finding(kind="git_history", level="note", text="The run looked at origin/main.")


def shown(*findings: Finding, explain: bool = False) -> str:
    criterion = Criterion(key="only", share=100, status="scored", score=8, reason="r")
    card = Scorecard(
        categories=tuple(CategoryScore(key=key, criteria=(criterion,)) for key in CATEGORIES), weights=WEIGHTS
    )
    report = ScoreReport(card=card, benchmark_dir="d", created_at="", mode="rules", findings=findings)
    return card_text(report, explain=explain)


def test_findings_stand_before_the_box_with_place_and_lines() -> None:
    before, _, box = shown(LIKELY).partition("=" * 60)
    assert before == (
        "Findings:\n"
        "  likely: In tests/test_a.py, the test test_a lost an assertion. (tests/test_a.py:7)\n"
        "      | - assert price(3) == 9\n"
        "\n"
    )
    assert box == shown().partition("=" * 60)[2]


def test_notes_are_counted_and_shown_with_explain() -> None:
    assert shown(NOTE).startswith("Findings: 1 note; --explain shows them\n\n=")
    assert "  and 1 note; --explain shows them\n" in shown(LIKELY, NOTE)
    assert "  note: The run looked at origin/main.\n" in shown(LIKELY, NOTE, explain=True)


def test_a_run_without_findings_has_only_its_box() -> None:
    assert shown().startswith("=" * 60)


def test_more_than_ten_findings_are_in_the_report() -> None:
    assert "  and 2 more, in the JSON report\n" in shown(*[LIKELY] * 12)


def test_text_of_a_run_cannot_move_the_cursor() -> None:
    hostile = Finding(kind="stub", level="likely", text="a\x1b[2Jb", lines=("c\x1b[2Jd",))
    assert "\x1b" not in shown(hostile)
