"""`forgetest run`, from the command line to the report."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

import workbench
from forgetest.engine.patience import TRIES
from workbench import (
    BROKEN,
    FORGETEST,
    LINTED,
    RIGHT,
    WRONG,
    forgetest,
    json_lines,
    needs_judging,
    repeatable,
    report_in,
)

pytestmark = needs_judging

RECORDED = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with an eval set, and samples as several tools write them."""
    workbench.write_set(tmp_path / "set.toml", cases=2)
    workbench.write_samples(
        tmp_path / "samples.jsonl",
        [
            {"case_id": "double-2", "code": LINTED, "model": "acme/one", "tokens": {"prompt": 7, "completion": 3}},
            {"case_id": "double-1", "solution": WRONG, "model": "acme/one", "attempt": 2},
            {"case_id": "double-1", "code": RIGHT, "model": "acme/one", "attempt": 1, "latency_ms": 1500},
            {"task_id": "double-1", "code": BROKEN, "model": "acme/two"},
            {"case_id": "double-2", "code": f"```rust\n{BROKEN}```", "model": "acme/two", "cost_usd": 0.25},
        ],
    )
    return tmp_path


def run_by_attempt(report: dict[str, object]) -> dict[tuple[str, str, int], dict[str, object]]:
    results: list[dict[str, object]] = report["results"]  # type: ignore[assignment]
    return {(str(each["case_id"]), str(each["model"]), int(str(each["attempt"]))): each for each in results}


def test_samples_from_elsewhere_are_judged_and_reported(place: Path) -> None:
    finished = forgetest(*RECORDED, cwd=place)

    assert finished.returncode == 0, finished.stderr
    report = report_in(place / "forgetest-results")
    scores = {key: each["score"]["overall"] for key, each in run_by_attempt(report).items()}  # type: ignore[index]
    assert scores == {
        ("double-1", "one", 1): 1.0,
        ("double-1", "one", 2): 0.75,
        ("double-1", "two", 1): 0.0,
        ("double-2", "one", 1): 0.99,
        ("double-2", "two", 1): 0.0,
    }
    correct = {key for key, each in run_by_attempt(report).items() if each["correct"]}
    assert correct == {("double-1", "one", 1), ("double-2", "one", 1)}
    assert report["models_evaluated"] == ["acme/one", "acme/two"]
    assert report["aggregate"]["per_model"]["acme/one"]["pass_at_k"] == {"1": 0.75}


def test_the_report_has_the_fields_that_others_rely_on(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)

    report = report_in(place / "forgetest-results")
    assert set(report) >= {
        *("format_version", "id", "created_at", "duration_ms", "eval_sets", "settings"),
        *("models_evaluated", "results", "aggregate"),
    }
    assert set(report["eval_sets"][0]) >= {"id", "name", "case_count", "hash"}
    assert set(report["settings"]) >= {
        *("pass_k", "samples", "temperature", "max_tokens", "seed", "weights", "prompt_template_hash"),
    }
    assert set(report["aggregate"]) >= {"per_model", "per_case"}
    right, wrong, *_ = report["results"]
    assert set(right) >= {
        *("eval_set_id", "case_id", "provider", "model", "attempt", "run_id", "generated_code", "outcome", "reason"),
        *("compilation", "test_execution", "clippy", "score", "correct", "integrity", "provenance", "timing"),
        "token_usage",
    }
    assert right["generated_code"] == RIGHT
    assert right["outcome"] == "judged"
    assert set(right["compilation"]) >= {"success", "errors", "warnings", "duration_ms"}
    assert set(right["test_execution"]) >= {"passed", "failed", "ignored", "duration_ms", "failures"}
    assert set(right["clippy"]) >= {"warning_count", "warnings"}
    assert set(right["score"]) == {"compilation", "tests", "clippy", "overall"}
    assert set(right["provenance"]) >= {
        *("source", "tests", "dependencies", "toolchain", "flags", "binary", "sandbox"),
    }
    assert set(right["timing"]) >= {"llm_request_ms", "compilation_ms", "test_execution_ms", "total_ms"}
    assert set(right["token_usage"]) >= {
        *("prompt_tokens", "completion_tokens", "total_tokens", "estimated_cost_usd"),
    }
    assert right["timing"]["llm_request_ms"] == 1500
    (failure,) = wrong["test_execution"]["failures"]
    assert failure["name"] == "three_is_doubled"
    assert "left: 5" in failure["message"]


