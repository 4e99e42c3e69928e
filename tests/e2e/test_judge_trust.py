"""Who decides the exit code: a judge only if it was calibrated, or if `--trust-judge` says so."""

from __future__ import annotations

import json

import pytest

from claude_stand_in import ASKED, GOOD
from nerv.cli.main import run
from results import results

PATCH = "diff --git a/app.py b/app.py\n--- /dev/null\n+++ b/app.py\n@@ -0,0 +1,2 @@\n+def notes():\n+    return []\n"
FILES = {"git-diff.patch": PATCH}


def answers(score):
    return {"*": [json.dumps({**GOOD, "score": score})]}


@pytest.fixture
def folder(tmp_path):
    """A run that the rules fail."""
    return results(tmp_path / "run", files=FILES)


@pytest.fixture
def gold(tmp_path):
    """Twenty-two runs, every other of them resolved."""
    lines = []
    for number in range(22):
        results(tmp_path / f"gold-{number}", files=FILES)
        lines.append({"run": f"gold-{number}", "resolved": number % 2 == 1})
    file = tmp_path / "gold.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


def test_without_calibration_the_rules_decide_and_the_output_says_so(claude, nerv, folder):
    claude.answer(answers(9))
    code, out, err = nerv(folder, "--grade-claude", trust=False)
    assert code == 1
    reason = "as the judge claude was never calibrated: run `nerv benchmark calibrate GOLD.jsonl --grader claude`"
    assert reason in out
    assert reason in err
    assert "Implementation Quality   9/10" in out  # the judge's scores are shown all the same
    assert "Result: FAIL" in out
    report = json.loads((folder / "score-report.json").read_text())
    assert (report["passed"], report["rules"]["passed"], report["judge"]["decides"]) == (False, False, False)
    assert reason in report["judge"]["untrusted"]


def test_trust_judge_lets_it_decide(claude, nerv, folder):
    claude.answer(answers(9))
    code, out, err = nerv(folder, "--grade-claude")
    assert (code, err) == (0, ASKED)
    assert "Result: PASS" in out
    assert "The rules decide" not in out


def test_trust_judge_needs_a_judge(claude, nerv, folder):
    assert nerv(folder, "--trust-judge")[0] == 2


def test_a_judge_that_agrees_with_the_outcomes_decides_from_then_on(claude, nerv, folder, gold, capfd, tmp_path):
    claude.answer({"*": [json.dumps({**GOOD, "score": 8 if number % 2 else 2}) for number in range(22)]})
    assert run(["benchmark", "calibrate", str(gold), "--grader", "claude"]) == 0
    assert "this judge may decide" in capfd.readouterr().err
    kept = json.loads((tmp_path / "home/benchmarks/judges.json").read_text())["judges"]["claude"]
    assert (kept["runs"], kept["auc"]) == (22, 1.0)
    claude.answer(answers(9))
    assert nerv(folder, "--grade-claude", trust=False)[0] == 0


@pytest.mark.slow
def test_a_judge_that_agrees_no_better_than_a_coin_does_not_decide(claude, nerv, folder, gold, capfd):
    claude.answer(answers(9))
    run(["benchmark", "calibrate", str(gold), "--grader", "claude"])
    assert "the rules still decide, as the judge claude has an AUC of 0.50" in capfd.readouterr().err
    code, out, _ = nerv(folder, "--grade-claude", trust=False)
    assert code == 1
    assert "has an AUC of 0.50 against known outcomes, and 0.8 is needed" in out
