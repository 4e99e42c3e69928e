"""The verdict of a NeMo Gym resources server, as `BaseVerifyResponse` of November 2026 holds it.

`mask_sample` tells NeMo Gym that the reward is not a measurement; an answer that could not be judged has it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from forgetest.rewards.messages import text_of_response
from forgetest.rewards.rewarder import Rewarder

Verification = dict[str, Any]
"""`reward`, `mask_sample` and `failure_reason`: what a server's answer adds to the request."""


def verify(rewarder: Rewarder) -> Callable[[Mapping[str, Any], str], Awaitable[Verification]]:
    """Return what a server's `verify` calls with its request's response, as a dict, and the name of the case."""

    async def verify_response(response: Mapping[str, Any], case: str) -> Verification:
        found = await rewarder.reward(text_of_response(response), case)
        if found.value is None:
            return {"reward": 0.0, "mask_sample": True, "failure_reason": found.reason}
        return {"reward": found.value, "mask_sample": False, "failure_reason": None}

    return verify_response
