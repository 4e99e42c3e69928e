"""Grade: the result of grading one answer; and what everything that grades answers can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from forgetest.evalset import Case, Weights
from forgetest.sample import Outcome, Recheck, Score
from forgetest.verdict import Verdict

Progress = Callable[[int, int], None]
"""Called with the number of finished samples and their total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The result of grading one answer."""

    outcome: Outcome
    """`unjudged` is our failure, never the sample's."""
    correct: bool
    """The sample does all that its case asks. False where it was not judged."""
    score: Score | None
    """None where the sample was not judged."""
    reason: str | None
    """Why the sample is not correct, or was not judged; None where it is correct."""
    code: str | None
    """The code that was extracted from the answer, if any."""
    verdict: Verdict | None
    """The raw observation; None where there was no code, or it was not judged."""
    total_ms: float
    """Wall time of judging."""
    recheck: Recheck | None = None
    """How often judging it again gave another verdict; None where it was judged once."""

    @property
    def verified(self) -> bool:
        """True where there is a verdict and the sample had no way to reach the judgement."""
        return self.verdict is not None and self.verdict.verified

    def _repr_html_(self) -> str:
        from html import escape

        from forgetest.report.notebook import table

        score = "n/a" if self.score is None else f"{self.score.overall:.3f}"
        verdict = ("correct" if self.correct else "not correct") if self.outcome == "judged" else "unjudged"
        row = (verdict, score, "yes" if self.verified else "no", self.reason or "")
        return (
            table("Grade", ("Result", "Score", "Verified", "Reason"), [row]) + f"<pre>{escape(self.code or '')}</pre>"
        )


def unjudged(reason: str) -> Grade:
    """Return the grade of a sample that was not judged."""
    return Grade(outcome="unjudged", correct=False, score=None, reason=reason, code=None, verdict=None, total_ms=0.0)


class SupportsGrading(Protocol):
    """Grades answers: a `Grader` on this machine, or a `Client` of a service."""

    def grade(self, answer: str, case: Case, *, as_code: bool = False, weights: Weights | None = None) -> Grade:
        """Grade one answer to a case; with `as_code`, the answer is the code."""

    def grade_many(
        self,
        answers: Iterable[tuple[str, Case]],
        *,
        as_code: bool = False,
        weights: Weights | None = None,
        progress: Progress | None = None,
    ) -> list[Grade]:
        """Grade answers, which share compiler calls where they can. Grades come in the order of the answers."""

    def submit(
        self, answers: Iterable[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        """Start to grade answers and return a future for each, in their order."""

    def prepare_case(self, case: Case) -> None:
        """Prepare a case before it is needed; otherwise its first sample waits for that."""

    def close(self) -> None:
        """Release everything. It cannot be used afterwards."""
