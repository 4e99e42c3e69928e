"""What happens in a run, and in which order: ask, judge, journal; in the end, a report."""

from __future__ import annotations

import itertools
import os
import platform
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

import forgetest
from forgetest import report, scoring
from forgetest.engine import journal as journal_lines
from forgetest.engine import recheck as rechecking
from forgetest.engine.generate import Ready, Source, answers
from forgetest.engine.groups import in_groups
from forgetest.engine.journal import Finished, Journal, Session, Tools
from forgetest.engine.judge import Asked, Judge, Judgement
from forgetest.engine.plan import Plan
from forgetest.errors import UserError
from forgetest.evalset import Case, EvalSet
from forgetest.executors import Executor
from forgetest.legible import legible
from forgetest.report import Report, RunSettings
from forgetest.sample import Attempt, Completion, Recheck, Sample, Usage

RUN_FILENAME = "run.json"
RUN_FORMAT_VERSION = 1


class Observer(Protocol):
    """Is told how a run goes on."""

    def started(self, total: int, done: int) -> None:
        """So many attempts are planned, so many are in the journal already."""

    def finished(self, sample: Sample) -> None:
        """One more attempt is in the journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """Where a run keeps its journal and its reports."""

    path: Path

    @classmethod
    def open(cls, output: Path, name: str, *, fresh: bool) -> RunFolder:
        """The run's folder below `output`; with `fresh`, what is there is put aside, never deleted."""
        folder = output / name
        try:
            if fresh and folder.exists():
                with journal_lines.locked(folder / journal_lines.FILENAME):
                    folder.rename(_unused(folder))
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}; choose another --output") from error
        _point_latest(output, name)
        return cls(path=folder)

    def journal(self, tools: Tools | None = None) -> Journal:
        """The run's journal, for going on; with `tools`, what others judged is judged again."""
        return Journal(self.path / journal_lines.FILENAME, tools=tools)


def _unused(folder: Path) -> Path:
    """A name for what is put aside."""
    numbered = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(path for path in numbered if not path.exists())


def _point_latest(output: Path, name: str) -> None:
    """`latest` leads to the run that was last worked on; where links cannot be made, there is none."""
    link, new = output / "latest", output / f".latest-{os.getpid()}"
    if link.exists() and not link.is_symlink():
        return
    try:
        new.symlink_to(name)
        new.replace(link)
    except OSError:
        new.unlink(missing_ok=True)


def run(
    plan: Plan,
    folder: RunFolder,
    journal: Journal,
    judge: Judge,
    executor: Executor,
    sources: Mapping[str, Source],
    observer: Observer,
    settings: Mapping[str, object],
    recheck: int = 0,
) -> Report:
    """Do what is left of a plan, and report on all of it.

    `settings`: what else the report should say; `recheck`: how often each sample is judged again.
    """
    session = Session(
        run_id=journal.sessions[0].run_id if journal.sessions else secrets.token_hex(8),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        forgetest=forgetest.__version__,
    )
    left = [attempt for attempt in plan.attempts if not journal.is_done(attempt, recheck)]
    if left or not journal.sessions:
        journal.begin(session)
    describe(plan, folder, journal, settings)
    observer.started(len(plan.attempts), len(plan.attempts) - len(left))
    started, noting, over = time.monotonic(), threading.Lock(), threading.Event()
    cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in plan.cases()}

    def judge_group(group: Sequence[Ready]) -> None:
        """Each is noted as soon as it is finished: one that takes long keeps nobody's result from the journal."""
        open_ones = [ready for ready in group if ready.no_answer is None and not journal.is_judged(ready.attempt)]
        for ready in group:
            if ready not in open_ones:
                note(judge_one(ready, None))
        completions = [journal.completion(ready.attempt) for ready in open_ones]
        asked = [
            Asked(*cases[ready.attempt.eval_set_id, ready.attempt.case_id], completion)
            for ready, completion in zip(open_ones, completions, strict=True)
        ]
        for place, judgement in judge.judge_together(asked):
            if over.is_set():
                return  # nobody waits any more, and without their sandboxes the others would fail one by one
            note(judge_one(open_ones[place], (completions[place], judgement)))

    def note(finished: Finished) -> None:
        with noting:
            if not over.is_set():
                journal.finished(finished)
                observer.finished(_sample(finished, session.run_id, cases))

    def judge_one(ready: Ready, judged: tuple[Completion, Judgement] | None) -> Finished:
        attempt = ready.attempt
        finished = journal.read(attempt) if journal.is_judged(attempt) else first_finished(ready, judged)
        if not recheck or finished.outcome == "unjudged":
            return finished
        again = Recheck(times=recheck)
        if finished.verdict is not None:
            asked = cases[attempt.eval_set_id, attempt.case_id]
            again = rechecking.recheck(judge, *asked, journal.completion(attempt), finished.verdict, recheck)
        return msgspec.structs.replace(finished, recheck=again, elapsed_ms=(time.monotonic() - started) * 1000)

    def first_finished(ready: Ready, judged: tuple[Completion, Judgement] | None) -> Finished:
        attempt, usage, latency_ms = ready.attempt, Usage(), None
        judgement = Judgement(reason=ready.no_answer, unjudged=True)
        if judged is not None:
            completion, judgement = judged
            usage, latency_ms = completion.usage, completion.latency_ms
        return Finished(
            attempt=attempt,
            outcome="unjudged" if judgement.unjudged else "judged",
            reason=judgement.reason,
            code=judgement.code,
            verdict=judgement.verdict,
            usage=usage,
            latency_ms=latency_ms,
            total_ms=judgement.wall_ms,
            elapsed_ms=(time.monotonic() - started) * 1000,
        )

    try:
        with answers(left, sources, journal) as incoming:
            for _ in executor.map(judge_group, in_groups(incoming, len(left), executor.slots)):
                pass
    finally:
        with noting:  # what an interrupted run has not finished fails with its sandboxes, which says nothing
            over.set()
    return report_of(plan, journal, settings)


