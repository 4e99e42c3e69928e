"""Verification of tests that accept too much, in Go: its functions refuse by an error, and end no other test."""

from __future__ import annotations

import shutil

import pytest

from forgetest import config
from nerv.inspection.disabled_code import disable_code, functions_in
from nerv.inspection.hollow_code import hollow_results, refuse_calls
from nerv.verification.experiments import FunctionProbe
from verified_projects import verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(
        shutil.which("go", path=config.host_environment()["PATH"]) is None, reason="Go is not installed"
    ),
    pytest.mark.timeout(600),
]

CODE = "package half\n\nfunc Half(n int) (int, error) {\n\treturn n / 2, nil\n}\n"
CHECK = """package half

import "testing"

func check(t *testing.T, n, want int) {
	got, err := Half(n)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatal(got)
	}
}

func TestSix(t *testing.T) { check(t, 6, 3) }
"""
RESULT = (
    'package half\n\nimport "errors"\n\nfunc Half(n int) (int, error) {\n'
    '\tif n%2 == 1 {\n\t\treturn 0, errors.New("odd")\n\t}\n\treturn n / 2, nil\n}\n\n'
    "func Halves(n int) []int {\n\treturn []int{n / 2, n - n/2}\n}\n"
)
NEW = 'package half\n\nimport "testing"\n\nfunc TestHalves(t *testing.T) {\n\tHalves(6)\n}\n'


def test_a_helper_that_became_patient_and_a_result_that_nobody_looks_at_are_found(tmp_path):
    probe = FunctionProbe(
        disable=disable_code,
        locate=functions_in,
        names=frozenset({"Half", "Halves"}),
        refuse=refuse_calls,
        hollow=hollow_results,
    )
    base = {"go.mod": "module half\n\ngo 1.20\n", "half.go": CODE, "half_test.go": CHECK}
    patient = CHECK.replace("t.Fatal(err)", "return")
    result = {"half.go": RESULT, "half_test.go": patient, "halves_test.go": NEW}
    found = verify_project(tmp_path, base, result, probe=probe)
    assert found.verified is True
    assert found.dulled == ("half.TestSix",)
    assert found.unmoved == ("half.TestHalves",)
    assert "Halves" in found.unheld
