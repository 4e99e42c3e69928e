"""`forgetest validate` and `forgetest init`, the first commands for authors of eval sets."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

import workbench
from workbench import forgetest, needs_judging


def test_validate_shows_every_mistake_of_every_file_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[eval_set]\nid = "a"\nname = 5\n\n[[cases]]\nid = "c"\nname = "C"\npromt = "p"\n')
    (tmp_path / "b.toml").write_text(
        '[eval_set]\nid = "b"\nname = "B"\n\n[[cases]]\nid = "c"\nname = "C"\nprompt = ""\n'
    )

    finished = forgetest("validate", "--eval-set", ".", cwd=tmp_path)

    assert finished.returncode == 2
    lines = finished.stderr.splitlines()
    assert any(line.startswith("a.toml:3: eval_set.name: must be a string") for line in lines)
    assert any(line.startswith("a.toml:8: cases[0].promt: unknown key") for line in lines)
    assert any(line.startswith("b.toml:8: cases[0].prompt:") for line in lines)
    assert finished.stdout == ""


def test_a_crates_name_that_is_a_piece_of_a_manifest_is_a_mistake_and_nothing_is_fetched(tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml", cases=1)
    text = (tmp_path / "set.toml").read_text()
    bait = f'bait = {{ git = \\"file://{tmp_path}/bait\\" }}\\n[patch.crates-io]\\n#'
    line = text[: text.index("prompt =")].count("\n") + 1
    dependency = f'dependencies = [{{ name = "{bait}", version = "1" }}]\n'
    (tmp_path / "set.toml").write_text(text.replace("prompt =", dependency + "prompt =", 1))

    finished = forgetest("validate", "--eval-set", "set.toml", "--solve", cwd=tmp_path)

    assert finished.returncode == 2
    assert f"set.toml:{line}: cases[0].dependencies[0].name: is no crate's name: write it" in finished.stderr


def test_all_tests_that_cannot_be_run_are_shown_as_mistakes_of_the_set(tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml", cases=2)
    text = (tmp_path / "set.toml").read_text()
    (tmp_path / "set.toml").write_text(text.replace("#[test]", ""))

    finished = forgetest("validate", "--eval-set", "set.toml", cwd=tmp_path)

    assert finished.returncode == 2
    assert "set.toml: case double-1: test_file has neither a #[test] function nor" in finished.stderr
    assert "set.toml: case double-2: test_file has neither" in finished.stderr


def test_validate_confirms_a_set_without_mistakes(tmp_path: Path) -> None:
    workbench.write_set(tmp_path / "set.toml", cases=3)

    finished = forgetest("validate", "--eval-set", "set.toml", cwd=tmp_path)

    assert (finished.returncode, finished.stdout) == (0, "set.toml: doubles: 3 cases, no mistake\n")


def test_validate_prints_a_json_schema_that_editors_understand(tmp_path: Path) -> None:
    finished = forgetest("validate", "--schema", cwd=tmp_path)

    schema = json.loads(finished.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert {"eval_set", "cases"} <= set(schema["properties"])


@needs_judging
def test_the_files_that_init_writes_are_valid_and_the_solution_scores_one(tmp_path: Path) -> None:
    started = forgetest("init", "mine", cwd=tmp_path)
    assert started.returncode == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"forgetest.toml", "my-evals.toml"}
    (advice,) = [line for line in started.stdout.splitlines() if line.startswith("next: ")]
    assert (
        forgetest("validate", "--eval-set", "mine", cwd=tmp_path).returncode == 0
    )  # the configuration is not an eval set

    finished = forgetest(*advice.removeprefix("next: forgetest ").split(), cwd=tmp_path)

    assert finished.returncode == 0, finished.stderr
    assert "1 of 1 reference solutions score 1.0" in finished.stdout


def test_init_leaves_existing_files_unchanged(tmp_path: Path) -> None:
    (tmp_path / "my-evals.toml").write_text("precious")

    finished = forgetest("init", cwd=tmp_path)

    assert finished.returncode == 2
    assert "my-evals.toml exists already" in finished.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["my-evals.toml"]
    assert (tmp_path / "my-evals.toml").read_text() == "precious"


def test_init_writes_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").symlink_to(tmp_path / "elsewhere")

    finished = forgetest("init", cwd=tmp_path)

    assert finished.returncode == 2
    assert "File exists" in finished.stderr
    assert not (tmp_path / "elsewhere").exists()
