"""The keys of `[cases.io]`: tests of programs and functions by their input and output."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from forgetest.evalset.io_tests import Checker, test_name
from forgetest.files.schema import NON_EMPTY_TEXT, Flag, Key, ListOf, Number, Rule, Schema, SchemaError, Table, Text
from forgetest.files.toml_lines import KeyPath

FILE_IN_FOLDER = Text(
    pattern=r"^(?!/)(?!(?:.*/)?\.\.(?:/|$)).*\S",
    otherwise="must name a file in the eval set's folder, without .. and not from the root",
)


@dataclass(frozen=True, slots=True)
class Date:
    """A day: a date of TOML, or text such as 2024-05-31."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        is_day = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
        if not is_day and not (isinstance(value, str) and is_date(value)):
            yield SchemaError(at, "must be a day, as in 2024-05-31", at)

    def schema(self) -> Schema:
        """Return the JSON Schema of days."""
        return {"type": "string", "format": "date"}


def is_date(text: str) -> bool:
    """Return whether the text is a day of the calendar, as in 2024-05-31."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class JsonValue:
    """Any value that JSON can express."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        if isinstance(value, list):
            for position, item in enumerate(value):
                yield from self.errors(item, (*at, position))
        elif isinstance(value, Mapping):
            for name, item in value.items():
                yield from self.errors(item, (*at, name))
        elif isinstance(value, float) and not math.isfinite(value):
            yield SchemaError(at, f"must be a JSON value, which {value} is not", at)
        elif value is not None and not isinstance(value, str | int | float):
            yield SchemaError(at, "must be a JSON value, which dates and times are not", at)

    def schema(self) -> Schema:
        """Return the JSON Schema of any value."""
        return {}


_TEST = Table(
    (
        Key("name", NON_EMPTY_TEXT, 'Shown in reports; "test 1", "test 2", … by default'),
        Key("visible", Flag(), "True: the model has seen this test, for example in the prompt"),
        Key("input", Text(), "Standard input of the program"),
        Key("input_file", FILE_IN_FOLDER, "A file beside the eval set that is the program's standard input"),
        Key("output", Text(), "Expected standard output"),
        Key("output_file", FILE_IN_FOLDER, "A file beside the eval set with the expected standard output"),
        Key("arguments", ListOf(JsonValue()), "With `call`: the arguments"),
        Key("returns", JsonValue(), "With `call`: the expected result"),
    )
)

_CHECKER_PROGRAM = Table(
    (
        Key("language", NON_EMPTY_TEXT, "The language of the checker", required=True),
        Key("code", NON_EMPTY_TEXT, "The checker's source"),
        Key("file", FILE_IN_FOLDER, "A file beside the eval set with the checker's source"),
    )
)


def _io_is_consistent(io: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    checker = io.get("checker", "tokens")
    if not io["tests"]:
        yield SchemaError((*at, "tests"), "no test: write [[cases.io.tests]]", at)
    for name in ("absolute_tolerance", "relative_tolerance"):
        if name in io and checker != "floats":
            yield SchemaError((*at, name), 'only for checker = "floats"', (*at, name))
    yield from _checker_program_is_there(io, checker, at)
    if "call" in io and checker in ("tokens", "unordered_lines") and "checker" in io:
        message = f'"{checker}" is for text; results of a call are compared as JSON: leave it out, or write "floats"'
        yield SchemaError((*at, "checker"), message, (*at, "checker"))
    names: dict[str, int] = {}
    for position, test in enumerate(io["tests"]):
        path = (*at, "tests", position)
        yield from _call_test(test, path) if "call" in io else _program_test(test, path, checker)
        name = test_name(test, position + 1)
        if names.setdefault(name, position) != position:
            message = f'"{name}" is the name of another test of this case already'
            yield SchemaError((*path, "name"), message, (*path, "name"))


def _checker_program_is_there(io: Mapping[str, Any], checker: str, at: KeyPath) -> Iterator[SchemaError]:
    program, path = io.get("checker_program"), (*at, "checker_program")
    if checker == "program" and program is None:
        message = 'missing, though checker = "program": write [cases.io.checker_program]'
        yield SchemaError(path, message, (*at, "checker"))
    elif checker != "program" and program is not None:
        yield SchemaError(path, 'only for checker = "program"', path)
    elif program is not None and ("code" in program) == ("file" in program):
        yield SchemaError(path, "needs either `code` or `file`", path)


def _program_test(test: Mapping[str, Any], at: KeyPath, checker: str) -> Iterator[SchemaError]:
    for name in ("arguments", "returns"):
        if name in test:
            yield SchemaError((*at, name), "only with a function to `call` in [cases.io]", (*at, name))
    for side in ("input", "output"):
        if side in test and f"{side}_file" in test:
            yield SchemaError((*at, side), f"given twice: write either `{side}` or `{side}_file`", (*at, side))
    if "output" not in test and "output_file" not in test and checker != "program":
        yield SchemaError((*at, "output"), "missing key: write `output`, or name a file as `output_file`", at)


def _call_test(test: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    for name in ("input", "input_file", "output", "output_file"):
        if name in test:
            message = "not for a function that is called: write `arguments` and `returns`"
            yield SchemaError((*at, name), message, (*at, name))
    for name in ("arguments", "returns"):
        if name not in test:
            yield SchemaError((*at, name), "missing key: a test of a `call` has `arguments` and `returns`", at)


IO = Table(
    (
        Key("tests", ListOf(_TEST), "The tests, each with an input and the expected output", required=True),
        Key("checker", Text(choices=get_args(Checker)), "How outputs are compared; tokens by default"),
        Key("absolute_tolerance", Number(least=0), "Largest error of a number, for floats; 1e-6 by default"),
        Key("relative_tolerance", Number(least=0), "Largest error as a share of the expected number; 1e-6 by default"),
        Key("checker_program", _CHECKER_PROGRAM, 'A program that decides, for checker = "program"'),
        Key(
            "call",
            Text(
                pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$",
                otherwise='must name a function, as "solve", or a method, as "Solution.solve"',
            ),
            "The function that is called with each test's arguments; without it, the sample is a program",
        ),
        Key("memory_mb", Number(whole=True, above=0), "Memory of each test, in MiB"),
    ),
    rules=(Rule(_io_is_consistent),),
)
