"""Python samples from the command line: an eval set, recorded answers, a report."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import workbench
from forgetest import config

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("ruff", path=config.host_environment()["PATH"])),
    reason="bwrap or ruff is not installed: run scripts/setup --dev",
)

EVAL_SET = '''
[eval_set]
id = "small-python"
name = "Small Python"

[[cases]]
id = "percentage"
name = "Percentage"
language = "python"
prompt = "Write percentage(n), which clamps n to 0..100."
timeout_secs = 5
reference_solution = """
def percentage(n):
    return max(0, min(n, 100))
"""

[cases.expectations]
expected_functions = ["def percentage(n)"]
test_file = """
import pytest
from solution import percentage

@pytest.mark.parametrize("given, expected", [(-5, 0), (50, 50), (105, 100)])
def test_clamps(given, expected):
    assert percentage(given) == expected

def test_rejects_text():
    with pytest.raises(TypeError):
        percentage("5")
"""

[[cases]]
id = "double"
name = "Double"
language = "python"
entry_point = "double"
prompt = "Write double(n)."
reference_solution = "def double(n):\\n    return 2 * n\\n"

[cases.expectations]
test_file = """
def check(candidate):
    assert candidate(2) == 4
"""
'''
RIGHT = "Sure!\n```python\ndef percentage(n):\n    return max(0, min(n, 100))\n```\n"
WRONG = "```py\ndef percentage(n):\n    unused = 1\n    return min(n, 100)\n```\n"
FORGED = "```\nimport os\ndef double(n):\n    os._exit(0)\n```"


def forgetest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "forgetest", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(EVAL_SET)
    return tmp_path


def test_recorded_answers_in_python_are_graded(folder: Path):
    answers = [("percentage", "a", RIGHT), ("percentage", "b", WRONG), ("double", "a", FORGED)]
    rows = [{"case_id": case, "model": model, "answer": answer} for case, model, answer in answers]
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = forgetest(
        folder,
        *("run", "--eval-set", "small.toml", "--samples-from", "samples.jsonl", "--output", "out"),
        *("--format", "json,html,sarif"),
    )
    assert done.returncode == 0, done.stderr
    report = json.loads((folder / "out" / "latest" / "report.json").read_text())
    found = {(row["case_id"], row["model"]): row for row in report["results"]}
    right, wrong, forged = (found[case, model] for case, model, _ in answers)
    assert (right["correct"], right["verified"], right["score"]["overall"]) == (True, True, 1.0)
    assert (wrong["correct"], wrong["test_execution"]["failed"]) == (False, 1)
    assert wrong["score"]["overall"] == pytest.approx(0.4 + 0.5 * 3 / 4 + 0.09)
    assert not forged["correct"]
    assert forged["integrity"][0]["kind"] == "early_exit"
    assert "CPython 3." in json.dumps(report)
    assert list(folder.glob("out/latest/samples/small-python/percentage/*/1.py"))


def test_the_reference_solutions_are_right(folder: Path):
    done = forgetest(folder, "validate", "--eval-set", "small.toml", "--solve")
    assert done.returncode == 0, done.stderr + done.stdout


def test_a_mistake_in_the_tests_or_the_keys_is_told_with_the_case(folder: Path):
    (folder / "small.toml").write_text(EVAL_SET.replace("def check(candidate):", "def check(candidate:"))
    done = forgetest(folder, "validate", "--eval-set", "small.toml", "--solve")
    assert done.returncode != 0
    assert "double: test_file: line 1" in done.stderr + done.stdout
    (folder / "small.toml").write_text(EVAL_SET.replace('entry_point = "double"', 'entry_point = "a b"'))
    done = forgetest(folder, "validate", "--eval-set", "small.toml")
    assert "is not the name of a function" in done.stderr + done.stdout


@pytest.mark.slow
def test_a_killed_run_of_many_samples_goes_on_and_a_second_one_takes_verdicts_from_the_cache(folder: Path):
    bodies = ("2 * n", "n + n", "n", "n +", "[][n]", "sum([n, n])")
    samples = [
        {"case_id": "double", "code": f"def double(n):\n    return {body}  # {number}\n"}
        for number in range(100)
        for body in bodies
    ]
    workbench.write_samples(folder / "samples.jsonl", samples)
    words: list[object] = ["run", "--eval-set", "small.toml", "--samples-from", "samples.jsonl", "--quiet"]
    cached = workbench.environment(FORGETEST_CACHE_MB="100")
    killed, again = folder / "killed", folder / "again"
    journal = killed / "latest" / "journal.jsonl"
    process = workbench.start(*words, "--output", killed, cwd=folder, env=cached)
    workbench.wait_until(lambda: journal.exists() and journal.stat().st_size > 200_000, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (killed / "latest" / "report.json").exists()

    assert workbench.forgetest(*words, "--output", killed, cwd=folder, env=cached).returncode == 0
    report = workbench.report_in(killed)
    lines = [(line["kind"], *line["attempt"]) for line in workbench.json_lines(journal) if "attempt" in line]
    assert len(set(lines)) == len(lines) == 2 * len(samples)  # asked once, judged once
    assert [row["correct"] for row in report["results"]] == [True, True, False, False, False, True] * 100

    assert workbench.forgetest(*words, "--output", again, cwd=folder, env=cached).returncode == 0
    assert workbench.repeatable(workbench.report_in(again)) == workbench.repeatable(report)
