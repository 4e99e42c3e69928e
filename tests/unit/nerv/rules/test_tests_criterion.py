"""Tests of sessions: prose cannot be tested, code without a test run scores 1, and what shows a failure."""

from __future__ import annotations

import pytest

from nerv.actions import Actions, Ending
from nerv.evidence import FileEdits
from nerv.rules.tests_criterion import score_tests
from nerv.verification.result import Verification
from page_runs import diff, facts, moment, suite, suite_run


@pytest.mark.parametrize("path", ["notes.md", "docs/guide.rst", "LICENSE", "src/README", "CHANGELOG.txt"])
def test_a_session_that_changed_only_documents_has_nothing_to_test(path: str) -> None:
    assert score_tests(facts(changed=diff(path))).status == "not_recorded"


@pytest.mark.parametrize(
    "path", ["a.py", "dist/index.js", "Makefile", "readme.py", "license/check.c", "regex.txt", "requirements.txt"]
)
def test_a_session_that_changed_anything_else_needs_a_test_run(path: str) -> None:
    assert score_tests(facts(changed=diff("notes.md", path))).score == 1


def test_a_recorded_run_counts_even_if_only_documents_were_changed() -> None:
    assert score_tests(facts(changed=diff("notes.md"), test_runs=(suite_run(passed=0, failed=3),))).score == 1
    assert score_tests(facts(changed=diff("notes.md"), test_runs=(suite_run(passed=3),))).status == "scored"


def test_a_failure_is_shown_by_test_runs_and_not_by_their_absence() -> None:
    assert not facts(changed=diff("a.py")).failure_is_shown
    assert not facts(changed=diff("a.py"), test_runs=(suite_run(passed=3),)).failure_is_shown
    assert facts(changed=diff("a.py"), test_runs=(suite_run(passed=3, failed=1),)).failure_is_shown
    broken = Verification(suites=(suite(a="failed"),), broken=("a",))
    assert facts(changed=diff("a.py"), test_runs=(suite_run(passed=3),), verification=broken).failure_is_shown


def test_a_run_that_was_cut_off_is_shown_to_have_failed() -> None:
    cut = Actions(ending=Ending(kind="turn_limit", moment=moment(90), text="error_max_turns"))
    found = facts("Add roman numerals", changed=diff("roman.py"), actions=cut, edits=(edited("roman.py"),))
    assert {one.status for one in found.requirements.each} == {"unfinished"}
    assert found.failure_is_shown


def edited(path: str) -> FileEdits:
    return FileEdits(path=path, count=1, first=moment(5), moments=(moment(5),))
