"""From an attempt that is ready to its line in the journal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import FakeSandbox, FakeToolchain
from forgetest.engine.asking.ask import ReadyAttempt, Source
from forgetest.engine.journal import Journal
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.recorder import Finishing, Work
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.plan import Generation, Plan, for_models
from forgetest.engine.results import Results
from forgetest.errors import MachineryError
from forgetest.evalset.generation import GenerationSettings
from forgetest.sample import Attempt, Completion, Sample
from forgetest.verdict import Execution, Step
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
    """Everything that finishing takes, with a verdict on one answer in the cache; and what is told of it."""

    def __init__(self, place: Path, journal: Journal, cache: VerdictCache) -> None:
        self.sandbox = FakeSandbox()
        self.told: list[Sample] = []
        self.results = Results(PLAN, journal)
        self.judge = Judge(Workshop(self.sandbox, place, {}), {"rust": FakeToolchain()}, "fake", cache)
        self.judge.judge(*self.results.cases[KNOWN.eval_set_id, KNOWN.case_id], answer(KNOWN))
        self.sandbox.steps.clear()

    def finishing(self, recheck: int = 0) -> Finishing:
        sources = {"acme/small": Source(ask=answer, concurrency=1, at_hand=True)}
        return Finishing(self.results, self.judge, sources, self, recheck)

    def started(self, total: int, done: int) -> None: ...

    def finished(self, sample: Sample) -> None:
        self.told.append(sample)


@pytest.fixture
def bench(tmp_path: Path, journal: Journal) -> Iterator[Bench]:
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        yield Bench(tmp_path, journal, cache)


def test_what_nothing_is_run_for_is_noted_before_anybody_judges(bench: Bench) -> None:
    left = bench.finishing().sift(READY)

    assert left == [Work(NEW, answer(NEW))]
    assert {sample.attempt: (sample.outcome, sample.reason) for sample in bench.told} == {
        FAILED: ("unjudged", "no credit left"),
        KNOWN: ("judged", None),
        REFUSED: ("judged", "the model refused"),
    }
    assert list(bench.results) == sorted(bench.told, key=lambda sample: sample.attempt)
    assert bench.results.journal.completion(NEW) == answer(NEW)
    assert bench.sandbox.steps == []


def test_the_rest_is_judged(bench: Bench) -> None:
    finishing = bench.finishing()
    finishing.judge(finishing.sift(READY))

    assert [sample.attempt for sample in bench.results] == [FAILED, KNOWN, NEW, REFUSED]
    assert [step.argv for step in bench.sandbox.steps] == [("fn new() {}",)]


def test_where_samples_are_judged_again_each_takes_a_slot(bench: Bench) -> None:
    finishing = bench.finishing(recheck=2)
    left = finishing.sift(READY)

    assert [work.attempt for work in left] == [KNOWN, NEW, REFUSED]
    assert [sample.attempt for sample in bench.told] == [FAILED]
    finishing.judge(left)
    assert [sample.recheck.times if sample.recheck else None for sample in bench.results] == [None, 2, 2, 2]


def test_what_is_not_finished_when_a_run_ends_is_left_for_the_next(bench: Bench) -> None:
    finishing = bench.finishing()
    left = finishing.sift([ReadyAttempt(NEW)])

    def closed(step: Step) -> Execution:
        finishing.end()
        raise MachineryError("the sandbox is closed")

    bench.sandbox._run = closed
    finishing.judge(left)
    assert finishing.sift([ReadyAttempt(KNOWN)]) == []
    assert bench.told == []
    assert list(bench.results) == []
    assert not bench.results.journal.has_answer(KNOWN)
