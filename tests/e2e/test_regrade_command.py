"""`forgetest regrade`: the answers of a run, judged again."""

from __future__ import annotations

from pathlib import Path

import pytest

import workbench
from workbench import forgetest, json_lines, needs_judging, repeatable, report_in

pytestmark = needs_judging

RUN = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--samples", "2", "--seed", "0")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a run; the log of requests has been cleared."""
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    assert forgetest(*RUN, cwd=tmp_path).returncode == 0
    log.unlink()
    return tmp_path


def scores(place: Path) -> list[float]:
    return [each["score"]["overall"] for each in report_in(place / "forgetest-results")["results"]]


def test_answers_are_judged_by_the_current_eval_set_and_no_model_is_asked(place: Path) -> None:
    assert scores(place) == [1.0, 0.75, 1.0, 0.75]
    before = (place / "forgetest-results" / "latest").resolve()
    old_report = (before / "report.json").read_bytes()
    text = (place / "set.toml").read_text()
    (place / "set.toml").write_text(text.replace("assert_eq!(double(3), 6)", "assert_eq!(double(3), 5)"))

    finished = forgetest("regrade", "forgetest-results/latest", cwd=place)

    assert finished.returncode == 0, finished.stderr
    assert "set.toml has changed since the run" in finished.stderr
    assert scores(place) == [0.75, 1.0, 0.75, 1.0]
    assert json_lines(place / "asked.jsonl") == []
    assert (before / "report.json").read_bytes() == old_report


def test_an_unchanged_run_regraded_from_any_folder_has_the_same_results(
    place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = report_in(place / "forgetest-results")

    finished = forgetest("regrade", place / "forgetest-results" / "latest", cwd=tmp_path_factory.mktemp("elsewhere"))

    assert finished.returncode == 0, finished.stderr
    assert "changed" not in finished.stderr
    after = report_in(place / "forgetest-results")
    assert repeatable(after)["results"] == repeatable(before)["results"]
    assert repeatable(after)["aggregate"] == repeatable(before)["aggregate"]


def test_a_removed_case_is_left_out_and_named(place: Path) -> None:
    workbench.write_set(place / "set.toml", cases=1)

    finished = forgetest("regrade", "forgetest-results/latest", cwd=place)

    assert finished.returncode == 0, finished.stderr
    assert "no such case any more, left out: double-2" in finished.stderr
    assert scores(place) == [1.0, 0.75]
