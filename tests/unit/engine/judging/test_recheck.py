"""Samples judged again: what changes is flaky, and is marked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from forgetest.engine.asking.ask import Source
from forgetest.engine.judging.recheck import differences
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.plan import Generation, Plan, for_models
from forgetest.engine.run import run, unfinished
from forgetest.engine.run_folder import RunFolder
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.evalset.generation import GenerationSettings
from forgetest.renderers import terminal
from forgetest.report import Report
from forgetest.sample import Attempt, Completion, Recheck, Sample
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from forgetest.verdict import Condition, Execution, Finding, Step, TestOutcome, Verdict
from grading import judging_with
from specimens import a_case, a_diagnostic, a_verdict, an_eval_set

SET = an_eval_set(a_case("steady"), a_case("wavering"), a_case("refused"))
GENERATION = Generation(temperature=1.0, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
PLAN = for_models([SET], [SET], [("acme", "small")], (1,), 1, GENERATION)


class Wavering(FakeToolchain):
    """Judges the case `wavering` now one way, now the other."""

    def __init__(self) -> None:
        self.judged = {case.id: 0 for case in SET.cases}

    def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        if not executions:
            return super().next(prepared, case, code, executions)
        self.judged[case.id] += 1
        odd = self.judged[case.id] % 2
        return a_verdict() if case.id != "wavering" or odd else a_verdict(passed=3, failed=1)


class Nobody:
    def started(self, total: int, done: int) -> None: ...

    def finished(self, sample: Sample) -> None: ...


def answer(attempt: Attempt) -> Completion:
    refusing = attempt.case_id == "refused"
    return Completion(text=f"fn {attempt.case_id}() {{}}", verbatim=True, finish="refusal" if refusing else "stop")


Runs = Callable[..., Report]


@pytest.fixture
def toolchain() -> Wavering:
    return Wavering()


@pytest.fixture
def run_with(tmp_path: Path, toolchain: Wavering) -> Iterator[Runs]:
    """Runs the plan in one folder, with a cache of verdicts."""
    with contextlib.ExitStack() as stack:

        def run_with(recheck: int, sandbox: FakeSandbox | None = None, plan: Plan = PLAN) -> Report:
            cache = stack.enter_context(contextlib.closing(VerdictCache(tmp_path, 1 << 30)))
            judging = judging_with(StepRunner(sandbox or FakeSandbox(), tmp_path, {}), toolchain, cache)
            folder = RunFolder.open(tmp_path, plan.name, fresh=False)
            # a report reads from its journal, which another run of the same plan has to lock
            with contextlib.closing(folder.journal()) as journal:
                sources = {"acme/small": Source(ask=answer, concurrency=1)}
                left = unfinished(plan, journal, recheck)
                found = run(plan, folder, journal, judging, sources, Nobody(), left=left, recheck=recheck)
                held.append(list(found.results))
            return found

        held = run_with.results = []  # type: ignore[attr-defined]
        yield run_with


def results(run_with: Runs) -> dict[str, Sample]:
    last: list[Sample] = run_with.results[-1]  # type: ignore[attr-defined]
    return {sample.attempt.case_id: sample for sample in last}


def test_a_verdict_that_changes_is_marked_and_the_first_one_counts(run_with: Runs) -> None:
    report = run_with(4)

    found = results(run_with)
    assert found["steady"].recheck == Recheck(times=4)
    assert found["wavering"].recheck == Recheck(times=4, disagreeing=2, changes=("test t3: passed, then failed",))
    assert found["wavering"].correct
    assert [attempt.case_id for attempt in report.aggregate.flaky] == ["wavering"]
    assert "1 sample flaky" in terminal.summary(report)
    assert "basics/wavering acme/small attempt 1" in terminal.summary(report)


def test_without_recheck_a_sample_is_judged_once(run_with: Runs, toolchain: Wavering) -> None:
    run_with(0)
    assert results(run_with)["wavering"].recheck is None
    assert toolchain.judged == {"steady": 1, "wavering": 1, "refused": 0}


def test_what_was_judged_in_an_earlier_run_is_only_rechecked(run_with: Runs, toolchain: Wavering) -> None:
    run_with(0)
    before = results(run_with)["wavering"]
    run_with(3)
    after = results(run_with)["wavering"]
    assert after.recheck is not None
    assert after.recheck.disagreeing == 2
    assert after.verdict == before.verdict
    assert toolchain.judged == {"steady": 4, "wavering": 4, "refused": 0}


def test_what_was_rechecked_so_often_already_is_not_rechecked_again(run_with: Runs, toolchain: Wavering) -> None:
    run_with(3)
    run_with(3)
    run_with(0)
    assert toolchain.judged["steady"] == 4
    assert results(run_with)["wavering"].recheck is not None
    run_with(5)
    assert toolchain.judged["steady"] == 9


def test_an_answer_without_code_needs_no_recheck(run_with: Runs) -> None:
    run_with(2)
    assert results(run_with)["refused"].recheck == Recheck(times=2)


def test_a_failure_of_ours_is_no_sign_of_a_flaky_sample(run_with: Runs) -> None:
    run_with(0)

    def fail(step: Step) -> Execution:
        raise MachineryError("the sandbox did not start")

    report = run_with(2, FakeSandbox(fail))
    assert results(run_with)["wavering"].recheck == Recheck(times=0)
    assert not report.aggregate.flaky


@pytest.mark.parametrize(
    ("first", "again", "expected"),
    [
        (a_verdict(), a_verdict(compiled=False), ["compiled, then did not compile"]),
        (a_verdict(lints=1), a_verdict(lints=2), ["lint warnings: 1, then 2"]),
        (a_verdict(passed=1), a_verdict(passed=2), ["test none, then t1"]),
        (
            a_verdict(conditions=(Condition(name="custom_check", holds=True),)),
            a_verdict(conditions=(Condition(name="custom_check", holds=False, detail="exited 1"),)),
            ["condition custom_check: holds, then does not hold"],
        ),
        (
            a_verdict(),
            a_verdict(integrity=(Finding(kind="forged", detail="token"),)),
            ["integrity findings: none, then forged"],
        ),
        (
            a_verdict(compile_ms=1.0, errors=(a_diagnostic(),)),
            a_verdict(tests=tuple(TestOutcome(name=f"t{n}", status="passed", stdout="0x7f") for n in range(4))),
            [],
        ),
    ],
)
def test_differences_but_durations_and_output_are_listed(first: Verdict, again: Verdict, expected: list[str]) -> None:
    assert list(differences(first, again)) == expected
