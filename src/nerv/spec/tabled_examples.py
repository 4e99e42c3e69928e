"""Calls and their results in the tables and code blocks of a spec."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_CELL = re.compile(r"(?:[^|`\\]|\\.|`[^`]*`)+|(?<=\|)(?=\|)")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_SPAN = re.compile(r"`([^`]+)`")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_CALL = r"[A-Za-z_]\w*\(.*?\)"
_CODE_LINE = re.compile(
    rf"\s*(?:assert\s+)?(?P<call>{_CALL})\s*(?:==|===|=>|->|→|(?P<comment>(?:#|//)\s*(?:=>|->|→|==|=|returns|is)?))\s*(?P<value>\S.*?)\s*;?"
)
_LITERAL = re.compile(r"-?\d+(?:\.\d+)?|\"[^\"]*\"|'[^']*'|\[.*\]|\{.*\}|[Tt]rue|[Ff]alse|None|null|nil")
_PROMPT = re.compile(rf"\s*>>> (?P<call>{_CALL})\s*")
_OTHER_TIME = re.compile(
    r"\b(?:actual|current(?:ly)?|today|now|at the moment|before|old|so far|used to|wrong(?:ly)?|bugs?|broken|instead of"
    r"|reproduc\w+|observed|fail(?:s|ed|ing)?|unless|except|not|never|other|similar)\b",
    re.I,
)
"""Words above a table or a block by which it may show something else than what is asked for."""
_LONGEST_LINE = 500
_REFUSED = re.compile(r"(?:raises?|throws?|panics?|is refused|is rejected|an? error|error)\b.*", re.I)
_ERROR = re.compile(r"(?:\w+(?:::|\.))*\w*(?:Error|Exception)(?:\(.*\))?")


@dataclass(frozen=True, slots=True)
class StatedCall:
    """A call that a table or a code block of a spec shows, as written."""

    line: int
    call: str
    value: str
    fails: str = ""
    """The words that say that it fails; the value is empty then."""


def tabled_calls(text: str) -> Iterator[StatedCall]:
    """Yield the calls in tables and code blocks whose result stands beside or below them."""
    lines = [line if len(line) <= _LONGEST_LINE else "" for line in text.split("\n")]
    in_block = is_asked_for = False
    heading = above = ""
    for index, line in enumerate(lines):
        if _FENCE.match(line):
            in_block, is_asked_for = not in_block, not _OTHER_TIME.search(f"{heading}\n{above}")
        elif in_block:
            yield from _in_code(lines, index) if is_asked_for else ()
        elif "|" in line:
            is_rule = index > 0 and "|" in lines[index - 1] and _RULE.fullmatch(line) is not None
            if is_rule and not _OTHER_TIME.search(f"{heading}\n{above}"):
                yield from _in_table(lines, index)
        else:
            heading = line if line.startswith("#") else heading
            above = line.strip() or above


def _in_table(lines: Sequence[str], rule: int) -> Iterator[StatedCall]:
    titles = _cells(lines[rule - 1])
    for number in range(rule + 1, len(lines)):
        line = lines[number]
        if "|" not in line:
            return
        cells = _cells(line)
        for index, cell in enumerate(cells[:-1]):
            call = _SPAN.fullmatch(cell)
            if call is None or not re.fullmatch(_CALL, call[1]) or len(titles) <= index + 1:
                continue
            value = _SPAN.fullmatch(cells[index + 1])
            plain = value[1] if value is not None else cells[index + 1]
            if _OTHER_TIME.search(titles[index + 1]):
                continue
            if _ERROR.fullmatch(plain) or (value is None and _REFUSED.fullmatch(plain)):
                yield StatedCall(number + 1, call[1], "", fails="raises" if _ERROR.fullmatch(plain) else plain)
            elif value is not None or re.fullmatch(r"-?\d+(?:\.\d+)?|\"[^\"]*\"|true|false|True|False", plain):
                yield StatedCall(number + 1, call[1], plain)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.findall(line.strip().strip("|"))]


def _in_code(lines: Sequence[str], index: int) -> Iterator[StatedCall]:
    if prompt := _PROMPT.fullmatch(lines[index]):
        below = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if below and not below.startswith((">>>", "...", "Traceback", "`")):
            yield StatedCall(index + 1, prompt["call"], below)
        return
    match = _CODE_LINE.fullmatch(lines[index])
    if match is not None and (not match["comment"] or _LITERAL.fullmatch(match["value"])):
        yield StatedCall(index + 1, match["call"], match["value"])
