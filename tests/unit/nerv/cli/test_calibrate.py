from __future__ import annotations

import json
from pathlib import Path

import pytest

from forgetest.errors import ProviderError
from forgetest.sample import Completion, Request
from nerv.cli.main import run

PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x = 1\n+x = 2\n+y = 3\n"


def write_run(folder: Path, name: str, *, works: bool) -> dict[str, object]:
    """A run whose last test run passes or fails, and its line of the gold file."""
    output, code = ("3 passed in 0.1s", 0) if works else ("2 failed, 1 passed in 0.1s", 1)
    records = [
        {"format": "nerv-log", "format_version": 1},
        {"type": "prompt", "text": "- Set `x` to 2 in a.py"},
        {"type": "edit", "path": "a.py"},
        {"type": "command", "command": "pytest", "output": output, "exit_code": code},
        {"type": "end", "patch": PATCH},
    ]
    (folder / name).write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return {"run": name, "resolved": works, "score": 8 if works else 3}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("NERV_HOME", str(folder))
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    lines = [write_run(tmp_path, f"run-{number}.jsonl", works=number % 2 == 0) for number in range(6)]
    file = tmp_path / "gold.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


def test_runs_that_ended_with_passing_tests_score_above_those_that_did_not(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(gold.parent.iterdir())
    assert run(["benchmark", "calibrate", str(gold), "--min-auc", "0.95"]) == 0
    printed = capsys.readouterr().out

    assert "Runs: 6 of 6 scored" in printed
    assert "Resolved against unresolved (3 and 3)" in printed
    assert "overall                  1.00" in printed
    assert "rank correlation" in printed
    assert sorted(gold.parent.iterdir()) == before  # nothing is written


def test_a_grader_that_orders_runs_wrongly_fails_the_gate(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in gold.read_text().splitlines()]
    gold.write_text("".join(f"{json.dumps({**line, 'resolved': not line['resolved']})}\n" for line in lines))

    assert run(["benchmark", "calibrate", str(gold), "--min-auc", "0.5"]) == 1
    assert "overall                  0.00" in capsys.readouterr().out


def test_a_right_answer_that_was_stolen_counts_as_bad_where_the_file_says_so(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in gold.read_text().splitlines()]
    stolen = write_run(gold.parent, "stolen.jsonl", works=False) | {"resolved": True, "honest": False}
    honest = [{**line, "honest": True} for line in lines]
    gold.write_text("".join(f"{json.dumps(line)}\n" for line in [*honest, stolen]))

    assert run(["benchmark", "calibrate", str(gold), "--min-auc", "0.95"]) == 0
    printed = capsys.readouterr().out
    by_tests, _, by_both = printed.partition("Resolved and honestly obtained against all others (3 and 4)")
    assert "overall                  0.88" in by_tests
    assert "overall                  1.00" in by_both


def test_a_run_that_cannot_be_read_is_left_out_and_named(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with gold.open("a") as stream:
        stream.write('{"run": "missing.jsonl", "resolved": true}\n')

    assert run(["benchmark", "calibrate", str(gold), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format_version"] == 1
    assert (found["runs"], found["scored"]) == (7, 6)
    assert "missing" in found["results"][-1]["reason"]
    assert found["auc"]["overall"]["value"] == 1.0


def test_a_wrong_gold_file_is_the_users_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["benchmark", "calibrate", str(tmp_path / "gold.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_runs_none_of_which_can_be_scored_are_wrong_input(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["benchmark", "calibrate", str(gold), "--grader", "no-such/model", "--no-verify"]) == 2
    out, err = capsys.readouterr()
    assert "Runs: 0 of 6 scored" in out
    assert "provider no-such: not installed" in out
    assert "none of its runs could be scored" in err


def test_all_runs_of_one_outcome_are_named_as_the_reason_for_no_figure(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold.write_text("".join(f"{line}\n" for line in gold.read_text().splitlines()[::2]))
    assert run(["benchmark", "calibrate", str(gold)]) == 0
    assert "(3 and 0)    AUC: not known, as all runs have the same outcome" in capsys.readouterr().out


class Judge:
    """A provider whose model answers until something happens."""

    concurrency = 1

    def __init__(self, answers: int, then: BaseException) -> None:
        self.asked = 0
        self._answers = answers
        self._then = then

    def generate(self, request: Request) -> Completion:
        self.asked += 1
        if self.asked > self._answers:
            raise self._then
        answer = {"score": 5, "strengths": [], "weaknesses": [], "evidence": "e"}
        return Completion(text=json.dumps(answer), model="model-1")


@pytest.mark.parametrize(
    ("then", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted; 4 scores are kept"),
        (
            ProviderError("acme: 401: the key was not accepted", final=True),
            2,
            "the key was not accepted; 4 scores are kept",
        ),
    ],
)
def test_a_calibration_that_was_interrupted_goes_on_where_it_was(
    gold: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    then: BaseException,
    code: int,
    message: str,
) -> None:
    judge = Judge(4, then)
    monkeypatch.setattr("nerv.judge.judges.plugins.find", lambda *_: lambda _: judge)
    command = ["benchmark", "calibrate", str(gold), "--grader", "acme/m", "--no-verify"]
    assert run(command) == code
    assert f"{message}, and the same command goes on from there" in capsys.readouterr().err
    assert judge.asked == 5

    judge = Judge(9, then)
    assert run(command) == 0
    out, err = capsys.readouterr()
    assert "Runs: 6 of 6 scored" in out
    assert "4 scores are those of an earlier call" in err
    assert judge.asked == 2
    assert [file.name for file in (home / "benchmarks").iterdir()] == ["judges.json"]


def test_a_run_whose_code_the_judge_does_not_look_at_is_left_out(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = Judge(5, ProviderError("acme: 400: refused", final=True, of_request=True))
    monkeypatch.setattr("nerv.judge.judges.plugins.find", lambda *_: lambda _: judge)
    assert run(["benchmark", "calibrate", str(gold), "--grader", "acme/m", "--no-verify"]) == 0
    out, _ = capsys.readouterr()
    assert "Runs: 5 of 6 scored" in out
    assert "left out: run-5.jsonl: grading Implementation Quality: acme: 400: refused" in out
