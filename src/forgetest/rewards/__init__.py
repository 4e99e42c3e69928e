"""Rewards for training: grades as numbers, in the form that each trainer calls for.

`Rewarder` turns answers into rewards; `trl`, `verl`, `verifiers`, `nemo_gym` and `openrlhf` give it the signature of
their trainer. None of them imports its trainer. See docs/rewards.md.
"""

from __future__ import annotations

from forgetest.rewards.measures import Measure, hidden_tests
from forgetest.rewards.rewarder import NoRewardError, Reward, Rewarder, Unjudged

__all__ = ["Measure", "NoRewardError", "Reward", "Rewarder", "Unjudged", "hidden_tests"]
