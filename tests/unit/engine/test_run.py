from __future__ import annotations

import contextlib
import json
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench
from forgetest.engine.asking.ask import Source
from forgetest.engine.journal import Journal, Session
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.plan import Generation, Plan, for_models
from forgetest.engine.run import run, unfinished
from forgetest.engine.run_folder import RunFolder
from forgetest.errors import MachineryError, ProviderError, UserError
from forgetest.evalset.generation import GenerationSettings
from forgetest.executors import Judged, JudgeTask, WorkerSpec
from forgetest.renderers import json as json_report
from forgetest.report import Report
from forgetest.sample import Attempt, Completion, Sample, Usage
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from forgetest.verdict import Execution, Step
from grading import judging_with
from specimens import a_case, an_eval_set

SET = an_eval_set(a_case("add"), a_case("sort"))
GENERATION = Generation(temperature=1.0, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")


def a_plan(samples: int = 3, *models: str) -> Plan:
    names = [(provider, model) for name in models or ("acme/small",) for provider, model in [name.split("/")]]
    return for_models([SET], [SET], names, (1, samples), samples, GENERATION)


class Watching:
    """An observer that records samples, and interrupts the run after a number of them."""

    def __init__(self, interrupt_after: int | None = None) -> None:
        self.began: list[tuple[int, int]] = []
        self.seen: list[Sample] = []
        self._interrupt_after = interrupt_after

    def started(self, total: int, done: int) -> None:
        self.began.append((total, done))

    def finished(self, sample: Sample) -> None:
        self.seen.append(sample)
        if len(self.seen) == self._interrupt_after:
            raise KeyboardInterrupt


class Asked:
    """A model that remembers what it was asked, and is wrong at every third attempt."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def __call__(self, attempt: Attempt) -> Completion:
        self.attempts.append(attempt)
        code = "fn wrong() {}" if attempt.attempt % 3 == 0 else "fn right() {}"
        return Completion(text=f"```rust\n{code}\n```", usage=Usage(cost_usd=0.01), latency_ms=10.0)


class Desk:
    """Runs plans below one folder. Reports are read from their journals, so these stay open until the end."""

    def __init__(self, output: Path, sandbox: FakeSandbox | None = None) -> None:
        self.output = output
        self._step_runner = StepRunner(sandbox or FakeSandbox(), output / "cache", {})
        self._journal: Journal | None = None

    def run(
        self,
        plan: Plan,
        ask: Callable[[Attempt], Completion],
        observer: Watching | None = None,
        *,
        fresh: bool = False,
    ) -> Report:
        self.close()
        judging = judging_with(self._step_runner, FakeToolchain())
        folder = RunFolder.open(self.output, plan.name, fresh=fresh)
        self._journal = folder.journal()
        sources = {attempt.model_name: Source(ask=ask, concurrency=2) for attempt in plan.attempts}
        watching = observer or Watching()
        left = unfinished(plan, self._journal)
        return run(plan, folder, self._journal, judging, sources, watching, left=left)

    def answered(self, plan: Plan) -> set[Attempt]:
        """What needs no asking any more."""
        self.close()
        path = self.output / plan.name / "journal.jsonl"
        if not path.exists():
            return set()
        with contextlib.closing(Journal(path, append=False)) as journal:
            return {attempt for attempt in journal.attempts() if journal.has_answer(attempt)}

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def encoded(report: Report) -> str:
    stream = StringIO()
    json_report.write(report, stream)
    return stream.getvalue()


def repeatable(report: Report) -> Any:
    """What does not differ between two runs of the same answers."""
    return workbench.repeatable(json.loads(encoded(report)))


class Interrupted:
    """An executor that is interrupted while it judges its first group."""

    slots = 1

    def __init__(self, begun: threading.Event) -> None:
        self.slot = threading.Thread()
        self._begun = begun

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        waiting = iter(groups)
        self.slot = threading.Thread(target=lambda: list(spec.open().judge(next(waiting))))
        self.slot.start()
        assert self._begun.wait(60)
        raise KeyboardInterrupt
        yield

    def close(self) -> None: ...


def test_an_interrupted_group_leaves_nothing_in_the_journal(tmp_path: Path) -> None:
    begun, over = threading.Event(), threading.Event()

    def judging(step: Step) -> Execution:
        begun.set()
        assert over.wait(60)
        return Execution(step=step.name, ended="exited", exit_code=0)

    sandbox, executor, plan = FakeSandbox(judging), Interrupted(begun), a_plan()
    folder = RunFolder.open(tmp_path, plan.name, fresh=False)
    setup = judging_with(StepRunner(sandbox, tmp_path / "cache", {}), FakeToolchain(), executor=executor)
    with contextlib.closing(folder.journal()) as journal:
        journal.begin(Session(run_id="r", started_at="2026-01-01T00:00:00+00:00", forgetest="1"))
        for attempt in plan.attempts:
            journal.answered(attempt, Completion(text="fn right() {}", verbatim=True))
        with pytest.raises(KeyboardInterrupt):
            run(plan, folder, journal, setup, {}, Watching(), left=plan.attempts)
        over.set()
        executor.slot.join(60)
        assert not any(journal.is_finished(attempt) for attempt in plan.attempts)


def test_every_attempt_is_asked_judged_and_reported(desk: Desk) -> None:
    model, observer = Asked(), Watching()

    report = desk.run(a_plan(), model, observer)

    assert sorted(model.attempts) == list(a_plan().attempts)
    assert [sample.attempt for sample in report.results] == list(a_plan().attempts)
    assert [sample.correct for sample in report.results] == [True, True, False] * 2
    assert [sample.reason for sample in report.results][2] == "1 of 5 tests failed: t4"
    assert observer.began == [(6, 0)]
    assert sorted(observer.seen, key=lambda sample: sample.attempt) == list(report.results)


@given(st.lists(st.integers(1, 5), max_size=4))
@settings(max_examples=15, deadline=None)
def test_an_interrupted_run_that_goes_on_ends_like_one_that_was_not(interruptions: list[int]) -> None:
    plan = a_plan(5)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Desk(Path(folder, "broken"))) as desk,
        contextlib.closing(Desk(Path(folder, "whole"))) as other,
    ):
        for interrupt_after in [*interruptions, None]:
            model, answered = Asked(), desk.answered(plan)
            with contextlib.suppress(KeyboardInterrupt):
                report = desk.run(plan, model, Watching(interrupt_after))
            assert not answered & set(model.attempts)

        assert repeatable(report) == repeatable(other.run(plan, Asked()))


def test_where_nothing_is_left_to_do_nothing_is_asked_and_the_report_is_the_same_bytes(desk: Desk) -> None:
    first = encoded(desk.run(a_plan(), Asked()))
    model, observer = Asked(), Watching()

    again = desk.run(a_plan(), model, observer)

    assert encoded(again) == first
    assert model.attempts == []
    assert observer.began == [(6, 6)]
    assert observer.seen == []


def test_more_samples_are_added_to_a_run(desk: Desk) -> None:
    desk.run(a_plan(2), Asked())
    model = Asked()

    report = desk.run(a_plan(3), model)

    assert {attempt.attempt for attempt in model.attempts} == {3}
    assert len(list(report.results)) == 6


def test_fewer_samples_are_reported_where_fewer_are_asked_for(desk: Desk) -> None:
    desk.run(a_plan(3), Asked())

    assert len(list(desk.run(a_plan(1), Asked()).results)) == 2


def test_a_fresh_run_asks_again_and_puts_the_old_one_aside(desk: Desk) -> None:
    plan = a_plan()
    first = desk.run(plan, Asked())
    model = Asked()

    second = desk.run(plan, model, fresh=True)

    assert len(model.attempts) == 6
    assert second.id != first.id
    assert (desk.output / f"{plan.name}.1" / "journal.jsonl").exists()


def test_a_fresh_run_does_not_pull_the_folder_from_under_another(desk: Desk) -> None:
    desk.run(a_plan(), Asked())  # its journal is still open

    with pytest.raises(UserError, match="another forgetest is working there"):
        RunFolder.open(desk.output, a_plan().name, fresh=True)
    assert (desk.output / a_plan().name / "journal.jsonl").exists()


def test_a_model_that_gives_no_answer_is_unjudged_and_asked_again_later(desk: Desk) -> None:
    def busy(attempt: Attempt) -> Completion:
        raise ProviderError("busy")

    report = desk.run(a_plan(), busy)
    assert {(sample.outcome, sample.reason, sample.score, sample.correct) for sample in report.results} == {
        ("unjudged", "busy", None, None)
    }
    assert report.aggregate.per_model["acme/small"].unjudged == 6

    model = Asked()
    report = desk.run(a_plan(), model)
    assert len(model.attempts) == 6
    assert {sample.outcome for sample in report.results} == {"judged"}


def test_a_failure_of_our_own_is_unjudged_and_judged_later_without_asking_again(tmp_path: Path) -> None:
    broken = [True]

    def run_step(step: Step) -> Execution:
        if broken[0]:
            raise MachineryError("no room")
        return Execution(step=step.name, ended="exited", exit_code=0)

    with contextlib.closing(Desk(tmp_path, FakeSandbox(run_step))) as desk:
        report = desk.run(a_plan(), Asked())
        assert {(sample.outcome, sample.reason) for sample in report.results} == {("unjudged", "no room")}
        broken[0] = False
        model = Asked()
        report = desk.run(a_plan(), model)

        assert model.attempts == []
        assert {sample.outcome for sample in report.results} == {"judged"}


def test_an_answer_without_code_scores_zero_and_is_not_correct(desk: Desk) -> None:
    report = desk.run(a_plan(1), lambda _: Completion(text="No.", finish="refusal"))

    for sample in report.results:
        assert sample.outcome == "judged"
        assert sample.reason == "the model refused"
        assert sample.score is not None
        assert sample.score.overall == 0.0
        assert sample.correct is False


def test_a_crash_in_a_provider_ends_the_run(desk: Desk) -> None:
    def crash(attempt: Attempt) -> Completion:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        desk.run(a_plan(), crash)


def test_latest_leads_to_the_run_that_was_last_worked_on(desk: Desk) -> None:
    desk.run(a_plan(3, "acme/small"), Asked())
    desk.run(a_plan(3, "acme/large"), Asked())
    assert (desk.output / "latest").readlink() == Path(a_plan(3, "acme/large").name)

    desk.run(a_plan(3, "acme/small"), Asked())
    assert (desk.output / "latest").readlink() == Path(a_plan(3, "acme/small").name)


def test_a_file_called_latest_is_left_alone(desk: Desk) -> None:
    (desk.output / "latest").write_text("mine")
    desk.run(a_plan(), Asked())

    assert (desk.output / "latest").read_text() == "mine"


def test_the_folder_tells_how_to_repeat_the_run(desk: Desk) -> None:
    report = desk.run(a_plan(), Asked())

    described = json.loads((desk.output / a_plan().name / "run.json").read_text())
    assert described["run_id"] == report.id
    assert described["eval_sets"][0]["hash"] == SET.hash
    assert described["models"] == ["acme/small"]
    assert described["generation"]["temperature"] == 1.0
    assert described["toolchains"] == {"rust": "fake 1.0"}
    assert (described["sandbox"], described["sandbox_version"]) == ("fake", "1.0")


def test_an_output_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError, match="choose another --output"):
        RunFolder.open(tmp_path / "file", "run", fresh=False)
