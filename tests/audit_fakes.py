"""A grader that judges by the text of the code, and a small case, for tests of audits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from forgetest.evalset import Case, EvalSet, Expectations
from forgetest.grade import Grade
from forgetest.mutation import Mutation
from forgetest.sample import Recheck
from forgetest.testing.fakes import PROVENANCE
from forgetest.toolchains.auditing import ScreenedMutants
from forgetest.verdict import TestOutcome, Verdict

REFERENCE = "def f(a, b):\n    return a < b\n"
TESTS = (
    "from solution import f\n\n\ndef test_below():\n    assert f(1, 2)\n\n\ndef test_above():\n    assert not f(2, 1)\n"
)

Judge = Callable[[str], Verdict | None]


def a_case(**changes: Any) -> Case:
    fields = {"id": "c", "name": "c", "prompt": "Write f.", "language": "python", "reference_solution": REFERENCE}
    return Case(**{**fields, "expectations": Expectations(test_file=TESTS), **changes})


def a_set(*cases: Case) -> EvalSet:
    return EvalSet(id="s", name="S <b>", cases=cases)


def a_mutant(code: str) -> Mutation:
    return Mutation(operator="o", line=1, start=0, end=1, before="a", after="b", code=code)


def a_verdict(below: bool = True, above: bool = True, **changes: Any) -> Verdict:
    tests = [
        TestOutcome(name=name, status="passed" if passed else "failed", cpu_ms=5.0)
        for name, passed in (("test_below", below), ("test_above", above))
    ]
    return Verdict(**{"compiled": True, "tests": tuple(tests), "provenance": PROVENANCE, **changes})


class FakeGrader:
    """Judges by a function; programs of the same length have the same fingerprint where `same` is set."""

    def __init__(self, judge: Judge, *, disagreeing: int = 0, same: bool = False) -> None:
        self.judge, self.disagreeing, self.same = judge, disagreeing, same

    def grade_many(
        self,
        answers: Iterable[tuple[str, Case]],
        *,
        recheck: int = 0,
        on_grade: Callable[[int, Grade], None] = lambda *_: None,
        **_: Any,
    ) -> list[Grade]:
        grades = []
        for index, (code, _case) in enumerate(answers):
            grades.append(self._grade(code, recheck))
            on_grade(index, grades[-1])
        return grades

    def _grade(self, code: str, recheck: int) -> Grade:
        verdict = self.judge(code)
        correct = verdict is not None and verdict.compiled and all(test.status == "passed" for test in verdict.tests)
        again = Recheck(times=recheck, disagreeing=self.disagreeing, changes=("test a: passed, then failed",))
        return Grade(
            outcome="judged" if verdict else "unjudged",
            correct=correct,
            score=None,
            reason=None if correct else "for a reason",
            code=code,
            verdict=verdict,
            total_ms=1.0,
            recheck=again if recheck else None,
        )

    def screen(self, asked: Sequence[tuple[Case, Sequence[Mutation]]]) -> Iterator[tuple[int, ScreenedMutants]]:
        for index, (_, mutants) in enumerate(asked):
            yield index, (None,) * len(mutants)

    def repeat_references(self, cases: Sequence[Case], times: int) -> list[list[tuple[str, ...]]]:
        return [[("test_above",)] + [()] * (times - 1) if self.disagreeing else [()] * times for _ in cases]

    def fingerprints(self, samples: Sequence[tuple[str, Case]]) -> list[frozenset[str]]:
        return [frozenset({"same"} if self.same else {code}) for code, _ in samples]


def notices_all(code: str) -> Verdict:
    return a_verdict() if code == REFERENCE else a_verdict(below=False)
