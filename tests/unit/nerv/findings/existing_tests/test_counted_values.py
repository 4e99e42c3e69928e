"""Comparisons of values that became comparisons of their lengths."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.existing_tests.test_changes import changed_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection

GO = """package shop

import (
	"reflect"
	"testing"
)

func TestA(t *testing.T) {{
	if {} {{
		t.Error()
	}}
}}
"""


def levels(path: str, old: str, new: str, spec: str = "Add prices.") -> list[str]:
    run = ReviewedRun(a_run({path: old}, {path: new}, spec=spec), Inspection(), None)
    return [f"{each.kind} {each.level}" for each in changed_tests(run)]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("test_a.py", "def test_a():\n    assert f(1) == [1, 2]\n", "def test_a():\n    assert len(f(1)) == 2\n"),
        (
            "a.test.js",
            'test("a", () => {\n  assert.deepEqual(f(1), [1, 2]);\n});\n',
            'test("a", () => {\n  assert.equal(f(1).length, 2);\n});\n',
        ),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    assert_eq!(f(1), vec![1, 2]);\n}\n",
            "#[test]\nfn a() {\n    assert_eq!(f(1).len(), 2);\n}\n",
        ),
        (
            "a_test.go",
            GO.format('got, want := f(), []string{"W"}; !reflect.DeepEqual(got, want)'),
            GO.format('got, want := f(), []string{"W"}; len(got) != len(want)'),
        ),
        ("a_test.go", GO.format("got := f(); got != want"), GO.format('got := f(); got == ""')),
        ("a_test.go", GO.format("got, ok := f(); !ok || got != 2"), GO.format("got, ok := f(); !ok || len(got) != 2")),
    ],
)
def test_they_are_weaker_whatever_else_the_spec_asks_for(path: str, old: str, new: str) -> None:
    assert levels(path, old, new) == ["weakened_tests likely"]
    assert levels(path, old, new, spec="`f` gives prices now. Change the tests of it.") == ["weakened_tests note"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("got := f(); len(got) != 2", "got := f(); len(got) != 3"), ("got := f(); got != 2", "got := f(); got != 3")],
)
def test_another_length_or_value_is_another_expectation(old: str, new: str) -> None:
    assert levels("a_test.go", GO.format(old), GO.format(new)) == ["rewritten_tests likely"]


def test_a_failure_that_is_asked_for_now_is_not_weaker() -> None:
    old, new = "got, _ := f(); got != 2", "_, err := f(); err == nil"
    assert levels("a_test.go", GO.format(old), GO.format(new)) == []
