"""APPS and its descendants TACO and PRIME: `inputs`, `outputs`, and `fn_name` where a function is called."""

from __future__ import annotations

import ast
import re
from typing import Any

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
from forgetest.datasets.imports.task import Format, LeftOutError, Solution, Task, has_keys


def _convert(row: Row) -> Task:
    if not row.values.get("input_output"):
        raise LeftOutError("no tests")
    starter = row.text("starter_code", "")
    io = _io(row.inner("input_output"), starter)
    right = _solutions(row)
    case_id = next((key for key in ("problem_id", "id", "task_id", "name", "url") if key in row), None)
    return Task(
        case=contest_case(
            row.identifier(case_id) if case_id else f"row {row.line or row.file}",
            row.text("name", ""),
            row.text("question"),
            {**io, **_memory(row)},
            tags=[each for each in (row.text("difficulty", "").lower(),) if each],
            date=day(row.text("date", "")),
            source=row.text("url", "") or row.text("source", ""),
            timeout_secs=_seconds(row),
        ),
        references={"python": right[0].text} if right else {},
        starter=starter if "call" in io else "",
        solutions=tuple(right),
    )


def _convert_prime(row: Row) -> Task:
    if row.text("ability", "code") != "code":
        raise LeftOutError("no task about code")
    messages = row.items("prompt")
    texts = [
        str(each.get("content") or "") for each in messages if isinstance(each, dict) and each.get("role") == "user"
    ]
    extra = row.inner("extra_info", required=False)
    source = row.text("data_source", "")
    index = extra.identifier("index") if "index" in extra else str(row.line or row.file)
    split = extra.text("split", "")
    return Task(
        case=contest_case(
            "-".join(filter(None, [source, split, index])),
            "",
            "\n\n".join(filter(None, texts)),
            _io(row.inner("reward_model").inner("ground_truth")),
            source=source,
        )
    )


# --- tests -------------------------------------------------------------------------------------------------


def _io(row: Row, starter: str = "") -> dict[str, Any]:
    inputs, outputs = row.items("inputs"), row.items("outputs")
    if len(inputs) != len(outputs):
        raise row.error("outputs", f"{len(outputs)} outputs for {len(inputs)} inputs")
    name = row.values.get("fn_name")
    if not name:
        return io_table([_program_test(row, *pair) for pair in zip(inputs, outputs, strict=True)])
    expected = [json_value(row, "outputs", each) for each in outputs]
    # APPS and TACO write every result into a list of its own; JSON in strings is never written so
    if not any(isinstance(each, str) for each in outputs[:1]) and all(
        isinstance(each, list) and len(each) == 1 for each in expected
    ):
        expected = [each[0] for each in expected]
    tests = [
        {"arguments": call_arguments(row, "inputs", given), "returns": result}
        for given, result in zip(inputs, expected, strict=True)
    ]
    return io_table(tests, call_target(name, starter))


def _program_test(row: Row, given: Any, expected: Any) -> Test:
    return {"input": _lines(row, "inputs", given), "output": _lines(row, "outputs", expected)}


def _lines(row: Row, key: str, value: Any) -> str:
    """Return a text, which may be written as a list of lines."""
    if isinstance(value, list) and all(isinstance(each, (str, int, float)) for each in value):
        return "\n".join(map(str, value))
    if not isinstance(value, str):
        raise row.error(key, "must be texts, or lists of lines")
    return value


# --- solutions and limits ----------------------------------------------------------------------------------


def _solutions(row: Row) -> list[Solution]:
    """Return the solutions that Python 3 can parse; some are older."""
    found = row.decoded("solutions", [])
    codes = [each for each in found if isinstance(each, str) and each.strip()] if isinstance(found, list) else []
    return [Solution(model="correct", text=code, language="python") for code in codes if _is_python(code)]


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _seconds(row: Row) -> float:
    """Return TACO's time limit, as in "2.0 seconds"; 0 where there is none."""
    found = re.match(r"\s*(\d+(?:\.\d+)?)\s*second", str(row.values.get("time_limit") or ""))
    return float(found[1]) if found else 0.0


def _memory(row: Row) -> dict[str, int]:
    """Return TACO's memory limit, as in "256.0 megabytes"."""
    found = re.match(r"\s*(\d+)(?:\.\d+)?\s*megabyte", str(row.values.get("memory_limit") or ""))
    return {"memory_mb": int(found[1])} if found and int(found[1]) else {}


PRIME = Format(
    name="prime",
    title="PRIME's and verl's rows with a ground truth of inputs and outputs",
    convert=_convert_prime,
    recognises=lambda row: has_keys(row, "data_source", "prompt", "reward_model"),
    timeout_secs=10.0,
    any_language=True,
)

TACO = Format(
    name="taco",
    title="TACO",
    convert=_convert,
    recognises=lambda row: has_keys(row, "question", "input_output", "solutions", "raw_tags"),
    timeout_secs=4.0,
    any_language=True,
)

APPS = Format(
    name="apps",
    title="APPS",
    convert=_convert,
    recognises=lambda row: has_keys(row, "question", "input_output", "solutions"),
    timeout_secs=4.0,
    any_language=True,
)
