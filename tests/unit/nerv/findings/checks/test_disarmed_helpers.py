"""Helpers of tests that lost whatever could fail in them."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

GO = """package kiln

import "testing"

func equal(t *testing.T, got, want int) {
	if got != want {
		t.Errorf("got %d", got)
	}
}

func TestMinutes(t *testing.T) {
	equal(t, Minutes(60), 60)
}
"""
PYTHON = (
    "def assert_near(found, expected):\n    assert abs(found - expected) < 0.1\n\n\n"
    "def test_length():\n    assert_near(length(), 3)\n"
)


FAKE = (
    "class Shelf:\n    def get(self, name):\n        raise KeyError(name)\n\n\n"
    "def test_get():\n    assert find(Shelf()) is None\n"
)


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "is_found"),
    [
        ("kiln_test.go", GO, 't.Errorf("got %d", got)', 't.Log("got", got)', True),
        ("kiln_test.go", GO, 't.Errorf("got %d", got)', 't.Fatalf("got %d, not %d", got, want)', False),
        ("kiln_test.go", GO, 't.Errorf("got %d", got)', "differ(t, got, want)", True),
        ("tests/test_kiln.py", PYTHON, "assert abs(found - expected) < 0.1", "print(found - expected)", True),
        ("tests/test_kiln.py", PYTHON, "assert abs(found - expected) < 0.1", "same(found, expected)", False),
        ("tests/test_kiln.py", PYTHON, "< 0.1", "< 0.2", False),
        ("tests/test_kiln.py", FAKE, "        raise KeyError(name)\n", "        return 3\n", False),
    ],
)
def test_a_helper_that_cannot_fail_any_more_is_found(
    path: str, before: str, old: str, new: str, is_found: bool
) -> None:
    assert old in before
    extra = "\n\ndef same(one, other):\n    if one != other:\n        raise ValueError(one)\n" if "same(" in new else ""
    run = a_run({path: before}, {path: before.replace(old, new) + extra}, spec="The kiln holds 45 minutes.")
    assert ("tests_cannot_fail" in kinds(run)) == is_found
