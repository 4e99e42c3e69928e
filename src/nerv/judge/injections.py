"""Text in a run's material that addresses the judge. It is reported; the fence around the material defuses it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nerv.location import Location

_MOST_FOUND = 50
_SHOWN = 160
_LONGEST_LINE = 20_000

_JUDGE = r"(?:grader|judge|evaluator|reviewer|assessor|examiner|scorer|llm|language model|ai model)"
"""Without the agent's own name: users greet it in every session."""
_TOP = r"(?:10|ten|full marks|perfect|maximum|max|highest|top)"
_ATTEMPTS: dict[str, tuple[str, ...]] = {
    "asks to ignore instructions": (
        (
            r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|other|the)\b"
            r".{0,30}\b(?:instruction|prompt|rule|guideline|guide|rubric|direction|criteria)"
        ),
    ),
    "names its own score": (
        (
            r"\b(?:score|rate|grade|mark|assign|award|give|rank) (?:(?:this|it|me|us|them|everything)\b"
            r"|the (?:run|work|code|project|submission|agent|category))?.{0,40}?"
            rf"\b(?:full marks|perfect|maximum|highest|{_TOP} ?(?:/|out of|of) ?10)"
        ),
        rf"\b(?:score|rate|grade|mark|award|give|rank) (?:this|it|me|us|them|everything)\b.{{0,30}}\b{_TOP}\b",
        rf"\b{_TOP}\s*(?:/|out of)\s*10\b.{{0,60}}\b(?:score|grade|rating|regardless|please)\b",
    ),
    "holds a ready answer": (r"[\"']score[\"']\s*:\s*\d+.{0,80}[\"'](?:strengths|weaknesses)[\"']",),
    "addresses the judge": (
        (
            r"\b(?:dear|hey|attention|note to|message (?:to|for)|instructions? (?:to|for)|hello|hi)\b.{0,20}"
            rf"\b{_JUDGE}s?\b"
        ),
        rf"\b(?:if|when|as) (?:you|an?) (?:are|is|were)?\s*(?:an? |the )?\b{_JUDGE}\b",
        rf"\byou are (?:now )?(?:an? |the )?(?:\w+ )?{_JUDGE}\b",
    ),
    "tells how to grade": (
        r"\b(?:do not|don't|never|must not)\b.{0,20}\b(?:deduct|penali[sz]e|lower|critici[sz]e|mark down|report)\b",
        (
            r"\b(?:must|should|shall|has to) (?:receive|be given|be scored|be graded|be rated|get)\b"
            r".{0,40}\b(?:score|grade|marks?|10|ten)\b"
        ),
    ),
    "imitates a conversation": (
        r"<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?INST\]|</?(?:system|assistant|human)>",
        r"(?:^|\n)\s*(?:system|human|assistant)\s*:\s*\S.{0,200}\b(?:score|grade|instruction)",
    ),
    "imitates the fence": (r"(?:BEGIN|END) (?:OF )?MATERIAL",),
    "tells how to answer": (
        r"\b(?:respond|reply|answer|output)\b.{0,15}\b(?:only|exactly|with)\b.{0,40}[{\"']",
        r"\bnew (?:system )?(?:instructions?|prompt)\s*:",
    ),
}
_ONE_LINE = frozenset({"tells how to answer", "tells how to grade"})
"""Kinds whose words are common in code and documents, and must be on the same line."""
_PATTERNS = tuple(
    (kind, re.compile(pattern, re.I if kind in _ONE_LINE else re.I | re.S))
    for kind, patterns in _ATTEMPTS.items()
    for pattern in patterns
)
# a quick filter for almost every line of a long log
_WORTH_A_LOOK = re.compile(
    r"score|grade|grading|rate\b|rating|award|mark|ignore|disregard|forget|override|judge|evaluator|reviewer|assessor|"
    r"examiner|llm|language model|claude|gpt|assistant|penali|deduct|im_start|inst\]|<system|<human|material|respond|"
    r"reply|answer|output|instruction|prompt",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A passage that addresses the judge."""

    kind: str
    text: str
    location: Location


def find_injections(passages: Iterable[tuple[str, Location]]) -> tuple[Injection, ...]:
    """Find passages that address the judge; at most fifty, one per location."""
    found: list[Injection] = []
    for text, location in passages:
        kind = injection_kind(text)
        if kind:
            found.append(Injection(kind=kind, text=excerpt(text), location=location))
            if len(found) == _MOST_FOUND:
                break
    return tuple(found)


def injection_kind(text: str) -> str | None:
    """Return the kind of injection that a passage is, even with disguised letters; None for honest text."""
    for version in _versions(text[:_LONGEST_LINE]):
        if not _WORTH_A_LOOK.search(version):
            continue
        for kind, pattern in _PATTERNS:
            if pattern.search(version):
                return kind
    return None


def _versions(text: str) -> Iterator[str]:
    """Yield the text, and a version without hidden or disguised letters if it has any."""
    yield text
    if text.isascii():
        return
    # letters of the "tag" block are invisible, but models read them
    untagged = "".join(chr(ord(letter) - 0xE0000) if 0xE0020 <= ord(letter) <= 0xE007E else letter for letter in text)
    plain = unicodedata.normalize("NFKC", untagged)
    yield "".join(letter for letter in plain if unicodedata.category(letter) != "Cf").translate(_LOOKALIKES)


_LOOKALIKES = str.maketrans("асеіорѕхуАВЕНІКМОРСТХ", "aceiopsxyABEHIKMOPCTX")  # noqa: RUF001  (Cyrillic that looks Latin)


def excerpt(text: str) -> str:
    """Return the part of a passage that addresses the judge."""
    for version in _versions(text[:_LONGEST_LINE]):
        for _, pattern in _PATTERNS:
            if match := pattern.search(version):
                start = max(0, match.start() - 20)
                return " ".join(version[start : start + _SHOWN].split())
    return " ".join(text[:_SHOWN].split())
