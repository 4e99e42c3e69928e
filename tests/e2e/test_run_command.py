"""`forgetest run`, from the command line to the report."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import workbench
from workbench import (
    BROKEN,
    FORGETEST,
    LINTED,
    RIGHT,
    WRONG,
    forgetest,
    needs_judging,
    repeatable,
    report_in,
)

pytestmark = needs_judging

RECORDED = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl")


def laid_out(folder: Path) -> Path:
    """A folder with an eval set, and samples in the formats of several tools."""
    workbench.write_set(folder / "set.toml", cases=2)
    workbench.write_samples(
        folder / "samples.jsonl",
        [
            {"case_id": "double-2", "code": LINTED, "model": "acme/one", "tokens": {"prompt": 7, "completion": 3}},
            {"case_id": "double-1", "solution": WRONG, "model": "acme/one", "attempt": 2},
            {"case_id": "double-1", "code": RIGHT, "model": "acme/one", "attempt": 1, "latency_ms": 1500},
            {"task_id": "double-1", "code": BROKEN, "model": "acme/two"},
            {"case_id": "double-2", "code": f"```rust\n{BROKEN}```", "model": "acme/two", "cost_usd": 0.25},
        ],
    )
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return laid_out(tmp_path)


@dataclass(frozen=True)
class Judged:
    """A run of these samples that several tests read and none changes."""

    finished: subprocess.CompletedProcess[str]
    report: dict[str, Any]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    folder = laid_out(tmp_path_factory.mktemp("judged"))
    finished = forgetest(*RECORDED, cwd=folder)
    assert finished.returncode == 0, finished.stderr
    return Judged(finished=finished, report=report_in(folder / "forgetest-results"))


def run_by_attempt(report: dict[str, object]) -> dict[tuple[str, str, int], dict[str, object]]:
    results: list[dict[str, object]] = report["results"]  # type: ignore[assignment]
    return {(str(each["case_id"]), str(each["model"]), int(str(each["attempt"]))): each for each in results}


def test_recorded_samples_are_judged_and_reported(judged: Judged) -> None:
    report = judged.report
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


def test_the_report_has_the_fields_that_others_rely_on(judged: Judged) -> None:
    report = judged.report
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


def test_results_are_sorted_by_set_case_provider_model_and_attempt(judged: Judged) -> None:
    keys = ("eval_set_id", "case_id", "provider", "model", "attempt")
    order = [tuple(each[key] for key in keys) for each in judged.report["results"]]
    assert order == sorted(order)


def test_a_diagnostic_points_into_the_samples_own_lines(judged: Judged) -> None:
    results = run_by_attempt(judged.report)
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


def test_compressed_samples_and_standard_input_give_the_same_results(place: Path) -> None:
    content = (place / "samples.jsonl").read_bytes()
    (place / "packed.jsonl.gz").write_bytes(gzip.compress(content))

    reports = []
    for name in ("samples.jsonl", "packed.jsonl.gz", "-"):
        words = ("run", "--eval-set", "set.toml", "--samples-from", name, "--output", f"out{name}")
        finished = forgetest(*words, cwd=place, stdin=content if name == "-" else b"")
        assert finished.returncode == 0, finished.stderr
        reports.append(repeatable(report_in(place / f"out{name}")))
    assert reports[0] == reports[1] == reports[2]


def test_samples_that_a_command_prints_are_read(place: Path) -> None:
    words = ("run", "--eval-set", "set.toml", "--samples-from", "/dev/fd/3")
    finished = forgetest(*words, cwd=place, through='cat samples.jsonl | "$@" 3<&0')

    assert finished.returncode == 0, finished.stderr
    assert "5/5 judged" in finished.stderr


def test_two_fresh_runs_of_the_same_samples_are_equal_and_the_first_is_set_aside(place: Path) -> None:
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


def test_every_format_is_written_beside_the_journal(place: Path) -> None:
    finished = forgetest(*RECORDED, "--format", "all", cwd=place)

    names = {path.name for path in (place / "forgetest-results" / "latest").iterdir()}
    assert {"journal.jsonl", "run.json", "report.json", "report.md", "report.csv"} <= names
    assert not [name for name in names if name.endswith(".new")]
    assert "report.csv" in finished.stdout


def test_the_summary_is_on_standard_output_and_progress_on_standard_error(judged: Judged) -> None:
    finished = judged.finished

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
    with contextlib.suppress(OSError):  # the error of a terminal whose other end is closed
        while chunk := os.read(terminal, 4096):
            shown += chunk
    os.close(terminal)
    summary, _ = process.communicate()

    assert process.returncode == 0
    for heading in (b"Done", b"Passing", b"Unjudged", b"acme/one"):
        assert heading in shown
    assert "Pass@1" in summary
    assert "\x1b" not in summary


def test_json_is_the_only_thing_on_standard_output(place: Path) -> None:
    finished = forgetest(*RECORDED, "--json", cwd=place)

    document = json.loads(finished.stdout)
    assert document["aggregate"]["per_model"]["acme/one"]["samples"] == {"asked": 3, "judged": 3, "unjudged": 0}
    assert [Path(path).name for path in document["reports"]] == ["report.json"]


def test_quiet_prints_nothing(place: Path) -> None:
    finished = forgetest(*RECORDED, "--quiet", cwd=place)

    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_a_reader_that_closes_the_pipe_early_is_not_a_bug(place: Path) -> None:
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
        errors = process.stderr.read()
        process.stderr.close()

        assert process.wait() == 141, words
        assert "Traceback" not in errors
        assert "Exception ignored" not in errors


def test_a_changed_eval_set_starts_another_run(place: Path) -> None:
    forgetest(*RECORDED, cwd=place)
    workbench.write_set(place / "set.toml", cases=3)
    forgetest(*RECORDED, cwd=place)

    runs = [path for path in (place / "forgetest-results").iterdir() if not path.is_symlink()]
    assert len(runs) == 2


def test_a_sample_that_passes_by_chance_is_marked_as_flaky(tmp_path: Path) -> None:
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

    # of two tests, each in a process of its own: all 12 repeats agree with the first once in sixteen million runs
    done = forgetest(*words, "--recheck", "12", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "1 sample flaky, with another verdict when judged again: doubles/double-2 a/m attempt 1" in done.stdout
    report = json.loads((tmp_path / "out/latest/report.json").read_text())
    steady, flaky = (result["recheck"] for result in report["results"])
    assert steady == {"times": 12, "disagreeing": 0, "changes": []}
    assert flaky["disagreeing"] > 0
    assert [each["case_id"] for each in report["aggregate"]["flaky"]] == ["double-2"]


@needs_judging
def test_file_names_that_are_not_utf8_do_no_harm(tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"caf\xe9")
    place.mkdir()
    workbench.write_set(place / os.fsdecode(b"set\xff.toml"))
    workbench.write_samples(place / os.fsdecode(b"by\xfe.jsonl"), [{"case_id": "double-1", "code": RIGHT}])

    words = ("--eval-set", ".", "--samples-from", os.fsdecode(b"by\xfe.jsonl"), "--format", "all", "--json")
    finished = forgetest("run", *words, cwd=place)
    assert finished.returncode == 0, finished.stderr
    assert list(json.loads(finished.stdout)["aggregate"]["per_model"]) == ["recorded/by\\xfe"]

    again = forgetest("regrade", "forgetest-results/latest", "--eval-set", ".", "--quiet", cwd=place)
    assert again.returncode == 0, again.stderr
    report = f"{place}/forgetest-results/latest"
    compared = forgetest("compare", "--baseline", report, "--current", report, "--format", "json", cwd=tmp_path)
    assert json.loads(compared.stdout)["baseline"]["path"].endswith("caf\\xe9/forgetest-results/latest")
