"""An attempt → what the provider is asked, and how much that may cost."""

from __future__ import annotations

from forgetest import pricing
from forgetest.engine.asking import prompts
from forgetest.engine.plan import Generation
from forgetest.evalset import Case, EvalSet
from forgetest.pricing import Price
from forgetest.sample import Attempt, Request

_BYTES_A_TOKEN = 4
"""Of English and code, about. No tokenizer makes more tokens than there are bytes."""
_AROUND = 64
"""Tokens that a service puts around what it is given."""


def request_for(attempt: Attempt, eval_set: EvalSet, case: Case, generation: Generation) -> Request:
    """What is asked for an attempt."""
    settings = generation.settings_for(eval_set)
    return Request(
        model=attempt.model,
        system=prompts.system(case, settings.system_prompt),
        prompt=prompts.prompt(case, settings.prompt_template),
        temperature=generation.temperature,
        max_tokens=case.max_tokens or settings.max_tokens or generation.max_tokens,
        # one seed for all attempts would make them alike
        seed=None if settings.seed is None else settings.seed + attempt.attempt - 1,
        top_p=settings.top_p,
        stop=settings.stop or (),
        reasoning_effort=settings.reasoning_effort,
    )


def prompt_tokens(request: Request) -> int:
    """About how many tokens a request has."""
    return tokens_of(request.system + request.prompt) + 16


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text.encode(errors="replace")) // _BYTES_A_TOKEN)


def most_cost(request: Request, price: Price | None, count: int = 1) -> float | None:
    """The most that so many answers can cost; None where that is not known."""
    if price is None:
        return None
    size = len((request.system + request.prompt).encode(errors="replace")) + _AROUND
    if price.longest_prompt is not None and prompt_tokens(request) > price.longest_prompt:
        return None
    return pricing.at_most(price, size, count * request.max_tokens)
