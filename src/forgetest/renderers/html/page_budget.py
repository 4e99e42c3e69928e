"""The selection of samples for one page: all of them if they fit, otherwise failures first, evenly spread."""

from __future__ import annotations

from forgetest.report import FILENAME as FULL_REPORT
from forgetest.report import Report
from forgetest.sample import Sample

MOST_SAMPLES = 6_000
MOST_CHARACTERS = 60_000_000
"""What a browser opens in about a second, and the most that it opens at all."""


class PageBudget:
    """Decides sample by sample, in the report's order; the numbers of each kind are known beforehand."""

    def __init__(self, report: Report) -> None:
        cases = [figures for models in report.aggregate.per_case.values() for figures in models.values()]
        correct = sum(figures.correct for figures in cases)
        failed = sum(figures.asked for figures in cases) - correct
        wanted_failed = min(failed, MOST_SAMPLES)
        self._failed = _Share(failed, wanted_failed)
        self._correct = _Share(correct, min(correct, MOST_SAMPLES - wanted_failed))
        self._room = MOST_CHARACTERS

    def selects(self, sample: Sample) -> bool:
        """Return True if this sample is among those to show; call it once for each."""
        return self._share(sample).next()

    def takes(self, sample: Sample, characters: int) -> bool:
        """Return True, and use up the room, if there is room for the sample's text."""
        if characters > self._room:
            return False
        self._room -= characters
        self._share(sample).held += 1
        return True

    def summary(self) -> dict[str, int | str]:
        """Return the numbers that the page shows."""
        return {
            "failed": self._failed.held,
            "failed_total": self._failed.total,
            "correct": self._correct.held,
            "correct_total": self._correct.total,
            "elsewhere": FULL_REPORT,
        }

    def _share(self, sample: Sample) -> _Share:
        return self._correct if sample.correct else self._failed


class _Share:
    """A number out of a total, chosen at even distances."""

    def __init__(self, total: int, wanted: int) -> None:
        self.total = total
        self.held = 0
        self._wanted = wanted
        self._seen = 0

    def next(self) -> bool:
        before = self._seen * self._wanted // max(1, self.total)
        self._seen += 1
        return self._seen * self._wanted // max(1, self.total) > before
