"""The spec of a session: what the user asked for, prompt by prompt.

Steering ("go on", "run the tests") asks for no work of its own. A correction belongs to what it corrects: the edits
after it are made for the items before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from nerv.location import Location
from nerv.readers.claude_code.conversation import Prompt
from nerv.readers.prompt_words import asks_for_change, is_steering
from nerv.spec import Spec, SpecItem, markdown

_MOST_OF_A_PROMPT = 20
_MOST_ITEMS = 2_000
_LONGEST_TITLE = 120
_PASTED = re.compile(r"\\\s*\n|[_=-]{6,}|```|^\s{4,}\S|^Traceback |^\s*(?:def|class|function|import|const) \w", re.M)
_ASKS_FOR_WORK = re.compile(
    r"\b(?:please|(?:can|could|would|will) (?:you|we)|should|must|needs? to|want|would like|let's|add|fix|make|remove|"
    r"replace|rename|implement|create|write|update|change|refactor|move|build|support|use)\b",
    re.I,
)
_ASKS_TO_KNOW = re.compile(r"\b(?:explain|what does|why does|how does|tell me|summari[sz]e|describe)\b", re.I)
_LOOKS_ONLY = re.compile(
    r"\W*(?:please\s+)?(?:show|list|print|explore|read|review|look|check|analy[sz]e|investigate)\b", re.I
)
_ADDS = re.compile(r"^\W*(?:and\s+)?(?:also|additionally|besides|next|plus|another thing)\b", re.I)


def spec_from_prompts(prompts: Sequence[Prompt], corrections: Collection[Location], name: str) -> Spec:
    """Build a spec from the user's prompts; each request has the line of its prompt."""
    items: list[SpecItem] = []
    for prompt in prompts:
        text = _without_pasted_text(prompt.text)
        if items and is_steering(text):
            continue
        asked = _requests_for_work(markdown.parse(text, name).items[:_MOST_OF_A_PROMPT])
        if prompt.moment.location in corrections and any(not _is_question(item) for item in items):
            asked = tuple(item for item in asked if _ADDS.match(item.text) and not _is_question(item))
        items += [replace(item, location=prompt.moment.location) for item in asked]
    items = [item for item in items if not _is_question(item)] or items  # a question is not work
    items = [replace(item, number=number) for number, item in enumerate(items, 1)]
    first = prompts[0].text.strip().splitlines()[0] if prompts else ""
    title = first if len(first) <= _LONGEST_TITLE else f"{first[: _LONGEST_TITLE - 1]}…"
    text = "\n\n".join(prompt.text for prompt in prompts)
    return Spec(file=name, title=title, text=text, items=tuple(items[:_MOST_ITEMS]), given=False)


def _requests_for_work(items: tuple[SpecItem, ...]) -> tuple[SpecItem, ...]:
    """Return the sentences of a prompt that ask for work, or all of them if none does."""
    return tuple(item for item in items if item.kind != "sentence" or _ASKS_FOR_WORK.search(item.text)) or items


def _is_question(item: SpecItem) -> bool:
    """Return whether it asks for information, not for work: “Do we need this?”, but not “Can we drop this?”."""
    if _ASKS_TO_KNOW.search(item.text):
        return True
    if item.kind != "sentence":
        return False
    if _LOOKS_ONLY.match(item.text) and not asks_for_change(item.text):
        return True
    return item.text.rstrip().endswith("?") and not _ASKS_FOR_WORK.search(item.text)


def _without_pasted_text(prompt: str) -> str:
    """Return the prompt without pasted text: the output of an error is not a request."""
    head = _PASTED.split(prompt, maxsplit=1)[0]
    return head if head.strip() else prompt
