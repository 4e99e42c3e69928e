"""Exercism's exercises, read as cases."""

from __future__ import annotations

from pathlib import Path

import pytest

import dataset_rows as rows_of
from external_data import external, needs_external
from forgetest.datasets import imports
from forgetest.errors import UserError


def test_tracks_of_exercism_are_recognised(tmp_path: Path):
    rows_of.write_tracks(tmp_path)
    polyglot, track = imports.read(tmp_path), imports.read(tmp_path / "rust")

    assert polyglot.format.name == "aider-polyglot"
    assert [task.case["id"] for task in polyglot.tasks] == ["python/double-it", "rust/double-it"]
    assert polyglot.left_out == {"no toolchain for tests in .go": 1}
    assert (track.format.name, [task.case["id"] for task in track.tasks]) == ("exercism", ["double-it"])


def test_no_test_of_an_exercise_is_skipped_and_the_crate_is_the_sample(tmp_path: Path):
    [task] = imports.read(rows_of.write_tracks(tmp_path) / "rust").tasks

    tests = task.case["expectations"]["test_file"]
    assert "ignore" not in tests
    assert "use crate::*;" in tests
    assert "crate::double(3)" in tests
    assert task.case["edition"] == "2024"
    assert "With `i64`." in task.case["prompt"]
    assert "todo!()" in task.case["prompt"]


def test_the_sample_is_the_crate_whatever_the_tests_call_it(tmp_path: Path):
    rows_of.write_tracks(tmp_path)
    exercise = tmp_path / "rust/exercises/practice/double-it"
    (exercise / "Cargo.toml").write_text('[package]\nname = "doubling"\nedition = "2021"\n')
    (exercise / "tests/double_it.rs").write_text(
        "use doubling as twice;\n\n#[test]\nfn two() {\n    assert_eq!(twice::double(2), doubling::double(2));\n}\n\n"
        '#[test]\n#[cfg(feature = "large")]\nfn large() {\n    if true {\n    }\n}\n\n#[test]\nfn last() {}\n'
    )
    [task] = imports.read(tmp_path / "rust").tasks

    assert task.case["expectations"]["test_file"].split("\n\n") == [
        "",
        "#[test]\nfn two() {\n    assert_eq!(crate::double(2), crate::double(2));\n}",
        "#[test]\nfn last() {}\n",
    ]


def test_what_belongs_to_an_optional_feature_is_left_out_wherever_it_stands(tmp_path: Path):
    rows_of.write_tracks(tmp_path)
    exercise = tmp_path / "rust/exercises/practice/double-it"
    (exercise / "tests/double_it.rs").write_text(
        '#[cfg(feature = "io")]\nuse std::io::{Read, Write};\nuse double_it::*;\n\nmod twice {\n    use super::*;\n\n'
        '    #[test]\n    #[cfg(feature = "large")]\n    fn large() {\n        if true {\n        }\n    }\n\n'
        '    #[cfg(feature = "io")]\n    mod io {\n        fn inner() {}\n    }\n\n'
        "    #[test]\n    fn two() {\n        assert_eq!(double(2), 4);\n    }\n}\n"
    )
    [task] = imports.read(tmp_path / "rust").tasks

    assert task.case["expectations"]["test_file"] == (
        "use crate::*;\n\nmod twice {\n    use super::*;\n\n"
        "    #[test]\n    fn two() {\n        assert_eq!(double(2), 4);\n    }\n}\n"
    )


def test_an_exercise_whose_files_lead_elsewhere_is_refused(tmp_path: Path):
    rows_of.write_exercise(tmp_path / "x", {"a.py": ""}, test=["../../../etc/passwd"])

    with pytest.raises(UserError, match="leads out of the exercise's folder"):
        imports.read(tmp_path)


@needs_external("exercism_rust.jsonl")
def test_the_exercises_of_a_real_track_are_read():
    found = imports.read(external("exercism_rust.jsonl"))

    assert (len(found.tasks), found.left_out) == (104, {"tests in several files": 2})
    assert all("reference_solution" in task.case for task in found.tasks)
