"""Items that a run left unfinished: it ended in an error, at a limit or without an answer, or ignored a correction."""

from __future__ import annotations

from collections.abc import Mapping

from nerv.actions import Ending, EndingKind
from nerv.evidence import Evidence
from nerv.matching.edits_by_prompt import edits_by_item
from nerv.scorecard import Observation

_WORDS: Mapping[EndingKind, str] = {
    "no_answer": "without an answer",
    "error": "with an error",
    "turn_limit": "at its limit of turns or cost",
    "timed_out": "out of time",
    "interrupted": "interrupted by the user",
}


def unfinished_items(evidence: Evidence) -> dict[int, Observation]:
    """Return the items (by index) that were under way when the run ended without delivering them.

    These are the items of the last prompt; of a spec that was given, all. A run with tasks records their ends itself.
    """
    ending = evidence.activity.actions.ending
    if ending is None or ending.kind == "answered" or "tasks" in evidence.recorded:
        return {}
    items = evidence.spec.items
    lines = [item.location.line or 0 for item in items]
    last = 0 if evidence.spec.given else max(lines, default=0)
    text = f"the run ended {ending_text(ending)} while it worked on: "
    return {
        index: Observation(text=f"{text}{item.text[:100]}", location=ending.moment.location)
        for index, (item, line) in enumerate(zip(items, lines, strict=True))
        if line >= last
    }


def corrected_items(evidence: Evidence) -> dict[int, Observation]:
    """Return the items (by index) that the user corrected after their last edit."""
    corrections = evidence.activity.actions.corrections
    if evidence.spec.given or not corrections:
        return {}
    starts = sorted({item.location.line or 0 for item in evidence.spec.items})
    found = {}
    for index, edits in edits_by_item(evidence).items():
        start = evidence.spec.items[index].location.line or 0
        end = next((line for line in starts if line > start), None)
        own = [one for one in corrections if _is_between(one.moment.location.line, start, end)]
        if own and all(edited.before(own[-1].moment) for _, edited in edits):
            text = f"the user corrected it, and nothing was changed after that: {own[-1].text[:100]}"
            found[index] = Observation(text=text, location=own[-1].moment.location)
    return found


def _is_between(line: int | None, start: int, end: int | None) -> bool:
    return line is not None and line > start and (end is None or line < end)


def ending_text(ending: Ending) -> str:
    """Return how a run ended, in words: `with an error (API Error: 529)`."""
    said = f" ({ending.text[:100]})" if ending.text else ""
    return f"{_WORDS.get(ending.kind, 'with an answer')}{said}"
