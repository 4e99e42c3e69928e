from __future__ import annotations

from typing import Any

import pytest

from forgetest.toolchains.python.discovery import ExpectedTest
from forgetest.toolchains.python.launch import RunResult
from forgetest.toolchains.python.outcomes import TestReport, import_error
from forgetest.verdict import Span

TEST = ExpectedTest(name="test", kind="function")
IGNORED = ExpectedTest(name="other", kind="function", is_ignored=True)


def result(ending: str, **further: Any) -> RunResult:
    return RunResult(**{"ending": ending, "notes": {}, "doubts": {}, "has_loaded": True, **further})


def report(*results: RunResult | None) -> TestReport:
    return TestReport((TEST,) * len(results), results)


@pytest.mark.parametrize(
    "ending",
    ["failed", "not_loaded", "died", "forged", "too_large", "too_deep", "tests_died", "cpu_limit", "wall_limit"],
)
def test_only_a_pass_is_a_pass(ending: str):
    [outcome] = report(result(ending)).outcomes
    assert outcome.status == "failed"
    assert outcome.message


def test_a_pass_is_told_without_its_output():
    [outcome] = report(result("passed", output="noise")).outcomes
    assert (outcome.status, outcome.message, outcome.stdout) == ("passed", "", "")


def test_ignored_and_skipped_tests_are_ignored():
    found = TestReport((IGNORED, TEST), (None, result("skipped", message="later")))
    assert [outcome.status for outcome in found.outcomes] == ["ignored", "ignored"]


def test_a_test_that_was_not_run_has_failed():
    [outcome] = report(None).outcomes
    assert (outcome.status, "never ran" in outcome.message) == ("failed", True)


@pytest.mark.parametrize(("ending", "by"), [("cpu_limit", "cpu"), ("wall_limit", "wall"), ("failed", None)])
def test_a_time_limit_is_told_apart(ending: str, by: str | None):
    assert report(result(ending)).outcomes[0].timed_out == by


@pytest.mark.parametrize(
    ("status", "kinds", "message"),
    [(0, ["early_exit"], "exited with code 0"), (256, ["early_exit"], "code 1"), (9, [], "killed"), (11, [], "fault")],
)
def test_a_process_that_ended_is_described_by_its_status(status: int, kinds: list[str], message: str):
    found = report(result("died", status=status))
    assert [finding.kind for finding in found.findings()] == kinds
    assert message in found.outcomes[0].message


def test_a_pass_inside_or_by_the_samples_own_word_is_doubtful():
    found = report(
        result("passed", inseparable="the tests patch a library"),
        result("passed", doubts={"sample_comparison": "X.__eq__"}),
    )
    findings = list(found.findings())
    assert [(each.kind, each.is_about, each.forbids) for each in findings] == [
        ("shared_interpreter", "unsound", False),
        ("sample_comparison", "unsound", False),
    ]


def test_doubts_about_a_failure_are_none():
    assert list(report(result("failed", inseparable="x", doubts={"sample_comparison": "y"})).findings()) == []


@pytest.mark.parametrize(
    ("ending", "further", "undisturbed"),
    [
        ("passed", {}, True),
        ("failed", {}, True),
        ("not_loaded", {}, True),
        ("cpu_limit", {}, False),
        ("died", {}, False),
        ("forged", {}, False),
        ("passed", {"is_clean": False}, False),
    ],
)
def test_unusual_endings_count_only_alone(ending: str, further: dict[str, Any], undisturbed: bool):
    assert report(result(ending, **further)).is_undisturbed() == undisturbed
    assert not report(result("passed"), None).is_undisturbed()


@pytest.mark.parametrize(
    ("message", "place", "code", "text", "span"),
    [
        ("SyntaxError: bad", (2, 3, 2, 5), "SyntaxError", "bad", (2, 2, 3, 5)),
        ("SyntaxError: bad", (2, 3, 2, 0), "SyntaxError", "bad", (2, 2, 3, 7)),
        ("ValueError: a: b\n  sample, line 2 in f", (2,), "ValueError", "a: b", (2, 2, 1, 7)),
        ("KeyError", (), "KeyError", "KeyError", None),
        ("SyntaxError: bad", (9, 1, 9, 2), "SyntaxError", "bad", None),
    ],
)
def test_an_import_error_has_its_class_and_place(
    message: str, place: tuple[int, ...], code: str, text: str, span: tuple[int, int, int, int] | None
):
    error = import_error(result("not_loaded", message=message, place=place), "first\nsecond\n")
    assert (error.code, error.message) == (code, text)
    names = ("line_start", "line_end", "column_start", "column_end")
    assert error.spans == (() if span is None else (Span(**dict(zip(names, span, strict=True))),))


@pytest.mark.parametrize(("has_loaded", "compiled"), [(True, True), (False, False)])
def test_a_limit_while_the_sample_is_imported_is_an_error_and_later_it_is_not(has_loaded: bool, compiled: bool):
    found = report(result("cpu_limit", has_loaded=has_loaded))
    assert (found.load_failure is None) == compiled
    if found.load_failure is not None:
        assert import_error(found.load_failure, "x").message == "cannot be imported: stopped: it used up its CPU time"
