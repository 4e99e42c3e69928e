"""Rewarder: answers of a model being trained → rewards. What could not be judged has none, and is never a zero."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetest.engine.asking import prompts
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case, EvalSet
from forgetest.grade import Grade, SupportsGrading
from forgetest.grading import Grader
from forgetest.rewards.measures import MEASURES, Measure

Unjudged = float | Literal["raise"]
"""For trainers that need a number: the reward of what could not be judged, or `raise`."""

_FAILURES = (MachineryError, OSError)
"""What a grader raises when it, or the service behind it, is broken. Nothing of that is a sample's fault."""


class NoRewardError(MachineryError):
    """A sample could not be judged, and the trainer has no way to leave it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """The reward of one answer."""

    value: float | None
    """None where the answer could not be judged."""
    grade: Grade | None
    """None where grading itself failed."""
    reason: str | None
    """Why the sample is not correct, or was not judged; None where it is correct."""

    def number(self, unjudged: Unjudged) -> float:
        """Return the value, or what was chosen for an answer that could not be judged."""
        if self.value is not None:
            return self.value
        if isinstance(unjudged, str):
            raise NoRewardError(f"a sample could not be judged, so it has no reward: {self.reason}")
        return unjudged


class Rewarder:
    """Grades answers, and turns the grades into rewards. May be used from many threads and event loops at once."""

    def __init__(
        self,
        eval_sets: Iterable[EvalSet],
        grader: SupportsGrading | None = None,
        *,
        measure: str | Measure = "correct",
        integrity_penalty: float = 0.0,
        verified_only: bool = False,
        retries: int = 1,
    ) -> None:
        """Remember the options; nothing runs before the first answer.

        `eval_sets`: what `forgetest.load` returns. `grader`: a `Grader` of your own, or a `Client` of a service; by
        default a Grader on this machine. `measure`: `correct`, `score`, `tests`, `hidden_tests`, or a function of a
        Grade. `integrity_penalty`: subtracted from the reward of a sample with a finding that forbids a correct
        verdict, which is 0 whatever the measure. `verified_only`: a sample whose passes are not proved gets 0.
        `retries`: how often an answer that could not be judged is graded again.
        """
        self._cases = _by_name(eval_sets)
        self._grader: SupportsGrading = Grader() if grader is None else grader
        if isinstance(measure, str) and measure not in MEASURES:
            raise UserError(f"measure: there is no {measure!r}; use {', '.join(MEASURES)}, or a function of a Grade")
        self._measure = MEASURES[measure] if isinstance(measure, str) else measure
        if integrity_penalty < 0 or not math.isfinite(integrity_penalty):
            raise UserError(f"integrity_penalty: {integrity_penalty} is not a number from 0 up")
        self._integrity_penalty = integrity_penalty
        self._verified_only = verified_only
        self._retries = retries

    def case(self, name: str) -> Case:
        """Return a case by `SET/CASE`, or by its id if no other set has a case of that id."""
        found = self._cases.get(name)
        if found is None:
            known = ", ".join(sorted(name for name in self._cases if "/" in name)[:10])
            raise UserError(f"{name!r}: no case of the eval sets, or of several; there are {known}, …")
        return found

    def rows(self) -> list[dict[str, object]]:
        """Return the cases as rows of a training set: `prompt` as messages, and `case`, by which it is found again."""
        return [
            {
                "prompt": [
                    {"role": "system", "content": prompts.system(case)},
                    {"role": "user", "content": prompts.prompt(case)},
                ],
                "case": name,
            }
            for name, case in self._cases.items()
            if "/" in name
        ]

    def rewards(self, answers: Sequence[tuple[str, str]]) -> list[Reward]:
        """Return the rewards of answers, each with the name of its case, in their order."""
        pairs = [(answer, self.case(name)) for answer, name in answers]
        rewards = self._grade(pairs)
        for _ in range(self._retries):
            failed = [index for index, reward in enumerate(rewards) if reward.value is None]
            if not failed:
                break
            again = self._grade([pairs[index] for index in failed])
            for index, reward in zip(failed, again, strict=True):
                rewards[index] = reward
        return rewards

    async def reward(self, answer: str, name: str) -> Reward:
        """Return the reward of one answer. Answers that are graded at the same time share compiler calls."""
        case = self.case(name)
        reward = await self._grade_one(answer, case)
        for _ in range(self._retries):
            if reward.value is not None:
                break
            reward = await self._grade_one(answer, case)
        return reward

    def close(self) -> None:
        """Close the grader."""
        self._grader.close()

    def _grade(self, pairs: Sequence[tuple[str, Case]]) -> list[Reward]:
        try:
            return [self._reward_of(grade) for grade in self._grader.grade_many(pairs)]
        except _FAILURES as error:
            return [_none(error)] * len(pairs)

    async def _grade_one(self, answer: str, case: Case) -> Reward:
        try:
            # opening a grader takes a while, and waits for other threads
            [future] = await asyncio.to_thread(self._grader.submit, [(answer, case)])
            return self._reward_of(await asyncio.wrap_future(future))
        except _FAILURES as error:
            return _none(error)

    def _reward_of(self, grade: Grade) -> Reward:
        if grade.outcome == "unjudged":
            return Reward(value=None, grade=grade, reason=grade.reason)
        is_forbidden = grade.verdict is not None and any(finding.forbids for finding in grade.verdict.integrity)
        if is_forbidden:
            value = 0.0 - self._integrity_penalty  # not -0.0
        elif self._verified_only and grade.verdict is not None and not grade.verified:
            value = 0.0
        else:
            value = self._measure(grade)
        return Reward(value=value, grade=grade, reason=grade.reason)


def _none(error: BaseException) -> Reward:
    return Reward(value=None, grade=None, reason=f"{type(error).__name__}: {error}")


def _by_name(eval_sets: Iterable[EvalSet]) -> Mapping[str, Case]:
    """Return all cases by `SET/CASE`, and by the id alone where it is the only one."""
    named: dict[str, Case] = {}
    several: set[str] = set()
    for eval_set in eval_sets:
        for case in eval_set.cases:
            name = f"{eval_set.id}/{case.id}"
            if name in named:
                raise UserError(f"two eval sets have the id {eval_set.id}")
            named[name] = case
            if case.id in named:
                several.add(case.id)
            named[case.id] = case
    if not named:
        raise UserError("there are no cases in the eval sets")
    return {name: case for name, case in named.items() if name not in several}
