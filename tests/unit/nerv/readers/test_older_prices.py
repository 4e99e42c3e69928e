"""Prices of models in older logs."""

from __future__ import annotations

import pytest

from nerv.evidence import TokenUsage
from nerv.readers.claude_code.spending import list_price
from nerv.readers.older_prices import OLDER_PRICES, plain_name


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("anthropic/claude-3-7-sonnet-20250219", "claude-3-7-sonnet"),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet"),
        ("claude-opus-4-0", "claude-opus-4"),
        ("claude-opus-4-1@20250805", "claude-opus-4-1"),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5"),
        ("openai/gpt-4o-2024-11-20", "gpt-4o"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("anthropic/claude-3.5-sonnet", "claude-3-5-sonnet"),
        ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
    ],
)
def test_the_plain_name_has_neither_vendor_nor_date(model: str, name: str) -> None:
    assert plain_name(model) == name


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("claude-sonnet-4-20250514", 3.0 * 0.1 + 15.0 * 0.01 + 0.30 * 0.05),
        ("claude-opus-4-1-20250805", 15.0 * 0.1 + 75.0 * 0.01 + 1.50 * 0.05),
        ("gpt-4o", 2.5 * 0.1 + 10.0 * 0.01 + 1.25 * 0.05),
        ("o3-2025-04-16", 2.0 * 0.1 + 8.0 * 0.01 + 0.50 * 0.05),
        ("codex-mini-latest", 1.5 * 0.1 + 6.0 * 0.01 + 0.375 * 0.05),
        ("gpt-5-2025-08-07", 1.25 * 0.1 + 10.0 * 0.01 + 0.125 * 0.05),
    ],
)
def test_an_answer_costs_what_it_did(model: str, cost: float) -> None:
    usage = TokenUsage(input_tokens=100_000, output_tokens=10_000, cache_read_tokens=50_000)
    assert list_price(usage, model) == pytest.approx(cost)


def test_an_unknown_model_has_no_price() -> None:
    assert list_price(TokenUsage(input_tokens=1, output_tokens=1), "acme/tiny-2024") is None


def test_output_is_never_cheaper_than_input_and_the_cache_never_dearer() -> None:
    for price in OLDER_PRICES.values():
        assert price.output >= price.input
        assert (price.cached_input or 0) <= price.input <= (price.cache_write or price.input)


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("gpt-4o-2024-05-13", 5.0 * 0.1 + 15.0 * 0.01),
        ("gpt-4-turbo-2024-04-09", 10.0 * 0.1 + 30.0 * 0.01),
        ("gpt-4-0613", 30.0 * 0.1 + 60.0 * 0.01),
        ("gpt-3.5-turbo-0125", 0.5 * 0.1 + 1.5 * 0.01),
    ],
)
def test_models_without_a_cache_have_prices_too(model: str, cost: float) -> None:
    usage = TokenUsage(input_tokens=100_000, output_tokens=10_000)
    assert list_price(usage, model) == pytest.approx(cost)
