"""SandboxFusion's copies of several data sets: rows with `id`, `content`, `labels`, turned back into the original form.

A copy is recognised by its tests, and read from then on by the module of the data set that it was taken from.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from forgetest.datasets.imports import pickled_text, rows
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import has_keys

_LIVECODEBENCH_PROMPT = re.compile(
    r"### Question:\n(?P<question>.*)\n### Format: .*?\n```python\n(?P<starter>.*?)\n```\s*### Answer", re.DOTALL
)
_NO_STARTER = "# YOUR CODE HERE"


def original(row: Row) -> Row:
    """Return a row as its data set publishes it; a row of any other form as it is."""
    if not has_keys(row, "id", "content", "labels") or not ("test" in row or "test_list" in row):
        return row
    return Row(values=_original_values(row), file=row.file, line=row.line)


def _original_values(row: Row) -> Mapping[str, Any]:
    if "test_list" in row:
        return _mbpp(row)
    test = row.text("test").lstrip() if isinstance(row.values["test"], str) else ""
    if isinstance(row.values["test"], list) or test.startswith("["):
        return _code_contests(row)
    if isinstance(row.values["test"], dict) or test.startswith("{"):
        return _exercism(row)
    return _bigcodebench(row) if "unittest" in test else _livecodebench(row, test)


def _mbpp(row: Row) -> Mapping[str, Any]:
    return {
        **row.inner("labels").values,
        "task_id": row.identifier("id"),
        "text": row.text("content"),
        "code": row.text("canonical_solution"),
        "test_list": row.texts("test_list"),
    }


def _bigcodebench(row: Row) -> Mapping[str, Any]:
    return {
        **row.inner("labels").values,
        "task_id": row.identifier("id"),
        "complete_prompt": row.text("content"),
        "canonical_solution": row.text("canonical_solution"),
        "test": row.text("test"),
    }


def _code_contests(row: Row) -> Mapping[str, Any]:
    pairs = [_pair(row, each) for each in row.decoded("test")]
    labels = row.inner("labels").values
    return {
        **labels,
        "id": row.identifier("id"),
        "name": labels.get("name") or row.identifier("id"),
        "description": row.text("content"),
        "public_tests": {},  # the copies do not tell which ones are public
        "private_tests": {"input": [pair[0] for pair in pairs], "output": [pair[1] for pair in pairs]},
    }


def _pair(row: Row, test: Any) -> tuple[str, str]:
    given = test.get("input") if isinstance(test, dict) else None
    expected = test.get("output") if isinstance(test, dict) else None
    if not isinstance(given, dict) or not isinstance(expected, dict):
        raise row.error("test", "must be tests with an input and an output")
    texts = given.get("stdin", ""), expected.get("stdout", "")
    if not all(isinstance(each, str) for each in texts):
        raise row.error("test", "must have texts as stdin and stdout")
    return texts


def _livecodebench(row: Row, test: str) -> Mapping[str, Any]:
    """Return the values of LiveCodeBench, whose tests are here packed as APPS has them."""
    try:
        unpacked = pickled_text.unpack(test)
        tests = rows.decode(unpacked if isinstance(unpacked, str) else unpacked.get("input_output", ""))
    except ValueError as error:
        raise row.error("test", str(error)) from None
    if not isinstance(tests, dict):
        raise row.error("test", "must be inputs and outputs")
    packed = Row(values=tests, file=row.file, line=row.line)
    inputs, outputs, function = packed.texts("inputs"), packed.texts("outputs"), packed.text("fn_name", "")
    if len(inputs) != len(outputs):
        raise row.error("test", f"{len(outputs)} outputs for {len(inputs)} inputs")
    kind = "functional" if function else "stdin"
    labels, content = row.inner("labels"), row.text("content")
    prompt = _LIVECODEBENCH_PROMPT.search(content)
    starter = prompt["starter"] if prompt and prompt["starter"].strip() != _NO_STARTER else ""
    return {
        "question_id": labels.text("task_id", "") or row.identifier("id"),
        "question_content": prompt["question"] if prompt else content,
        "platform": labels.text("category", ""),
        "difficulty": labels.text("difficulty", ""),
        "starter_code": starter,
        "public_test_cases": [],
        "private_test_cases": [
            {"input": given, "output": expected, "testtype": kind}
            for given, expected in zip(inputs, outputs, strict=True)
        ],
        "metadata": {"func_name": function} if function else {},
    }


def _exercism(row: Row) -> Mapping[str, Any]:
    """Return the values of an exercise: Aider's benchmark of Python exercises, its test files in base64."""
    assets, labels = row.inner("test").inner("asset").values, row.inner("labels")
    packed = {name: text for name, text in assets.items() if name.endswith("_test.py") and isinstance(text, str)}
    try:
        tests = {name: base64.b64decode(text, validate=True).decode() for name, text in packed.items()}
    except (binascii.Error, UnicodeDecodeError) as error:
        raise row.error("test", f"a file that cannot be unpacked: {error}") from None
    module = re.sub(r"_test\.py$", ".py", next(iter(tests), "solution.py"))
    return {
        "slug": labels.text("task_id", "") or row.identifier("id"),
        "track": labels.text("programming_language", ""),
        "instructions": row.text("content"),
        "stub": {module: labels.text("reference", "")},
        "tests": tests,
        "example": {module: row.text("canonical_solution")},
    }
