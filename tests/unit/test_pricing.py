from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.pricing import LIST_PRICES, Price, cost
from forgetest.sample import Usage

MILLION = 1_000_000
SMALL = Usage(prompt_tokens=1000, completion_tokens=200)


def test_the_cost_is_tokens_times_their_price_per_million() -> None:
    usage = Usage(prompt_tokens=MILLION, completion_tokens=MILLION)
    assert cost("openai", "gpt-5", usage, {}) == pytest.approx(1.25 + 10.00)


def test_the_cost_of_an_unknown_model_is_unknown_and_not_0() -> None:
    assert cost("openai", "gpt-0", SMALL, {}) is None
    assert cost("anthropic", "gpt-5", SMALL, {}) is None
    assert cost("acme", "gpt-5", SMALL, {}) is None


def test_an_unlisted_dated_model_does_not_get_the_price_of_the_undated_one() -> None:
    assert cost("openai", "gpt-5-1999-01-01", SMALL, {}) is None


@pytest.mark.parametrize("usage", [Usage(), replace(SMALL, prompt_tokens=None), replace(SMALL, completion_tokens=None)])
def test_the_cost_of_unknown_tokens_is_unknown(usage: Usage) -> None:
    assert cost("openai", "gpt-5", usage, {}) is None


@pytest.mark.parametrize("provider_type", ["embedded", "ollama"])
def test_local_models_cost_nothing(provider_type: str) -> None:
    assert cost(provider_type, "any", Usage(), {}) == 0.0


def test_an_override_comes_first() -> None:
    assert cost("openai", "gpt-5", SMALL, {"gpt-5": Price(1.0, 5.0)}) == pytest.approx(0.002)
    assert cost("ollama", "any", SMALL, {"any": Price(1.0, 5.0)}) == pytest.approx(0.002)
    assert cost("openai", "own", SMALL, {"own": Price(1.0, 5.0)}, as_listed=False) == pytest.approx(0.002)


def test_list_prices_apply_on_standard_terms_only() -> None:
    assert cost("openai", "gpt-5", SMALL, {}, as_listed=False) is None


def test_cached_cache_writing_and_reasoning_tokens_have_their_own_prices() -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=8, cached_tokens=4, cache_write_tokens=1, reasoning_tokens=6)
    price = Price(1 * MILLION, 10 * MILLION, 0.5 * MILLION, 2 * MILLION, reasoning=3 * MILLION)
    assert cost("openai", "m", usage, {"m": price}) == pytest.approx(5 * 1 + 4 * 0.5 + 1 * 2 + 2 * 10 + 6 * 3)
    assert cost("openai", "m", usage, {"m": price._replace(reasoning=None)}) == pytest.approx(9 + 8 * 10)


@pytest.mark.parametrize("name", ["cached_tokens", "cache_write_tokens"])
def test_an_unknown_price_matters_only_if_there_are_such_tokens(name: str) -> None:
    prices = {"m": Price(1.0, 5.0)}
    assert cost("openai", "m", replace(SMALL, **{name: 0}), prices) is not None
    assert cost("openai", "m", replace(SMALL, **{name: 1}), prices) is None


@pytest.mark.parametrize("name", ["cached_tokens", "reasoning_tokens"])
def test_the_cost_is_unknown_if_a_part_is_larger_than_the_whole(name: str) -> None:
    assert cost("openai", "gpt-5", replace(SMALL, **{name: 1001}), {}) is None


def test_the_cost_of_a_prompt_beyond_the_priced_length_is_unknown() -> None:
    assert cost("anthropic", "claude-haiku-5-5", replace(SMALL, prompt_tokens=100_000), {}) is not None
    assert cost("anthropic", "claude-haiku-5-5", replace(SMALL, prompt_tokens=100_001), {}) is None


@given(
    parts=st.tuples(*[st.integers(0, 10**6)] * 5),
    row=st.sampled_from([price for price in LIST_PRICES.values() if None not in price[:4]]),
)
def test_a_cost_lies_between_the_cheapest_and_the_most_expensive_rate(parts: tuple[int, ...], row: Price) -> None:
    fresh, cached, written, visible, thought = parts
    usage = Usage(
        prompt_tokens=fresh + cached + written,
        completion_tokens=visible + thought,
        cached_tokens=cached,
        cache_write_tokens=written,
        reasoning_tokens=thought,
    )
    total = cost("any", "m", usage, {"m": row._replace(longest_prompt=None)})
    rates = [rate for rate in row[:4] if rate is not None]
    assert total is not None
    assert min(rates) * sum(parts) / MILLION - 1e-9 <= total <= max(rates) * sum(parts) / MILLION + 1e-9


@pytest.mark.parametrize("key", LIST_PRICES, ids="/".join)
def test_every_list_price_has_a_date_and_plausible_ratios(key: tuple[str, str]) -> None:
    price = LIST_PRICES[key]
    assert date(2026, 1, 1) <= date.fromisoformat(price.as_of) <= date(2027, 1, 1)
    assert 0 < price.input < price.output
    assert price.cached_input is None or 0 < price.cached_input < price.input
    assert price.cache_write is None or price.input < price.cache_write < price.output
