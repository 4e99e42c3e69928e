"""Python solutions and samples that were judged elsewhere get the same verdicts here."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from external_data import external, needs_external
from forgetest.evalset import Case
from grading import JudgeGrader, case_of

PACK = "humanevalpack/humanevalpack_python.jsonl"
CODEGEN = "humaneval_codegen16b"
FIRST = 2
"""Samples of CodeGen for each task, of a hundred."""


def python_case(tests: str, entry_point: str) -> Case:
    return case_of(tests, language="python", options={"entry_point": entry_point}, timeout_secs=3.0)


def groups(samples: list[Any], size: int = 16) -> Iterator[list[Any]]:
    for first in range(0, len(samples), size):
        yield samples[first : first + size]


@pytest.mark.slow
@needs_external(PACK)
def test_every_canonical_solution_of_humanevalpack_is_correct_and_no_buggy_one(grade: JudgeGrader):
    rows = [json.loads(line) for line in external(PACK).read_text().splitlines()]
    samples = [
        (row["prompt"] + row[kind], python_case(row["test"], row["entry_point"]), kind == "canonical_solution")
        for row in rows
        for kind in ("canonical_solution", "buggy_solution")
    ]
    wrong = []
    for group in groups(samples):
        found = grade.together([(code, case) for code, case, _ in group])
        for graded, (code, _, expected) in zip(found, group, strict=True):
            if (graded.correct, graded.correct and graded.verdict.verified) != (expected, expected):
                wrong.append((code, graded.messages))
    assert len(samples) == 328
    assert wrong == []


@pytest.mark.slow
@needs_external(CODEGEN)
def test_samples_of_codegen_are_judged_as_recorded(grade: JudgeGrader):
    folder = external(CODEGEN)
    with gzip.open(folder / "HumanEval.jsonl.gz", "rt") as lines:
        tasks = {task["task_id"]: task for task in map(json.loads, lines)}
    with gzip.open(folder / "samples.jsonl.gz", "rt") as lines:
        answers = list(map(json.loads, lines))
    recorded = list(map(json.loads, (folder / "verdicts.jsonl").read_text().splitlines()))
    samples = []
    for answer, verdicts in zip(answers, recorded, strict=True):
        task = tasks[verdicts["task_id"]]
        case = python_case(task["test"], task["entry_point"])
        samples += [(answer["prompt"] + answer["samples"][i], case, verdicts["passed"][i]) for i in range(FIRST)]
    different = []
    for group in groups(samples):
        found = grade.together([(code, case) for code, case, _ in group])
        different += [
            (code, graded.messages)
            for graded, (code, _, passed) in zip(found, group, strict=True)
            if graded.correct != bool(passed)
        ]
    assert different == []
