"""The compiler's JSON → diagnostics, each with the piece of text that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from forgetest.verdict import Diagnostic, Span

Place = Literal["sample", "names", "signatures", "tests"]
"""The sample's own code, the names that the tests import from it, the signature checks, or the tests."""


class FileNames(NamedTuple):
    """The compiler's names for the sample and for our two files beside it."""

    sample: str
    glue: str
    tests: str

    def readable(self, text: str) -> str:
        """Return the text with each file under its name for readers."""
        for name, readable_name in zip(self, ("sample.rs", "glue.rs", "tests.rs"), strict=True):
            text = text.replace(name, readable_name)
        return text


ASSEMBLY = frozenset({"clippy::inline_asm_x86_att_syntax", "clippy::inline_asm_x86_intel_syntax"})
"""Lints that together report all assembly on x86, after macros are expanded. `unsafe_code` misses naked functions."""
SINGLE_SAMPLE = FileNames("<anon>", "glue.rs", "tests.rs")
"""The file names of a sample that has a compiler call of its own; it is the standard input, which has no name."""


def shared_file_names(number: int) -> FileNames:
    """Return the file names of one of the samples that share a compiler call."""
    return FileNames(*(f"{number}/{name}.rs" for name in ("sample", "glue", "tests")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A diagnostic, with what the next build may need to know about it."""

    diagnostic: Diagnostic
    place: Place
    line: int
    """The line in the file of its place; 0 if it has none."""
    suggested_imports: tuple[str, ...]

    @property
    def is_error(self) -> bool:
        """True if it stops the build."""
        return self.diagnostic.level == "error"

    @property
    def is_lint(self) -> bool:
        """True for a lint of any level: lints have names where errors have numbers."""
        code = self.diagnostic.code
        return code is not None and not re.fullmatch(r"E\d{4}", code)

    @property
    def unresolved_names(self) -> set[str]:
        """The names that the compiler did not find."""
        if not _UNRESOLVED.fullmatch(self.diagnostic.code or ""):
            return set()
        message = re.split(r"(?<=`) in (?=`)", self.diagnostic.message)[0]
        paths = re.findall(r"`([^`]+)`", message)
        return {path.rpartition("::")[2].strip() for path in paths}


_UNRESOLVED = re.compile("E0(404|405|412|422|423|425|432|433|531|532|574)")


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


def read(stderr: bytes, *, sample_lines: int, first_signature_line: int) -> tuple[Remark, ...]:
    """Read the output of a compiler call for one sample; summaries ("aborting due to…") are left out."""
    return tuple(
        _remark(message, spans, SINGLE_SAMPLE, sample_lines, first_signature_line)
        for message, spans in _messages(stderr)
    )


class SharedRemarks(NamedTuple):
    """The output of a compiler call that several samples share."""

    by_sample: list[list[Remark]]
    entangled: set[int]
    """Samples that one remark mentions together with another sample."""
    unattributed: list[str]
    """Errors that are about none of the samples."""


def read_shared(stderr: bytes, sample_lines: Sequence[int], first_signature_line: int) -> SharedRemarks:
    """Read the output of a compiler call that several samples share."""
    shared = SharedRemarks([[] for _ in sample_lines], set(), [])
    for message, spans in _messages(stderr):
        mentioned = {other for span in message.spans if (other := _owner(_in_our_text(span).file_name)) is not None}
        owner = _owner(spans[0].file_name) if spans else None
        if len(mentioned) > 1:  # only the message's own spans count: suggestions, which we drop, may name others
            shared.entangled.update(mentioned)
        if owner is not None:
            files = shared_file_names(owner)
            shared.by_sample[owner].append(_remark(message, spans, files, sample_lines[owner], first_signature_line))
        elif message.level != "warning":
            shared.unattributed.append(message.message)
    return shared


def _messages(stderr: bytes) -> Iterator[tuple[_Message, Sequence[_Span]]]:
    """Yield errors and warnings, each with the spans that it is about."""
    for line in stderr.splitlines():
        try:
            message = _decoder.decode(line)
        except msgspec.DecodeError:
            continue  # not everything that a compiler prints is JSON: its own panics are not
        if message.level not in ("error", "warning", "error: internal compiler error"):
            continue
        spans = [_in_our_text(span) for span in message.spans if span.is_primary] or message.spans[:1]
        if spans or (message.level != "warning" and not message.message.startswith("aborting due to")):
            yield message, spans


def _owner(file_name: str) -> int | None:
    """Return the number of the sample that a file of a shared call belongs to."""
    number, _, name = file_name.partition("/")
    return int(number) if name in ("sample.rs", "glue.rs", "tests.rs") and number.isdecimal() else None


def _in_our_text(span: _Span) -> _Span:
    """Return the span where a macro of the standard library was called, not where it is defined."""
    while span.expansion and span.file_name.startswith(("/rustc/", "<", "/tc/")) and span.file_name != "<anon>":
        span = span.expansion.span
    return span


def _remark(
    message: _Message, spans: Sequence[_Span], files: FileNames, sample_lines: int, first_signature_line: int
) -> Remark:
    first = spans[0] if spans else None
    place: Place = "tests"
    if first is None or (first.file_name == files.sample and first.line_end <= sample_lines):
        place = "sample"
    elif first.file_name == files.glue:
        place = "names" if first.line_start < first_signature_line else "signatures"
    level = "error" if message.level.startswith("error") else message.level
    return Remark(
        diagnostic=Diagnostic(
            level=level,
            code=message.code.code if message.code else None,
            message=files.readable(message.message),
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
    """Return the traits and macros that the compiler proposes to import."""
    proposals = [span.suggested_replacement or "" for child in message.children for span in child.spans]
    return [path for text in proposals for path in re.findall(r"\buse (\w+::[\w:]+)", text)]
