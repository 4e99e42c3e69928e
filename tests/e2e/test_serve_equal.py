"""The same samples through the command line, Python, HTTP and the compatible doors get equal verdicts."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from forgetest.client import Client
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.loading import load_eval_sets
from forgetest.report.read import read_report
from forgetest.service.serving import Service
from running_service import Running, running
from workbench import environment, forgetest, needs_judging

SET = """
[eval_set]
id = "equal"
name = "Equal"
default_timeout_secs = 10

[[cases]]
id = "rust"
name = "rust"
prompt = "-"
expectations.test_file = '''
#[test]
fn three() { assert_eq!(double(3), 6); }
#[test]
fn zero() { assert_eq!(double(0), 0); }
'''

[[cases]]
id = "python"
name = "python"
prompt = "-"
language = "python"
expectations.test_file = '''
def test_three():
    assert double(3) == 6
def test_zero():
    assert double(0) == 0
'''

[[cases]]
id = "program"
name = "program"
prompt = "-"
language = "python"
io.tests = [{ name = "three", input = "3", output = "6" }, { name = "zero", input = "0", output = "0" }]

[[cases]]
id = "call"
name = "call"
prompt = "-"
language = "python"
io = { call = "double", tests = [{ arguments = [3], returns = 6 }, { arguments = [0], returns = 0 }] }
"""
COUNTS = {"rust": 70, "python": 100, "program": 15, "call": 15}
"""Samples by case. Each program is run separately, which takes longer."""
_BODIES = ("x * 2", "x + 3", "x * x", "2 * x", "(x", "x * 2 if x else 1")
_RUST = ("x * 2", "x + 3", "x * x", "2 * x", "(x", "if x == 0 { 1 } else { x * 2 }")


def code(case_id: str, number: int) -> str:
    body = (_RUST if case_id == "rust" else _BODIES)[number % len(_BODIES)]
    if case_id == "rust":
        return f"pub fn double(x: i64) -> i64 {{ {body} }} // {number}"
    if case_id == "program":
        return f"x = int(input())\nprint({body})  # {number}"
    return f"def double(x):\n    return {body}  # {number}"


SAMPLES = [(case_id, code(case_id, number)) for case_id, count in COUNTS.items() for number in range(count)]
_FIRST = COUNTS["rust"] + COUNTS["python"]
PROGRAMS = slice(_FIRST, _FIRST + COUNTS["program"], 4)
CALLS = slice(_FIRST + COUNTS["program"], None, 4)

Essence = tuple[bool | None, bool, tuple[str, ...]]
"""What must be equal: correct, verified, and the status of every test."""


def of_grade(grade: Grade) -> Essence:
    tests = grade.verdict.tests if grade.verdict else ()
    return grade.correct, grade.verified, tuple(test.status for test in tests)


def by_command(folder: Path) -> list[Essence]:
    lines = [
        json.dumps({"case_id": case_id, "model": "acme/m", "attempt": number + 1, "code": text})
        for number, (case_id, text) in enumerate(SAMPLES)
    ]
    (folder / "samples.jsonl").write_text("\n".join(lines) + "\n")
    ran = forgetest(
        *("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--output", "out", "--quiet"),
        cwd=folder,
        env=environment(),
    )
    assert ran.returncode == 0, ran.stderr
    found = {}
    for sample in read_report(folder / "out" / "latest" / "report.json").results:
        tests = sample.verdict.tests if sample.verdict else ()
        is_verified = sample.verdict is not None and sample.verdict.verified
        statuses = tuple(sorted(test.status for test in tests))  # a report that is read back only counts them
        found[sample.attempt.case_id, sample.code] = (sample.correct, is_verified, statuses)
    return [found[sample] for sample in SAMPLES]


def post(service: Running, path: str, document: object) -> Any:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(service.url + path, json.dumps(document).encode(), headers)
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)


def fenced(case_id: str, text: str) -> str:
    return f"```{'rust' if case_id == 'rust' else 'python'}\n{text}\n```"


def submission(case_id: str, text: str) -> dict[str, object]:
    return {"dataset": "equal", "id": case_id, "completion": fenced(case_id, text), "config": {}}


@needs_judging
@pytest.mark.slow
def test_200_samples_get_equal_verdicts_everywhere(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text(SET)
    eval_sets = load_eval_sets([tmp_path / "set.toml"])
    cases: dict[str, Case] = {case.id: case for case in eval_sets[0].cases}
    pairs = [(text, cases[case_id]) for case_id, text in SAMPLES]
    with Grader(cache_mb=0) as grader:
        direct = [of_grade(grade) for grade in grader.grade_many(pairs, as_code=True)]
        with running(grader, eval_sets) as service, Client(service.url, timeout_s=600) as client:
            assert isinstance(service.service, Service)
            over_http = [of_grade(grade) for grade in client.grade_many(pairs, as_code=True)]
            by_id = post(
                service,
                "/v1/grade",
                {"samples": [{"case": f"equal/{name}", "answer": text, "as_code": True} for name, text in SAMPLES]},
            )["grades"]
            submitted = [post(service, "/submit", submission(name, text)) for name, text in SAMPLES[::13]]
            batches = {
                "program": {"type": "stdin_stdout", "input": ["3", "0"], "output": ["6", "0"], "fn_name": None},
                "call": {"type": "function_call", "input": [[3], [0]], "output": [[6], [0]], "fn_name": "double"},
            }
            evaluated = [
                post(
                    service,
                    "/common_evaluate_batch",
                    {
                        "completion": fenced(name, text),
                        "config": {"language": "python", "provided_data": {"test_cases": batches[name]}},
                    },
                )
                for name, text in (*SAMPLES[PROGRAMS], *SAMPLES[CALLS])
            ]
            ran = [
                [
                    post(service, "/run_code", {"code": text, "language": "python", "stdin": given})
                    for given in ("3", "0")
                ]
                for _, text in SAMPLES[PROGRAMS]
            ]

    assert over_http == direct
    assert by_command(tmp_path) == [(*essence[:2], tuple(sorted(essence[2]))) for essence in direct]
    assert [grade["correct"] for grade in by_id] == [essence[0] for essence in direct]
    assert [result["accepted"] for result in submitted] == [essence[0] for essence in direct[::13]]
    assert [[test["passed"] for test in result["tests"]] for result in evaluated] == [
        [status == "passed" for status in essence[2]] for essence in (*direct[PROGRAMS], *direct[CALLS])
    ]
    # as verl compares
    outputs = [[(run["status"], run["run_result"]["stdout"].rstrip("\n")) for run in runs] for runs in ran]
    assert [[three == ("Success", "6"), zero == ("Success", "0")] for three, zero in outputs] == [
        [status == "passed" for status in essence[2]] for essence in direct[PROGRAMS]
    ]
