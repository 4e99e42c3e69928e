"""The agent's closing words beside the record, and what nothing has verified."""

from __future__ import annotations

from collections.abc import Iterator

from nerv.actions import EndingKind
from nerv.evidence import Evidence
from nerv.renderers.page.headline import Headline, headline
from nerv.renderers.page.html import bullets, escaped, escaped_lines, location_html, quantity, section, with_code
from nerv.rules.run_facts import RunFacts
from nerv.scorecard.score_report import ScoreReport

_SHORT_MESSAGE = 1_200
_MOST_NAMES = 8
_ENDINGS: dict[EndingKind, str] = {
    "answered": "with an answer to the user",
    "no_answer": "without a closing answer",
    "error": "with an error",
    "turn_limit": "because the limit of turns was reached",
    "timed_out": "because its time ran out",
    "interrupted": "because the user interrupted it",
}


def claims_html(report: ScoreReport, facts: RunFacts) -> str:
    """Return the agent's closing words, and beside them what the record says."""
    record = bullets(_record_lines(report, facts))
    return section(
        "What the agent says, and what the record says",
        f'<div class="beside"><div><h3>The last words of the agent</h3>{_message_html(facts.evidence)}'
        f"{bullets(_other_claims(facts))}</div><div><h3>The record</h3>{record}</div></div>",
        key="claims",
    )


def _message_html(evidence: Evidence) -> str:
    message = evidence.activity.actions.final_message
    if message is None or not message.text.strip():
        return "<p>None are recorded.</p>"
    text = message.text.strip()
    where = f"<p>{location_html(message.moment.location)}</p>"
    if len(text) <= _SHORT_MESSAGE:
        return f'<blockquote class="words">{escaped_lines(text)}</blockquote>{where}'
    start = text[:_SHORT_MESSAGE].rsplit(maxsplit=1)[0]
    whole = f'<blockquote class="words">{escaped_lines(text)}</blockquote>'
    return (
        f'<blockquote class="words">{escaped_lines(start)} …</blockquote>'
        f"<details><summary>All of it</summary>{whole}</details>{where}"
    )


def _other_claims(facts: RunFacts) -> Iterator[str]:
    claimed = facts.tests.claimed
    if claimed is not None:
        counts = "" if claimed.passed is None else f" ({claimed.passed} passed)"
        yield f"It reports passing tests{counts}.{location_html(claimed.moment.location)}"
    items = facts.requirements.each
    boxes, counted = sum(one.item.ticked for one in items), facts.evidence.workflow.completion[-1:]
    if counted and counted[0].checked > boxes:  # often of a list of its own, with another length
        yield f"It counts {counted[0].checked} of {quantity(counted[0].total, 'item')} as ticked off."
    elif boxes:
        yield f"It ticked off {boxes} of {quantity(len(items), 'item')}."
    tasks = facts.evidence.workflow.tasks
    if tasks:
        yield f"It reports {len(facts.finished_tasks)} of {quantity(len(tasks), 'task')} as finished."


def _record_lines(report: ScoreReport, facts: RunFacts) -> Iterator[str]:
    found = headline(report, facts)
    yield f"Tests ({found.basis}): {escaped(found.title)}."
    evidence = facts.evidence
    if facts.requirements.each and not evidence.nothing_to_grade:
        backed = round(facts.requirements.backed * len(facts.requirements.each))
        total = quantity(len(facts.requirements.each), "item")
        yield f"Passing tests or an audit stand behind {backed} of {total} asked for."
    yield from _change_lines(evidence)
    ending = evidence.activity.actions.ending
    if ending is not None:
        said = f" “{' '.join(ending.text.split())[:200]}”" if ending.text.strip() else ""
        yield f"It ended {_ENDINGS[ending.kind]}{escaped(said)}.{location_html(ending.moment.location)}"
    if evidence.incidents.tool_errors.count:
        yield f"{quantity(evidence.incidents.tool_errors.count, 'tool call')} ended with an error."
    interruptions = evidence.incidents.interruptions.count
    if interruptions:
        yield f"The user stopped or rejected something {quantity(interruptions, 'time')}."
    strong = sum(finding.level != "note" for finding in report.findings)
    if strong:
        speak = "speaks" if strong == 1 else "speak"
        yield f'<a href="#findings">{quantity(strong, "finding")}</a> {speak} against it.'


def _change_lines(evidence: Evidence) -> Iterator[str]:
    diff = evidence.changes.diff
    if diff is not None and diff.files:
        lines = quantity(diff.added, "line")
        yield f"{quantity(len(diff.files), 'file')} changed: {lines} added, {diff.removed:,} removed."
    elif evidence.activity.edits:
        yield f"{quantity(len(evidence.activity.edits), 'file')} edited."
    elif diff is not None:
        yield "No file was changed."
    if evidence.changes.commits:
        yield f"{quantity(len(evidence.changes.commits), 'commit')}."


# --- what is unverified


def unverified_html(report: ScoreReport, facts: RunFacts) -> str:
    """Return what nothing has verified; empty where there is nothing to grade."""
    if facts.evidence.nothing_to_grade:
        return ""
    listed = bullets(_unverified_lines(report, facts, headline(report, facts)))
    return section("What is unverified", listed or "<p>Nothing that was looked at.</p>", key="unverified")


def _unverified_lines(report: ScoreReport, facts: RunFacts, found: Headline) -> Iterator[str]:
    if found.basis != "verified":
        yield f"Whether the tests pass. {escaped(found.details[-1]) if found.details else ''}"
    verification = report.verification
    if verification is not None:
        for problem in verification.problems:
            yield f"{with_code(problem[:1].upper() + problem[1:])}."
        yield from map(with_code, verification.notes)
        if idle := verification.notable_idle:
            nothing = (
                "proves nothing about the change: it" if len(idle) == 1 else "prove nothing about the change: they"
            )
            yield f"{quantity(len(idle), 'test')} {nothing} passed before it, too ({escaped(_names(list(idle)))})."
        if disputed := verification.disputed:
            which = quantity(len(disputed), "older test")
            yield f"Whether the spec asks to change or replace {which} ({escaped(_names(list(disputed)))})."
        for names, text in (
            (verification.unheld, "Functions of the spec whose failure no test notices"),
            (verification.unseen, "Functions of the spec that may give other values without a test noticing"),
            (verification.replaced, "Functions that only have a namesake in the tests"),
        ):
            if names:
                yield f"{text}: {escaped(_names(list(names)))}."
        if verification.survivors:
            shown = bullets(with_code(str(mutant)) for mutant in verification.survivors)
            yield f"Code that no test holds: the tests pass all the same with each of these changes to it.{shown}"
    weak = [one for one in facts.requirements.each if one.status in ("ticked", "claimed", "shown", "open")]
    if weak:
        numbers = _names([str(one.item.number) for one in weak])
        total = quantity(len(facts.requirements.each), "item")
        items = "item" if len(weak) == 1 else "items"
        yield f"{len(weak)} of {total} asked for: no test or audit stands behind them ({items} {escaped(numbers)})."
    card = report.rules or report.card
    criteria = [criterion for category in card.categories for criterion in category.criteria]
    claimed = [each.key for each in criteria if each.score is not None and each.certainty == "claimed"]
    if claimed:
        yield f"Scores that rest on claims alone: {escaped(', '.join(claimed))}."
    unknown = [each.key for each in criteria if each.status == "not_recorded"]
    if unknown:
        yield f"Not recorded in this kind of log, and left out of the score: {escaped(', '.join(unknown))}."


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