def report_of(plan: Plan, journal: Journal, settings: Mapping[str, object]) -> Report:
    """The report on what a journal holds of a plan."""
    first = journal.sessions[0]
    generation = plan.generation
    return report.summarise(
        _Results(plan, journal),
        plan.eval_sets,
        RunSettings(
            pass_k=plan.pass_k,
            samples=plan.samples,
            temperature=generation.temperature if generation else None,
            max_tokens=generation.max_tokens if generation else None,
            seed=generation.seed if generation else None,
            prompt_template_hash=generation.prompt_template_hash if generation else None,
            further={**(generation.further() if generation else {}), **settings},
        ),
        report_id=first.run_id,
        created_at=datetime.fromisoformat(first.started_at),
        duration_ms=journal.duration_ms,
    )


class _Results:
    """The samples of a plan in their order, read from the journal whenever they are asked for."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self._plan = plan
        self._journal = journal

    def __iter__(self) -> Iterator[Sample]:
        cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in self._plan.cases()}
        run_id = self._journal.sessions[0].run_id
        for attempt in self._plan.attempts:
            if self._journal.is_finished(attempt):
                yield _sample(self._journal.read(attempt), run_id, cases)


def _sample(line: Finished, run_id: str, cases: Mapping[tuple[str, str], tuple[EvalSet, Case]]) -> Sample:
    """A line of the journal with its score, by what the case asks now."""
    attempt = Attempt(*line.attempt)
    eval_set, case = cases[attempt.eval_set_id, attempt.case_id]
    sample = Sample(
        attempt=attempt,
        run_id=run_id,
        outcome=line.outcome,
        reason=line.reason,
        code=line.code,
        verdict=line.verdict,
        usage=line.usage,
        latency_ms=line.latency_ms,
        total_ms=line.total_ms,
        recheck=line.recheck,
    )
    if line.outcome == "unjudged":
        return sample
    if line.verdict is None:
        return replace(sample, score=scoring.NO_CODE, correct=False)
    missing = scoring.shortcomings(line.verdict, case.expectations)
    return replace(
        sample,
        score=scoring.score(line.verdict, case.expectations, eval_set.weights),
        correct=not missing,
        verdict=scoring.weighed(line.verdict, case.expectations),
        reason="; ".join(missing) or None,
    )


def describe(plan: Plan, folder: RunFolder, journal: Journal, settings: Mapping[str, object]) -> None:
    """What is needed to repeat the run, for people and for `regrade`."""
    description = {
        "format_version": RUN_FORMAT_VERSION,
        "run_id": journal.sessions[0].run_id,
        "forgetest": forgetest.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "eval_sets": [{"id": s.id, "path": legible(Path(s.path).absolute()), "hash": s.hash} for s in plan.eval_sets],
        "models": sorted({attempt.model_name for attempt in plan.attempts}),
        "pass_k": plan.pass_k,
        "samples": plan.samples,
        "generation": plan.generation,
        **settings,
    }
    new = folder.path / f"{RUN_FILENAME}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(description), indent=2) + b"\n")
    new.replace(folder.path / RUN_FILENAME)
