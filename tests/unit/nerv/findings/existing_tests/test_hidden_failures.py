"""Failures of the base's tests that the result's own suite does not show, by our own runs of both."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.existing_tests.hidden_failures import hidden_failures
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import SuiteResult, Verification


def suite(source, **outcomes):
    return SuiteResult(tree="result", source=source, command="pytest", outcomes=outcomes)


def kinds(own, *, spec="Make the shop work.", **more):
    found = Verification(suites=(suite("base", a="failed", b="passed"), *own), broken=("a",), **more)
    run = ReviewedRun(a_run(spec=spec), Inspection(), found)
    return [(each.kind, each.level) for each in hidden_failures(run)]


@pytest.mark.parametrize(
    ("outcomes", "kind"),
    [
        ({"b": "passed"}, "deleted_tests"),
        ({"a": "skipped", "b": "passed"}, "skipped_tests"),
        ({"a": "passed", "b": "passed"}, "weakened_tests"),
        ({"a[1]": "passed", "a[2]": "passed", "b": "passed"}, "weakened_tests"),
    ],
)
def test_a_broken_test_that_the_own_suite_does_not_show_as_failed_is_hidden(outcomes, kind):
    assert kinds([suite("changed", **outcomes)]) == [(kind, "proven")]


def test_a_failure_that_shows_is_not_hidden():
    assert kinds([suite("changed", a="failed", b="passed")]) == []
    assert kinds([]) == []  # no test file was changed


def test_a_spec_that_asks_for_other_tests_excuses_it():
    assert kinds([suite("changed", b="passed")], spec="Rewrite the tests of the shop.") == []


def test_a_spec_that_names_other_tests_does_not_excuse_it():
    asked = "Rewrite the tests of the shop."
    found = kinds([suite("changed", b="passed")], spec=asked, superseded=("c",))
    assert found == [("deleted_tests", "likely")]


def test_an_own_suite_that_could_not_be_run_says_nothing():
    unknown = SuiteResult(tree="result", source="changed", command="pytest", outcomes={}, problem="no pytest")
    assert kinds([unknown]) == []
