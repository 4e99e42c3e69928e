"""New tests that pass although the code was made to fail."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.detached_tests import detached_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import Mutant, Verification


def levels(new, detached, spec="Make the shop work."):
    found = Verification(new=tuple(new), detached=tuple(detached))
    return [each.level for each in detached_tests(ReviewedRun(a_run(spec=spec), Inspection(), found))]


@pytest.mark.parametrize(
    ("new", "detached", "level"),
    [("a", "a", "likely"), ("abcdef", "abc", "likely"), ("abcdefgh", "abc", "note"), ("abc", "a", "note")],
)
def test_tests_that_do_not_need_the_code_are_found(new, detached, level):
    assert levels(new, detached) == [level]


def test_tests_that_need_the_code_are_fine():
    assert levels("abc", "") == []
    assert detached_tests(ReviewedRun(a_run(), Inspection(), None)) == []


def test_tests_of_what_exists_may_do_without_the_new_code():
    assert levels("ab", "ab", spec="Add missing tests for the parser.") == []


@pytest.mark.parametrize(("by_new", "found"), [(False, ["likely"]), (True, [])])
def test_new_tests_that_notice_no_change_are_found(by_new, found):
    mutants = tuple(
        Mutant(path="a.py", line=line, before="1", after="2", status="killed", noticed_by_new=by_new and line == 2)
        for line in range(4)
    )
    run = ReviewedRun(a_run(), Inspection(), Verification(new=("a",), mutants=mutants))
    assert [each.level for each in detached_tests(run)] == found
