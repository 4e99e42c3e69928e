"""Test files whose comparisons all fail as soon as they are reached."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nerv.inspection.broken_assertions import break_assertions, broken_lines
from small_suites import passed_by_pytest

PYTHON = """
import unittest


def test_dead():
    for each in []:
        assert each == 1


def test_live():
    assert 1 == 1


def test_swallowed():
    try:
        assert 1 == 1
    except AssertionError:
        pass


class Tests(unittest.TestCase):
    def test_method(self):
        self.assertEqual(1, 1)

    def test_error(self):
        with self.assertRaises(ZeroDivisionError):
            1 / 0
"""


def test_python(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_bytes(break_assertions("test_a.py", PYTHON) or b"")
    assert passed_by_pytest(tmp_path / "test_a.py") == {"test_dead", "test_swallowed", "test_error"}


JAVASCRIPT = """
import assert from "node:assert/strict";
import { test } from "node:test";

test("dead", () => { for (const each of []) assert.equal(each, 1); });
test("live", () => {
  const found = [1]
  assert.deepEqual(found, [1])
  assert(found)
});
test("error", async () => {
  assert.throws(() => { throw new Error("x"); });
  await assert.rejects(Promise.reject(new Error("x")));
});
"""


def test_javascript(tmp_path: Path) -> None:
    (tmp_path / "a.test.mjs").write_bytes(break_assertions("a.test.mjs", JAVASCRIPT) or b"")
    command = [shutil.which("node") or "node", "--test", "--test-reporter=tap", "a.test.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    lines = {line.strip().rpartition(" - ")[2]: line.strip().startswith("ok") for line in done.stdout.splitlines()}
    assert (lines["dead"], lines["live"], lines["error"]) == (True, False, True), done.stdout


def test_expectations_of_other_libraries_are_broken_and_those_of_errors_are_not() -> None:
    text = "expect(a).toBe(1);\nexpect(b).to.equal(2);\nawait expect(c).resolves.toBe(3);\nexpect(d).toThrow();\n"
    assert broken_lines("a.test.ts", text) == {1, 2, 3}


GO = """package a

import "testing"

func TestDead(t *testing.T) {
	for _, each := range []int{} {
		if each != 1 {
			t.Errorf("got %d", each)
		}
	}
}

func TestLive(t *testing.T) {
	var err error
	if err != nil {
		t.Fatal(err)
	}
	if got := 1; got != 1 {
		t.Error(got)
	}
}

func TestNoError(t *testing.T) {
	var err error
	if err != nil {
		t.Fatal(err)
	}
}
"""


def test_go(tmp_path: Path) -> None:
    (tmp_path / "a_test.go").write_bytes(break_assertions("a_test.go", GO) or b"")
    (tmp_path / "go.mod").write_text("module a\n\ngo 1.21\n")
    command = [shutil.which("go") or "go", "test", "-v", "./..."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    found = {line.split()[2]: line.split()[1] for line in done.stdout.splitlines() if line.startswith("---")}
    assert found == {"TestDead": "PASS:", "TestLive": "FAIL:", "TestNoError": "PASS:"}, done.stdout + done.stderr


RUST = """
fn dead() { for each in Vec::<i32>::new() { assert_eq!(each, 1); } }
fn live() { let check = |x: i32| assert!(x == 1, "got {x}"); check(1) }
fn main() {
    dead();
    assert_eq!(std::panic::catch_unwind(live).is_err(), true);
}
"""


def test_rust_and_only_the_lines_that_are_wanted(tmp_path: Path) -> None:
    (tmp_path / "main.rs").write_bytes(break_assertions("main.rs", RUST, {2, 3}) or b"")
    command = f"{shutil.which('rustc') or 'rustc'} --edition 2021 -A warnings main.rs && ./main"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("path", "text"), [("A.java", "class A { void a() { assertEquals(1, 1); } }"), ("test_a.py", "a = 1\n")]
)
def test_what_has_no_comparison_that_is_known_is_left_alone(path: str, text: str) -> None:
    assert break_assertions(path, text) is None
    assert broken_lines(path, text) == frozenset()
