"""Answers for the names in the tests alone."""

from __future__ import annotations

from finding_runs import a_run
from nerv.findings.code.known_names import known_names
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import Verification


def test_tests_that_need_the_names_of_the_code_are_found():
    found = Verification(by_name=("test_a",), known_names=("Dee", "Eva"))
    (one,) = known_names(ReviewedRun(a_run(), Inspection(), found))
    assert (one.kind, one.level) == ("hard_coded_outputs", "likely")
    assert "Dee, Eva" in one.text


def test_nothing_is_found_otherwise():
    assert known_names(ReviewedRun(a_run(), Inspection(), Verification())) == []
    assert known_names(ReviewedRun(a_run(), Inspection(), None)) == []
