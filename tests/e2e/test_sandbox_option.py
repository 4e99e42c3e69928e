"""Choosing a sandbox, and running without one."""

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


def test_the_sandbox_cannot_be_turned_off_by_mistake(place: Path):
    finished = forgetest(*RECORDED, "--sandbox", "none", cwd=place)
    assert finished.returncode == 2
    assert "--unsafe-no-sandbox" in finished.stderr
    assert not (place / "out").exists()


def test_an_unknown_sandbox_is_an_error(place: Path):
    finished = forgetest(*RECORDED, "--sandbox", "bubblewarp", cwd=place)
    assert finished.returncode == 2
    assert 'did you mean "bubblewrap"' in finished.stderr


@needs_judging
def test_running_without_a_sandbox_warns_and_marks_the_report(place: Path):
    finished = forgetest(*RECORDED, "--unsafe-no-sandbox", cwd=place)
    assert finished.returncode == 0, finished.stderr
    assert "read, change and delete your files" in finished.stderr
    report = report_in(place / "out")
    assert report["settings"]["sandbox"] == "none"
    assert {result["provenance"]["sandbox"] for result in report["results"]} == {"none"}
    assert [result["score"]["tests"] for result in report["results"]] == [1.0, 0.5]


@needs_judging
def test_a_run_continued_in_another_sandbox_takes_no_verdict_from_the_first(place: Path):
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
@pytest.mark.slow  # tests/hostile/test_containers.py judges in containers in the default lane
@pytest.mark.parametrize("kind", ["podman", "docker"])
def test_containers_can_judge_and_the_report_names_them(place: Path, kind: str):
    finished = forgetest(*RECORDED, "--sandbox", kind, cwd=place)
    if finished.returncode == 2 and (missing := re.search(rf"{kind} (is not installed|cannot) .*", finished.stderr)):
        pytest.skip(missing[0])
    assert finished.returncode == 0, finished.stderr
    report = report_in(place / "out")
    assert report["settings"]["sandbox"].startswith(kind)
    assert kind in report["settings"]["sandbox_version"].lower()
    assert {result["provenance"]["sandbox"] for result in report["results"]} == {report["settings"]["sandbox"]}
    assert [result["score"]["tests"] for result in report["results"]] == [1.0, 0.5]


@needs_judging
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["podman", "docker"])
def test_programs_are_judged_by_input_and_output_in_containers(tmp_path: Path, kind: str):
    """The folder for temporary files belongs to root there, and is to be emptied between tests."""
    tests = "".join(f'[[cases.io.tests]]\ninput = "{n}"\noutput = "{2 * n}"\n' for n in range(3))
    (tmp_path / "set.toml").write_text(
        '[eval_set]\nid = "io"\nname = "IO"\n[[cases]]\nid = "double"\nname = "-"\nlanguage = "python"\nprompt = "-"\n'
        "reference_solution = '''\nopen('/tmp/left', 'x').close()\nprint(2 * int(input()))\n'''\n"
        f"[cases.io]\n{tests}"
    )
    finished = forgetest("validate", "--eval-set", "set.toml", "--solve", "--sandbox", kind, cwd=tmp_path)
    if finished.returncode == 2 and (missing := re.search(rf"{kind} (is not installed|cannot) .*", finished.stderr)):
        pytest.skip(missing[0])
    assert "1 of 1 reference solutions score 1.0" in finished.stdout, finished.stdout + finished.stderr


def test_a_missing_container_engine_is_an_error_with_the_remedy(place: Path, tmp_path: Path):
    finished = forgetest(*RECORDED, "--sandbox", "podman", cwd=place, env={"PATH": str(tmp_path)})
    assert finished.returncode == 2
    assert "podman is not installed: install the package `podman`" in finished.stderr
    assert not (place / "out").exists()
