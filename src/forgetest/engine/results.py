"""The finished attempts of a plan as samples: what a report is made from."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest import scoring
from forgetest.engine.journal import Finished, Journal
from forgetest.engine.plan import Plan
from forgetest.sample import Attempt, Sample

_KEPT_BYTES = 2 << 20
"""How much of the journal's lines is kept as samples. A small run is read from memory; of a large one the first
samples are, and no more memory is taken, however large it is."""


class Results:
    """The samples of a plan in their order, scored by what their cases ask now."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self.plan = plan
        self.journal = journal
        self.cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in plan.cases()}
        self._kept: dict[Attempt, Sample] = {}
        self._kept_bytes = 0

    def add(self, *lines: Finished) -> list[Sample]:
        """Note in the journal that attempts are finished."""
        samples = [self._sample(line) for line in lines]
        for sample, size in zip(samples, self.journal.finished(*lines), strict=True):
            self._kept.pop(sample.attempt, None)  # an earlier line of it counts no longer
            if self._kept_bytes + size <= _KEPT_BYTES:
                self._kept[sample.attempt] = sample
                self._kept_bytes += size
        return samples

    def __iter__(self) -> Iterator[Sample]:
        for attempt in self.plan.attempts:
            if (kept := self._kept.get(attempt)) is not None:
                yield kept
            elif self.journal.is_finished(attempt):
                yield self._sample(self.journal.read(attempt))

    def _sample(self, line: Finished) -> Sample:
        attempt = Attempt(*line.attempt)
        eval_set, case = self.cases[attempt.eval_set_id, attempt.case_id]
        reason, verdict, score, correct = line.reason, line.verdict, None, None
        if line.outcome == "judged":
            score, correct = scoring.NO_CODE, False
            if verdict is not None:
                missing = scoring.shortcomings(verdict, case.expectations)
                score, correct = scoring.score(verdict, case.expectations, eval_set.weights), not missing
                verdict, reason = scoring.weighed(verdict, case.expectations), "; ".join(missing) or None
        return Sample(
            attempt=attempt,
            run_id=self.journal.sessions[0].run_id,
            outcome=line.outcome,
            reason=reason,
            code=line.code,
            verdict=verdict,
            score=score,
            correct=correct,
            usage=line.usage,
            latency_ms=line.latency_ms,
            total_ms=line.total_ms,
            recheck=line.recheck,
        )
