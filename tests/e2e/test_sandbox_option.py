"""Which sandbox, and what it takes to do without."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import workbench
from workbench import RIGHT, WRONG, forgetest, needs_judging, report_in

RECORDED = ("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--output", "out", "--no-cache")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    workbench.write_set(tmp_path / "set.toml")
    samples = [
        {"case_id": "double-1", "code": code, "model": "m", "attempt": n} for n, code in [(1, RIGHT), (2, WRONG)]
    ]
    workbench.write_samples(tmp_path / "samples.jsonl", samples)
    return tmp_path


def test_no_sandbox_is_nothing_that_one_gets_by_a_slip(place: Path):
    finished = forgetest(*RECORDED, "--sandbox", "none", cwd=place)
    assert finished.returncode == 2
    assert "--unsafe-no-sandbox" in finished.stderr
    assert not (place / "out").exists()


def test_an_unknown_kind_is_told(place: Path):
    finished = forgetest(*RECORDED, "--sandbox", "bubblewarp", cwd=place)
    assert finished.returncode == 2
    assert 'did you mean "bubblewrap"' in finished.stderr


@needs_judging
def test_without_a_sandbox_it_says_what_that_means_and_marks_the_report(place: Path):
    finished = forgetest(*RECORDED, "--unsafe-no-sandbox", cwd=place)
    assert finished.returncode == 0, finished.stderr
    assert "read, change and delete your files" in finished.stderr
    report = report_in(place / "out")
    assert report["settings"]["sandbox"] == "none"
    assert {result["provenance"]["sandbox"] for result in report["results"]} == {"none"}
    assert [result["score"]["tests"] for result in report["results"]] == [1.0, 0.5]


@needs_judging
def test_a_run_that_goes_on_in_another_sandbox_takes_no_verdict_from_the_first(place: Path):
    assert forgetest(*RECORDED, "--unsafe-no-sandbox", cwd=place).returncode == 0

    finished = forgetest(*RECORDED, cwd=place)

    assert finished.returncode == 0, finished.stderr
    assert "judged again, as another compiler or sandbox was used before: 2 samples" in finished.stderr
    report = report_in(place / "out")
    assert report["settings"]["sandbox"] == "bubblewrap"
    assert {result["provenance"]["sandbox"] for result in report["results"]} == {"bubblewrap"}
    again = forgetest(*RECORDED, cwd=place)
    assert "2 of 2 are in the journal already" in again.stderr


@needs_judging
@pytest.mark.parametrize("kind", ["podman", "docker"])
def test_containers_judge_and_the_report_says_so(place: Path, kind: str):
    finished = forgetest(*RECORDED, "--sandbox", kind, cwd=place)
    if finished.returncode == 2 and (missing := re.search(rf"{kind} (is not installed|cannot) .*", finished.stderr)):
        pytest.skip(missing[0])
    assert finished.returncode == 0, finished.stderr
    report = report_in(place / "out")
    assert report["settings"]["sandbox"].startswith(kind)
    assert kind in report["settings"]["sandbox_version"].lower()
    assert {result["provenance"]["sandbox"] for result in report["results"]} == {report["settings"]["sandbox"]}
    assert [result["score"]["tests"] for result in report["results"]] == [1.0, 0.5]


def test_a_container_engine_that_is_not_there_is_told_with_what_to_do(place: Path, tmp_path: Path):
    finished = forgetest(*RECORDED, "--sandbox", "podman", cwd=place, env={"PATH": str(tmp_path)})
    assert finished.returncode == 2
    assert "podman is not installed: install the package `podman`" in finished.stderr
    assert not (place / "out").exists()
