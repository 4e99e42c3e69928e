"""GPT-4's recorded solutions of hard HumanEval problems: our verdicts are those of a plain compiler and exit code."""

from __future__ import annotations

import json
from pathlib import Path

from external_data import external, needs_external
from workbench import forgetest, json_lines, needs_judging, report_in, write_samples

RECORDS = "gpt4_humaneval_rs_hard50.jsonl"

pytestmark = [needs_judging, needs_external(RECORDS)]


def test_our_verdict_on_fifty_recorded_solutions_agrees_with_the_recorded_one(tmp_path: Path) -> None:
    records = json_lines(external(RECORDS))
    cases = [
        {
            "id": record["name"],
            "name": record["name"],
            "prompt": record["prompt"],
            "expectations": {"test_file": record["test"]},
        }
        for record in records
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (tmp_path / "set.toml").write_text('[eval_set]\nid = "hard50"\nname = "Hard 50"\ncases_from = "cases.jsonl"\n')
    samples = [
        {"task_id": record["name"], "solution": record["solution"], "model": "openai/gpt-4"} for record in records
    ]
    write_samples(tmp_path / "samples.jsonl", samples)

    finished = forgetest("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", cwd=tmp_path, timeout=800)

    assert finished.returncode == 0, finished.stderr
    ours = {each["case_id"]: each["correct"] for each in report_in(tmp_path / "forgetest-results")["results"]}
    assert ours == {record["name"]: record["is_solved"] for record in records}
    assert (len(ours), sum(ours.values())) == (50, 30)
