"""LiveCodeBench, read as cases."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path

import dataset_rows as rows_of
from dataset_rows import read_task


def packed(tests: list[dict[str, str]]) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests)))).decode()


def test_packed_tests_of_livecodebench_are_hidden_and_the_others_visible(tmp_path: Path):
    hidden = [{"input": "-1\n", "output": "-2\n", "testtype": "stdin"}]
    plain = read_task(rows_of.LIVECODEBENCH, tmp_path)
    task = read_task({**rows_of.LIVECODEBENCH, "private_test_cases": packed(hidden)}, tmp_path)

    assert task == plain
    assert task.case["io"]["tests"] == [
        {"visible": True, "input": "2\n", "output": "4\n"},
        {"input": "-1\n", "output": "-2\n"},
    ]
    assert (task.case["date"], task.case["source"], task.case["tags"]) == (
        "2023-05-13",
        "atcoder abc301",
        ["atcoder", "easy"],
    )


def test_functions_of_livecodebench_are_methods_called_with_json(tmp_path: Path):
    test = {"input": '[1, 2]\n"a"', "output": "[0.5]", "testtype": "functional"}
    row = {
        **rows_of.LIVECODEBENCH,
        "starter_code": "class Solution:\n    def f(self, a, b):\n        ",
        "public_test_cases": json.dumps([test]),
        "private_test_cases": "[]",
        "metadata": '{"func_name": "f"}',
    }
    io = read_task(row, tmp_path).case["io"]

    assert io == {
        "call": "Solution.f",
        "checker": "floats",
        "tests": [{"visible": True, "arguments": [[1, 2], "a"], "returns": [0.5]}],
    }
