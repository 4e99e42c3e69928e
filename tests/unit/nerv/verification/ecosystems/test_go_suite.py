"""Go: the events of `go test -json`, failed builds and registries."""

from __future__ import annotations

import json

import pytest

from nerv.verification.ecosystems import UntrustedReport, go_suite
from verified_projects import execution_of, tree_of

CONTROL = "control_0123456789ab"


def go(*events):
    return "".join(json.dumps({"Package": "calc", **event}) + "\n" for event in events)


FAILED = {"Action": "fail", "Test": f"Test_{CONTROL}"}


def test_tests_of_go_have_their_package_and_file():
    tree = tree_of(
        {"go.mod": "module calc\n", "a_test.go": "func TestA(t *testing.T) {\n", "p/b_test.go": "func TestB(t"}
    )
    events = go(
        {"Action": "pass", "Test": "TestA/case"}, {"Package": "calc/p", "Action": "skip", "Test": "TestB"}, FAILED
    )
    report = go_suite.read_report(tree, execution_of(events), CONTROL)
    assert report.outcomes == {"calc.TestA/case": "passed", "calc/p.TestB": "skipped"}
    assert report.files == {"calc.TestA/case": "a_test.go", "calc/p.TestB": "p/b_test.go"}


def test_a_package_of_go_that_does_not_build_is_told_with_the_compiler_s_line():
    events = go(
        {"ImportPath": "calc", "Action": "build-output", "Output": "# calc\n"},
        {"ImportPath": "calc", "Action": "build-output", "Output": "./a.go:3:5: undefined: c\n"},
        {"ImportPath": "calc", "Action": "build-fail"},
    )
    report = go_suite.read_report({}, execution_of(events), CONTROL)
    assert (report.broken_build, report.problem) == (True, "./a.go:3:5: undefined: c")


def test_a_report_of_go_without_the_control_is_forged():
    with pytest.raises(UntrustedReport):
        go_suite.read_report({}, execution_of(go({"Action": "pass", "Test": "TestA"})), CONTROL)
