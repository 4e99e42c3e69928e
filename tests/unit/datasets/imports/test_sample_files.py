"""Samples in the forms of EvalPlus and MultiPL-E."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.datasets import exports
from forgetest.datasets.imports import sample_files
from forgetest.errors import UserError
from forgetest.testing.samples import a_report, a_sample, a_verdict

RUST = {"name": "HumanEval_0_f", "language": "rs", "prompt": "fn f() -> i64 {", "tests": "}\n\nfn main() {}\n"}


def pack(path: Path, document: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(document, indent=2).encode()))
    return path.parent


def test_a_folder_of_evalplus_has_a_file_for_each_sample(tmp_path: Path):
    for name in ("HumanEval_0/10.py", "HumanEval_0/2.py", "HumanEval_1/0.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n")

    assert sample_files.recognise(tmp_path) == "evalplus-samples"
    assert sample_files.read(tmp_path, "evalplus-samples") == [
        {"task_id": "HumanEval/0", "solution": "# HumanEval_0/2.py\n", "attempt": 3},
        {"task_id": "HumanEval/0", "solution": "# HumanEval_0/10.py\n", "attempt": 11},
        {"task_id": "HumanEval/1", "solution": "# HumanEval_1/0.py\n", "attempt": 1},
    ]


def test_completions_of_multipl_e_get_the_brace_that_the_tests_begin_with(tmp_path: Path):
    pack(tmp_path / "HumanEval_0_f.json.gz", {**RUST, "completions": [" 1", " 2"]})

    assert sample_files.recognise(tmp_path) == "multipl-e-completions"
    assert [each["code"] for each in sample_files.read(tmp_path, "multipl-e-completions")] == [
        "fn f() -> i64 { 1\n}\n",
        "fn f() -> i64 { 2\n}\n",
    ]


def test_results_of_multipl_e_are_programs_without_their_tests(tmp_path: Path):
    program = f"{RUST['prompt']} 1\n{RUST['tests']}"
    pack(tmp_path / "a.results.json.gz", {**RUST, "results": [{"program": program, "status": "OK", "exit_code": 0}]})

    assert sample_files.recognise(tmp_path) == "multipl-e-results"
    assert sample_files.read(tmp_path, "multipl-e-results") == [
        {"task_id": "HumanEval_0_f", "code": "fn f() -> i64 { 1\n}\n", "attempt": 1, "passed": True}
    ]


@pytest.mark.parametrize(("form", "key"), [("evalplus-results", "solution"), ("multipl-e-results", "code")])
def test_exported_results_are_read_back(form: str, key: str, tmp_path: Path):
    report = a_report([a_sample(attempt=1, code="a"), a_sample(attempt=2, code="b", verdict=a_verdict(failed=1))])
    path = tmp_path / "x_eval_results.json"
    exports.write(form, exports.select(report), path)

    assert sample_files.recognise(path) == form
    assert sample_files.read(path, form) == [
        {"task_id": "fibonacci", key: "a", "attempt": 1, "passed": True},
        {"task_id": "fibonacci", key: "b", "attempt": 2, "passed": False},
    ]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "must be an object"),
        ({}, "eval: missing key"),
        ({"eval": {"a": [{}]}}, r"a\[0\]: base_status: missing key"),
        ({"eval": {"a": [5]}}, r"a\[0\]: base_status: missing key"),
        ({"eval": {}}, "no sample of evalplus-results in it"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(document: Any, message: str, tmp_path: Path):
    (tmp_path / "r.json").write_text(json.dumps(document))

    with pytest.raises(UserError, match=message):
        sample_files.read(tmp_path / "r.json", "evalplus-results")
