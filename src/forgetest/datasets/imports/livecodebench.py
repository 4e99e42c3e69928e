"""LiveCodeBench's code generation: public tests as JSON, hidden ones as JSON or packed in a pickle."""

from __future__ import annotations

from typing import Any

from forgetest.datasets.imports import pickled_text, rows
from forgetest.datasets.imports.contest_problems import (
    Test,
    call_arguments,
    call_target,
    contest_case,
    day,
    io_table,
    json_value,
)
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, Task, has_keys


def _convert(row: Row) -> Task:
    starter = row.text("starter_code", "")
    function = row.inner("metadata", required=False).values.get("func_name")
    tests = [
        _test(row, key, test, visible=key == "public_test_cases")
        for key in ("public_test_cases", "private_test_cases")
        for test in _tests(row, key)
    ]
    is_call = bool(tests) and "arguments" in tests[0]
    if any(("arguments" in test) != is_call for test in tests) or (is_call and not function):
        raise row.error("metadata", "has no func_name, though a test is a call" if is_call else "tests of two kinds")
    platform, title = row.text("platform", ""), row.text("question_title", "")
    return Task(
        case=contest_case(
            row.identifier("question_id"),
            title,
            row.text("question_content"),
            io_table(tests, call_target(function, starter) if is_call else None),
            tags=[each for each in (platform, row.text("difficulty", "")) if each],
            date=day(row.text("contest_date", "")),
            source=" ".join(filter(None, [platform, row.text("contest_id", "")])),
        ),
        starter=starter if is_call else "",
    )


def _tests(row: Row, key: str) -> list[Any]:
    """Return the tests under a key: a list, JSON of it, or a packed pickle of that JSON."""
    if isinstance(row.values.get(key), list):
        return row.items(key)
    text = row.text(key, "[]").strip() or "[]"
    try:
        if not text.startswith("["):
            unpacked = pickled_text.unpack(text)
            if not isinstance(unpacked, str):
                raise ValueError("a pickle of something else than text")
            text = unpacked
        tests = rows.decode(text)
    except ValueError as error:
        raise row.error(key, str(error)) from None
    if not isinstance(tests, list):
        raise row.error(key, "must be a list of tests")
    return tests


def _test(row: Row, key: str, test: Any, *, visible: bool) -> Test:
    if not isinstance(test, dict) or not all(isinstance(test.get(side), str) for side in ("input", "output")):
        raise row.error(key, "must be tests with an input and an output, which are texts")
    seen = {"visible": True} if visible else {}
    if test.get("testtype") == "functional":
        arguments = call_arguments(row, key, test["input"])
        return {**seen, "arguments": arguments, "returns": json_value(row, key, test["output"])}
    return {**seen, "input": test["input"], "output": test["output"]}


LIVECODEBENCH = Format(
    name="livecodebench",
    title="LiveCodeBench's code generation, whole or lite",
    convert=_convert,
    recognises=lambda row: has_keys(row, "question_id", "question_content", "public_test_cases", "private_test_cases"),
    timeout_secs=6.0,
    any_language=True,
)
