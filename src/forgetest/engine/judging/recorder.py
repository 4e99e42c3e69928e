"""From an attempt that is ready to its line in the journal."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from forgetest.engine.asking.ask import ReadyAttempt, Source, read_completions
from forgetest.engine.journal import Finished
from forgetest.engine.judging import recheck as rechecking
from forgetest.engine.judging.judge import Asked, Judge, Judgement
from forgetest.engine.results import Results
from forgetest.sample import Attempt, Completion, Recheck, Sample, Usage


class Observer(Protocol):
    """Is told how a run goes on."""

    def started(self, total: int, done: int) -> None:
        """So many attempts are planned, so many are in the journal already."""

    def finished(self, sample: Sample) -> None:
        """One more attempt is in the journal."""


class Work(NamedTuple):
    """An attempt that is to be judged, and its answer."""

    attempt: Attempt
    completion: Completion


class Finishing:
    """Brings attempts to their end; each is noted as soon as it is there, and keeps nobody else's from the journal."""

    def __init__(
        self, results: Results, judge: Judge, sources: Mapping[str, Source], observer: Observer, recheck: int
    ) -> None:
        """`recheck`: how often each sample is judged again."""
        self._results = results
        self._journal = results.journal
        self._judge = judge
        self._sources = sources
        self._observer = observer
        self._recheck = recheck
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._over = False

    def end(self) -> None:
        """Note nothing more: what an interrupted run has not finished fails with its sandboxes, which says nothing."""
        with self._lock:
            self._over = True

    def sift(self, ready: Sequence[ReadyAttempt]) -> list[Work]:
        """Note what needs no judging, and return the rest. Only what is judged should take a slot."""
        if self._over:
            return []
        self._note(
            *(
                self._line(each.attempt, None, Judgement(reason=each.no_answer, unjudged=True))
                for each in ready
                if each.no_answer is not None
            )
        )
        attempts = [each.attempt for each in ready if each.no_answer is None]
        work = [
            Work(*each) for each in zip(attempts, read_completions(attempts, self._sources, self._journal), strict=True)
        ]
        if self._recheck:
            return work
        known = self._judge.known([self._asked(each) for each in work])
        self._note(*(self._line(*work[place], judgement) for place, judgement in known.items()))
        return [each for place, each in enumerate(work) if place not in known]

    def judge(self, group: Sequence[Work]) -> None:
        """Judge what is left, together as far as that goes."""
        fresh = [work for work in group if not self._journal.is_judged(work.attempt)]
        before = [work for work in group if self._journal.is_judged(work.attempt)]
        for judged in self._judge.judge_together([self._asked(work) for work in fresh]):
            if self._over:
                return  # nobody waits any more, and without their sandboxes the others would fail one by one
            lines = [(fresh[place], self._line(*fresh[place], judgement)) for place, judgement in judged]
            if self._recheck:
                for work, line in lines:
                    self._note(self._rechecked(work, line))
            else:
                self._note(*(line for _, line in lines))
        for work in before:
            self._note(self._rechecked(work, self._journal.read(work.attempt)))

    def _asked(self, work: Work) -> Asked:
        return Asked(*self._results.cases[work.attempt.eval_set_id, work.attempt.case_id], work.completion)

    def _note(self, *lines: Finished) -> None:
        with self._lock:
            if not self._over and lines:
                for sample in self._results.add(*lines):
                    self._observer.finished(sample)

    def _line(self, attempt: Attempt, completion: Completion | None, judgement: Judgement) -> Finished:
        return Finished(
            attempt=attempt,
            outcome="unjudged" if judgement.unjudged else "judged",
            reason=judgement.reason,
            code=judgement.code,
            verdict=judgement.verdict,
            usage=completion.usage if completion else Usage(),
            latency_ms=completion.latency_ms if completion else None,
            total_ms=judgement.wall_ms,
            elapsed_ms=self._elapsed_ms(),
        )

    def _rechecked(self, work: Work, line: Finished) -> Finished:
        if line.outcome == "unjudged":
            return line
        again = Recheck(times=self._recheck)
        if line.verdict is not None:
            again = rechecking.recheck(self._judge, *self._asked(work), line.verdict, self._recheck)
        return msgspec.structs.replace(line, recheck=again, elapsed_ms=self._elapsed_ms())

    def _elapsed_ms(self) -> float:
        return (time.monotonic() - self._started) * 1000
