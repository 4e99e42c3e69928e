"""Strict parser for a judge's answer: one JSON object, with or without prose around it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from nerv.finding import Finding
from nerv.judge import tricks
from nerv.scorecard.score_report import UnmetRequirement

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.S | re.I)
_MOST_ITEMS = 30
_LONGEST = 4_000
_MOST_TRIES = 200
_LAYOUT = re.compile(r"[\\\s+]+")
"""What a text gains or loses where it is quoted: escapes, line breaks, and the marks of a diff."""
_UNMET = ("requirement", "place", "example")


ANSWER_SCHEMA = msgspec.json.encode(
    {
        "type": "object",
        "required": ["score", "strengths", "weaknesses", "evidence"],
        "properties": {
            "score": {"type": "integer", "minimum": 1, "maximum": 10},
            "strengths": {"type": "array", "items": {"type": "string"}},
            "weaknesses": {"type": "array", "items": {"type": "string"}},
            "evidence": {"type": "string"},
            "unmet": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": list(_UNMET),
                    "properties": {name: {"type": "string"} for name in _UNMET},
                },
            },
            "tricks": tricks.SCHEMA,
        },
    }
).decode()
"""JSON schema of an answer, for judges that can be held to one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnswer:
    """A judge's answer about a category."""

    score: int
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    evidence: str
    unmet: tuple[UnmetRequirement, ...] = ()
    tricks: tuple[Finding, ...] = ()


def read(text: str, question: str = "") -> JudgeAnswer | str:
    """Return the answer, or the reason why it cannot be used.

    An object that stands in the question is no answer, whoever repeats it: the material of a run may hold one that is
    ready to be copied.
    """
    found = [(_answer(each.members), each.text) for each in _objects(text) if "score" in each.members]
    answers = {answer: written for answer, written in found if isinstance(answer, JudgeAnswer)}
    own = [answer for answer, written in answers.items() if not _is_in(written, question)]
    if len(own) > 1:
        return "it has several JSON objects that contradict each other"
    if own:
        return own[0]
    if answers:
        return "its JSON object is one that stands in the material"
    return next((fault for fault, _ in reversed(found) if isinstance(fault, str)), "it is not one JSON object")


def is_whole(text: str) -> bool:
    """Return whether a text is one JSON object and nothing else, so that nothing can have been cut off."""
    return any(each.text == _unfenced(text) for each in _objects(text))


def _answer(found: dict[str, Any]) -> JudgeAnswer | str:
    score = found.get("score")
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    if isinstance(score, bool) or not isinstance(score, int) or not 1 <= score <= 10:
        return '"score" is not a whole number from 1 to 10'
    lists: list[tuple[str, ...]] = []
    for name in ("strengths", "weaknesses"):
        value = found.get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return f'"{name}" is not a list of texts'
        lists.append(tuple(each[:_LONGEST] for each in value[:_MOST_ITEMS]))
    evidence = found.get("evidence")
    if isinstance(evidence, list) and all(isinstance(each, str) for each in evidence):
        evidence = "; ".join(evidence)
    if not isinstance(evidence, str) or not evidence.strip():
        return '"evidence" is not a text'
    unmet = found.get("unmet") or []
    if not isinstance(unmet, list) or not all(_is_unmet(each) for each in unmet):
        return f'"unmet" is not a list of objects with {", ".join(_UNMET)}'
    named = tricks.read(found.get("tricks") or [])
    if isinstance(named, str):
        return named
    return JudgeAnswer(
        score=score,
        strengths=lists[0],
        weaknesses=lists[1],
        evidence=evidence[:_LONGEST],
        unmet=tuple(
            UnmetRequirement(**{name: each[name].strip()[:_LONGEST] for name in _UNMET}) for each in unmet[:_MOST_ITEMS]
        ),
        tricks=named,
    )


def _is_unmet(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), str) and value[name].strip() for name in _UNMET)


@dataclass(frozen=True, slots=True)
class _Object:
    """A JSON object that stands in a text."""

    members: dict[str, Any]
    text: str


def _objects(text: str) -> Iterator[_Object]:
    """Yield the JSON objects in a text, but not those inside others."""
    decoder = json.JSONDecoder(object_pairs_hook=_members)
    text = _unfenced(text)
    start = text.find("{")
    for _ in range(_MOST_TRIES):
        if start < 0:
            return
        end = start + 1
        # a name that stands twice in an object, too, is a ValueError
        with contextlib.suppress(ValueError, RecursionError):
            found, end = decoder.raw_decode(text, start)
            yield _Object(found, text[start:end])
        start = text.find("{", end)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _unfenced(text: str) -> str:
    stripped = text.strip().removeprefix("\ufeff")
    fenced = _FENCE.match(stripped)
    return fenced[1].strip() if fenced else stripped


def _is_in(written: str, question: str) -> bool:
    """Return whether an object stands in a question, escaped or laid out in another way."""
    return _LAYOUT.sub("", written) in _LAYOUT.sub("", question)
