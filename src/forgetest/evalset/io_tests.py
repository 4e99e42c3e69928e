"""Tests of programs and functions by their input and output: the values of `[cases.io]`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

Checker = Literal["exact", "tokens", "floats", "unordered_lines", "program"]

NOT_HASHED = {"hashed": False}
"""Metadata of a field that says where something is on this machine, and is no part of an eval set's content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A file beside the eval set. It may be large: only its hash is read here."""

    name: str
    """As the eval set names it."""
    sha256: str
    size: int
    path: str = field(default="", metadata=NOT_HASHED)
    """Where it is on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IoTest:
    """One test: an input, and the output that is expected."""

    name: str
    visible: bool = False
    """The model has seen this test."""
    input: str | DataFile = ""
    """Standard input; for a call, a JSON list of arguments."""
    output: str | DataFile = ""
    """Expected standard output; for a call, the expected result as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerProgram:
    """A program that decides whether an output is right."""

    language: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IoTests:
    """The tests of a case that is judged by what its program prints, or its function returns."""

    tests: tuple[IoTest, ...]
    checker: Checker = "tokens"
    absolute_tolerance: float = 1e-6
    relative_tolerance: float = 1e-6
    checker_program: CheckerProgram | None = None
    call: str | None = None
    """The function to call. None: the sample is a program."""
    memory_mb: int | None = None
    """Memory of a test's process; None for the toolchain's own limit."""


def build(table: Mapping[str, Any], files: Mapping[str, DataFile], codes: Mapping[str, str]) -> IoTests:
    """Return the tests of a table that has been checked. `files` and `codes` are the files it names."""
    tests = tuple(_build_test(test, number, files) for number, test in enumerate(table["tests"], start=1))
    plain = {key: value for key, value in table.items() if key not in ("tests", "checker_program")}
    program = table.get("checker_program")
    if program is not None:
        code = program["code"] if "code" in program else codes[program["file"]]
        plain["checker_program"] = {"language": program["language"], "code": code}
    return msgspec.convert({**plain, "tests": msgspec.to_builtins(tests)}, IoTests)


def test_name(test: Mapping[str, Any], number: int) -> str:
    """Return the name of a test; `number` counts from 1."""
    return str(test.get("name", f"test {number}"))


def _build_test(test: Mapping[str, Any], number: int, files: Mapping[str, DataFile]) -> IoTest:
    given: dict[str, str | DataFile]
    if "arguments" in test:
        given = {"input": _json(test["arguments"]), "output": _json(test["returns"])}
    else:
        given = {side: files[test[f"{side}_file"]] if f"{side}_file" in test else test.get(side, "") for side in _SIDES}
    return IoTest(name=test_name(test, number), visible=test.get("visible", False), **given)


_SIDES = ("input", "output")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
