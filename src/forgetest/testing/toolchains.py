"""The contract of a toolchain, as tests.

A plugin's tests are a Specimen and three lines:

    class TestLua(ToolchainContract):
        specimen = Specimen(language="lua", ...)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from forgetest import config, plugins, scoring
from forgetest import language as languages
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case, Expectations, Weights
from forgetest.executors import JudgeTask
from forgetest.extraction import extract
from forgetest.sample import Score
from forgetest.sandboxes.factory import open_sandbox
from forgetest.toolchains import Toolchain
from forgetest.verdict import Execution, Span, Step, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """One small task in a language: clamp a number to a percentage.

    What a language does not have (a linter, static signatures) is None, and its tests are skipped.
    """

    language: str
    tests: str
    """Three tests: `below` asks for 0 where the number is negative, `above` for 100; one more is ignored."""
    below: str
    """Name of the first test, as the toolchain reports it."""
    above: str
    ignored: str
    ignored_tests: str
    """The same tests, all of them ignored."""
    signature: str
    """The function, as an entry of `expected_functions`."""
    right: str
    wrong: str
    """Right except for negative numbers."""
    broken: str
    """Does not compile, or cannot be parsed."""
    error: tuple[str | None, Span]
    """Its first error: code and place."""
    nameless: str
    """Compiles, and lacks the function."""
    endless: str
    """Compiles, and its function never returns."""
    linted: str | None = None
    """Right, with one lint."""
    lint: tuple[str, Span] | None = None
    """That lint: code and place."""
    other_types: str | None = None
    """Passes all tests, with another signature."""
    comment: str = "// only a comment"
    findings: frozenset[str] = frozenset()
    """Kinds of integrity findings that even right code has; none of them forbids."""

    def case(self, tests: str | None, **expectations: Any) -> Case:
        """Return a case with these tests."""
        expected = Expectations(test_file=tests, **expectations)
        return Case(id="-", name="-", prompt="-", language=self.language, timeout_secs=10.0, expectations=expected)

    def code(self, name: str) -> str:
        """Return the code of that name; skips the test where the language has no such thing."""
        code = getattr(self, name)
        if code is None:
            pytest.skip(f"{self.language} has no {name} code")
        return str(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A graded sample."""

    verdict: Verdict
    score: Score
    shortcomings: Sequence[str]

    @property
    def failed(self) -> list[str]:
        """Names of failed tests."""
        return [test.name for test in self.verdict.tests if test.status == "failed"]


