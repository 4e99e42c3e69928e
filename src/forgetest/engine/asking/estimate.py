"""CostEstimate of a run's requests, tokens and cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from forgetest import pricing
from forgetest.engine.asking.requests import RequestBuilder, most_cost, prompt_tokens, tokens_of
from forgetest.engine.plan import Plan
from forgetest.pricing import Price
from forgetest.sample import Attempt

_Amount = TypeVar("_Amount", int, float)

_FENCE_TOKENS = 8
"""Tokens around the code of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """Requests, tokens and cost of asking one model."""

    requests: int
    tokens_in: int
    tokens_out: int | None
    """Assuming answers as long as the reference solutions; None where a case has none."""
    most_tokens_out: int
    cost: float | None
    """Cost of these tokens, without reasoning; None where the price or the tokens are not known."""
    most_cost: float | None


def estimate(plan: Plan, attempts: Iterable[Attempt], prices: Mapping[str, Price | None]) -> dict[str, CostEstimate]:
    """Return an estimate of asking for these attempts of a plan, by model."""
    requests = RequestBuilder(plan)
    estimates: dict[str, CostEstimate] = {}
    for attempt in attempts:
        request = requests.build(attempt)
        price = prices[attempt.model_name]
        solution = requests.case(attempt).reference_solution
        tokens_in = prompt_tokens(request)
        tokens_out = None if solution is None else min(tokens_of(solution) + _FENCE_TOKENS, request.max_tokens)
        cost = None if price is None or tokens_out is None else pricing.at_most(price, tokens_in, tokens_out)
        one = CostEstimate(
            requests=1,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            most_tokens_out=request.max_tokens,
            cost=cost,
            most_cost=most_cost(request, price),
        )
        earlier = estimates.get(attempt.model_name)
        estimates[attempt.model_name] = one if earlier is None else _add(earlier, one)
    return estimates


def _add(one: CostEstimate, other: CostEstimate) -> CostEstimate:
    return CostEstimate(
        requests=one.requests + other.requests,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=_add_known(one.tokens_out, other.tokens_out),
        most_tokens_out=one.most_tokens_out + other.most_tokens_out,
        cost=_add_known(one.cost, other.cost),
        most_cost=_add_known(one.most_cost, other.most_cost),
    )


def _add_known(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return None if one is None or other is None else one + other
