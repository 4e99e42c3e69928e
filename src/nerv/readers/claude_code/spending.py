"""Tokens and cost, summed over answers, with their totals over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forgetest import pricing
from forgetest.sample import Usage
from nerv.evidence import TokenUsage, UsagePoint
from nerv.location import Moment
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.older_prices import OLDER_PRICES, plain_name

_MOST_POINTS = 500


@dataclass(slots=True)
class Spending:
    """Running total of tokens and cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0
    estimated: bool = False
    unpriced: bool = False
    """The price of some answer is not known."""
    any: bool = False
    course: list[UsagePoint] = field(default_factory=list)
    _stride: int = 1
    _seen: int = 0
    _reported_cost: float | None = None
    _reported_usage: TokenUsage | None = None

    def add(self, usage: TokenUsage, earlier: TokenUsage | None, model: str, moment: Moment | None) -> None:
        """Add an answer; `earlier` holds the figures already counted for it."""
        self.any = True
        counted = earlier or TokenUsage()
        self.input_tokens += _more(usage.input_tokens, counted.input_tokens)
        self.output_tokens += _more(usage.output_tokens, counted.output_tokens)
        self.cache_read_tokens += _more(usage.cache_read_tokens, counted.cache_read_tokens)
        self.cache_write_tokens += _more(usage.cache_write_tokens, counted.cache_write_tokens)
        now, before = self._price(usage, model), self._price(earlier, model) if earlier else 0.0
        if now is None or before is None:
            self.unpriced = True
        else:
            self.cost_usd += max(0.0, now - before)
        if moment and moment.ms is not None:
            self._mark(moment.ms)

    def reported(self, cost_usd: float | None, usage: TokenUsage | None) -> None:
        """Take the agent's own total at its end, which overrides our sum."""
        if cost_usd is not None:
            self._reported_cost = (self._reported_cost or 0.0) + cost_usd
        if usage is not None and usage.tokens:
            self._reported_usage = usage

    def usage(self) -> TokenUsage:
        """Return the totals; None for what is not known."""
        cost: float | None
        if self._reported_cost is not None:
            cost, estimated = self._reported_cost, False
        elif not self.any or self.unpriced:
            cost, estimated = None, False
        else:
            cost, estimated = self.cost_usd, self.estimated
        if not self.any:
            reported = self._reported_usage or TokenUsage()
            return TokenUsage(
                input_tokens=reported.input_tokens,
                output_tokens=reported.output_tokens,
                cache_read_tokens=reported.cache_read_tokens,
                cache_write_tokens=reported.cache_write_tokens,
                cost_usd=cost,
            )
        return TokenUsage(
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens,
            cost_usd=cost,
            cost_is_estimated=estimated,
        )

    def points(self) -> tuple[UsagePoint, ...]:
        """Return the totals over time."""
        return tuple(self.course)

    def _price(self, usage: TokenUsage, model: str) -> float | None:
        if usage.cost_usd is not None:
            return usage.cost_usd
        self.estimated = True
        return list_price(usage, model)

    def _mark(self, ms: int) -> None:
        self._seen += 1
        if self._seen % self._stride:
            return
        total = self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens
        self.course.append(UsagePoint(ms=ms, tokens=total, cost_usd=None if self.unpriced else self.cost_usd))
        if len(self.course) >= _MOST_POINTS:
            self.course = self.course[1::2]
            self._stride *= 2


def list_price(usage: TokenUsage, model: str) -> float | None:
    """Return the list price of an answer of Anthropic's or OpenAI's models, or None where it is not known."""
    if not usage.tokens:
        return 0.0
    prompt = (usage.input_tokens or 0) + (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    priced = Usage(
        prompt_tokens=prompt,
        completion_tokens=usage.output_tokens or 0,
        cached_tokens=usage.cache_read_tokens or 0,
        cache_write_tokens=usage.cache_write_tokens or 0,
    )
    name = plain_name(model)
    vendor = "anthropic" if name.startswith("claude") else "openai"
    for known in (model, name):
        found = pricing.cost(vendor, known, priced, OLDER_PRICES)
        if found is not None:
            return found
    return None


def usage_from_api(fields: Mapping[str, Any], cost: float | None = None) -> TokenUsage:
    """Return the usage in an API response."""
    return TokenUsage(
        input_tokens=whole_number(fields.get("input_tokens")),
        output_tokens=whole_number(fields.get("output_tokens")),
        cache_read_tokens=whole_number(fields.get("cache_read_input_tokens")),
        cache_write_tokens=whole_number(fields.get("cache_creation_input_tokens")),
        cost_usd=cost,
    )


def usage_from_nerv(fields: Mapping[str, Any]) -> TokenUsage:
    """Return the usage in a file of nerv: `inputTokens` and others, or `tokens: { input … }`."""
    nested = fields.get("tokens")
    tokens: Mapping[str, Any] = nested if isinstance(nested, Mapping) else fields
    cost = fields.get("costUsd", fields.get("totalCostUsd", fields.get("totalUsd", fields.get("cost_usd"))))
    return TokenUsage(
        input_tokens=_first_field(tokens, "inputTokens", "input", "input_tokens"),
        output_tokens=_first_field(tokens, "outputTokens", "output", "output_tokens"),
        cache_read_tokens=_first_field(
            tokens, "cachedTokens", "cached", "cacheRead", "cacheReadTokens", "cache_read_input_tokens"
        ),
        cost_usd=amount(cost),
    )


def _first_field(fields: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        found = whole_number(fields.get(name))
        if found is not None and found >= 0:
            return found
    return None


def _more(now: int | None, before: int | None) -> int:
    return max(0, (now or 0) - (before or 0))
