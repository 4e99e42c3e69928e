"""Patterns by which runners choose test files, and the test files that a run found."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice

from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection.source import is_test_path

NO_TESTS = re.compile(r"bench|\bdocs?\b|example|setup\.py|conf\.py|\bbuild\b|\bdist\b|\.venv|node_modules")
"""Paths in which nobody has tests."""
_TEST_FILES = {
    "py": re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$"),
    "js": re.compile(r"\.[cm]?[jt]sx?$"),
    "java": re.compile(r"(?:^|/)(?:Test[^/]*|[^/]*(?:Tests?|TestCase))\.(?:java|kt)$"),
}
_JS_TEST = re.compile(r"\.(?:test|spec)\.[cm]?[jt]sx?$")
_JS_CALL = re.compile(r"^\s*(?:test|it|describe)(?:\.\w+)*\(", re.M)
_CHOICE = re.compile(r"\{(?P<braces>[^{}]*)\}|(?P<sign>[?@+*!])\((?P<options>[^()]*)\)")
_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?[^\]]+\]|.", re.S)
_MOST_CHOICES = 100
_LONGEST, _MOST_REPEATS = 200, 3
"""Characters of a regular expression, and its repetitions: each may multiply the time of a hostile one."""
_REPEATED_GROUP = re.compile(r"\)[*+{]")
SLOW = re.compile(
    r"(?<![a-z])(?:slow|integration|network|e2e|end.?to.?end|live|bench\w*|perf(?:ormance)?|flaky|gpu|nightly|manual)(?![a-z])"
    r"|(?-i:\w*IT(?:\.java|\.class|\*|$))",
    re.I,
)
"""Words for tests that people run apart from the others."""


def existing_test_files(run: ReviewedRun, language: str) -> tuple[str, ...] | None:
    """Return the test files that were there before the run and still are; None if none is known."""
    repository = run.evidence.changes.repository
    if repository is None:
        return None
    added = {file.path for file in run.files if file.kind == "added"}
    pattern = _TEST_FILES[language]
    paths = [path for path in repository.paths if path not in added and pattern.search(path)]
    if language != "js":
        return tuple(path for path in paths if is_test_path(path)) or None
    texts = {file.path: file.text for file in repository.files if is_test_path(file.path)}
    return tuple(path for path in paths if _JS_TEST.search(path) or _JS_CALL.search(texts.get(path, ""))) or None


def glob_matches(pattern: str, path: str) -> bool:
    """Return whether a pattern of a runner matches a path, from its beginning or from a folder on.

    In time that is bounded by the lengths of both, whatever a run wrote: no regular expression is made of it.
    """
    cleaned = pattern.replace("<rootDir>", "").removeprefix("./").strip("/")
    return bool(cleaned) and any(_plain_matches(each, path) for each in islice(_plain_patterns(cleaned), _MOST_CHOICES))


def can_be_tried(expression: str) -> bool:
    """Return whether a regular expression of a runner is one of Python's, and short and simple enough to be tried."""
    if len(expression) > _LONGEST or _REPEATED_GROUP.search(expression):
        return False
    if len(re.findall(r"(?<!\\)[*+{]", expression)) > _MOST_REPEATS:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(expression)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def regex_matches(expression: str, path: str) -> bool:
    """Return whether a regular expression that can be tried matches a path."""
    cleaned = expression.replace("<rootDir>", "").replace("\\\\", "\\")
    return can_be_tried(cleaned) and re.search(cleaned, f"/{path}"[:_LONGEST]) is not None


def _plain_patterns(pattern: str) -> Iterator[str]:
    """Yield a glob without choices for each of the choices (`{a,b}`, `?(x)`, `@(a|b)`) in one."""
    choice = _CHOICE.search(pattern)
    if choice is None:
        yield pattern
        return
    if choice["braces"] is not None:
        options = choice["braces"].split(",")
    else:
        options = ["*"] if choice["sign"] == "!" else choice["options"].split("|")
        options += [""] if choice["sign"] in "?*" else []
    for option in options:
        yield from _plain_patterns(f"{pattern[: choice.start()]}{option}{pattern[choice.end() :]}")


def _plain_matches(pattern: str, path: str) -> bool:
    """Follow all positions that a pattern can have reached in a path, a piece at a time."""
    places = {0, *(index + 1 for index, letter in enumerate(path) if letter == "/")}
    for piece in _TOKEN.findall(pattern):
        if not places:
            return False
        if piece == "**/":
            places |= {index + 1 for index in range(min(places), len(path)) if path[index] == "/"}
        elif piece == "**":
            places = set(range(min(places), len(path) + 1))
        elif piece == "*":
            places = set(_within_name(places, path))
        else:
            places = {at + 1 for at in places if at < len(path) and _is_letter(piece, path[at])}
    return any(at == len(path) or path[at] == "/" for at in places)


def _within_name(places: set[int], path: str) -> Iterator[int]:
    """Yield these positions, and all up to the end of the name that each of them is in."""
    reached = False
    for at in range(len(path) + 1):
        reached = at in places or (reached and path[at - 1] != "/")
        if reached:
            yield at


def _is_letter(piece: str, letter: str) -> bool:
    if piece == "?":
        return letter != "/"
    if len(piece) == 1:
        return piece == letter
    letters = piece[1:-1].lstrip("!^")
    ranges = re.findall(r"(.)-(.)", letters)
    is_in = letter in letters or any(first <= letter <= last for first, last in ranges)
    return is_in != (piece[1] in "!^")
