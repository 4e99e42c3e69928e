"""Judging by input and output, with a toolchain that runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from forgetest.engine.judging.io_judging import IoJudging, compare
from forgetest.engine.judging.program_runs import programs_of
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram, IoTest, IoTests
from forgetest.toolchains.programs import ProgramResult, ProgramRun
from forgetest.verdict import Execution, Step, Verdict
from specimens import a_diagnostic, a_verdict

TESTS = (
    IoTest(name="seen", visible=True, input="1", output="one"),
    IoTest(name="hidden", input="2", output="two"),
)
STEP = Step(name="run", argv=("/run",))


@dataclass
class Built:
    code: str
    verdict: Verdict


@dataclass
class Echoing:
    """A toolchain whose programs end as the test says, by their input."""

    results: dict[bytes, ProgramResult]
    compiles: bool = True
    asked: list[object] = field(default_factory=list)
    """Everything that the toolchain was told."""

    def toolchain(self, _language: str) -> Echoing:
        return self

    def prepare(self, _case: Case) -> None:
        return None

    def build_program(self, _prepared: None, case: Case, code: str, _executions: Sequence[Execution]) -> Built:
        self.asked.append(case)
        errors = () if self.compiles else (a_diagnostic("no good"),)
        return Built(code, replace(a_verdict(), tests=(), compiled=self.compiles, errors=errors))

    def run_program(
        self, program: Built, runs: Sequence[ProgramRun], executions: Sequence[Execution]
    ) -> Step | list[ProgramResult]:
        if not executions:
            self.asked.append(list(runs))
            return STEP
        if program.code == "checker":
            return [self.results[run.files[1]] for run in runs]
        return [self.results[run.stdin] for run in runs]


def judged(echoing: Echoing, **given) -> Verdict:
    io = IoTests(**{"tests": TESTS, **given})
    case = Case(id="case", name="-", prompt="-", language="echo", timeout_secs=2.0, io=io)
    ended = Execution(step="run", ended="exited", exit_code=0, stdout=b"x" * 100)
    judging = IoJudging(echoing, lambda _step: ended, case, {})
    verdict = judging.judge("sample")
    assert all(execution.stdout == b"" for execution in judging.executions)
    return verdict


def printed(text: str, **given) -> ProgramResult:
    return ProgramResult(ending="exited", stdout=text.encode(), **given)


def test_outputs_are_compared_and_only_visible_tests_say_what_is_expected():
    verdict = judged(Echoing({b"1": printed("uno"), b"2": printed("dos")}))
    assert [(test.name, test.status, test.visible, test.message) for test in verdict.tests] == [
        ("seen", "failed", True, "wrong output at token 1: expected one, found uno"),
        ("hidden", "failed", False, "wrong output at token 1: dos"),
    ]
    assert verdict.provenance.tests


def test_a_toolchain_is_never_told_what_is_expected():
    echoing = Echoing({b"1": printed("one"), b"2": printed("two")})
    assert {test.status for test in judged(echoing).tests} == {"passed"}
    assert "'one'" not in repr(echoing.asked)
    assert "'two'" not in repr(echoing.asked)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (printed("one", code=3, stderr="Traceback\nValueError: x\n"), "exit code 3\nTraceback\nValueError: x"),
        (ProgramResult(ending="signalled", code=11), "ended by a signal: segmentation fault (or a stack that"),
        (ProgramResult(ending="output_limit", stdout=b"1" * 9999), "stopped: it printed more than it may"),
        (ProgramResult(ending="littered"), "not run: a test before it left files that cannot be removed"),
    ],
)
def test_a_program_that_does_not_end_well_fails_whatever_it_printed(result, message):
    test = judged(Echoing({b"1": result, b"2": printed("two")})).tests[0]
    assert test.status == "failed"
    assert test.message.startswith(message)
    assert test.timed_out is None
    assert len(test.stdout) <= 2000


def test_a_program_that_does_not_compile_fails_every_test_and_is_not_run():
    echoing = Echoing({}, compiles=False)
    verdict = judged(echoing)
    assert [(test.name, test.visible, test.message) for test in verdict.tests] == [
        ("seen", True, "no good"),
        ("hidden", False, "no good"),
    ]
    assert len(echoing.asked) == 1


def test_tests_that_ran_out_of_time_are_told_by_the_clock_that_stopped_them():
    verdict = judged(Echoing({b"1": ProgramResult(ending="cpu_limit"), b"2": ProgramResult(ending="not_run")}))
    assert [test.timed_out for test in verdict.tests] == ["cpu", "cpu"]


CHECKER = {"checker": "program", "checker_program": CheckerProgram(language="echo", code="checker")}


def test_a_checker_is_asked_about_the_programs_that_ended_well():
    echoing = Echoing({b"1": printed("uno"), b"2": printed("", code=1), b"uno": printed("rejected wrong language\n")})
    verdict = judged(echoing, **CHECKER)
    assert [test.message for test in verdict.tests] == ["rejected by the checker: wrong language", "exit code 1"]
    assert [run.files for run in echoing.asked[-1]] == [(b"1", b"uno", b"one")]


@pytest.mark.parametrize("answer", [printed("maybe"), printed("accepted", code=1), ProgramResult(ending="cpu_limit")])
def test_a_checker_without_a_verdict_is_a_failure_of_ours(answer):
    echoing = Echoing({b"1": printed("uno"), b"2": printed("uno"), b"uno": answer})
    with pytest.raises(MachineryError, match="the checker of case case gave no verdict on seen"):
        judged(echoing, **CHECKER)


@pytest.mark.parametrize(
    ("given", "expected", "found", "accepted"),
    [
        ({"checker": "exact"}, b"1\n", b"1", False),
        ({}, b"1\n", b"1", True),
        ({"checker": "floats", "absolute_tolerance": 0.5}, b"1", b"1.4", True),
        ({"checker": "floats", "absolute_tolerance": 0.1}, b"1", b"1.4", False),
        ({"checker": "unordered_lines"}, b"1\n2", b"2\n1", True),
        ({"call": "f"}, b"[1]", b"[1.0]", True),
        ({"call": "f"}, b"[1]", b"[1.4]", False),
        ({"call": "f", "checker": "floats", "absolute_tolerance": 0.5}, b"[1]", b"[1.4]", True),
    ],
)
def test_the_case_names_its_checker(given, expected, found, accepted):
    assert (compare(IoTests(tests=(), **given), expected, found) is None) == accepted


def test_a_toolchain_without_programs_is_told_by_its_language():
    class Cases:
        def toolchain(self, _language: str) -> object:
            return object()

    with pytest.raises(UserError, match="the toolchain of rust does not run programs"):
        programs_of(Cases(), Case(id="a", name="-", prompt="-"))
