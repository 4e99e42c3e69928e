"""Problems of real contests, solved by us: right solutions are accepted, wrong and slow ones are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import contest_solutions as solutions
from external_data import external, needs_external
from workbench import forgetest_here

PROBLEMS = "contest/code_contests.jsonl"
LANGUAGES = {"right": "python", "wrong": "python", "slow": "python", "rust": "rust", "wrong-rust": "rust"}
WRITTEN = {
    "right": solutions.RIGHT,
    "wrong": solutions.WRONG,
    "slow": solutions.SLOW,
    "rust": solutions.RUST,
    "wrong-rust": solutions.WRONG_RUST,
}


FIRST = 40
"""Tests of each problem that are run: enough to find each mistake. Of one problem all 331 are run, in one launch."""


def problem_case(problem: dict[str, Any], language: str) -> dict[str, Any]:
    tests = problem["test"] if isinstance(problem["test"], list) else json.loads(problem["test"])
    name = json.loads(problem["labels"])["name"]
    tests = tests if name == solutions.SUBSEQUENCE else tests[:FIRST]
    io: dict[str, Any] = {
        "tests": [
            {"input": test["input"]["stdin"], "output": test["output"]["stdout"], "visible": number < 3}
            for number, test in enumerate(tests)
        ]
    }
    if name in solutions.CHECKERS:
        code = solutions.CHECKERS[name]
        io |= {"checker": "program", "checker_program": {"language": "python", "code": code}}
    return {
        "id": f"{language}: {name}",
        "name": name,
        "language": language,
        "prompt": problem["content"],
        "source": json.loads(problem["labels"])["source"],
        "timeout_secs": 1 if name == solutions.MODULO else 4,
        "io": io,
    }


def write_set(folder: Path) -> None:
    problems = [json.loads(line) for line in external(PROBLEMS).read_text().splitlines()]
    cases = [problem_case(problem, language) for problem in problems for language in ("python", "rust")]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    header = '[eval_set]\nid = "contest"\nname = "Contest"\ncases_from = "cases.jsonl"\n'
    (folder / "contest.toml").write_text(header)
    lines = [
        {"case_id": f"{LANGUAGES[kind]}: {name}", "model": f"us/{kind}", "code": code}
        for kind, written in WRITTEN.items()
        for name, code in written.items()
    ]
    (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.slow
@needs_external(PROBLEMS)
def test_right_solutions_are_accepted_and_wrong_and_slow_ones_are_not(tmp_path):
    write_set(tmp_path)
    done = forgetest_here(
        "run", "--eval-set", "contest.toml", "--samples-from", "samples.jsonl", "--no-cache", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "forgetest-results" / "latest" / "report.json").read_text())
    results = {(result["model"], result["case_id"].partition(": ")[2]): result for result in report["results"]}
    assert {key: result["correct"] for key, result in results.items()} == {
        (kind, name): kind in ("right", "rust") for kind, written in WRITTEN.items() for name in written
    }
    assert all(result["verified"] for result in results.values())
    slow = results["slow", solutions.MODULO]["test_execution"]
    assert any(failure["timed_out"] == "cpu" for failure in slow["failures"])
    assert results["right", solutions.SUBSEQUENCE]["test_execution"]["passed"] == 331
    assert "us/wrong: all visible tests passed and a hidden one failed in " in done.stdout
    gap = report["aggregate"]["per_model"]["us/right"]["visible_gap"]
    assert (gap["samples"], gap["gap"], gap["hidden_test_rate"]) == (len(solutions.RIGHT), 0, 1)
