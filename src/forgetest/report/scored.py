"""The scores of a report's samples, without everything else that a sample holds.

A comparison reads two reports of any length for a few numbers of each sample. A report in a file can give these
without building the samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from forgetest.sample import Attempt, Sample


class ScoredSample(NamedTuple):
    """The part of a sample that is compared."""

    attempt: Attempt
    score: float | None
    """None if it was not judged."""
    correct: bool | None
    toolchain: str | None
    """What judged it; None if nothing was compiled."""
    sandbox: str | None


@runtime_checkable
class HasScores(Protocol):
    """Results that give scores faster than samples."""

    def scored(self) -> Iterator[ScoredSample]:
        """Yield the scores, in the order of the samples."""


def scored_samples(results: Iterable[Sample]) -> Iterator[ScoredSample]:
    """Yield the scores of results."""
    if isinstance(results, HasScores):
        yield from results.scored()
        return
    for sample in results:
        provenance = sample.verdict.provenance if sample.verdict else None
        yield ScoredSample(
            attempt=sample.attempt,
            score=sample.score.overall if sample.score else None,
            correct=sample.correct,
            toolchain=provenance.toolchain if provenance else None,
            sandbox=provenance.sandbox if provenance else None,
        )
