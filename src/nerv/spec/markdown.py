"""Parser for specs: Markdown, or the prose of a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nerv.location import Location
from nerv.spec import ItemKind, Spec, SpecItem

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_BOLD_HEADING = re.compile(r" {0,3}\*\*(.+?):?\*\*:?\s*$")
_CHECKBOX = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[([ xX✓✔])\]\s+(.+)$")
_NUMBERED = re.compile(r"\s*(?:\d+[.)]|[A-Z]{2,4}-?\d+[.:)])\s+(.+)$")
_BULLET = re.compile(r"\s*[-*+•]\s+(.+)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
_CYCLE = re.compile(r"\(\s*cycle\s+(\d+)[^)]*\)|^\s*cycle\s+(\d+)\b", re.I)
_ASKS = re.compile(r"acceptance|criteria|requirement|feature|user stor|must|goal|scope|deliverable|todo|task", re.I)
_NOT_ASKED = re.compile(
    r"scor(e|ing)|grading|rubric|target:|\breproduc|\bactual (?:result|behaviou?r|output)|^actual\W*$|\bwhat happens\b"
    r"|\bcurrent behaviou?r|\bout of scope\b|\bnot in scope\b|\bnon-?goals?\b",
    re.I,
)
"""What stands under such headings describes the judging, how a bug shows itself, or what is not to be built.

The title of the whole text is none of them: a feature may be about scoring.
"""
_FIELD = re.compile(r"\W*[A-Z][\w -]{1,20}:\W*(?:[\w./@,-]+\s*){0,5}$")
"""A line about the document itself: `**Version:** 0.4`."""
_NORMATIVE = re.compile(r"(?<![\"'\u201c])\b(?:MUST|SHALL|SHOULD|MAY)\b(?![\"'\u201d])")
"""The key words of RFC 2119, in capitals; in quotation marks, they are only explained."""
_FEWEST_NORMATIVE = 3
_SECTION = re.compile(r"\s*(?:\d+\.)+\s+[A-Z][\w'-]*(?: [\w'-]+){0,5}\s*$")
"""A numbered line of a few words, which with a paragraph below it is a heading and not a point."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9`])|\n\s*\n|\n(?=\s*[-*\d])")
_LEAST_LISTED = 0.3
"""The share of a text's words that its bullets must have to be what it asks for."""
_MOST_ITEMS = 2_000
_LONGEST_ITEM = 1_000


@dataclass(frozen=True, slots=True)
class _Point:
    """One point of a list, with all its lines."""

    line: int
    kind: ItemKind
    text: str
    ticked: bool
    section: str
    """The nearest heading, or a line in bold if there is none."""
    headings: tuple[str, ...]
    """All headings above it, outermost first."""
    titled: bool
    """Whether the first of these is the title of the whole text."""
    cycle: int | None


def parse(text: str, file: str, *, given: bool = True) -> Spec:
    """Parse a spec; its most explicit kind of item decides what counts as an item."""
    points = list(_list_points(text))
    chosen = _chosen_points(points)
    if chosen and not _are_an_aside(chosen, text):
        items = tuple(
            SpecItem(
                number=number,
                text=point.text,
                location=Location(file=file, line=point.line),
                kind=point.kind,
                cycle=point.cycle,
                section=point.section,
                ticked=point.ticked,
            )
            for number, point in enumerate(chosen[:_MOST_ITEMS], 1)
        )
    else:
        items = _sentences(text, file)
    return Spec(file=file, title=_title(text), text=text, items=items, given=given)


def with_ticks_of(spec: Spec, other: Spec) -> Spec:
    """Return the spec with the ticks of the run's own copy; items are matched by their words."""
    ticked = {_lower_words(item.text) for item in other.items if item.ticked}
    return replace(
        spec, items=tuple(replace(item, ticked=item.ticked or _lower_words(item.text) in ticked) for item in spec.items)
    )


def _chosen_points(points: Sequence[_Point]) -> list[_Point]:
    points = [point for point in points if not any(map(_NOT_ASKED.search, point.headings[point.titled :]))]
    boxes = [point for point in points if point.kind == "checkbox"]
    if boxes:
        return boxes
    asked = [point for point in points if any(_ASKS.search(title) for title in point.headings)]
    numbered = [point for point in asked if point.kind == "numbered"]
    return numbered or asked or points


