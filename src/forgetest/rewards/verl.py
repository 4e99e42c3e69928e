"""Reward functions for verl's `reward.custom_reward_function`, as version 0.9 calls them.

`ground_truth` of a row names its case. verl knows no reward that is missing: what could not be judged stops the
training, or gets the number that was chosen, and is counted in `unjudged`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from forgetest.rewards.rewarder import Reward, Rewarder, Unjudged

Score = dict[str, float]
"""`score` is the reward; verl logs the others. Every sample has the same keys."""


def compute_score(rewarder: Rewarder, *, unjudged: Unjudged) -> Callable[..., Awaitable[Score]]:
    """Return a function for the reward managers that score a sample at a time: `naive`, `dapo`, `limited`, `gdpo`."""

    async def compute(
        data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None, **options: Any
    ) -> Score:
        return _score(await rewarder.reward(solution_str, ground_truth), unjudged)

    return compute


def compute_scores(rewarder: Rewarder, *, unjudged: Unjudged) -> Callable[..., list[Score]]:
    """Return a function for the reward manager `batch`."""

    def compute(
        data_sources: Sequence[str],
        solution_strs: Sequence[str],
        ground_truths: Sequence[str],
        extra_infos: Sequence[Any] | None = None,
        **options: Any,
    ) -> list[Score]:
        found = rewarder.rewards(list(zip(solution_strs, ground_truths, strict=True)))
        return [_score(each, unjudged) for each in found]

    return compute


def _score(reward: Reward, unjudged: Unjudged) -> Score:
    grade = reward.grade
    return {
        "score": reward.number(unjudged),
        "acc": float(grade is not None and grade.correct),
        "verified": float(grade is not None and grade.verified),
        "unjudged": float(reward.value is None),
    }
