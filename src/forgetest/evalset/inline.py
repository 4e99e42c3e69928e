"""Cases outside of a file: a table of JSON with the keys of `[[cases]]`, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from forgetest import plugins
from forgetest.errors import InvalidInput, UserError
from forgetest.evalset import Case, build_case, non_default_content, unknown_languages, unsupported_io
from forgetest.evalset.data_files import CaseFiles
from forgetest.evalset.file import Checked, Located
from forgetest.evalset.io_tests import DataFile, IoTests
from forgetest.evalset.keys import DEFAULT_LANGUAGE, CaseInLanguage
from forgetest.files.schema import SchemaError

DEFAULTS = {"id": "inline", "name": "inline", "prompt": "(none)"}
"""Keys that a case in a file must have, and that grading does not need."""


def read_case(table: Mapping[str, Any], place: str) -> Case:
    """Check a table and return its case. `place` begins the messages of the InvalidInput that lists all problems.

    Such a case has no folder, so it may name no file.
    """
    located = Located(table={**DEFAULTS, "language": DEFAULT_LANGUAGE, **table}, file=place)
    problems = located.problems([*CaseInLanguage(DEFAULT_LANGUAGE).errors(located.table, ()), *_named_files(table)])
    if not problems:
        checked = Checked(header=Located(table={}, file=place), cases=[located], problems=[])
        problems = unknown_languages(checked, plugins.names("toolchains")) or list(unsupported_io(checked))
    if problems:
        raise InvalidInput([replace(problem, line=None) for problem in problems])
    return build_case(located.table, {}, CaseFiles())


def _named_files(table: Mapping[str, Any]) -> Iterator[SchemaError]:
    io = table.get("io")
    tests = io.get("tests") if isinstance(io, Mapping) else None
    for position, test in enumerate(tests if isinstance(tests, list) else []):
        for key in ("input_file", "output_file"):
            if isinstance(test, Mapping) and key in test:
                at = ("io", "tests", position, key)
                yield SchemaError(at, f"a case outside of a file names no file: write {key.removesuffix('_file')}", at)
    program = io.get("checker_program") if isinstance(io, Mapping) else None
    if isinstance(program, Mapping) and "file" in program:
        checker = ("io", "checker_program", "file")
        yield SchemaError(checker, "a case outside of a file names no file: write code", checker)


def case_table(case: Case) -> dict[str, Any]:
    """Return a case as a table of JSON; `read_case` returns an equal case. The content of its files becomes text."""
    table: dict[str, Any] = non_default_content(case)
    for name in DEFAULTS:
        if not table[name].strip():
            del table[name]
    if case.io is not None:
        table["io"] = _io_table(case.io)
    return table


def _io_table(io: IoTests) -> dict[str, Any]:
    table: dict[str, Any] = non_default_content(io)
    tests = []
    for test in io.tests:
        entry: dict[str, Any] = {"name": test.name, **({"visible": True} if test.visible else {})}
        given, expected = _text(test.input), _text(test.output)
        if io.call is not None:
            entry |= {"arguments": json.loads(given), "returns": json.loads(expected)}
        else:
            entry |= {"input": given, "output": expected}
        tests.append(entry)
    return {**table, "tests": tests}


def _text(given: str | DataFile) -> str:
    if isinstance(given, str):
        return given
    try:
        return Path(given.path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{given.path}: cannot be sent: {error}") from error
