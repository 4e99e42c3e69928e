"""A grader for unit tests of rewards, which fails as it is told."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import replace

from forgetest.evalset import Case, EvalSet, Weights
from forgetest.grade import Grade, Progress
from forgetest.sample import Score
from forgetest.verdict import Finding, Verdict
from specimens import a_verdict

SETS = [
    EvalSet(id="demo", name="Demo", cases=(Case(id="add", name="Add", prompt="Add two numbers.", language="python"),))
]


class PlannedGrader:
    """Grades by the answer's text: `right`, `wrong`, `forged`, `unproved`; anything else cannot be judged."""

    def __init__(self, failures: list[BaseException | None] | None = None, unjudged: int = 0) -> None:
        """`failures`: what calls raise, in their order; `unjudged`: how many judgements of `right` fail first."""
        self.failures = failures or []
        self.unjudged = unjudged
        self.calls: list[list[str]] = []
        self.is_closed = False

    def grade(self, answer: str, case: Case, *, as_code: bool = False, weights: Weights | None = None) -> Grade:
        return self.grade_many([(answer, case)])[0]

    def grade_many(
        self,
        answers: Iterable[tuple[str, Case]],
        *,
        as_code: bool = False,
        weights: Weights | None = None,
        progress: Progress | None = None,
    ) -> list[Grade]:
        pairs = list(answers)
        self.calls.append([answer for answer, _ in pairs])
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure
        return [self._grade(answer) for answer, _ in pairs]

    def submit(
        self, answers: Iterable[tuple[str, Case]], *, as_code: bool = False, weights: Weights | None = None
    ) -> list[Future[Grade]]:
        futures = []
        for pair in answers:
            future: Future[Grade] = Future()
            try:
                future.set_result(self.grade_many([pair])[0])
            except Exception as error:
                future.set_exception(error)
            futures.append(future)
        return futures

    def prepare_case(self, case: Case) -> None: ...

    def close(self) -> None:
        self.is_closed = True

    def _grade(self, answer: str) -> Grade:
        if answer == "right" and self.unjudged:
            self.unjudged -= 1
            answer = "broken"
        if answer not in ("right", "wrong", "forged", "unproved"):
            return _grade("unjudged", False, None, None)
        is_passed = answer != "wrong"
        verdict: Verdict = a_verdict()
        if answer == "forged":
            verdict = replace(verdict, integrity=(Finding(kind="passed_a_control", detail="x"),))
        if answer == "unproved":
            verdict = replace(verdict, integrity=(Finding(kind="unsound", detail="x", forbids=False),))
        tests = float(is_passed)
        score = Score(compilation=1.0, tests=tests, lint=1.0, overall=0.5 + tests / 2)
        return _grade("judged", is_passed and answer != "forged", score, verdict)


def _grade(outcome: str, correct: bool, score: Score | None, verdict: Verdict | None) -> Grade:
    reason = None if correct else "a reason"
    return Grade(
        outcome=outcome,  # type: ignore[arg-type]
        correct=correct,
        score=score,
        reason=reason,
        code="x",
        verdict=verdict,
        total_ms=1.0,
    )
