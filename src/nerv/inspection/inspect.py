"""Inspection of everything that a run wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nerv.changes import SourceText
from nerv.inspection import (
    definitions,
    duplicates,
    interface,
    leftover_code,
    organisation,
    test_functions,
    type_safety,
    unused,
)
from nerv.inspection.languages import language_of, parse_unless_too_deep, unsupported_language, walk
from nerv.inspection.source import extension, is_inspected, is_test_path
from nerv.inspection.values import Definition, Issue, ParsedFile, TestFunction

_MOST = 8_000_000
"""Limit of the inspected characters of code; the rest, by path, is not inspected."""
_LARGEST_PAGE = 300_000
_PAGES = frozenset({"html", "htm", "jsx", "tsx", "vue", "svelte"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """The result of an inspection."""

    files: tuple[str, ...] = ()
    """Paths of the inspected code files, including tests."""
    code_files: tuple[str, ...] = ()
    """The inspected files that contain no tests."""
    issues: tuple[Issue, ...] = ()
    tests: tuple[TestFunction, ...] = ()
    """Tests with different bodies."""
    definitions: tuple[Definition, ...] = ()
    error_messages: tuple[str, ...] = ()
    """Paths of files with error messages."""
    pages: tuple[str, ...] = ()
    """Paths of web pages and components."""
    not_looked_at: int = 0
    unparsed: tuple[str, ...] = ()
    """Paths of the code files in languages without a parser: nothing is known of their code and tests."""

    @property
    def unparsed_languages(self) -> str:
        """The languages without a parser, in words: `C++ and Ruby`; empty if all code was parsed."""
        names = sorted({name for path in self.unparsed if (name := unsupported_language(path))})
        return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def inspect(sources: Iterable[SourceText]) -> Inspection:
    """Inspect all files; their order does not matter."""
    ordered = sorted(sources, key=lambda source: source.path)
    files, left_out = _parsed(ordered)
    own = [source for source in ordered if is_inspected(source)]
    pages = [
        source
        for source in own
        if extension(source.path) in _PAGES and not is_test_path(source.path) and len(source.text) <= _LARGEST_PAGE
    ]
    issues = [
        *(issue for parsed in files for issue in _issues(parsed)),
        *unused.find_unused(files),
        *duplicates.find_duplicates(files),
        *(issue for page in pages for issue in interface.accessibility_issues(page)),
    ]
    return Inspection(
        files=tuple(parsed.source.path for parsed in files),
        code_files=tuple(parsed.source.path for parsed in files if not parsed.is_test),
        issues=tuple(
            sorted(issues, key=lambda found: (-found.weight, found.location.file, found.location.line or 0, found.text))
        ),
        tests=tuple(_distinct_tests(test for parsed in files for test in test_functions.test_functions(parsed))),
        definitions=tuple(
            [found for parsed in files for found in definitions.find_definitions(parsed)]
            + [found for source in own for found in definitions.find_commands(source)]
        ),
        error_messages=tuple(parsed.source.path for parsed in files if interface.has_error_message(parsed)),
        pages=tuple(page.path for page in pages),
        not_looked_at=left_out,
        unparsed=tuple(source.path for source in own if unsupported_language(source.path)),
    )


def _parsed(sources: list[SourceText]) -> tuple[list[ParsedFile], int]:
    files, left_out, seen = [], 0, 0
    for source in sources:
        language = language_of(source.path)
        if language is None:
            continue
        if not is_inspected(source) or seen + len(source.text) > _MOST:
            left_out += 1
            continue
        seen += len(source.text)
        root = parse_unless_too_deep(language, source.text)
        if root is None:
            left_out += 1
            continue
        files.append(ParsedFile(source, language, root, tuple(walk(root)), is_test_path(source.path)))
    return files, left_out


def _issues(parsed: ParsedFile) -> Iterator[Issue]:
    yield from organisation.size_issues(parsed)
    yield from organisation.name_issues(parsed)
    yield from type_safety.type_issues(parsed)
    yield from leftover_code.leftover_issues(parsed)
    yield from interface.swallowed_errors(parsed)


def _distinct_tests(tests: Iterable[TestFunction]) -> Iterator[TestFunction]:
    seen = set()
    for test in tests:
        if test.body not in seen:
            seen.add(test.body)
            yield test
