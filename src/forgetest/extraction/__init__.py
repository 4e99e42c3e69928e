"""Extraction of the code from a model's answer."""

from __future__ import annotations

import re

from forgetest import language as languages
from forgetest.extraction import fences
from forgetest.extraction.fences import Block
from forgetest.language import AnswerParts, Language

_MARKDOWN = {"markdown", "md"}
_DIFFERENCES = {"diff", "patch"}
_REASONING = "think|thinking|thought|reasoning"
_OPENING_TAG = re.compile(rf"\s*<({_REASONING})>", re.IGNORECASE)
_MOST_NESTED = 4


def extract(text: str, language: Language | str = "rust") -> str | None:
    """Return the code in an answer, ending in a newline; None where there is none.

    Reasoning (`<think>…</think>`, also where the opening tag is missing) is removed, and the rest is split into fenced
    blocks and the text outside of them. A block that is Markdown itself, or that begins with a fence, is searched for
    blocks, too. The language then assembles the program; by default it is the longest block tagged with the language,
    else the longest without a tag, else the text outside of blocks if it looks like code.
    """
    target = languages.find(language) if isinstance(language, str) else language
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    (tagged, untagged, foreign), outside = _places(_without_reasoning(plain), target, _MOST_NESTED)
    parts = AnswerParts(tagged=tagged, untagged=untagged, foreign=foreign, outside=outside)
    code = (target.assemble or _longest_block)(parts)
    return None if code is None else _tidy(code)


def _longest_block(parts: AnswerParts) -> str | None:
    blocks = parts.tagged or parts.untagged
    return max(blocks, key=len) if blocks else _bare(parts.outside)


def _without_reasoning(text: str) -> str:
    position = 0
    while opening := _OPENING_TAG.match(text, position):
        tag = f"</{opening[1]}>"
        end = text.find(tag, opening.end())
        position = len(text) if end < 0 else end + len(tag)
    text = text[position:]
    # some chat templates open the reasoning, so that the answer only closes it
    closing = re.search(rf"^[ \t]*</({_REASONING})>|</({_REASONING})>[ \t]*$", text, re.IGNORECASE | re.MULTILINE)
    if closing is None or (closing[2] and fences.split(text[: closing.start()])[0]):
        return text
    opening = re.search(rf"^[ \t]*<{closing[1] or closing[2]}>", text[: closing.start()], re.MULTILINE)
    return (text[: opening.start()] if opening else "") + text[closing.end() :]


def _places(text: str, language: Language, nested: int) -> tuple[tuple[list[str], list[str], list[str]], str]:
    """Return the code in blocks tagged with the language, untagged, and tagged otherwise; and the text outside."""
    places: tuple[list[str], list[str], list[str]] = ([], [], [])
    tagged, untagged, foreign = places
    blocks, outside = fences.split(text)
    tags = language.fence_tags
    for block in blocks:
        code, tag = _first_line(block, language) + block.code, block.tag
        if code != block.code and tag not in tags:
            tag = ""
        if not code.strip() or tag in _DIFFERENCES:
            continue
        if nested and _holds_blocks(tag, code, tags):
            inner, _ = _places(code, language, nested - 1)
            for mine, theirs in zip(places, inner, strict=True):
                mine += theirs
        elif tag in tags:
            tagged.append(code)
        elif tag in ("", "code", "none"):
            untagged.append(code)
        else:
            foreign.append(code)
    return places, outside


def _first_line(block: Block, language: Language) -> str:
    """Return code on the line of the opening fence, where it does not belong."""
    for info in (block.info, block.info.partition(" ")[2]):
        if language.begins_code(info):
            return info + "\n"
    return ""


def _holds_blocks(tag: str, code: str, tags: frozenset[str]) -> bool:
    openings = [fences.opens(line) for line in code.split("\n") if line.strip()]
    if openings[0] is not None:
        return True
    found = [opening.tag for opening in openings if opening is not None]
    return (tag in _MARKDOWN and found != []) or (tag == "" and any(each in tags for each in found))


def _bare(text: str) -> str | None:
    """Return the text if most of its lines look like code of some language."""
    lines = [line for line in text.split("\n") if line.strip()]
    code = re.compile(r".*[;{}:(,\[\])]|\s+\S.*|(?:import|from|package|use|using|#include|//|#)\b.*|.*\S\s*=\s*\S.*")
    like_code = sum(code.fullmatch(line) is not None for line in lines)
    return text if like_code * 2 > len(lines) else None


def _tidy(code: str) -> str:
    """Return the code without empty lines around it, ending in one newline."""
    lines = code.split("\n")
    written = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[written[0] : written[-1] + 1]) + "\n" if written else ""
