"""The request for an attempt, its size in tokens, and an upper bound of its cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from forgetest import pricing
from forgetest.engine.asking import prompts
from forgetest.engine.plan import Generation, Plan
from forgetest.evalset import Case, EvalSet
from forgetest.pricing import Price
from forgetest.sample import Attempt, Completion, Request

_BYTES_PER_TOKEN = 4
"""Approximate value for English and code. No tokenizer produces more tokens than there are bytes."""
_OVERHEAD_TOKENS = 64
"""Upper bound of the tokens that a service adds around a prompt."""
_USUAL_OVERHEAD_TOKENS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model's API: a request for one or more completions."""

    model_name: str
    """`provider/model`, as in reports."""
    request: Request
    count: int = 1


CallModel = Callable[[Call], list[Completion]]
"""Makes a call. Returns at least one completion, and never more than the call asks for."""


class RequestBuilder:
    """Builds the request for each attempt of a plan."""

    def __init__(self, plan: Plan) -> None:
        if plan.generation is None:
            raise ValueError("a plan for recorded samples asks no model")
        self._generation = plan.generation
        self._cases = {(eval_set.id, case.id): (eval_set, case) for eval_set, case in plan.cases()}

    def case(self, attempt: Attempt) -> Case:
        """Return the case of an attempt."""
        return self._cases[attempt.eval_set_id, attempt.case_id][1]

    def build(self, attempt: Attempt) -> Request:
        """Return the request for an attempt."""
        return request_for(attempt, *self._cases[attempt.eval_set_id, attempt.case_id], self._generation)


def request_for(attempt: Attempt, eval_set: EvalSet, case: Case, generation: Generation) -> Request:
    """Return the request for an attempt at a case."""
    settings = generation.settings_for(eval_set)
    return Request(
        model=attempt.model,
        system=prompts.system(case, settings.system_prompt),
        prompt=prompts.prompt(case, settings.prompt_template),
        temperature=generation.temperature,
        max_tokens=case.max_tokens or settings.max_tokens or generation.max_tokens,
        # the same seed for every attempt would make all samples of a case identical
        seed=None if settings.seed is None else settings.seed + attempt.attempt - 1,
        top_p=settings.top_p,
        stop=settings.stop or (),
        reasoning_effort=settings.reasoning_effort,
    )


def prompt_tokens(request: Request) -> int:
    """Approximate number of tokens of a request's prompt."""
    return tokens_of(request.system + request.prompt) + _USUAL_OVERHEAD_TOKENS


def tokens_of(text: str) -> int:
    """Approximate number of tokens of a text."""
    return -(-len(text.encode(errors="replace")) // _BYTES_PER_TOKEN)


def most_cost(request: Request, price: Price | None, count: int = 1) -> float | None:
    """Upper bound of the cost of `count` completions, or None where the price is not known."""
    if price is None:
        return None
    most_prompt_tokens = len((request.system + request.prompt).encode(errors="replace")) + _OVERHEAD_TOKENS
    if price.longest_prompt is not None and prompt_tokens(request) > price.longest_prompt:
        return None
    return pricing.at_most(price, most_prompt_tokens, count * request.max_tokens)
