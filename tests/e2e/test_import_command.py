"""`forgetest import`: data sets of the field become eval sets whose reference solutions are right."""

from __future__ import annotations

from pathlib import Path

import pytest

import dataset_rows as rows_of
from dataset_rows import write_rows
from external_data import external, needs_external
from workbench import forgetest, forgetest_here, needs_judging


@needs_judging
@pytest.mark.parametrize(
    "row",
    [
        *(rows_of.HUMANEVAL, rows_of.HUMANEVALPACK, rows_of.EVALPLUS, rows_of.MBPP, rows_of.SANITIZED_MBPP),
        *(rows_of.CODE_CONTESTS, rows_of.APPS, rows_of.TACO, rows_of.BIGCODEBENCH),
    ],
)
def test_reference_solutions_of_an_imported_set_are_right(row: dict[str, object], tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [row])
    imported = forgetest_here("import", "rows.jsonl", "--out", "set.toml", cwd=tmp_path)
    assert imported.returncode == 0, imported.stderr
    [advice] = [line for line in imported.stdout.splitlines() if line.startswith("next: ")]

    finished = forgetest_here(*advice.removeprefix("next: forgetest ").split(), cwd=tmp_path)

    assert finished.stdout.splitlines()[-1] == "1 of 1 reference solutions score 1.0"


@needs_judging
def test_exercises_of_several_tracks_are_one_set(tmp_path: Path) -> None:
    rows_of.write_tracks(tmp_path / "tracks")
    imported = forgetest_here("import", "tracks", "--out", "set.toml", cwd=tmp_path)
    assert imported.stderr == "warning: 1 row left out: no toolchain for tests in .go\n"

    finished = forgetest_here("validate", "--eval-set", "set.toml", "--solve", cwd=tmp_path)

    assert finished.stdout.splitlines()[-1] == "2 of 2 reference solutions score 1.0"


@needs_judging
def test_solutions_in_the_data_are_samples_that_are_judged(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [rows_of.HUMANEVALPACK])
    forgetest_here("import", "rows.jsonl", "--out", "set.toml", "--samples", "samples.jsonl", cwd=tmp_path)

    finished = forgetest("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", cwd=tmp_path)

    assert "1 of 2 passing" in finished.stderr
    rates = {line.split()[0]: line.split()[1] for line in finished.stdout.splitlines() if "humanevalpack/" in line}
    assert rates == {"humanevalpack/buggy": "0.0%", "humanevalpack/canonical": "100.0%"}


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [rows_of.HUMANEVALPACK, {**rows_of.HUMANEVALPACK, "task_id": "Go/0"}])

    finished = forgetest_here("import", "humanevalpack", "rows.jsonl", "--out", "set.toml", cwd=tmp_path)

    assert finished.returncode == 0
    assert finished.stderr == "warning: 1 row left out: no toolchain for go\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rows.jsonl", "--out", "set.json"], "set.json: an eval set is a .toml file"),
        (["humaneval", "--out", "set.toml"], "the file is missing: forgetest import humaneval FILE --out SET.toml"),
        (["mbpp", "rows.jsonl", "--out", "set.toml"], "rows.jsonl:1: test_list: missing key"),
        (["absent.jsonl", "--out", "set.toml"], "absent.jsonl: no such file"),
        (["a", "b", "c", "--out", "set.toml"], "c: too many words"),
        (["rows.jsonl", "--out", "there.toml"], "there.toml: exists already"),
        (["rows.jsonl", "--out", "set.toml", "--samples", "there.toml"], "there.toml: exists already"),
        (["unsolved.jsonl", "--out", "set.toml", "--samples", "s.jsonl"], "unsolved.jsonl: holds no solutions"),
        (
            ["samples", "--out", "s.jsonl", "--id", "x", "--limit", "2"],
            "samples, and --id, --limit only applies",
        ),
    ],
)
def test_mistakes_are_one_sentence_and_write_nothing(words: list[str], message: str, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [rows_of.HUMANEVAL])
    write_rows(tmp_path / "unsolved.jsonl", [rows_of.LIVECODEBENCH])
    (tmp_path / "samples" / "HumanEval_0").mkdir(parents=True)
    (tmp_path / "samples" / "HumanEval_0" / "0.py").write_text("def f(): ...\n")
    (tmp_path / "there.toml").write_text("precious")
    there = {path.name for path in tmp_path.iterdir()}

    finished = forgetest_here("import", *words, cwd=tmp_path)

    assert finished.returncode == 2
    assert message in finished.stderr
    assert {path.name for path in tmp_path.iterdir()} - {"answers"} == there
    assert (tmp_path / "there.toml").read_text() == "precious"


@needs_judging
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs_external(name))
        for name in ("humaneval_codegen16b/HumanEval.jsonl.gz", "evalplus/HumanEvalPlus-Mini.jsonl.gz")
    ],
)
def test_every_canonical_solution_of_a_published_set_is_right(name: str, tmp_path: Path) -> None:
    forgetest("import", external(name), "--out", "set.toml", cwd=tmp_path)

    finished = forgetest("validate", "--eval-set", "set.toml", "--solve", cwd=tmp_path, timeout=800)

    assert finished.returncode == 0, finished.stdout
    assert finished.stdout.splitlines()[-1] == "164 of 164 reference solutions score 1.0"


def test_samples_of_other_tools_become_json_lines(tmp_path: Path) -> None:
    (tmp_path / "folder" / "HumanEval_0").mkdir(parents=True)
    (tmp_path / "folder" / "HumanEval_0" / "0.py").write_text("def f(): ...\n")

    finished = forgetest_here("import", "folder", "--out", "samples.jsonl", cwd=tmp_path)
    again = forgetest_here("import", "evalplus-samples", "folder", "--out", "samples.jsonl", cwd=tmp_path)
    named = forgetest_here("import", "folder", "--out", "samples.toml", cwd=tmp_path)

    assert finished.stdout.splitlines()[:2] == ["evalplus-samples: 1 sample", "wrote samples.jsonl"]
    assert (tmp_path / "samples.jsonl").read_text() == (
        '{"task_id": "HumanEval/0", "solution": "def f(): ...\\n", "attempt": 1}\n'
    )
    assert (again.returncode, "samples.jsonl: exists already" in again.stderr) == (2, True)
    assert (named.returncode, "samples.toml: samples are written as JSON lines" in named.stderr) == (2, True)
