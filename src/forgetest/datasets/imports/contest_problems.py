"""Contest problems: the tests by input and output that several data sets share, and the case around them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from forgetest.datasets.imports import rows
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import LeftOutError

_PROGRAM = "Write a program that reads from standard input and writes to standard output."
_DECIMAL = re.compile(r"(?<!\S)-?\d+\.\d+(?!\S)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SOLUTION_CLASS = re.compile(r"^class Solution\b", re.MULTILINE)

Test = dict[str, Any]


def contest_case(case_id: str, name: str, prompt: str, io: Mapping[str, Any], **further: Any) -> dict[str, Any]:
    """Return a case; keys without a value are left out."""
    request = f"Write the function {io['call']}." if "call" in io else _PROGRAM
    return {
        "id": case_id,
        "name": name or case_id,
        "prompt": f"{prompt.strip()}\n\n{request}\n",
        **{key: value for key, value in further.items() if value},
        "io": dict(io),
    }


def io_table(tests: list[Test], call: str | None = None) -> dict[str, Any]:
    """Return the `io` of a case. Outputs with decimal fractions are compared with a tolerance, others by words."""
    if not tests:
        raise LeftOutError("no tests")
    if call is not None:
        has_floats = any(_has_float(test["returns"]) for test in tests)
        return {"call": call, **({"checker": "floats"} if has_floats else {}), "tests": tests}
    has_fractions = any(_DECIMAL.search(test["output"]) for test in tests)
    return {"checker": "floats" if has_fractions else "tokens", "tests": tests}


def _has_float(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_has_float, value))
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return isinstance(value, float)


def call_target(name: object, starter: str) -> str:
    """Return the function to call: a method where the code to begin with has LeetCode's class."""
    return f"Solution.{name}" if _SOLUTION_CLASS.search(starter) else str(name)


def call_arguments(row: Row, key: str, given: Any) -> list[Any]:
    """Return the arguments of a call: a list of them, or text with the JSON of one on each line."""
    if isinstance(given, str):
        return [json_value(row, key, line) for line in given.split("\n") if line.strip()]
    if not isinstance(given, list):
        raise row.error(key, "must be lists of arguments, or texts with one in a line")
    return given


def json_value(row: Row, key: str, value: Any) -> Any:
    """Return a value that may be written as JSON in a string."""
    if not isinstance(value, str):
        return value
    try:
        return rows.decode(value)
    except ValueError as error:
        raise row.error(key, str(error)) from None


def day(text: str) -> str:
    """Return the day of a time in ISO's form; empty where there is none."""
    found = _DATE.match(text)
    return found[0] if found else ""