def test_results_are_sorted_by_set_case_provider_model_and_attempt(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)

    keys = ("eval_set_id", "case_id", "provider", "model", "attempt")
    order = [tuple(each[key] for key in keys) for each in report_in(place / "forgetest-results")["results"]]
    assert order == sorted(order)


def test_a_diagnostic_points_into_the_samples_own_lines(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)

    results = run_by_attempt(report_in(place / "forgetest-results"))
    (error,) = results["double-2", "two", 1]["compilation"]["errors"]  # type: ignore[index]
    assert (error["level"], error["code"]) == ("error", "E0425")
    assert error["spans"] == [{"line_start": 2, "line_end": 2, "column_start": 9, "column_end": 12}]
    (lint,) = results["double-2", "one", 1]["clippy"]["warnings"]  # type: ignore[index]
    assert lint["code"] == "clippy::needless_return"


def test_a_completion_continues_its_prompt(tmp_path: Path) -> None:
    text = workbench.write_set(tmp_path / "set.toml").read_text()
    prompt = "/// Doubles.\\nfn double(x: i64) -> i64 {\\n"
    (tmp_path / "set.toml").write_text(text.replace(workbench.prompt("double-1"), prompt))
    workbench.write_samples(tmp_path / "samples.jsonl", [{"task_id": "double-1", "completion": "    x * 2\n}\n"}])

    assert forgetest(*RECORDED, cwd=tmp_path).returncode == 0

    (result,) = report_in(tmp_path / "forgetest-results")["results"]
    assert result["generated_code"] == "/// Doubles.\nfn double(x: i64) -> i64 {\n    x * 2\n}\n"
    assert result["correct"] is True


def test_packed_samples_and_samples_on_standard_input_are_the_same_samples(place: Path) -> None:
    content = (place / "samples.jsonl").read_bytes()
    (place / "packed.jsonl.gz").write_bytes(gzip.compress(content))

    reports = []
    for name in ("samples.jsonl", "packed.jsonl.gz", "-"):
        words = ("run", "--eval-set", "set.toml", "--samples-from", name, "--output", f"out{name}")
        finished = forgetest(*words, cwd=place, stdin=content if name == "-" else b"")
        assert finished.returncode == 0, finished.stderr
        reports.append(repeatable(report_in(place / f"out{name}")))
    assert reports[0] == reports[1] == reports[2]


def test_two_fresh_runs_of_the_same_samples_are_equal_and_the_first_is_put_aside(place: Path) -> None:
    output = place / "forgetest-results"
    forgetest(*RECORDED, cwd=place)
    first = report_in(output)

    finished = forgetest(*RECORDED, "--fresh", cwd=place)

    assert finished.returncode == 0, finished.stderr
    second = report_in(output)
    assert second["id"] != first["id"]
    assert repeatable(second) == repeatable(first)
    aside = (output / "latest").resolve()
    assert json.loads(aside.with_name(f"{aside.name}.1").joinpath("report.json").read_text()) == first


