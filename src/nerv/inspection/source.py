"""Selection of the files to inspect, and of the lines in them that the run wrote."""

from __future__ import annotations

import functools
import re
from pathlib import PurePosixPath

from nerv.changes import SourceText

LARGEST = 1_000_000
"""Largest inspected file, in characters; larger files are generated or data."""

_FOREIGN = re.compile(
    r"(^|/)(node_modules|vendors?|third_party|dist|build|target|out|\.git|\.venv|venv|__pycache__|site-packages|"
    r"coverage|\.next|\.nerv|\.claude)/|\.min\.(js|css)$|(^|/)(package-lock\.json|[^/]*\.lock|go\.sum)$|"
    r"\.(pb|generated|g)\.\w+$|_pb2\.py$"
)
_TEST_PATH = re.compile(
    r"(^|/)(tests?|__tests__|specs?|e2e)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.(py|go|rs)$|"
    r"\.(test|spec)\.[cm]?[jt]sx?$|(^|/)[^/]*Tests?\.java$"
)


_FOR_A_TERMINAL = re.compile(r"(^|/)(scripts?|bin|cli|tools?)/|(^|/)(cli|main|seed|server|index)\.[cm]?[jt]s$")


def is_terminal_program(path: str) -> bool:
    """Return whether a file is a command-line program, which may print."""
    return _FOR_A_TERMINAL.search(path) is not None


def is_inspected(source: SourceText) -> bool:
    """Return whether the run wrote a file itself, rather than a tool or a third party."""
    return len(source.text) <= LARGEST and _FOREIGN.search(source.path) is None


def is_test_path(path: str) -> bool:
    """Return whether a file contains tests, by its path."""
    return _TEST_PATH.search(path) is not None


@functools.lru_cache(maxsize=10_000)
def extension(path: str) -> str:
    """Return the last suffix in lower case, without its dot."""
    return PurePosixPath(path).suffix[1:].lower()


def file_line(source: SourceText, index: int) -> int | None:
    """Return the line number in the file for a line (from 0) of the text."""
    return source.lines[index] if 0 <= index < len(source.lines) else None


def is_written(source: SourceText, index: int) -> bool:
    """Return whether the run wrote this line (from 0) of the text."""
    return source.written is None or file_line(source, index) in source.written
