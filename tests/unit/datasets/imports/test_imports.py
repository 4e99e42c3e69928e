"""Data sets of the field, read as cases."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dataset_rows as rows_of
from dataset_rows import read_task, write_rows
from external_data import external, needs_external
from forgetest.datasets import imports
from forgetest.datasets.imports import rows
from forgetest.errors import InvalidInput, UserError

ALL = {
    "humaneval": rows_of.HUMANEVAL,
    "humanevalpack": rows_of.HUMANEVALPACK,
    "evalplus": rows_of.EVALPLUS,
    "mbpp": rows_of.MBPP,
    "multipl-e": rows_of.MULTIPL_E,
    "livecodebench": rows_of.LIVECODEBENCH,
    "code-contests": rows_of.CODE_CONTESTS,
    "apps": rows_of.APPS,
    "taco": rows_of.TACO,
    "prime": rows_of.PRIME,
    "bigcodebench": rows_of.BIGCODEBENCH,
}
PUBLISHED = {
    "humaneval_codegen16b/HumanEval.jsonl.gz": ("humaneval", 164),
    "evalplus/HumanEvalPlus-Mini.jsonl.gz": ("evalplus", 164),
    "humanevalpack/humanevalpack_python.jsonl": ("humanevalpack", 164),
    "humanevalpack/humanevalpack_rust.jsonl": ("humanevalpack", 164),
    "multipl_e/humaneval-rs.jsonl": ("multipl-e", 156),
}


@pytest.mark.parametrize("name", ALL)
def test_a_format_is_recognised_by_its_keys(name: str, tmp_path: Path):
    path = write_rows(tmp_path / "rows.jsonl", [ALL[name]])

    assert imports.read(path).format.name == name
    assert imports.read(path).tasks == imports.read(path, name).tasks


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs_external(name)) for name in PUBLISHED])
def test_published_files_are_recognised_and_read_whole(name: str):
    found = imports.read(external(name))

    assert (found.format.name, len(found.tasks)) == PUBLISHED[name]
    assert found.left_out == {}


def test_a_canonical_solution_becomes_the_reference(tmp_path: Path):
    task = read_task(rows_of.HUMANEVAL, tmp_path)

    assert task.case["reference_solution"] == rows_of.HUMANEVAL["prompt"] + "    return 2 * n\n"
    assert task.case["prompt"] == rows_of.HUMANEVAL["prompt"]
    assert task.case["expectations"] == {"test_file": rows_of.HUMANEVAL["test"]}


def test_buggy_solutions_are_kept_as_samples(tmp_path: Path):
    task = read_task(rows_of.HUMANEVALPACK, tmp_path)

    assert [each.model for each in task.solutions] == ["canonical", "buggy"]
    assert task.solutions[1].text.endswith('"""\n    return 2 + n\n')


def test_rows_of_a_language_without_toolchain_are_counted(tmp_path: Path):
    go = {**rows_of.HUMANEVALPACK, "task_id": "Go/0"}
    found = imports.read(write_rows(tmp_path / "rows.jsonl", [rows_of.HUMANEVALPACK, go]))

    assert len(found.tasks) == 1
    assert found.left_out == {"no toolchain for go": 1}


def test_the_brace_with_which_the_tests_of_multipl_e_begin_is_the_functions(tmp_path: Path):
    assert read_task(rows_of.MULTIPL_E, tmp_path).case["expectations"]["test_file"].startswith("fn main() {")


def test_crates_of_humanevalpack_are_dependencies(tmp_path: Path):
    row = {**rows_of.HUMANEVALPACK, "task_id": "Rust/0", "prompt": "use regex::Regex;\nfn f() {", "test": "#[test]"}

    assert read_task(row, tmp_path).case["dependencies"] == [{"name": "regex", "version": "1"}]


def test_sanitized_mbpp_is_a_json_list_with_imports(tmp_path: Path):
    (tmp_path / "mbpp.json").write_text(json.dumps([rows_of.SANITIZED_MBPP], indent=2))
    [task] = imports.read(tmp_path / "mbpp.json").tasks

    assert task.case["id"] == "12"
    assert task.case["expectations"]["test_file"].startswith("import math\nassert double(2) == 4\n")


