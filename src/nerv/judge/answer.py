"""Strict parser for a judge's answer: one JSON object."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.S)
_MOST_ITEMS = 30
_LONGEST = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnswer:
    """A judge's answer about a category."""

    score: int
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    evidence: str


def read(text: str) -> JudgeAnswer | str:
    """Return the answer, or the reason why it cannot be used."""
    content = text.strip()
    fenced = _FENCE.match(content)
    try:
        found = msgspec.json.decode((fenced[1] if fenced else content).encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return "it is not one JSON object"
    if not isinstance(found, dict):
        return "it is not one JSON object"
    score = found.get("score")
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
    return JudgeAnswer(score=score, strengths=lists[0], weaknesses=lists[1], evidence=evidence[:_LONGEST])
