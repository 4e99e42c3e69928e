"""New test files that use nothing of the project."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.new_tests.self_contained_tests import self_contained_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import inspect

PYTHON = "def squeeze(lines):\n    return lines\n\n\ndef other():\n    return 1\n"
PYTHON_TESTS = """{head}def squeeze(lines):
    return sorted(set(lines))


def test_one():
    assert squeeze(["a", "a"]) == ["a"]


def test_none():
    assert squeeze([]) == []
"""
RUST = "pub fn squeeze(lines: &[u8]) -> Vec<u8> {\n    lines.to_vec()\n}\n"
RUST_TESTS = """{head}fn squeeze(lines: &[u8]) -> Vec<u8> {{
    let mut found = lines.to_vec();
    found.dedup();
    found
}}

#[test]
fn one() {{
    assert_eq!(squeeze(&[1, 1]), [1]);
}}

#[test]
fn none() {{
    assert_eq!(squeeze(&[]), []);
}}
"""
NODE = "export function squeeze(lines) {\n  return lines;\n}\n"
NODE_TESTS = """import {{ test }} from "node:test";
import assert from "node:assert/strict";
{head}
function squeeze(lines) {{
  return [...new Set(lines)].sort();
}}

test("one", () => {{
  assert.deepEqual(squeeze([1, 1]), [1]);
}});

test("none", () => {{
  assert.deepEqual(squeeze([]), []);
}});
"""


def self_contained(code: str, tests: str, path: str, test_path: str) -> list[str]:
    run = a_run({}, {path: code, test_path: tests})
    found = self_contained_tests(ReviewedRun(run, inspect(run.changes.written), None))
    return [finding.kind for finding in found]


@pytest.mark.parametrize(
    ("code", "tests", "path", "test_path"),
    [
        (PYTHON, PYTHON_TESTS.format(head="import re\n\n\n"), "dump.py", "tests/test_squeeze.py"),
        (RUST, RUST_TESTS.format(head="use std::fmt;\n\n"), "src/lib.rs", "tests/squeeze.rs"),
        (NODE, NODE_TESTS.format(head=""), "src/dump.js", "test/squeeze.test.js"),
    ],
)
def test_tests_of_a_function_of_their_own_are_found(code: str, tests: str, path: str, test_path: str) -> None:
    assert self_contained(code, tests, path, test_path) == ["copied_subject"]


@pytest.mark.parametrize(
    ("code", "tests", "path", "test_path"),
    [
        (PYTHON, PYTHON_TESTS.format(head="import dump\n\n\n"), "dump.py", "tests/test_squeeze.py"),
        (PYTHON, PYTHON_TESTS.format(head="import subprocess\n\n\n"), "dump.py", "tests/test_squeeze.py"),
        (RUST, RUST_TESTS.format(head="use dump::other;\n\n"), "src/lib.rs", "tests/squeeze.rs"),
        (RUST, RUST_TESTS.format(head="").replace("squeeze(", "helper("), "src/lib.rs", "tests/squeeze.rs"),
        (NODE, NODE_TESTS.format(head='import * as dump from "../src/dump.js";'), "src/dump.js", "test/a.test.js"),
    ],
)
def test_tests_that_may_use_the_project_are_left_alone(code: str, tests: str, path: str, test_path: str) -> None:
    assert self_contained(code, tests, path, test_path) == []
