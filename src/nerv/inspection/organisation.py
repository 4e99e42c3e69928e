"""Organisation of code: size and complexity of functions and files, names of functions and types."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator

from nerv.inspection.languages import name_of
from nerv.inspection.source import is_written
from nerv.inspection.values import Issue, ParsedFile
from nerv.location import Location

LONG_FUNCTION = 60
"""Lines of code that fit on a screen."""
COMPLEX_FUNCTION = 15
"""Cyclomatic complexity as lizard counts it (including conditional expressions and comprehensions); its default."""
LONG_FILE = 500
"""Lines including blank ones; pylint's default is 1,000, ESLint's 300."""

_MEANINGLESS_NAME = re.compile(
    r"(?:tmp|temp|foo|bar|baz|func|function|stuff|thing|doit|do_it|asdf|test|helper)\d*|[a-z]\d+", re.I
)
_NAME_WEIGHT = 0.5


def size_issues(parsed: ParsedFile) -> Iterator[Issue]:
    """Find functions and files that are too large or too complex."""
    if parsed.is_test:
        return
    yield from _function_issues(parsed)
    lines = len(parsed.source.lines)
    if parsed.source.whole and lines > LONG_FILE and _mostly_own(parsed, 0, lines):
        text = f"{lines} lines in one file (over {LONG_FILE})"
        location = Location(file=parsed.source.path, line=1)
        yield Issue(kind="long file", text=text, location=location, weight=lines / LONG_FILE)


def _function_issues(parsed: ParsedFile) -> Iterator[Issue]:
    import lizard

    try:
        # lizard writes to stderr if the nesting is too deep
        with contextlib.redirect_stderr(io.StringIO()):
            measured = lizard.analyze_file.analyze_source_code(parsed.source.path, parsed.source.text).function_list
    except Exception:  # the library may fail on any text; such a file is not measured
        return
    for function in measured:
        first, last = function.start_line - 1, function.end_line
        if not _mostly_own(parsed, first, last):
            continue
        location = parsed.source.at(first)
        lines = int(function.nloc)
        name = function.name.rpartition("::")[2]
        if lines > LONG_FUNCTION:
            text = f"{name} has {lines} lines of code (over {LONG_FUNCTION})"
            yield Issue(kind="long function", text=text, location=location, weight=min(5.0, lines / LONG_FUNCTION))
        paths = int(function.cyclomatic_complexity)
        if paths > COMPLEX_FUNCTION:
            text = f"{name} has a cyclomatic complexity of {paths} (over {COMPLEX_FUNCTION})"
            weight = min(5.0, 1 + (paths - COMPLEX_FUNCTION) / 5)
            yield Issue(kind="complex function", text=text, location=location, weight=weight)


def _mostly_own(parsed: ParsedFile, first: int, last: int) -> bool:
    if parsed.source.written is None:
        return True
    own = sum(is_written(parsed.source, index) for index in range(first, last))
    return 2 * own > last - first


def name_issues(parsed: ParsedFile) -> Iterator[Issue]:
    """Find functions and types whose names break the language's convention or mean nothing."""
    language = parsed.language
    for node in parsed.nodes:
        is_function = node.type in language.functions
        if not (is_function or node.type in language.types) or not parsed.own(node):
            continue
        name = name_of(node)
        if not name or name.startswith(("[", '"', "'", "#")):
            continue
        convention = language.function_names if is_function else language.type_names
        if not re.fullmatch(convention, name):
            yield parsed.issue(
                "name", node, f"{name} does not follow the naming convention of {language.name}", _NAME_WEIGHT
            )
        elif is_function and not parsed.is_test and _MEANINGLESS_NAME.fullmatch(name):
            yield parsed.issue("name", node, f"{name} is a meaningless name", _NAME_WEIGHT)
