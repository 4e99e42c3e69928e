from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from forgetest.engine.judging.prepared_cases import PreparedCases, prepare_ahead
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.testing.fakes import FakePrepared, FakeSandbox, FakeToolchain, succeed
from forgetest.verdict import Execution, Step
from grading import cases_with
from specimens import a_case


class OneStepEach(FakeToolchain):
    """Asks for a step of each case; cases called `wrong` are refused."""

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | FakePrepared:
        if case.id == "wrong":
            raise UserError("no such thing")
        return FakePrepared() if executions else self._step(case)

    def _step(self, case: Case) -> Step:
        return Step(name="one", argv=("one", case.id))


class Prepared:
    """Prepared cases, and what was run for them."""

    def __init__(self, folder: Path) -> None:
        self.sandbox = FakeSandbox()
        self.cases: PreparedCases = cases_with(StepRunner(self.sandbox, folder, {}), OneStepEach())

    @property
    def run(self) -> list[tuple[str, ...]]:
        return [step.argv for step in self.sandbox.steps]


def test_equal_cases_are_prepared_once(tmp_path: Path) -> None:
    prepared = Prepared(tmp_path)
    prepared.cases.prepare_many([a_case("a"), a_case("b"), a_case("a")])

    assert prepared.cases.prepare(a_case("b")) == FakePrepared()
    assert prepared.run == [("one", "a"), ("one", "b")]


def test_a_case_that_cannot_be_prepared_does_not_keep_others_from_it(tmp_path: Path) -> None:
    prepared = Prepared(tmp_path)
    prepared.cases.prepare_many([a_case("wrong"), a_case("a"), a_case("b")])

    assert prepared.cases.prepare(a_case("a")) == FakePrepared()
    with pytest.raises(UserError, match="no such thing"):
        prepared.cases.prepare(a_case("wrong"))


def test_a_step_that_fails_is_left_to_whoever_needs_the_case(tmp_path: Path) -> None:
    def fail(step: Step) -> Execution:
        raise MachineryError("no room")

    prepared = Prepared(tmp_path)
    prepared.sandbox.run_step = fail
    prepared.cases.prepare_many([a_case("a"), a_case("b")])
    prepared.sandbox.run_step = succeed

    assert prepared.cases.prepare(a_case("a")) == FakePrepared()
    assert prepared.run == [("one", "a"), ("one", "b"), ("one", "a")]


def test_a_later_run_finds_what_was_stored(tmp_path: Path) -> None:
    Prepared(tmp_path).cases.prepare_many([a_case("a"), a_case("b")])
    later = Prepared(tmp_path)
    later.cases.prepare_many([a_case("b"), a_case("c")])

    assert later.run == [("one", "c")]


def test_several_threads_prepare_cases_at_the_same_time(tmp_path: Path) -> None:
    both = threading.Barrier(2)

    def wait_for_the_other(step: Step) -> Execution:
        both.wait(10)
        return succeed(step)

    prepared = Prepared(tmp_path)
    prepared.sandbox.run_step = wait_for_the_other
    prepared.cases.prepare_many([a_case(str(number)) for number in range(16)], slots=2)

    assert len(prepared.run) == 16


def test_cases_are_prepared_ahead_while_nobody_waits_for_them(tmp_path: Path) -> None:
    done = threading.Event()

    def notice(step: Step) -> Execution:
        done.set()
        return succeed(step)

    prepared = Prepared(tmp_path)
    prepared.sandbox.run_step = notice
    with prepare_ahead(prepared.cases, [a_case("a"), a_case("b")], slots=1):
        assert done.wait(10)
    assert prepared.cases.prepare(a_case("a")) == FakePrepared()
    assert ("one", "a") in prepared.run


def test_after_an_interruption_no_further_step_begins(tmp_path: Path) -> None:
    may_end = threading.Event()

    def run_step(step: Step) -> Execution:
        if "case-0" in step.argv and not may_end.is_set():  # which is waited for first
            raise KeyboardInterrupt
        assert may_end.wait(60)
        return succeed(step)

    prepared = Prepared(tmp_path)
    prepared.sandbox.run_step = run_step
    with pytest.raises(KeyboardInterrupt):
        prepared.cases.prepare_many([a_case(f"case-{number}") for number in range(20)], slots=2)
    may_end.set()

    for thread in threading.enumerate():
        if thread.name.startswith("prepare"):
            thread.join(60)
    assert len(prepared.run) <= 2
    prepared.cases.prepare(a_case("case-0"))  # nothing holds its lock any more
