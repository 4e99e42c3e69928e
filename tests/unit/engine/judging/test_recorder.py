from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.engine.asking.ask import ReadyAttempt, Source
from forgetest.engine.journal import Journal
from forgetest.engine.judging.recorder import Recorder
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.plan import Generation, Plan, for_models
from forgetest.engine.results import Results
from forgetest.evalset.generation import GenerationSettings
from forgetest.executors import JudgeTask
from forgetest.sample import Attempt, Completion, Sample
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from grading import cases_with, judge_with
from specimens import a_case, an_eval_set

SET = an_eval_set(*(a_case(name) for name in ("failed", "known", "new", "refused")))
GENERATION = Generation(temperature=1.0, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
PLAN: Plan = for_models([SET], [SET], [("acme", "small")], (1,), 1, GENERATION)
FAILED, KNOWN, NEW, REFUSED = PLAN.attempts
READY = [ReadyAttempt(FAILED, "no credit left"), ReadyAttempt(KNOWN), ReadyAttempt(NEW), ReadyAttempt(REFUSED)]


def answer(attempt: Attempt) -> Completion:
    return Completion(
        text=f"fn {attempt.case_id}() {{}}", verbatim=True, finish="refusal" if attempt == REFUSED else "stop"
    )


class Bench:
    """All that a recorder needs, with a verdict on one answer in the cache; an observer that remembers samples."""

    def __init__(self, place: Path, journal: Journal, cache: VerdictCache) -> None:
        self.sandbox = FakeSandbox()
        self.recorded: list[Sample] = []
        self.results = Results(PLAN, journal)
        step_runner, toolchain = StepRunner(self.sandbox, place, {}), FakeToolchain()
        self.judge = judge_with(step_runner, "fake", toolchain)
        self.verdicts = CachedVerdicts(cache, cases_with(step_runner, toolchain), "fake", sharing=True)
        _, case = self.results.cases[KNOWN.eval_set_id, KNOWN.case_id]
        known: Submissions[None] = Submissions(self.verdicts)
        self.settle_all(known, known.submit([Submission(None, case, answer(KNOWN).text)])[1])
        self.sandbox.steps.clear()

    def settle_all(self, submissions: Submissions[None], tasks: list[JudgeTask]) -> None:
        for judged in self.judge.judge(tasks):
            submissions.settle(judged)

    def recorder(self, recheck: int = 0, max_sample_size: int = 1_000_000) -> Recorder:
        sources = {"acme/small": Source(ask=answer, concurrency=1, immediate=True)}
        return Recorder(self.results, self.verdicts, sources, self, recheck, max_sample_size)

    def judge_all(self, recorder: Recorder, tasks: list[JudgeTask]) -> None:
        for judged in self.judge.judge(tasks):
            recorder.record(judged)

    def started(self, total: int, done: int) -> None: ...

    def finished(self, sample: Sample) -> None:
        self.recorded.append(sample)


@pytest.fixture
def bench(tmp_path: Path, journal: Journal) -> Iterator[Bench]:
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        yield Bench(tmp_path, journal, cache)


def test_attempts_that_need_no_judging_are_recorded_when_they_are_admitted(bench: Bench) -> None:
    tasks = bench.recorder().admit(READY)

    assert [task.code for task in tasks] == [answer(NEW).text]
    assert {sample.attempt: (sample.outcome, sample.reason) for sample in bench.recorded} == {
        FAILED: ("unjudged", "no credit left"),
        KNOWN: ("judged", None),
        REFUSED: ("judged", "the model refused"),
    }
    assert list(bench.results) == sorted(bench.recorded, key=lambda sample: sample.attempt)
    assert bench.results.journal.completion(NEW) == answer(NEW)
    assert bench.sandbox.steps == []


def test_an_answer_that_is_too_long_is_the_models_fault(bench: Bench) -> None:
    assert bench.recorder(max_sample_size=5).admit([ReadyAttempt(NEW)]) == []

    (sample,) = bench.recorded
    assert (sample.outcome, sample.score.overall if sample.score else None) == ("judged", 0.0)
    assert sample.reason == "the sample has 11 bytes, more than the limit of 5"
    assert bench.sandbox.steps == []


def test_the_others_are_recorded_when_they_are_judged(bench: Bench) -> None:
    recorder = bench.recorder()
    bench.judge_all(recorder, recorder.admit(READY))

    assert [sample.attempt for sample in bench.results] == [FAILED, KNOWN, NEW, REFUSED]
    assert [step.argv for step in bench.sandbox.steps] == [("fn new() {}",)]


def test_with_recheck_known_samples_are_judged_again(bench: Bench) -> None:
    recorder = bench.recorder(recheck=2)
    tasks = recorder.admit(READY)

    assert [(task.code, task.verdict is None) for task in tasks] == [("fn known() {}", False), ("fn new() {}", True)]
    assert [sample.attempt for sample in bench.recorded] == [FAILED, REFUSED]
    bench.judge_all(recorder, tasks)
    assert [sample.recheck.times if sample.recheck else None for sample in bench.results] == [None, 2, 2, 2]


def test_what_is_not_finished_when_a_run_ends_is_left_for_the_next(bench: Bench) -> None:
    recorder = bench.recorder()
    tasks = recorder.admit([ReadyAttempt(NEW)])
    recorder.end()

    bench.judge_all(recorder, tasks)
    assert recorder.admit([ReadyAttempt(KNOWN)]) == []
    assert bench.recorded == []
    assert list(bench.results) == []
    assert not bench.results.journal.has_answer(KNOWN)
