"""What an agent says itself that it left out: the one kind of claim that needs no proof."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.evidence import Evidence
from nerv.matching.text_similarity import Vocabulary, related_items
from nerv.scorecard import Observation

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NOT_DONE = (
    r"(?:done|implemented|finished|complete[d]?|supported|handled|covered|added|written|fixed|working|ready|begun)"
    r"\b(?! by)"
)
_ADMITS = re.compile(
    rf"\b(?:is|are|was|were|has|have)(?:n['\u2019]t| not)(?: been)?(?: yet)? (?:{_NOT_DONE}|started\b|there yet\b)"
    rf"|\b(?:not|never) (?:yet )?(?:implemented|finished|completed|done)\b"
    r"|\b(?:do(?:es)?)(?:n['\u2019]t| not) (?:yet exist|exist yet)\b"
    r"|\b(?:still|remains?) (?:to be |to do|missing|open\b|undone|unfinished|unimplemented)"
    r"|\b(?:is|are) (?:still )?open(?=\s*[.,;:]|$)"
    r"|\b(?:is|are) (?:still )?(?:missing|left out|unfinished|unimplemented|left for later|out of reach)\b"
    r"|^(?:what is |still )?(?:missing|open|left out|not done|to do|remaining|next(?: up)?)\s*:"
    r"|\b(?:is|are)(?:n['\u2019]t| not)(?=[\s*_]*[:;]|\.?$)"
    r"|\b(?:there (?:is|are)|has|have) no\b(?=[^.;]{1,60} yet\b)"
    r"|\b(?:cannot|can['\u2019]t) be (?:imported|called|used) (?:so far|yet)\b"
    r"|\b(?:everything|all)(?: of it)? (?:but|except)(?: for)?\b"
    r"|\b(?:I|we) (?:left out|skipped|(?:did not|didn['\u2019]t) (?:do|get to|implement|finish))\b",
    re.I,
)
_DENIES = re.compile(r"\b(?:nothing|none|no|not|if|when|where|that|which|unless|before|while)\b", re.I)
"""Words before an admission that make it none: nothing is missing, an error if a value is missing."""
_NUMBERED = re.compile(
    r"\b(?:points?|items?|requirements?|boxes|stor(?:y|ies)|sections?|criteri(?:on|a)|number|no\.|#)\s*(?P<listed>\d+(?:(?:\s*(?:,|-|\u2013|to|and)\s*)+\d+)*)"
    r"|\((?P<alone>\d+(?:(?:\s*(?:,|-|\u2013|to|and)\s*)+\d+)+)\)",
    re.I,
)
_ORDINAL = re.compile(
    r"\bthe (first|second|third|fourth|fifth|last|final) (?:point|item|requirement|box|bullet)\b", re.I
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NAME = re.compile(r"`([^`\n]{2,80})`")
_PATH = re.compile(r"\S*\w/\w\S*|\w+\.(?:py|[cm]?[jt]sx?|rs|go|java|md)\b")
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_PARTS = re.compile(r",|;| and | or |\u2014|: ")
_MOST_SENTENCES = 40


def admitted_items(evidence: Evidence, vocabulary: Vocabulary) -> dict[int, Observation]:
    """Return the items (by index) that the agent's last words name as not done."""
    message = evidence.activity.actions.final_message
    if message is None:
        return {}
    found: dict[int, Observation] = {}
    for sentence in [part for part in _SENTENCE.split(message.text) if part.strip()][:_MOST_SENTENCES]:
        match = _ADMITS.search(sentence)
        if match is None:
            continue
        clause = sentence[sentence.rfind(";", 0, match.start()) + 1 :]
        if _DENIES.search(clause[: len(clause) - len(sentence) + match.start()]):
            continue
        words = " ".join(sentence.split())[:150]
        observation = Observation(
            text=f"the agent says that it is not done: “{words}”", location=message.moment.location
        )
        for index in _named_items(clause, evidence, vocabulary):
            found.setdefault(index, observation)
    return found


def _named_items(sentence: str, evidence: Evidence, vocabulary: Vocabulary) -> Iterator[int]:
    """Yield the items that a sentence names: by number, by a name in code style, or else by the most similar words."""
    yield from _numbered_items(sentence, len(evidence.spec.items))
    known = {word for item in evidence.spec.items for word in _code_words(item.text)}
    for part in _PARTS.split(_ADMITS.sub(" ", _without_numbers(sentence))):
        names = [name.rstrip("()") for name in _NAME.findall(part)]
        names = names or [word for word in _WORD.findall(_PATH.sub(" ", part)) if word in known]
        if names:
            for index, item in enumerate(evidence.spec.items):
                if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", item.text) for name in names):
                    yield index
        elif len(part.split()) >= 2:
            yield from related_items(part, vocabulary, most=1)


def _code_words(text: str) -> Iterator[str]:
    """Yield the names in what an item gives as code: an agent may write them without backticks."""
    yield from (word for code in _NAME.findall(text) for word in _WORD.findall(code))


def _without_numbers(sentence: str) -> str:
    """Return a sentence without what its numbers stand for: "the odd times (5 and 6), and sorting"."""
    return re.sub(rf"[^,;:]*(?:{_NUMBERED.pattern}|{_ORDINAL.pattern})[^,;:]*", " ", sentence, flags=re.I)


def _numbered_items(sentence: str, count: int) -> Iterator[int]:
    """Yield the items that a sentence names by their numbers or places: points 1 and 3 to 5, the last point."""
    for match in _NUMBERED.finditer(sentence):
        listed = match["listed"] or match["alone"]
        for first, last in re.findall(r"(\d+)(?:\s*(?:-|\u2013|to)\s*(\d+))?", listed):
            yield from (number - 1 for number in range(int(first), min(int(last or first), count) + 1) if number > 0)
    for place in _ORDINAL.findall(sentence):
        index = count - 1 if place.lower() in ("last", "final") else _ORDINALS.index(place.lower())
        if 0 <= index < count:
            yield index
