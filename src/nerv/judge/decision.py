"""Who decides whether a run passed: the judge that graded it, or the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nerv.finding import strongest_first
from nerv.judge import trust
from nerv.rubric import TITLES
from nerv.scorecard import CategoryKey
from nerv.scorecard.score_report import ScoreReport

_INDISPENSABLE: CategoryKey = "implementation_quality"
"""Without an answer about it, nobody has looked at the result: a run could pass by making the judge refuse."""


def decided(judged: ScoreReport, home: Path, *, trust_judge: bool) -> ScoreReport:
    """Return the report with the reason why the rules decide, if they do: what only a judge found is a note then."""
    reason = _no_answer(judged) or ("" if trust_judge else _untrusted(judged, home))
    if not reason or judged.rules is None:
        return judged
    overall = "n/a" if judged.rules.overall is None else f"{judged.rules.overall:.1f}/10"
    noted = (replace(each, level="note") if each.found_by == "judge" else each for each in judged.findings)
    return replace(judged, untrusted=f"The rules decide ({overall}), as {reason}.", findings=strongest_first(noted))


def _no_answer(judged: ScoreReport) -> str:
    call = (judged.judge or {}).get("calls", {}).get(_INDISPENSABLE, {})
    return f"the judge {judged.mode} gave no answer about {TITLES[_INDISPENSABLE]}" if call.get("failure") else ""


def _untrusted(judged: ScoreReport, home: Path) -> str:
    """Return why the judge is not trusted, and what to do about it; empty if it is."""
    answered_by = tuple((judged.judge or {}).get("answered_by", ()))
    reason = trust.distrust(judged.mode, answered_by, trust.read_agreement(home, judged.mode))
    if not reason:
        return ""
    return (
        f"{reason}: run `nerv benchmark calibrate GOLD.jsonl --grader {judged.mode}`, "
        "or let it decide with --trust-judge"
    )