@pytest.mark.parametrize(
    ("task_id", "entry_point", "solution", "inputs", "passing", "failing"),
    [
        ("Mbpp/2", "similar_elements", "a, b: tuple(set(a) & set(b))", [[[1, 2], [2, 1]]], "a, b: [2, 1]", "a, b: [1]"),
        ("Mbpp/115", "f", "a: a == [{1}, {}]", [[[[1], []]]], "a: isinstance(a[0], set)", "a: False"),
        ("Mbpp/580", "f", "a: a", [[[1, [2]]]], "a: (1, (2,))", "a: [1, [2]]"),
        ("Mbpp/252", "f", "a: abs(a)", [["3+4j"]], "a: 5.0000001", "a: 6.0"),
        ("Mbpp/295", "sum_div", "a: a", [[5]], "a: 0", "a: 1"),
        ("HumanEval/32", "find_zero", "xs: 0.0", [[[2, 1]]], "xs: -2.00001", "xs: 0.0"),
        ("HumanEval/9", "f", "a: [a / 3, 1.0]", [[1]], "a: [0.3333333, 1.0]", "a: (a / 3, 1.0)"),
    ],
)
def test_outputs_are_compared_as_evalplus_does(
    task_id: str, entry_point: str, solution: str, inputs: list[Any], passing: str, failing: str, tmp_path: Path
):
    row = {
        **rows_of.EVALPLUS,
        "task_id": task_id,
        "entry_point": entry_point,
        "prompt": "# a task\n",
        "canonical_solution": f"{entry_point} = lambda {solution}\n",
        "base_input": inputs,
        "plus_input": [],
        "atol": 1e-4 if task_id == "HumanEval/32" else 0,
    }
    tests = read_task(row, tmp_path).case["expectations"]["test_file"]

    def run(code: str) -> None:
        scope: dict[str, Any] = {entry_point: eval(f"lambda {code}")}
        exec(tests, scope)
        scope["test_base"]()

    run(passing)
    with pytest.raises(AssertionError):
        run(failing)


def test_a_packed_file_is_unpacked(tmp_path: Path):
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(json.dumps(rows_of.HUMANEVAL).encode()))

    assert len(imports.read(tmp_path / "rows.jsonl.gz").tasks) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"task_id": "a"', r"rows.jsonl:1: not JSON: "),
        ("[1, 2]", r"rows.jsonl: \[0\]: must be an object"),
        ("\n5\n", r"rows.jsonl:2: must be an object"),
        ("", r"rows.jsonl: there is no row in it"),
        ("[]", r"rows.jsonl: there is no row in it"),
        ("PAR1…", r"rows.jsonl: a Parquet file"),
        ('{"a": 1, "b": 2}', r"rows.jsonl: of no form that is known, with the keys a, b; name it: "),
        (json.dumps({**rows_of.HUMANEVAL, "test": 5}), r"rows.jsonl:1: test: must be a string"),
        (json.dumps({**rows_of.HUMANEVAL, "prompt": ""}), r"rows.jsonl:1: prompt: must not be empty"),
        (f"{json.dumps(rows_of.HUMANEVAL)}\n" * 2, r'rows.jsonl:2: id: "HumanEval/0" is the id of line 1 already'),
        (
            json.dumps({**rows_of.MBPP, "test_list": "assert f()"}),
            r"rows.jsonl:1: test_list: must be a list of strings",
        ),
        (json.dumps({**rows_of.EVALPLUS, "base_input": [1]}), r"rows.jsonl:1: base_input: must be a list of lists"),
        (json.dumps({**rows_of.EVALPLUS, "entry_point": "f()"}), r"rows.jsonl:1: entry_point: is not the name"),
        ('{"a": "\\ud800"}', r"rows.jsonl:1: half of a surrogate pair"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_key(content: str, message: str, tmp_path: Path):
    (tmp_path / "rows.jsonl").write_text(content)

    with pytest.raises(UserError, match=message):
        imports.read(tmp_path / "rows.jsonl")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**rows_of.LIVECODEBENCH, "private_test_cases": "AAAA"}, "private_test_cases: cannot be unpacked"),
        ({**rows_of.LIVECODEBENCH, "public_test_cases": "[1]"}, "public_test_cases: must be tests with an input"),
        ({**rows_of.APPS, "input_output": '{"inputs": ["1"], "outputs": []}'}, "outputs: 0 outputs for 1 inputs"),
        ({**rows_of.APPS, "input_output": "{"}, "input_output: not JSON"),
        ({**rows_of.PRIME, "reward_model": {}}, "ground_truth: missing key"),
        ({**rows_of.BIGCODEBENCH, "test": None}, "test: missing key"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(row: dict[str, Any], message: str, tmp_path: Path):
    with pytest.raises(UserError, match=f"rows.jsonl:1: {message}"):
        read_task(row, tmp_path)


def test_an_unknown_format_is_refused_with_a_guess(tmp_path: Path):
    with pytest.raises(UserError, match='unknown format human-eval; did you mean "humaneval"'):
        imports.read(tmp_path / "rows.jsonl", "human-eval")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=3,
)


@settings(max_examples=60)
@given(st.sampled_from(sorted(ALL)), st.data())
def test_no_row_whatever_is_in_it_makes_an_importer_fail_otherwise_than_by_a_message(name: str, data: st.DataObject):
    row = dict(ALL[name])
    for key in data.draw(st.lists(st.sampled_from(sorted(row)), max_size=3)):
        row[key] = data.draw(VALUES)
    format_ = imports.FORMATS[name]
    try:
        task = format_.convert(rows.Row(values=row, file="rows.jsonl", line=1))
    except (InvalidInput, imports.LeftOutError):
        return
    json.dumps(task.case)
