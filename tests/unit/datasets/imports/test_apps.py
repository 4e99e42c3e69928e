"""APPS, TACO and PRIME's rows, read as cases."""

from __future__ import annotations

import json
from pathlib import Path

import dataset_rows as rows_of
from dataset_rows import read_task


def test_apps_takes_the_first_solution_that_is_python_3(tmp_path: Path):
    task = read_task(rows_of.APPS, tmp_path)

    assert task.case["reference_solution"] == rows_of.DOUBLING
    assert task.case["io"]["tests"][0] == {"input": "2\n", "output": "4\n"}
    assert task.case["source"] == rows_of.APPS["url"]


def test_results_that_taco_wraps_in_lists_are_unwrapped(tmp_path: Path):
    task = read_task(rows_of.TACO, tmp_path)

    assert task.case["io"] == {
        "call": "double",
        "tests": [{"arguments": [2], "returns": 4}, {"arguments": [-1], "returns": -2}],
        "memory_mb": 256,
    }
    assert (task.case["date"], task.case["timeout_secs"]) == ("2019-12-31", 2.0)


def test_prime_has_its_tests_in_the_ground_truth(tmp_path: Path):
    case = read_task(rows_of.PRIME, tmp_path).case

    assert case["id"] == "taco-train-7"
    assert case["prompt"].startswith("Print twice the number.\n\nWrite a program")
    assert len(case["io"]["tests"]) == 2


def test_decimal_fractions_are_compared_with_a_tolerance(tmp_path: Path):
    row = {**rows_of.APPS, "input_output": json.dumps({"inputs": ["1"], "outputs": ["0.5\n"]})}

    assert read_task(row, tmp_path).case["io"]["checker"] == "floats"


def test_lists_of_lines_are_texts(tmp_path: Path):
    row = {**rows_of.APPS, "input_output": json.dumps({"inputs": [["1", "2"]], "outputs": [["3"]]})}

    assert read_task(row, tmp_path).case["io"]["tests"] == [{"input": "1\n2", "output": "3"}]
