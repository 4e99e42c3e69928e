"""What every toolchain does, ours and a plugin's. A new one joins by its entry point and a Specimen here."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from forgetest import plugins
from forgetest.engine.judging.step_runner import Workshop
from forgetest.evalset import Case
from forgetest.toolchains import Toolchain
from forgetest.verdict import Execution, Span, Step, Verdict
from grading import Grader, case_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """The same small task in one language: clamp a number to a percentage. Three tests, one of them ignored."""

    tests: str
    below: str
    """Name of the test that asks for 0 where the number is negative."""
    above: str
    ignored: str
    signature: str
    right: str
    wrong: str
    """Right but for negative numbers."""
    broken: str
    error: tuple[str, Span]
    """Its first error: code and place."""
    linted: str
    lint: tuple[str, Span]
    nameless: str
    """Compiles, and lacks the function."""
    other_types: str
    """Passes all tests, with another signature."""
    endless: str


SPECIMENS = {
    "rust": Specimen(
        tests="""
            #[cfg(test)]
            mod tests {
                use super::*;
                #[test] fn below() { assert_eq!(percentage(-5), 0); }
                #[test] fn above() { assert_eq!(percentage(105), 100); }
                #[test] #[ignore] fn slow() { assert_eq!(percentage(1), 2); }
            }
        """,
        below="tests::below",
        above="tests::above",
        ignored="tests::slow",
        signature="fn percentage(n: i32) -> i32",
        right="pub fn percentage(n: i32) -> i32 {\n    n.clamp(0, 100)\n}\n",
        wrong="pub fn percentage(n: i32) -> i32 {\n    n.min(100)\n}\n",
        broken="pub fn percentage(n: i32) -> i32 {\n    n.clamp(0, hundred)\n}\n",
        error=("E0425", Span(line_start=2, line_end=2, column_start=16, column_end=23)),
        linted="pub fn percentage(n: i32) -> i32 {\n    return n.clamp(0, 100);\n}\n",
        lint=("clippy::needless_return", Span(line_start=2, line_end=2, column_start=5, column_end=27)),
        nameless="pub fn per_mille(n: i32) -> i32 {\n    n.clamp(0, 1000)\n}\n",
        other_types="pub fn percentage(n: i64) -> i64 {\n    n.clamp(0, 100)\n}\n",
        endless="pub fn percentage(_: i32) -> i32 {\n    #[allow(clippy::empty_loop)]\n    loop {}\n}\n",
    ),
}


@pytest.fixture(params=sorted(SPECIMENS))
def language(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def specimen(language: str) -> Specimen:
    return SPECIMENS[language]


@pytest.fixture
def case(language: str, specimen: Specimen) -> Case:
    return case_of(specimen.tests, [specimen.signature], language=language)


@pytest.fixture
def toolchain(language: str) -> Toolchain:
    return plugins.find("toolchains", language)


def without_durations(verdict: Verdict) -> Verdict:
    tests = tuple(replace(test, wall_ms=0.0, cpu_ms=0.0) for test in verdict.tests)
    return replace(verdict, tests=tests, compile_ms=0.0, test_ms=0.0)


def test_every_installed_toolchain_has_a_specimen():
    assert set(plugins.names("toolchains")) <= set(SPECIMENS)


def test_right_code_has_the_full_score(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.right, case)
    assert graded.score.overall == 1.0
    assert graded.correct
    assert graded.verdict.integrity == ()


def test_every_expected_test_has_an_outcome_in_the_order_of_the_case(grade: Grader, specimen: Specimen, case: Case):
    outcomes = [(test.name, test.status) for test in grade(specimen.right, case).verdict.tests]
    assert outcomes == [(specimen.below, "passed"), (specimen.above, "passed"), (specimen.ignored, "ignored")]


def test_wrong_code_fails_the_right_test_by_name(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.wrong, case)
    assert graded.failed == [specimen.below]
    assert graded.verdict.tests[0].message
    assert graded.score.overall == 0.4 + 0.5 / 2 + 0.1
    assert not graded.correct


def test_an_error_has_code_message_and_place_in_the_samples_own_lines(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.broken, case)
    error = graded.verdict.errors[0]
    assert not graded.verdict.compiled
    assert (error.level, error.code, *error.spans) == ("error", *specimen.error)
    assert error.message
    assert graded.score.overall == 0.0


def test_code_that_does_not_compile_fails_every_test_that_is_not_ignored(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.broken, case)
    assert graded.failed == [specimen.below, specimen.above]
    assert graded.verdict.tests[2].status == "ignored"


def test_a_lint_costs_a_point_and_has_a_place(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.linted, case)
    (lint,) = graded.verdict.lints
    assert (lint.code, *lint.spans) == specimen.lint
    assert graded.score.overall == 0.99
    assert graded.correct


def test_code_that_must_not_compile_is_right_when_it_does_not(grade: Grader, specimen: Specimen, language: str):
    case = case_of(None, should_compile=False, should_pass_tests=False, language=language)
    assert grade(specimen.broken, case).score.overall == 1.0
    assert grade(specimen.broken, case).correct
    assert grade(specimen.right, case).score.overall == 0.0
    assert not grade(specimen.right, case).correct


def test_where_no_test_is_asked_for_none_is_run(grade: Grader, specimen: Specimen, language: str):
    graded = grade(specimen.wrong, case_of(specimen.tests, should_pass_tests=False, language=language))
    assert graded.verdict.tests == ()
    assert graded.score.overall == 1.0
    assert graded.correct


def test_a_case_whose_tests_are_all_ignored_makes_nothing_correct(grade: Grader, specimen: Specimen, language: str):
    ignored = specimen.tests.replace("#[test] fn", "#[test] #[ignore] fn")
    graded = grade(specimen.right, case_of(ignored, language=language))
    assert {test.status for test in graded.verdict.tests} == {"ignored"}
    assert graded.score.tests == 0.0
    assert graded.shortcomings == ["no test ran"]


def test_another_signature_makes_it_incorrect_and_leaves_the_score(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.other_types, case)
    assert graded.score.overall == 1.0
    assert not graded.correct
    assert any(specimen.signature in shortcoming for shortcoming in graded.shortcomings)


def test_a_missing_function_fails_the_tests_of_code_that_compiles(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.nameless, case)
    assert graded.verdict.compiled
    assert graded.verdict.errors == ()
    assert graded.failed == [specimen.below, specimen.above]
    assert graded.score.overall == 0.5
    assert not graded.correct


def test_a_test_that_does_not_end_is_stopped(grade: Grader, specimen: Specimen, case: Case):
    graded = grade(specimen.endless, replace(case, id="endless", timeout_secs=1.0))
    assert graded.failed == [specimen.below, specimen.above]
    assert "CPU time" in graded.messages


@pytest.mark.parametrize("text", ["\0", "🦀", "\ud800", "fn", "}", "// only a comment"])
def test_no_text_upsets_it(grade: Grader, case: Case, text: str):
    assert not grade(text, case).correct


@pytest.mark.parametrize("name", ["right", "wrong", "broken", "linted", "nameless", "other_types"])
def test_the_same_code_gets_the_same_verdict(grade: Grader, specimen: Specimen, case: Case, name: str):
    code = getattr(specimen, name)
    first, second = (without_durations(grade(code, case).verdict) for _ in range(2))
    assert first == second


def test_a_verdict_says_what_led_to_it(grade: Grader, specimen: Specimen, case: Case):
    provenance = grade(specimen.right, case).verdict.provenance
    assert provenance.toolchain == grade.tools(case)  # a run that goes on with another judges again
    assert provenance.sandbox
    assert len({provenance.source, provenance.tests, provenance.flags, provenance.binary}) == 4


def test_other_code_has_another_provenance(grade: Grader, specimen: Specimen, case: Case):
    right, wrong = (grade(code, case).verdict.provenance for code in (specimen.right, specimen.wrong))
    assert right.source != wrong.source
    assert right.binary != wrong.binary
    assert right.tests == wrong.tests


@pytest.mark.parametrize("name", ["right", "broken", "nameless", "other_types"])
def test_next_is_pure(workshop: Workshop, toolchain: Toolchain, specimen: Specimen, case: Case, name: str):
    prepared = workshop.prepare(toolchain, case)
    executions: list[Execution] = []
    while True:
        first, second = (toolchain.next(prepared, case, getattr(specimen, name), tuple(executions)) for _ in range(2))
        assert first == second
        if isinstance(first, Verdict):
            return
        executions.append(workshop.run(first))


def test_preparing_is_pure(workshop: Workshop, toolchain: Toolchain, case: Case):
    first, second = (toolchain.prepare(case, ()) for _ in range(2))
    assert first == second
    assert isinstance(first, Step)
    assert workshop.prepare(toolchain, case) == workshop.prepare(toolchain, case)
