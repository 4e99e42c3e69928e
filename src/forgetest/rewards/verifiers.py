"""A reward for a task of verifiers, as version 0.4 (`verifiers.v1`) calls it.

An exception in a reward makes the rollout an error, which verifiers leaves out; that is what happens to an answer that
could not be judged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from forgetest.errors import UserError
from forgetest.rewards.rewarder import Rewarder

RewardFunction = Callable[[Any, Any], Awaitable[float]]


def reward(rewarder: Rewarder) -> RewardFunction:
    """Return a reward `(task, trace) -> float`, to be plugged in by `rewards` of a task's config.

    The `id` of the task's data names its case.
    """

    async def forgetest(task: Any, trace: Any) -> float:
        if task.id is None:
            raise UserError("the data of the task has no id, which must name its case, as in quickstart/add")
        return (await rewarder.reward(trace.last_reply, task.id)).number("raise")

    return forgetest
