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
    lines = text.splitlines()
    fence = False
    for index, line in enumerate(lines):
        if _FENCE.match(line):
            fence = not fence
        elif fence:
            if not _OTHER_TIME.search(_above(lines, _start_of_block(lines, index))):
                yield from _in_code(lines, index)
        elif _RULE.fullmatch(line) and "|" in line and index and "|" in lines[index - 1]:
            yield from _in_table(lines, index)


def _in_table(lines: Sequence[str], rule: int) -> Iterator[StatedCall]:
    titles = _cells(lines[rule - 1])
    if _OTHER_TIME.search(_above(lines, rule - 1)):
        return
    for number, line in enumerate(lines[rule + 1 :], rule + 2):
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
                yield StatedCall(number, call[1], "", fails="raises" if _ERROR.fullmatch(plain) else plain)
            elif value is not None or re.fullmatch(r"-?\d+(?:\.\d+)?|\"[^\"]*\"|true|false|True|False", plain):
                yield StatedCall(number, call[1], plain)


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


def _start_of_block(lines: Sequence[str], index: int) -> int:
    return next(each for each in range(index, -1, -1) if _FENCE.match(lines[each]))


def _above(lines: Sequence[str], index: int) -> str:
    """Return the paragraph and the heading above a line."""
    before = [line for line in lines[:index] if line.strip()]
    heading = next((line for line in reversed(before) if line.startswith("#")), "")
    return f"{before[-1] if before else ''}\n{heading}"