def _are_an_aside(chosen: Sequence[_Point], text: str) -> bool:
    """Return whether bullets are a small part of a text with one heading or none: a list in a letter, for example."""
    headings = {title for point in chosen for title in point.headings}
    alone = len(headings) <= 1 and not any(_ASKS.search(title) for title in headings)
    if not alone or any(point.kind != "bullet" for point in chosen):
        return False
    return sum(len(_lower_words(point.text)) for point in chosen) < _LEAST_LISTED * len(_lower_words(text))


def _list_points(text: str) -> Iterator[_Point]:
    headings: list[tuple[int, str]] = []
    title: tuple[int, str] | None = None
    bold = ""
    fence = ""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        marks = _FENCE.match(line)
        if fence:
            if marks and marks[1].startswith(fence) and not marks[2].strip():
                fence = ""
            continue
        if marks:
            fence = marks[1]
            continue
        if heading := _HEADING.match(line):
            level = len(heading[1])
            headings = [each for each in headings if each[0] < level] + [(level, heading[2])]
            title = title or headings[0]
            bold = ""
            continue
        if heading := _BOLD_HEADING.match(line):
            bold = heading[1]
            continue
        found = _list_point(line)
        if found and not _is_section(lines, number):
            kind, content, ticked = found
            content = " ".join([content, *_continuation(lines[number:])]).strip()
            if not content:
                continue
            titles = tuple(title for _, title in headings)
            yield _Point(
                line=number,
                kind=kind,
                text=content[:_LONGEST_ITEM],
                ticked=ticked,
                section=titles[-1] if titles else bold,
                headings=(*titles, bold) if bold else titles,
                titled=headings[:1] == [title] and title is not None and title[0] == 1,
                cycle=_cycle(titles),
            )


def _is_section(lines: Sequence[str], number: int) -> bool:
    """Return whether a line, by its number, is the heading of a section in plain text."""
    if not _SECTION.match(lines[number - 1]):
        return False
    alone = (number < 2 or not lines[number - 2].strip()) and number < len(lines) and not lines[number].strip()
    below = next((line for line in lines[number:] if line.strip()), "")
    return alone and bool(below) and _list_point(below) is None and not _HEADING.match(below)


def _continuation(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that a point goes on with, given those below its first: as far as the paragraph goes."""
    for line in lines:
        if not line.strip() or any(mark.match(line) for mark in (_HEADING, _BOLD_HEADING, _FENCE)) or _list_point(line):
            return
        yield line.strip()


def _list_point(line: str) -> tuple[ItemKind, str, bool] | None:
    if match := _CHECKBOX.match(line):
        return "checkbox", match[2].strip(), match[1] != " "
    if match := _NUMBERED.match(line):
        return "numbered", match[1].strip(), False
    if match := _BULLET.match(line):
        return "bullet", match[1].strip(), False
    return None


def _cycle(titles: Sequence[str]) -> int | None:
    for title in reversed(titles):
        if match := _CYCLE.search(title):
            return int(match[1] or match[2])
    return None


def _sentences(text: str, file: str) -> tuple[SpecItem, ...]:
    """Return each sentence of a prompt in prose, with the line that it begins on."""
    items: list[SpecItem] = []
    position = 0
    skipped, untitled = False, True
    normative = sum(_NORMATIVE.search(each) is not None for each in _SENTENCE.split(text)) >= _FEWEST_NORMATIVE
    for sentence in _SENTENCE.split(text):
        start = text.find(sentence, position)
        position = start + len(sentence)
        content = " ".join(sentence.split())
        if heading := _HEADING.match(sentence.strip()) or _BOLD_HEADING.match(sentence.strip()):
            is_title = untitled and len(heading[1]) == 1
            skipped = not is_title and _NOT_ASKED.search(heading[heading.lastindex or 1]) is not None
            untitled = False
            continue
        if skipped or len(_lower_words(content)) < 2 or _NOT_ASKED.match(content) or _FIELD.match(content):
            continue
        if normative and not _NORMATIVE.search(content):
            continue
        items.append(
            SpecItem(
                number=len(items) + 1,
                text=content[:_LONGEST_ITEM],
                location=Location(file=file, line=text.count("\n", 0, start) + 1),
                kind="sentence",
            )
        )
        if len(items) == _MOST_ITEMS:
            break
    return tuple(items)


def _title(text: str) -> str:
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            return heading[2]
        if line.strip():
            return line.strip()[:120]
    return ""


def _lower_words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.lower()))
