"""Items that a run left unfinished: it ended early, says itself that it could not do them, or ignored a correction."""

from __future__ import annotations

import re
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

_BEGINNING = 200
_GAVE_UP = re.compile(
    r"\b(?:I|we)(?:\s+(?:am|was|were|have been)|['\u2019]m)?\s+(?:unable|not able)\s+to\s+{0}"
    r"|\b(?:I|we)\s+(?:could\s+not|couldn['\u2019]t|cannot|can['\u2019]t)\s+{0}".format(
        r"(?:make|complete|implement|finish|fix|solve|apply|do)\b"
    ),
    re.I,
)


def unfinished_items(evidence: Evidence) -> dict[int, Observation]:
    """Return the items (by index) that were under way when the run ended without delivering them.

    These are the items of the last prompt; of a spec that was given, all. A run with tasks records their ends itself.
    """
    ending = evidence.activity.actions.ending
    if "tasks" in evidence.recorded:
        return {}
    if ending is None or ending.kind == "answered":
        gave_up = _gave_up(evidence)
        return {} if gave_up is None else dict.fromkeys(_last_items(evidence), gave_up)
    text = f"the run ended {ending_text(ending)} while it worked on: "
    return {
        index: Observation(text=f"{text}{evidence.spec.items[index].text[:100]}", location=ending.moment.location)
        for index in _last_items(evidence)
    }


def _last_items(evidence: Evidence) -> list[int]:
    lines = [item.location.line or 0 for item in evidence.spec.items]
    last = 0 if evidence.spec.given else max(lines, default=0)
    return [index for index, line in enumerate(lines) if line >= last]


def _gave_up(evidence: Evidence) -> Observation | None:
    """Return the agent's last words if they begin with that it could not do the work."""
    message = evidence.activity.actions.final_message
    match = _GAVE_UP.search(message.text[:_BEGINNING]) if message is not None else None
    if message is None or match is None:
        return None
    words = " ".join(message.text[match.start() :].split())[:100]
    return Observation(text=f"the agent says that it could not do it: “{words}”", location=message.moment.location)


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
