"""Finished attempts of a plan, scored: what a report is made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forgetest import scoring
from forgetest.engine.journal import Finished, Journal
from forgetest.engine.plan import Plan
from forgetest.evalset import Case, Weights
from forgetest.sample import Attempt, Outcome, Sample, Score
from forgetest.verdict import Verdict

_KEPT_BYTES = 2 << 20
"""How many bytes of the journal's lines are kept as samples. A small run is then reported from memory, and a large one
takes no more memory however large it is."""


class Assessment(NamedTuple):
    """A verdict held against what its case asks."""

    score: Score | None
    correct: bool | None
    verdict: Verdict | None
    reason: str | None


def assess(outcome: Outcome, verdict: Verdict | None, reason: str | None, case: Case, weights: Weights) -> Assessment:
    """Score a verdict. `reason` explains a missing one: no code, or, where the outcome is `unjudged`, our failure."""
    if outcome == "unjudged":
        return Assessment(None, None, verdict, reason)
    if verdict is None:
        return Assessment(scoring.NO_CODE, False, None, reason)
    missing = scoring.shortcomings(verdict, case.expectations)
    score = scoring.score(verdict, case.expectations, weights)
    return Assessment(score, not missing, scoring.with_policy(verdict, case.expectations), "; ".join(missing) or None)


class Results:
    """Samples of a plan in order, scored by what their cases ask now."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self.plan = plan
        self.journal = journal
        self.cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in plan.cases()}
        self._kept: dict[Attempt, Sample] = {}
        self._kept_bytes = 0

    def add(self, *lines: Finished) -> list[Sample]:
        """Append finished attempts to the journal, and return them as samples."""
        samples = [self._sample(line) for line in lines]
        for sample, size in zip(samples, self.journal.finished(*lines), strict=True):
            self._kept.pop(sample.attempt, None)  # its earlier line no longer counts
            if self._kept_bytes + size <= _KEPT_BYTES:
                self._kept[sample.attempt] = sample
                self._kept_bytes += size
        return samples

    def __iter__(self) -> Iterator[Sample]:
        for attempt in self.plan.attempts:
            if (kept := self._kept.get(attempt)) is not None:
                yield kept
            elif (line := self.journal.find(attempt)) is not None:
                yield self._sample(line)

    def _sample(self, line: Finished) -> Sample:
        attempt = Attempt(*line.attempt)
        eval_set, case = self.cases[attempt.eval_set_id, attempt.case_id]
        assessed = assess(line.outcome, line.verdict, line.reason, case, eval_set.weights)
        return Sample(
            attempt=attempt,
            run_id=self.journal.sessions[0].run_id,
            outcome=line.outcome,
            reason=assessed.reason,
            code=line.code,
            verdict=assessed.verdict,
            score=assessed.score,
            correct=assessed.correct,
            usage=line.usage,
            latency_ms=line.latency_ms,
            total_ms=line.total_ms,
            recheck=line.recheck,
        )
