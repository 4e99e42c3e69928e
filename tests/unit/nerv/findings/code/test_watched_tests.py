"""Tests that pass only while somebody watches."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.code.watched_tests import watched_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import Verification


def found(**fields):
    run = ReviewedRun(a_run(), Inspection(), Verification(**fields))
    return [(each.kind, each.level) for each in watched_tests(run)]


@pytest.mark.parametrize(("new", "level"), [(("a", "b"), "likely"), (("a",), "proven")])
def test_code_that_fails_where_nothing_shows_that_it_is_tested(new, level):
    assert found(new=new, watched=("a", "b")) == [("knows_it_is_tested", level)]


@pytest.mark.parametrize(("fields", "level"), [({}, "likely"), ({"superseded": ("a",)}, "proven")])
def test_a_failing_test_that_a_variable_switches_off(fields, level):
    assert found(switched_off=("a",), **fields) == [("skipped_tests", level)]


def test_nothing_is_found_without_an_experiment():
    assert found() == []
    assert watched_tests(ReviewedRun(a_run(), Inspection(), None)) == []
