"""`forgetest export`: samples that other tools' files held come out as they went in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dataset_rows as rows_of
from dataset_rows import write_rows
from workbench import forgetest_here, needs_judging

COMPLETIONS = ["    return 2 * n\n", "    return 2 + n", "    return n <<\t1  # \u00e9\n\n\nprint('\x1b')\n"]


@needs_judging
@pytest.mark.parametrize(("form", "key"), [("humaneval", "completion"), ("evalplus", "solution")])
def test_samples_come_out_as_they_went_in(form: str, key: str, tmp_path: Path) -> None:
    prompt = "" if key == "completion" else rows_of.HUMANEVAL["prompt"]
    samples = [{"task_id": "HumanEval/0", key: prompt + text} for text in COMPLETIONS]
    write_rows(tmp_path / "rows.jsonl", [rows_of.HUMANEVAL])
    write_rows(tmp_path / "samples.jsonl", samples)
    forgetest_here("import", "rows.jsonl", "--out", "set.toml", cwd=tmp_path)
    ran = forgetest_here("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr

    latest = "forgetest-results/latest"
    finished = forgetest_here("export", f"{form}-samples", latest, "--out", "again.jsonl", cwd=tmp_path)
    forgetest_here("export", f"{form}-results", latest, "--out", "results", cwd=tmp_path)

    assert (finished.returncode, finished.stdout) == (0, "wrote again.jsonl\n")
    assert [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()] == samples
    results = [json.loads(line) for line in (tmp_path / "results").read_text().splitlines()]
    if form == "humaneval":
        assert [result["passed"] for result in results] == [True, False, True]
    else:
        assert [each["base_status"] for each in results[0]["eval"]["HumanEval/0"]] == ["pass", "fail", "pass"]


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("{}")
    for words, message in (
        (["inspekt", "report.json"], 'unknown format inspekt; did you mean "inspect"?'),
        (["inspect", "absent.json"], "absent.json: no such file; give a report"),
        (["inspect", "report.json"], "report.json: no report: it has neither format_version nor eval_set"),
    ):
        finished = forgetest_here("export", *words, "--out", "out.json", cwd=tmp_path)
        assert finished.returncode == 2
        assert message in finished.stderr
