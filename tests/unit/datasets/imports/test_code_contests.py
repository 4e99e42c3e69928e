"""CodeContests, read as cases."""

from __future__ import annotations

from pathlib import Path

import pytest

import dataset_rows as rows_of
from dataset_rows import read_task, write_rows
from forgetest.datasets import imports
from forgetest.errors import UserError


def test_codecontests_has_limits_and_solutions_in_several_languages(tmp_path: Path):
    task = read_task(rows_of.CODE_CONTESTS, tmp_path)

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


def test_the_language_of_answers_can_be_chosen(tmp_path: Path):
    case = read_task(rows_of.CODE_CONTESTS, tmp_path, language="rust").case

    assert case["language"] == "rust"
    assert "reference_solution" not in case
    with pytest.raises(UserError, match="--language go: no toolchain for go"):
        read_task(rows_of.CODE_CONTESTS, tmp_path, language="go")
    with pytest.raises(UserError, match="the tasks of humaneval name their language themselves"):
        read_task(rows_of.HUMANEVAL, tmp_path, language="rust")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"time_limit": {"seconds": 10**400}}, "seconds: must be at most 1e"),
        ({"memory_limit_bytes": 10**400}, "memory_limit_bytes: must be at most 1e"),
        ({"solutions": {"solution": ["x"], "language": 3}}, "language: must be a list"),
    ],
)
def test_numbers_and_languages_that_make_no_sense_are_told_with_line_and_key(
    tmp_path: Path, wrong: dict[str, object], message: str
):
    path = write_rows(tmp_path / "rows.jsonl", [rows_of.CODE_CONTESTS, {**rows_of.CODE_CONTESTS, **wrong}])

    with pytest.raises(UserError, match=rf"rows\.jsonl:2: .*{message}"):
        imports.read(path)


def test_a_solution_in_a_language_without_a_number_is_kept_without_one(tmp_path: Path):
    row = {**rows_of.CODE_CONTESTS, "solutions": {"solution": ["x = 1\n"], "language": [[]]}}

    assert "reference_solution" not in read_task(row, tmp_path).case
