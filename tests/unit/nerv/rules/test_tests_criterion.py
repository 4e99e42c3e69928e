"""The `tests` criterion for sessions: prose cannot be tested, code without a test run scores 1."""

from __future__ import annotations

import pytest

from nerv.rules.tests_criterion import score_tests
from page_runs import diff, facts, suite_run


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
