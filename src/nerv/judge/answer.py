"""Strict parser for a judge's answer: one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from nerv.finding import Finding
from nerv.judge import tricks
from nerv.scorecard.score_report import UnmetRequirement

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.S)
_MOST_ITEMS = 30
_LONGEST = 4_000
_MOST_TRIES = 20
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


def read(text: str) -> JudgeAnswer | str:
    """Return the answer, or the reason why it cannot be used."""
    found = _json_object(text.strip())
    if found is None:
        return "it is not one JSON object"
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


def _json_object(text: str) -> dict[str, Any] | None:
    """Return the object that the text is, or the last one in it that has a score: some models write prose around it."""
    fenced = _FENCE.match(text)
    whole = fenced[1] if fenced else text
    try:
        found = msgspec.json.decode(whole.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return next((found for found in _objects(text) if "score" in found), None)
    return found if isinstance(found, dict) else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, the last first; an object inside another one comes before it."""
    start, decoder = text.rfind("{"), json.JSONDecoder()
    for _ in range(_MOST_TRIES):
        if start < 0:
            return
        try:
            found, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield found
        start = text.rfind("{", 0, start)
