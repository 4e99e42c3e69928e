"""Contest problems, BigCodeBench and exercises, read as cases."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

import dataset_rows as rows_of
from dataset_rows import write_rows
from external_data import external, needs_external
from forgetest.datasets import imports
from forgetest.errors import UserError


def read_row(row: dict[str, Any], folder: Path, **options: Any) -> imports.Task:
    [task] = imports.read(write_rows(folder / "rows.jsonl", [row]), **options).tasks
    return task


def packed(tests: list[dict[str, str]]) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests)))).decode()


def test_packed_tests_of_livecodebench_are_hidden_and_the_others_visible(tmp_path: Path):
    hidden = [{"input": "-1\n", "output": "-2\n", "testtype": "stdin"}]
    plain = read_row(rows_of.LIVECODEBENCH, tmp_path)
    task = read_row({**rows_of.LIVECODEBENCH, "private_test_cases": packed(hidden)}, tmp_path)

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
    io = read_row(row, tmp_path).case["io"]

    assert io == {
        "call": "Solution.f",
        "checker": "floats",
        "tests": [{"visible": True, "arguments": [[1, 2], "a"], "returns": [0.5]}],
    }


def test_codecontests_has_limits_and_solutions_in_several_languages(tmp_path: Path):
    task = read_row(rows_of.CODE_CONTESTS, tmp_path)

    assert task.case["language"] == "python"
    assert task.case["reference_solution"] == rows_of.DOUBLING
    assert (task.case["timeout_secs"], task.case["io"]["memory_mb"]) == (2.5, 256)
    assert (task.case["source"], task.case["tags"]) == ("Codeforces", ["a", "math"])
    assert [test.get("visible", False) for test in task.case["io"]["tests"]] == [True, False]
    assert [(each.model, each.text) for each in task.solutions] == [
        ("correct", rows_of.DOUBLING),
        ("incorrect", "print(4)\n"),
    ]


def test_a_problem_that_reads_a_file_is_left_out(tmp_path: Path):
    path = write_rows(tmp_path / "rows.jsonl", [{**rows_of.CODE_CONTESTS, "input_file": "in.txt"}])

    assert imports.read(path).left_out == {"reads or writes a file instead of standard input and output": 1}


def test_apps_takes_the_first_solution_that_is_python_3(tmp_path: Path):
    task = read_row(rows_of.APPS, tmp_path)

    assert task.case["reference_solution"] == rows_of.DOUBLING
    assert task.case["io"]["tests"][0] == {"input": "2\n", "output": "4\n"}
    assert task.case["source"] == rows_of.APPS["url"]


def test_results_that_taco_wraps_in_lists_are_unwrapped(tmp_path: Path):
    task = read_row(rows_of.TACO, tmp_path)

    assert task.case["io"] == {
        "call": "double",
        "tests": [{"arguments": [2], "returns": 4}, {"arguments": [-1], "returns": -2}],
        "memory_mb": 256,
    }
    assert (task.case["date"], task.case["timeout_secs"]) == ("2019-12-31", 2.0)


def test_prime_has_its_tests_in_the_ground_truth(tmp_path: Path):
    case = read_row(rows_of.PRIME, tmp_path).case

    assert case["id"] == "taco-train-7"
    assert case["prompt"].startswith("Print twice the number.\n\nWrite a program")
    assert len(case["io"]["tests"]) == 2


def test_decimal_fractions_are_compared_with_a_tolerance(tmp_path: Path):
    row = {**rows_of.APPS, "input_output": json.dumps({"inputs": ["1"], "outputs": ["0.5\n"]})}

    assert read_row(row, tmp_path).case["io"]["checker"] == "floats"


def test_lists_of_lines_are_texts(tmp_path: Path):
    row = {**rows_of.APPS, "input_output": json.dumps({"inputs": [["1", "2"]], "outputs": [["3"]]})}

    assert read_row(row, tmp_path).case["io"]["tests"] == [{"input": "1\n2", "output": "3"}]


def test_the_language_of_answers_can_be_chosen(tmp_path: Path):
    case = read_row(rows_of.CODE_CONTESTS, tmp_path, language="rust").case

    assert case["language"] == "rust"
    assert "reference_solution" not in case
    with pytest.raises(UserError, match="--language go: no toolchain for go"):
        read_row(rows_of.CODE_CONTESTS, tmp_path, language="go")
    with pytest.raises(UserError, match="the tasks of humaneval name their language themselves"):
        read_row(rows_of.HUMANEVAL, tmp_path, language="rust")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**rows_of.LIVECODEBENCH, "private_test_cases": "AAAA"}, "private_test_cases: cannot be unpacked"),
        ({**rows_of.LIVECODEBENCH, "public_test_cases": "[1]"}, "public_test_cases: must be tests with an input"),
        ({**rows_of.APPS, "input_output": '{"inputs": ["1"], "outputs": []}'}, "outputs: 0 outputs for 1 inputs"),
        ({**rows_of.APPS, "input_output": "{"}, "input_output: not JSON"),
        ({**rows_of.PRIME, "reward_model": {}}, "ground_truth: missing key"),
        ({**rows_of.BIGCODEBENCH, "test": None}, "test: missing key"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(row: dict[str, Any], message: str, tmp_path: Path):
    with pytest.raises(UserError, match=f"rows.jsonl:1: {message}"):
        read_row(row, tmp_path)


def test_libraries_of_bigcodebench_are_dependencies(tmp_path: Path):
    row = {
        **rows_of.BIGCODEBENCH,
        "complete_prompt": "import numpy as np\nfrom sklearn.svm import SVC\ndef double(n):\n",
    }

    assert [each["name"] for each in read_row(row, tmp_path).case["dependencies"]] == ["numpy", "scikit-learn"]
    assert "dependencies" not in read_row(rows_of.BIGCODEBENCH, tmp_path).case


def test_tracks_of_exercism_are_recognised(tmp_path: Path):
    rows_of.write_tracks(tmp_path)
    polyglot, track = imports.read(tmp_path), imports.read(tmp_path / "rust")

    assert polyglot.format.name == "aider-polyglot"
    assert [task.case["id"] for task in polyglot.tasks] == ["python/double-it", "rust/double-it"]
    assert polyglot.left_out == {"no toolchain for tests in .go": 1}
    assert (track.format.name, [task.case["id"] for task in track.tasks]) == ("exercism", ["double-it"])


def test_no_test_of_an_exercise_is_skipped_and_the_crate_is_the_sample(tmp_path: Path):
    [task] = imports.read(rows_of.write_tracks(tmp_path) / "rust").tasks

    tests = task.case["expectations"]["test_file"]
    assert "ignore" not in tests
    assert "use crate::*;" in tests
    assert "crate::double(3)" in tests
    assert task.case["edition"] == "2024"
    assert "With `i64`." in task.case["prompt"]
    assert "todo!()" in task.case["prompt"]


def test_an_exercise_whose_files_lead_elsewhere_is_refused(tmp_path: Path):
    rows_of.write_exercise(tmp_path / "x", {"a.py": ""}, test=["../../../etc/passwd"])

    with pytest.raises(UserError, match="leads out of the exercise's folder"):
        imports.read(tmp_path)


@needs_external("contest")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("code_contests", 20),
        ("live_code_bench_v1", 3),
        ("mbpp", 20),
        ("bigcodebench", 20),
        ("aider_benchmark_v1", 5),
    ],
)
def test_rows_of_sandboxfusion_are_read_whole(name: str, count: int):
    found = imports.read(external(f"contest/{name}.jsonl"))

    assert (found.format.name, len(found.tasks), found.left_out) == ("sandbox-fusion", count, {})


@needs_external("contest/live_code_bench_v1.jsonl")
def test_real_packed_tests_of_livecodebench_are_unpacked():
    tasks = imports.read(external("contest/live_code_bench_v1.jsonl")).tasks

    assert [len(task.case["io"]["tests"]) for task in tasks] == [5, 14, 15]
    assert tasks[1].case["io"]["call"] == "Solution.countSeniors"


@needs_external("exercism_rust.jsonl")
def test_the_exercises_of_a_real_track_are_read():
    found = imports.read(external("exercism_rust.jsonl"))

    assert (len(found.tasks), found.left_out) == (104, {"tests in several files": 2})
    assert all("reference_solution" in task.case for task in found.tasks)
