"""Rows as SandboxFusion keeps them: `id`, `content`, `labels`, and tests in the forms of several data sets."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from forgetest.datasets.imports import contests, pickled_text, rows
from forgetest.datasets.imports.bigcodebench import BIGCODEBENCH, unittest_case
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, LeftOutError, Solution, Task, has_keys


def _convert(row: Row) -> Task:
    if "test_list" in row:
        return _convert_mbpp(row)
    test = row.text("test")
    if "unittest" in test and not test.lstrip().startswith("{"):
        return _convert_bigcodebench(row, test)
    if test.lstrip().startswith("["):
        return _convert_contest(row)
    if test.lstrip().startswith("{"):
        return _convert_aider(row)
    return _convert_packed(row, test)


def _convert_mbpp(row: Row) -> Task:
    tests, labels, code = row.texts("test_list"), row.inner("labels", required=False), row.text("canonical_solution")
    case_id = row.identifier("id")
    case = {
        "id": case_id,
        "name": f"MBPP {case_id}",
        "prompt": "\n".join([row.text("content").strip(), "Your code should pass these tests:", "", *tests]),
        "language": "python",
        "reference_solution": code,
        "expectations": {
            "test_file": "\n".join([*filter(None, [labels.text("test_setup_code", "")]), *tests, ""]),
        },
    }
    return Task(case=case, solutions=(Solution(model="canonical", text=code),))


def _convert_bigcodebench(row: Row, test: str) -> Task:
    prompt = row.text("content")
    solution = prompt + row.text("canonical_solution")
    entry_point = row.inner("labels").text("entry_point")
    case = unittest_case(row.identifier("id"), entry_point, prompt, solution, test)
    return Task(
        case={**case, "timeout_secs": BIGCODEBENCH.timeout_secs},
        solutions=(Solution(model="canonical", text=solution),),
    )


def _convert_contest(row: Row) -> Task:
    labels = row.inner("labels", required=False)
    tests = [_pair(row, each) for each in row.decoded("test")]
    name = labels.text("name", "")
    case = contests.contest_case(
        row.identifier("id"),
        name,
        row.text("content"),
        contests.io_table(tests),
        language="python",
        tags=[each for each in (labels.text("difficulty", "").lower(),) if each],
        source=labels.text("source", ""),
    )
    return Task(case=case)


def _pair(row: Row, test: Any) -> dict[str, Any]:
    given = test.get("input") if isinstance(test, dict) else None
    expected = test.get("output") if isinstance(test, dict) else None
    if not isinstance(given, dict) or not isinstance(expected, dict):
        raise row.error("test", "must be tests with an input and an output")
    texts = {"input": given.get("stdin", ""), "output": expected.get("stdout", "")}
    if not all(isinstance(each, str) for each in texts.values()):
        raise row.error("test", "must have texts as stdin and stdout")
    return texts


def _convert_packed(row: Row, test: str) -> Task:
    """Return a task of LiveCodeBench, whose tests are packed in a pickle."""
    try:
        unpacked = pickled_text.unpack(test)
        tests = rows.decode(unpacked if isinstance(unpacked, str) else unpacked.get("input_output", ""))
    except ValueError as error:
        raise row.error("test", str(error)) from None
    if not isinstance(tests, dict):
        raise row.error("test", "must be inputs and outputs")
    content, labels = row.text("content"), row.inner("labels", required=False)
    # the whole prompt, with the code to begin with
    io = contests.io_of(Row(values=tests, file=row.file, line=row.line), content)
    task_id = labels.text("task_id", "") or row.identifier("id")
    case = {"id": task_id, "name": task_id, "prompt": content, "language": "python", "io": io}
    return Task(case=case)


def _convert_aider(row: Row) -> Task:
    assets = row.inner("test").inner("asset")
    files = {name: text for name, text in assets.values.items() if name.endswith("_test.py") and isinstance(text, str)}
    if len(files) != 1:
        raise LeftOutError("tests that are not one file")
    [(name, packed)] = files.items()
    try:
        tests = base64.b64decode(packed, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise row.error("test", f"{name} cannot be unpacked: {error}") from None
    labels, solution = row.inner("labels", required=False), row.text("canonical_solution")
    task_id = labels.text("task_id", "") or row.identifier("id")
    stub = labels.text("reference", "").strip()
    begin = f"\n\nUse this code to begin with:\n\n```python\n{stub}\n```\n" if stub else "\n"
    case = {
        "id": task_id,
        "name": task_id,
        "prompt": f"{row.text('content').strip()}{begin}",
        "language": "python",
        "module": re.sub(r"_test\.py$", "", name),
        "reference_solution": solution,
        "expectations": {"test_file": tests},
    }
    return Task(case=case, solutions=(Solution(model="canonical", text=solution),))


SANDBOX_FUSION = Format(
    name="sandbox-fusion",
    title="SandboxFusion's copies of CodeContests, LiveCodeBench, MBPP, BigCodeBench and Aider's exercises",
    convert=_convert,
    recognises=lambda row: has_keys(row, "id", "content", "labels") and ("test" in row or "test_list" in row),
    timeout_secs=10.0,
)