class ToolchainContract:
    """What every toolchain does. Subclass it as `Test…`, and give it a specimen."""

    specimen: ClassVar[Specimen]

    @pytest.fixture(scope="class")
    @classmethod
    def steps(cls) -> Iterator[StepRunner]:
        """Runs steps in the default sandbox, with the user's own cache."""
        try:
            sandbox = open_sandbox("bubblewrap")
        except (UserError, MachineryError) as error:
            pytest.skip(str(error))
        yield StepRunner(sandbox, config.cache_folder(), config.host_environment())
        sandbox.close()

    @pytest.fixture(scope="class")
    @classmethod
    def toolchain(cls, steps: StepRunner) -> Toolchain:
        """The installed toolchain; skips where its tools are missing."""
        found: Toolchain = plugins.find("toolchains", cls.specimen.language)
        try:
            steps.prepare(found, cls._case())
        except UserError as error:
            pytest.skip(str(error))
        return found

    @pytest.fixture(scope="class")
    @classmethod
    def judge(cls, steps: StepRunner, toolchain: Toolchain) -> Judge:
        """Judges samples of the language, without a cache of verdicts."""
        return Judge(steps, PreparedCases(steps, lambda _: toolchain), "bubblewrap")

    @classmethod
    def _case(cls) -> Case:
        return cls.specimen.case(cls.specimen.tests, expected_functions=(cls.specimen.signature,))

    def _grade(self, judge: Judge, code: str, case: Case | None = None) -> Graded:
        asked = self._case() if case is None else case
        [[judged]] = judge.judge([JudgeTask(number=0, case=asked, code=code)])
        assert judged.verdict is not None, f"unjudged: {judged.reason}"
        return Graded(
            verdict=judged.verdict,
            score=scoring.score(judged.verdict, asked.expectations, Weights()),
            shortcomings=scoring.shortcomings(judged.verdict, asked.expectations),
        )

    def test_the_language_describes_itself(self, toolchain: Toolchain) -> None:
        """Its name is that of the entry point, and case keys of its own take no name that every case has."""
        assert toolchain.LANGUAGE.name == self.specimen.language
        assert languages.find(self.specimen.language) == toolchain.LANGUAGE
        assert not {each.key.name for each in toolchain.LANGUAGE.case_keys} & set(Case.__dataclass_fields__)

    def test_code_is_found_in_a_fenced_block_of_the_language(self, toolchain: Toolchain) -> None:
        """An answer with prose around one tagged block is the code in that block."""
        for tag in sorted(toolchain.LANGUAGE.fence_tags):
            answer = f"Here it is:\n\n```{tag}\n{self.specimen.right}```\n\nHave fun!"
            assert extract(answer, toolchain.LANGUAGE) == self.specimen.right

    def test_right_code_has_the_full_score(self, judge: Judge) -> None:
        """It compiles, passes all tests and has no lint."""
        graded = self._grade(judge, self.specimen.right)
        assert graded.shortcomings == []
        assert graded.score.overall == 1.0
        assert {finding.kind for finding in graded.verdict.integrity} == self.specimen.findings

    def test_every_expected_test_has_an_outcome_in_the_order_of_the_case(self, judge: Judge) -> None:
        """Ignored tests are listed, too."""
        outcomes = [(test.name, test.status) for test in self._grade(judge, self.specimen.right).verdict.tests]
        specimen = self.specimen
        assert outcomes == [(specimen.below, "passed"), (specimen.above, "passed"), (specimen.ignored, "ignored")]

    def test_wrong_code_fails_the_right_test_by_name(self, judge: Judge) -> None:
        """The others pass, and the score says so."""
        graded = self._grade(judge, self.specimen.wrong)
        assert graded.failed == [self.specimen.below]
        assert graded.verdict.tests[0].message
        assert graded.score.overall == 0.4 + 0.5 / 2 + 0.1
        assert graded.shortcomings

    def test_an_error_has_code_message_and_place_in_the_samples_own_lines(self, judge: Judge) -> None:
        """Lines and columns count from 1."""
        graded = self._grade(judge, self.specimen.broken)
        error = graded.verdict.errors[0]
        assert not graded.verdict.compiled
        assert (error.level, error.code, *error.spans) == ("error", *self.specimen.error)
        assert error.message
        assert graded.score.overall == 0.0

    def test_code_that_does_not_compile_fails_every_test_that_is_not_ignored(self, judge: Judge) -> None:
        """No expected test is missing from the verdict."""
        graded = self._grade(judge, self.specimen.broken)
        assert graded.failed == [self.specimen.below, self.specimen.above]
        assert graded.verdict.tests[2].status == "ignored"

    def test_a_lint_costs_a_point_and_has_a_place(self, judge: Judge) -> None:
        """It leaves the sample correct."""
        graded = self._grade(judge, self.specimen.code("linted"))
        (lint,) = graded.verdict.lints
        assert (lint.code, *lint.spans) == self.specimen.lint
        assert graded.score.overall == 0.99
        assert graded.shortcomings == []

    def test_code_that_must_not_compile_is_right_when_it_does_not(self, judge: Judge) -> None:
        """And wrong when it does."""
        case = self.specimen.case(None, should_compile=False, should_pass_tests=False)
        rejected = self._grade(judge, self.specimen.broken, case)
        assert (rejected.score.overall, rejected.shortcomings) == (1.0, [])
        accepted = self._grade(judge, self.specimen.right, case)
        assert accepted.score.overall == 0.0
        assert accepted.shortcomings

    def test_where_no_test_is_asked_for_none_is_run(self, judge: Judge) -> None:
        """Wrong code that compiles is then correct."""
        graded = self._grade(
            judge, self.specimen.wrong, self.specimen.case(self.specimen.tests, should_pass_tests=False)
        )
        assert graded.verdict.tests == ()
        assert graded.score.overall == 1.0
        assert graded.shortcomings == []

    @pytest.mark.parametrize("tests", ["ignored", "none"])
    def test_a_case_without_a_test_that_runs_makes_nothing_correct(self, judge: Judge, tests: str) -> None:
        """The tests' component of the score is 0."""
        text = self.specimen.ignored_tests if tests == "ignored" else None
        graded = self._grade(judge, self.specimen.right, self.specimen.case(text))
        assert {test.status for test in graded.verdict.tests} <= {"ignored"}
        assert graded.score.tests == 0.0
        assert graded.shortcomings == ["no test ran"]

    def test_another_signature_makes_it_incorrect_and_leaves_the_score(self, judge: Judge) -> None:
        """Only in languages whose signatures say types."""
        graded = self._grade(judge, self.specimen.code("other_types"))
        assert graded.score.overall == 1.0
        assert any(self.specimen.signature in shortcoming for shortcoming in graded.shortcomings)

    def test_a_missing_function_fails_the_tests_of_code_that_compiles(self, judge: Judge) -> None:
        """The code is fine; it is the tests that do not find what they call."""
        graded = self._grade(judge, self.specimen.nameless)
        assert graded.verdict.compiled
        assert graded.verdict.errors == ()
        assert graded.failed == [self.specimen.below, self.specimen.above]
        assert graded.score.overall == 0.5
        assert graded.shortcomings

    def test_a_test_that_does_not_end_is_stopped(self, judge: Judge) -> None:
        """By its CPU time, or before that where it provably never ends."""
        graded = self._grade(judge, self.specimen.endless, replace(self._case(), timeout_secs=1.0))
        assert graded.failed == [self.specimen.below, self.specimen.above]
        assert all(test.timed_out for test in graded.verdict.tests[:2])
        assert graded.verdict.tests[0].message.startswith("stopped")

    @pytest.mark.parametrize("text", ["\0", "🦀", "\ud800", "fn", "}", "comment"])
    def test_any_text_is_judged(self, judge: Judge, text: str) -> None:
        """And is not correct."""
        assert self._grade(judge, self.specimen.comment if text == "comment" else text).shortcomings

    @pytest.mark.parametrize("name", ["right", "wrong", "broken", "linted", "nameless", "other_types"])
    def test_the_same_code_gets_the_same_verdict(self, judge: Judge, name: str) -> None:
        """Except for durations."""
        code = self.specimen.code(name)
        first, second = (_without_durations(self._grade(judge, code).verdict) for _ in range(2))
        assert first == second

    def test_a_verdict_names_the_tools_that_led_to_it(
        self, judge: Judge, steps: StepRunner, toolchain: Toolchain
    ) -> None:
        """A run that goes on with other tools judges again."""
        provenance = self._grade(judge, self.specimen.right).verdict.provenance
        assert provenance.toolchain == steps.prepare(toolchain, self._case()).version
        assert provenance.sandbox
        hashes = [provenance.source, provenance.tests, provenance.flags]
        hashes += [provenance.binary] if provenance.binary is not None else []
        assert all(hashes)
        assert len(set(hashes)) == len(hashes)

    def test_other_code_has_another_provenance(self, judge: Judge) -> None:
        """The tests' part is the same."""
        codes = (self.specimen.right, self.specimen.wrong)
        right, wrong = (self._grade(judge, code).verdict.provenance for code in codes)
        assert right.source != wrong.source
        assert right.binary != wrong.binary or right.binary is None
        assert right.tests == wrong.tests

    @pytest.mark.parametrize("name", ["right", "broken", "nameless", "other_types"])
    def test_next_is_pure(self, steps: StepRunner, toolchain: Toolchain, name: str) -> None:
        """The same executions lead to the same step or verdict."""
        case, code = self._case(), self.specimen.code(name)
        prepared = steps.prepare(toolchain, case)
        executions: list[Execution] = []
        while True:
            first, second = (toolchain.next(prepared, case, code, tuple(executions)) for _ in range(2))
            assert first == second
            if isinstance(first, Verdict):
                return
            executions.append(steps.run(first))

    def test_preparing_is_pure(self, steps: StepRunner, toolchain: Toolchain) -> None:
        """The same executions lead to the same step or result."""
        case = self._case()
        first, second = (toolchain.prepare(case, ()) for _ in range(2))
        assert first == second
        assert isinstance(first, Step)
        assert steps.prepare(toolchain, case) == steps.prepare(toolchain, case)


def _without_durations(verdict: Verdict) -> Verdict:
    tests = tuple(replace(test, wall_ms=0.0, cpu_ms=0.0) for test in verdict.tests)
    return replace(verdict, tests=tests, compile_ms=0.0, test_ms=0.0)
