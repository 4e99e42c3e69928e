"""`forgetest merge`: shards of one run, by their journals and by their reports."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import workbench
from workbench import BROKEN, RIGHT, WRONG, forgetest, needs_judging

pytestmark = needs_judging

CODES = {"double-1": RIGHT, "double-2": WRONG, "double-3": BROKEN, "double-4": RIGHT}


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole run, the same run in two shards, and a shard that contradicts them."""
    place = tmp_path_factory.mktemp("merge")
    workbench.write_set(place / "set.toml", cases=4)
    for name, cases, change in (
        ("whole", [1, 2, 3, 4], {}),
        ("first", [1, 2], {}),
        ("second", [2, 3, 4], {}),
        ("other", [2], {"double-2": RIGHT}),
    ):
        codes = {**CODES, **change}
        samples = [{"case_id": f"double-{n}", "code": codes[f"double-{n}"], "model": "acme/m"} for n in cases]
        workbench.write_samples(place / f"{name}.jsonl", samples)
        words = ("run", "--eval-set", "set.toml", "--samples-from", f"{name}.jsonl", "--output", name, "--quiet")
        assert forgetest(*words, cwd=place).returncode == 0
    return place


def report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


def test_journals_of_shards_merge_into_the_journal_of_a_whole_run(shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    done = forgetest("merge", "first/latest", "second/latest", "--output", out, "--format", "json,csv", cwd=shards)

    assert done.returncode == 0, done.stderr
    assert "2 journals merged" in done.stderr
    assert report(out)["aggregate"]["per_case"] == report(shards / "whole/latest")["aggregate"]["per_case"]
    assert (out / "report.csv").exists()
    again = forgetest("regrade", out, "--quiet", cwd=shards)
    assert again.returncode == 0, again.stderr


def test_reports_of_shards_merge_into_the_report_of_a_whole_run(shards: Path, tmp_path: Path) -> None:
    words = ("merge", "first/latest/report.json", "second/latest/report.json", "--output", tmp_path / "merged")
    done = forgetest(*words, cwd=shards)

    assert done.returncode == 0, done.stderr
    merged, whole = report(tmp_path / "merged"), report(shards / "whole/latest")
    assert merged["aggregate"]["per_case"] == whole["aggregate"]["per_case"]
    assert merged["eval_sets"] == whole["eval_sets"]
    compared = forgetest("compare", "--baseline", "whole/latest", "--current", tmp_path / "merged", cwd=shards)
    assert compared.stdout.startswith("0 regressions, 0 improvements, 4 unchanged (")


@pytest.mark.parametrize("part", ["", "/report.json"])
def test_shards_that_contradict_each_other_are_refused(shards: Path, tmp_path: Path, part: str) -> None:
    words = ("merge", f"first/latest{part}", f"other/latest{part}", "--output", tmp_path / "merged")
    done = forgetest(*words, cwd=shards)

    assert done.returncode == 2
    assert "doubles/double-2 acme/m, attempt 1, is in " in done.stderr
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize("part", ["", "/report.json"])
def test_shards_of_another_eval_set_are_refused(shards: Path, tmp_path: Path, part: str) -> None:
    shutil.copytree(shards / "first", tmp_path / "first", symlinks=True)
    folder = (tmp_path / "first/latest").resolve()
    right = report(folder)["eval_sets"][0]["hash"]
    for file in ("run.json", "report.json"):
        (folder / file).write_text((folder / file).read_text().replace(right, "0" * 64))
    words = ("merge", f"{folder}{part}", f"second/latest{part}", "--output", tmp_path / "merged")
    done = forgetest(*words, cwd=shards)

    assert done.returncode == 2
    assert "hash of eval set doubles: " in done.stderr
    assert not (tmp_path / "merged").exists()


def test_merge_overwrites_nothing(shards: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/notes.txt").write_text("mine")
    done = forgetest("merge", "first/latest", "second/latest", "--output", tmp_path / "kept", cwd=shards)
    assert done.returncode == 2
    assert "is not empty" in done.stderr
    twice = forgetest("merge", "first/latest", "first/latest", "--output", tmp_path / "new", cwd=shards)
    assert twice.returncode == 2
    assert "given twice" in twice.stderr


def test_merged_shards_that_asked_a_model_continue_as_one_run(tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml", cases=3)
    log = workbench.configure_acme(tmp_path)
    ask = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--samples", "2", "--temperature", "0.5", "-q")
    for name, cases in (("one", "double-1"), ("two", "double-2,double-3")):
        assert forgetest(*ask, "--case", cases, "--output", name, cwd=tmp_path).returncode == 0
    name = (tmp_path / "one/latest").resolve().name
    asked = len(workbench.json_lines(log))

    done = forgetest("merge", "one/latest", "two/latest", "--output", f"whole/{name}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    merged = report(tmp_path / "whole" / name)
    assert merged["eval_sets"][0]["case_count"] == 3
    assert merged["settings"]["temperature"] == 0.5

    # the merged folder is an ordinary run: the whole command finds nothing left to ask
    assert forgetest(*ask, "--output", "whole", cwd=tmp_path).returncode == 0
    assert len(workbench.json_lines(log)) == asked == 6
    assert report(tmp_path / "whole/latest")["results"] == merged["results"]
