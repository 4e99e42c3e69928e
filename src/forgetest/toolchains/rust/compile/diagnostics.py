"""The compiler's JSON → diagnostics, each with the piece of text that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from forgetest.verdict import Diagnostic, Span

Place = Literal["sample", "names", "pins", "tests"]
"""The sample's own code; the list of names the tests take from it; the signatures; the tests."""


class Files(NamedTuple):
    """What the compiler calls the sample, and is told to call the two files that are not the sample's."""

    sample: str
    glue: str
    tests: str

    def shown(self, text: str) -> str:
        """The text, with files by the names that they have for people."""
        for name, shown in zip(self, ("sample.rs", "glue.rs", "tests.rs"), strict=True):
            text = text.replace(name, shown)
        return text


ALONE = Files("<anon>", "glue.rs", "tests.rs")
"""The sample is the compiler's input, and has no name."""


def sharing(number: int) -> Files:
    """The files of one sample among several."""
    return Files(*(f"{number}/{name}.rs" for name in ("sample", "glue", "tests")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A diagnostic with what the next step may need to know about it."""

    diagnostic: Diagnostic
    place: Place
    line: int
    """In the file of its place; 0 where it has none."""
    suggested_imports: tuple[str, ...]

    @property
    def is_error(self) -> bool:
        """It stops the build."""
        return self.diagnostic.level == "error"

    @property
    def is_lint(self) -> bool:
        """A lint's, whatever its level: lints have names, errors have numbers."""
        code = self.diagnostic.code
        return code is not None and not re.fullmatch(r"E\d{4}", code)


class _Code(msgspec.Struct):
    code: str


class _Expansion(msgspec.Struct):
    span: _Span


class _Span(msgspec.Struct):
    file_name: str
    line_start: int
    line_end: int
    column_start: int
    column_end: int
    is_primary: bool
    expansion: _Expansion | None = None
    suggested_replacement: str | None = None


class _Message(msgspec.Struct):
    message: str
    level: str
    code: _Code | None = None
    spans: list[_Span] = []
    children: list[_Message] = []


_decoder = msgspec.json.Decoder(_Message)


def read(stderr: bytes, *, sample_lines: int, first_pin: int) -> tuple[Remark, ...]:
    """Every remark with a place; what the compiler only says in summing up is left out."""
    return tuple(_remark(message, spans, ALONE, sample_lines, first_pin) for message, spans in _told(stderr))


class Shared(NamedTuple):
    """What a call said that several samples share."""

    remarks: list[list[Remark]]
    """On each sample."""
    meeting: set[int]
    """Samples that are mentioned in one remark with another."""
    nobodys: list[str]
    """Errors that are about none of them."""


def read_shared(stderr: bytes, sample_lines: Sequence[int], first_pin: int) -> Shared:
    """What was said of samples that share a call."""
    shared = Shared([[] for _ in sample_lines], set(), [])
    for message, spans in _told(stderr):
        found = {other for span in message.spans if (other := _owner(_in_our_text(span).file_name)) is not None}
        owner = _owner(spans[0].file_name) if spans else None
        if len(found) > 1:  # in proposals, of which nothing is kept, others' names may well stand
            shared.meeting.update(found)
        if owner is not None:
            shared.remarks[owner].append(_remark(message, spans, sharing(owner), sample_lines[owner], first_pin))
        elif message.level != "warning":
            shared.nobodys.append(message.message)
    return shared


def _told(stderr: bytes) -> Iterator[tuple[_Message, Sequence[_Span]]]:
    """Errors and warnings, with the spans that say what each is about."""
    for line in stderr.splitlines():
        try:
            message = _decoder.decode(line)
        except msgspec.DecodeError:
            continue  # not all that a compiler prints is JSON: a panic of its own is not
        if message.level not in ("error", "warning", "error: internal compiler error"):
            continue
        spans = [_in_our_text(span) for span in message.spans if span.is_primary] or message.spans[:1]
        if spans or (message.level != "warning" and not message.message.startswith("aborting due to")):
            yield message, spans


def _owner(file_name: str) -> int | None:
    number, _, name = file_name.partition("/")
    return int(number) if name in ("sample.rs", "glue.rs", "tests.rs") and number.isdecimal() else None


def _in_our_text(span: _Span) -> _Span:
    """Where a macro of the standard library was called, not where it is defined."""
    while span.expansion and span.file_name.startswith(("/rustc/", "<", "/tc/")) and span.file_name != "<anon>":
        span = span.expansion.span
    return span


def _remark(message: _Message, spans: Sequence[_Span], files: Files, sample_lines: int, first_pin: int) -> Remark:
    first = spans[0] if spans else None
    place: Place = "tests"
    if first is None or (first.file_name == files.sample and first.line_end <= sample_lines):
        place = "sample"
    elif first.file_name == files.glue:
        place = "names" if first.line_start < first_pin else "pins"
    level = "error" if message.level.startswith("error") else message.level
    return Remark(
        diagnostic=Diagnostic(
            level=level,
            code=message.code.code if message.code else None,
            message=files.shown(message.message),
            spans=tuple(
                Span(
                    line_start=span.line_start,
                    line_end=span.line_end,
                    column_start=span.column_start,
                    column_end=span.column_end,
                )
                for span in spans
                if place == "sample"
            ),
        ),
        place=place,
        line=first.line_start if first else 0,
        suggested_imports=tuple(_imports(message)),
    )


def _imports(message: _Message) -> list[str]:
    """Traits and macros that the compiler proposes to import."""
    proposals = [span.suggested_replacement or "" for child in message.children for span in child.spans]
    return [path for text in proposals for path in re.findall(r"\buse (\w+::[\w:]+)", text)]