def test_the_same_command_again_asks_and_judges_nothing(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--format", "all")
    assert forgetest(*words, cwd=tmp_path).returncode == 0
    folder = tmp_path / "forgetest-results" / "latest"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert len(json_lines(log)) == 2

    again = forgetest(*words, cwd=tmp_path)

    assert again.returncode == 0
    assert "2 of 2 are in the journal already" in again.stderr
    assert len(json_lines(log)) == 2
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_more_samples_and_another_choice_of_cases_go_on_with_the_same_run(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--seed", "0")
    forgetest(*words, "--filter", "odd", cwd=tmp_path)
    assert len(json_lines(log)) == 1

    forgetest(*words, "--samples", "2", cwd=tmp_path)

    assert len(json_lines(log)) == 4
    assert len(list((tmp_path / "forgetest-results").iterdir())) == 2  # the run, and `latest`


def test_a_model_named_twice_is_asked_once(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml")
    forgetest("run", "--eval-set", "set.toml", "--models", "acme/steady,acme/steady", cwd=tmp_path)

    assert len(json_lines(log)) == 1
    assert len(report_in(tmp_path / "forgetest-results")["results"]) == 1


def test_every_format_is_written_beside_the_journal(place: Path) -> None:
    finished = forgetest(*RECORDED, "--format", "all", cwd=place)

    names = {path.name for path in (place / "forgetest-results" / "latest").iterdir()}
    assert {"journal.jsonl", "run.json", "report.json", "report.md", "report.csv"} <= names
    assert not [name for name in names if name.endswith(".new")]
    assert "report.csv" in finished.stdout


def test_the_summary_is_on_standard_output_and_progress_on_standard_error(place: Path) -> None:
    finished = forgetest(*RECORDED, cwd=place)

    for heading in ("Model", "Pass@1", "Compile %", "Tests %", "Score", "Cost", "Latency"):
        assert heading in finished.stdout
    assert "Report: forgetest-results" in finished.stdout
    assert "judging 5 samples" in finished.stderr
    assert "5/5 judged" in finished.stderr
    assert "\x1b" not in finished.stdout + finished.stderr


def test_a_terminal_shows_a_live_table_and_the_summary_stays(place: Path) -> None:
    terminal, its_end = os.openpty()
    process = subprocess.Popen(
        [FORGETEST, *RECORDED],
        cwd=place,
        env=workbench.environment(TERM="xterm", COLUMNS="100"),
        stdout=subprocess.PIPE,
        stderr=its_end,
        text=True,
    )
    os.close(its_end)
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal says that nobody is at its other end any more
        while chunk := os.read(terminal, 4096):
            shown += chunk
    os.close(terminal)
    summary, _ = process.communicate()

    assert process.returncode == 0
    for heading in (b"Done", b"Passing", b"Unjudged", b"acme/one"):
        assert heading in shown
    assert "Pass@1" in summary
    assert "\x1b" not in summary


def test_json_stands_alone_on_standard_output(place: Path) -> None:
    finished = forgetest(*RECORDED, "--json", cwd=place)

    told = json.loads(finished.stdout)
    assert told["aggregate"]["per_model"]["acme/one"]["samples"] == {"asked": 3, "judged": 3, "unjudged": 0}
    assert [Path(path).name for path in told["reports"]] == ["report.json"]


def test_quiet_is_silent(place: Path) -> None:
    finished = forgetest(*RECORDED, "--quiet", cwd=place)

    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_a_reader_that_has_seen_enough_is_no_error(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)
    for words in (RECORDED, ("validate", "--schema"), ("compare", "--baseline", "r", "--current", "r"), ("--help",)):
        (place / "r").unlink(missing_ok=True)
        (place / "r").symlink_to("forgetest-results/latest")
        process = subprocess.Popen(
            [FORGETEST, *words],
            cwd=place,
            env=workbench.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        told = process.stderr.read()
        process.stderr.close()

        assert process.wait() != 3
        assert "Traceback" not in told
        assert "Exception ignored" not in told


def test_what_is_needed_to_repeat_a_run_is_in_its_folder(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    (tmp_path / "forgetest.toml").write_text('[providers.acme]\napi_key = "a-secret"\n')
    workbench.write_set(tmp_path / "set.toml")
    forgetest("run", "--eval-set", "set.toml", "--models", "acme/steady", "--seed", "5", cwd=tmp_path)

    folder = tmp_path / "forgetest-results" / "latest"
    described = json.loads((folder / "run.json").read_text())
    assert described["eval_sets"][0]["hash"] == report_in(tmp_path / "forgetest-results")["eval_sets"][0]["hash"]
    assert described["models"] == ["acme/steady"]
    assert described["generation"]["seed"] == 5
    assert "rustc" in described["toolchains"]["rust"]
    assert not [path for path in folder.iterdir() if b"a-secret" in path.read_bytes()]


def test_a_dry_run_says_what_would_happen_and_does_nothing(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)

    finished = forgetest(
        "run", "--eval-set", "set.toml", "--models", "acme/steady", "--samples", "3", "--dry-run", cwd=tmp_path
    )

    assert finished.returncode == 0
    assert "acme/steady" in finished.stdout
    assert "doubles (2 cases)" in finished.stdout
    assert "asked       6" in finished.stdout
    assert not log.exists()
    assert not (tmp_path / "forgetest-results").exists()


@workbench.needs_judging
def test_a_dry_run_does_not_count_what_the_journal_holds(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady")
    forgetest(*words, cwd=tmp_path)

    finished = forgetest(*words, "--samples", "3", "--dry-run", cwd=tmp_path)

    assert "asked       4\n" in finished.stdout
    assert "judged      4 samples; 2 are in the journal already" in finished.stdout


def test_a_provider_that_gives_up_leaves_its_samples_unjudged_and_they_are_asked_for_again(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/busy,acme/steady")

    finished = forgetest(*words, cwd=tmp_path)

    assert finished.returncode == 0
    assert "warning: acme/busy: 2 of 2 samples could not be judged" in finished.stderr
    report = report_in(tmp_path / "forgetest-results")
    busy = [each for each in report["results"] if each["model"] == "busy"]
    assert {each["reason"] for each in busy} == {f"the service is busy (asked {TRIES} times)"}
    assert {each["outcome"] for each in busy} == {"unjudged"}
    assert [each["score"] for each in busy] == [None, None]
    assert [each["correct"] for each in busy] == [None, None]
    assert report["aggregate"]["per_model"]["acme/busy"]["pass_at_k"] == {"1": None}
    assert report["aggregate"]["per_model"]["acme/steady"]["pass_at_k"] == {"1": 1.0}
    log.unlink()
    forgetest(*words, cwd=tmp_path)
    assert len(json_lines(log)) == 2 * TRIES


def test_a_set_that_changed_is_another_run(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)
    workbench.write_set(place / "set.toml", cases=3)
    forgetest(*RECORDED, cwd=place)

    runs = [path for path in (place / "forgetest-results").iterdir() if not path.is_symlink()]
    assert len(runs) == 2


def test_a_sample_that_throws_dice_is_marked_as_flaky(tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml", cases=2)
    dice = (
        "use std::hash::{BuildHasher, Hasher};\n"
        "fn double(x: i64) -> i64 {\n"
        "    let thrown = std::collections::hash_map::RandomState::new().build_hasher().finish();\n"
        "    if thrown % 2 == 0 { x * 2 } else { 100 }\n"
        "}\n"
    )
    samples = [
        {"case_id": f"double-{n}", "code": code, "model": "a/m"} for n, code in enumerate([RIGHT, dice], start=1)
    ]
    workbench.write_samples(tmp_path / "samples.jsonl", samples)
    words = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--output", "out")
    first = forgetest(*words, "--quiet", cwd=tmp_path)
    assert first.returncode == 0, first.stderr

    # 24 throws that all agree with the first: once in four million runs
    done = forgetest(*words, "--recheck", "24", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "1 sample flaky, with another verdict when judged again: doubles/double-2 a/m attempt 1" in done.stdout
    report = json.loads((tmp_path / "out/latest/report.json").read_text())
    steady, flaky = (result["recheck"] for result in report["results"])
    assert steady == {"times": 24, "disagreeing": 0, "changes": []}
    assert flaky["disagreeing"] > 0
    assert [each["case_id"] for each in report["aggregate"]["flaky"]] == ["double-2"]
