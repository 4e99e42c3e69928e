"""A reward function for TRL's GRPOTrainer and RLOOTrainer, as version 1.16 calls it.

TRL leaves a completion out of its group's baseline, and gives it no advantage, where the reward is None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from forgetest.errors import UserError
from forgetest.rewards.messages import text_of
from forgetest.rewards.rewarder import Rewarder

RewardFunction = Callable[..., list[float | None]]


def reward_function(rewarder: Rewarder, *, name: str = "forgetest", column: str = "case") -> RewardFunction:
    """Return a function for `reward_funcs`.

    `column` of the data set names the case of each row, as `Rewarder.rows` does. `name` is the one that TRL logs.
    """

    def reward(
        prompts: Sequence[Any],
        completions: Sequence[Any],
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        cases = columns.get(column)
        if cases is None:
            raise UserError(f"the data set has no column {column!r} that names the case of each row")
        answers = [text_of(completion) for completion in completions]
        found = rewarder.rewards(list(zip(answers, cases, strict=True)))
        if log_metric is not None and found:
            log_metric(f"{name}/unjudged", sum(each.value is None for each in found) / len(found))
        return [each.value for each in found]

    reward.__name__ = name
    return reward
