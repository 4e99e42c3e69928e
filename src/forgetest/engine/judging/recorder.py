"""Recorder: attempts that are ready → tasks for an executor; their results → lines of the journal."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from forgetest.engine.asking.ask import ReadyAttempt, Source, read_completions
from forgetest.engine.journal import Finished
from forgetest.engine.judging.answer_code import code_of
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.results import Results
from forgetest.executors import Judged, JudgeTask
from forgetest.sample import DEFAULT_MAX_SAMPLE_SIZE, Attempt, Completion, Recheck, Sample, Usage


class Observer(Protocol):
    """Follows the progress of a run."""

    def started(self, total: int, done: int) -> None:
        """Called once, with the number of planned attempts and of those that the journal holds already."""

    def finished(self, sample: Sample) -> None:
        """Called when one more attempt is in the journal."""


class _Answer(NamedTuple):
    """The answer to an attempt; with `earlier`, one that an earlier session has judged."""

    attempt: Attempt
    usage: Usage
    latency_ms: float | None
    code: str | None
    earlier: Finished | None = None


class Recorder:
    """Records each attempt in the journal as soon as it is finished. Thread-safe."""

    def __init__(
        self,
        results: Results,
        verdicts: CachedVerdicts | None,
        sources: Mapping[str, Source],
        observer: Observer,
        recheck: int = 0,
        max_sample_size: int = DEFAULT_MAX_SAMPLE_SIZE,
    ) -> None:
        """`recheck`: how many more times each sample is judged. `max_sample_size`: longest one, in bytes."""
        self._results = results
        self._journal = results.journal
        self._submissions: Submissions[_Answer] = Submissions(verdicts)
        self._sources = sources
        self._observer = observer
        self._recheck = recheck
        self._max_sample_size = max_sample_size
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._is_over = False

    def end(self) -> None:
        """Record nothing more. What an interrupted run has not finished fails with its sandbox, which says nothing."""
        with self._lock:
            self._is_over = True

    @property
    def has_room(self) -> bool:
        """Whether more attempts should be admitted before others are recorded."""
        return self._submissions.has_room

    def admit(self, ready: Sequence[ReadyAttempt]) -> list[JudgeTask]:
        """Record attempts that need no judging, and return tasks for the others."""
        if self._is_over:
            return []
        lines = [self._unanswered(each) for each in ready if each.no_answer is not None]
        attempts = [each.attempt for each in ready if each.no_answer is None]
        samples: list[Submission[_Answer]] = []
        for attempt, completion in zip(attempts, read_completions(attempts, self._sources, self._journal), strict=True):
            prepared = self._submission(attempt, completion)
            if isinstance(prepared, Finished):
                lines.append(prepared)
            else:
                samples.append(prepared)
        known, tasks = self._submissions.submit(samples)
        self._append([*lines, *(self._line(answer, judged) for answer, judged in known)])
        return tasks

    def record(self, judged: Sequence[Judged]) -> None:
        """Record the results of tasks."""
        self._append([self._line(answer, result) for answer, result in self._submissions.settle(judged)])

    def _submission(self, attempt: Attempt, completion: Completion) -> Submission[_Answer] | Finished:
        """Return what is to be judged, or the line of an attempt that needs no judging."""
        _, case = self._results.cases[attempt.eval_set_id, attempt.case_id]
        earlier = self._journal.read(attempt) if self._journal.is_judged(attempt) else None
        code, reason = code_of(completion, case.language, self._max_sample_size)
        answer = _Answer(attempt, completion.usage, completion.latency_ms, code, earlier)
        if earlier is not None and earlier.verdict is None:
            again = Recheck(times=self._recheck)
            return msgspec.structs.replace(earlier, recheck=again, elapsed_ms=self._elapsed_ms())
        if code is None or reason is not None:
            return self._finished(
                answer, reason=reason, recheck=Recheck(times=self._recheck) if self._recheck else None
            )
        verdict = None if earlier is None else earlier.verdict
        return Submission(answer, case, code, verdict, self._recheck)

    def _unanswered(self, ready: ReadyAttempt) -> Finished:
        answer = _Answer(ready.attempt, Usage(), None, None)
        return self._finished(answer, Judged(number=-1, reason=ready.no_answer))

    def _line(self, answer: _Answer, judged: Judged) -> Finished:
        if answer.earlier is None:
            return self._finished(answer, judged)
        return msgspec.structs.replace(answer.earlier, recheck=judged.recheck, elapsed_ms=self._elapsed_ms())

    def _finished(
        self,
        answer: _Answer,
        judged: Judged | None = None,
        *,
        reason: str | None = None,
        recheck: Recheck | None = None,
    ) -> Finished:
        """Return the line of an attempt. Without a result, its answer has no code that could be judged."""
        return Finished(
            attempt=answer.attempt,
            outcome="judged" if judged is None or judged.verdict is not None else "unjudged",
            reason=reason if judged is None else judged.reason,
            code=answer.code,
            verdict=None if judged is None else judged.verdict,
            usage=answer.usage,
            latency_ms=answer.latency_ms,
            total_ms=0.0 if judged is None else judged.wall_ms,
            elapsed_ms=self._elapsed_ms(),
            recheck=recheck if judged is None else judged.recheck,
        )

    def _append(self, lines: Sequence[Finished]) -> None:
        with self._lock:
            if not self._is_over and lines:
                for sample in self._results.add(*lines):
                    self._observer.finished(sample)

    def _elapsed_ms(self) -> float:
        return (time.monotonic() - self._started) * 1000
