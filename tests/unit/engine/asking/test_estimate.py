"""What a run would take, and that it takes no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest import pricing
from forgetest.engine.asking.estimate import estimate
from forgetest.engine.asking.requests import most_cost, prompt_tokens
from forgetest.engine.plan import Generation, for_models
from forgetest.evalset.generation import GenerationSettings
from forgetest.pricing import Price
from forgetest.sample import Request, Usage
from specimens import a_case, an_eval_set

GENERATION = Generation(temperature=0.8, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
PRICE = Price(2.0, 10.0, 0.5, 2.5)


def estimated(*cases, prices, models=(("acme", "small"),)):
    eval_set = an_eval_set(*cases)
    plan = for_models([eval_set], [eval_set], models, (1,), 3, GENERATION)
    return estimate(plan, plan.attempts, prices)


def test_requests_and_their_tokens_are_counted():
    case = replace(a_case("add"), reference_solution="x" * 80)
    (found,) = estimated(case, prices={"acme/small": PRICE}).values()
    assert found.requests == 3
    assert found.tokens_out == 3 * (20 + 8)
    assert found.most_tokens_out == 300
    assert found.cost is not None
    assert found.most_cost is not None
    assert 0 < found.cost < found.most_cost
    assert found.most_cost >= 300 * 10.0 / 1e6


def test_without_a_price_there_is_no_cost():
    (found,) = estimated(a_case(), prices={"acme/small": None}).values()
    assert (found.cost, found.most_cost) == (None, None)


def test_without_a_reference_solution_only_the_upper_bound_is_known():
    case = replace(a_case(), reference_solution=None)
    (found,) = estimated(case, prices={"acme/small": PRICE}).values()
    assert (found.tokens_out, found.cost) == (None, None)
    assert found.most_cost is not None


def test_each_model_has_an_estimate_of_its_own():
    models = [("acme", "small"), ("acme", "large")]
    found = estimated(a_case(), prices={"acme/small": PRICE, "acme/large": Price(4.0, 20.0)}, models=models)
    assert found["acme/large"].most_cost == pytest.approx(2 * found["acme/small"].most_cost, rel=0.2)


counts = st.integers(0, 10_000)


@given(st.text(max_size=200), counts, counts, st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_no_answer_costs_more_than_the_upper_bound(text, max_tokens, taken, cached, written, thought):
    request = Request(model="m", system="", prompt=text, max_tokens=max_tokens)
    size = len(text.encode(errors="replace")) + 64
    out = min(taken, max_tokens)
    usage = Usage(
        prompt_tokens=size,
        completion_tokens=out,
        cached_tokens=size * cached // 200,
        cache_write_tokens=size * written // 200,
        reasoning_tokens=out * thought // 100,
    )
    for price in (PRICE, Price(1.0, 2.0, 0.1, 1.25, reasoning=9.0)):
        cost = pricing.cost("acme", "m", usage, {"m": price})
        most = most_cost(request, price)
        assert cost is not None
        assert most is not None
        assert cost <= most + 1e-12


def test_a_prompt_longer_than_a_price_is_for_has_no_known_cost():
    request = Request(model="m", system="", prompt="x" * 4000)
    assert prompt_tokens(request) > 1000
    assert most_cost(request, PRICE._replace(longest_prompt=1000)) is None
