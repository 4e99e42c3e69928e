"""Client of one model: rate limit, budget and retries around its provider, and cached responses in front of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.rate_limit import RateLimiter
from forgetest.engine.asking.requests import Call, CallModel, most_cost
from forgetest.engine.asking.response_cache import ResponseCache
from forgetest.pricing import Price
from forgetest.providers import ManyAtOnce, Provider
from forgetest.providers.retry import with_retries
from forgetest.sample import Attempt, Completion, Request


class ModelClient:
    """Asks one model for the answers to attempts. Thread-safe."""

    def __init__(
        self,
        provider: Provider,
        build_request: Callable[[Attempt], Request],
        limiter: RateLimiter,
        *,
        price: Price | None = None,
        budget: Budget | None = None,
        cache: ResponseCache | None = None,
        cache_key: Callable[[Attempt], str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`cache_key` names the answer to an attempt; it goes with `cache`."""
        self._build_request = build_request
        self._cache = cache
        self._cache_key = cache_key
        # A retry waits for its turn and reserves its cost like a first try: retries go around the two.
        call_model = limiter.limit(_call_provider(provider))
        if budget is not None:
            call_model = budget.guard(call_model, lambda call: most_cost(call.request, price, call.count))
        self._call_model: CallModel = with_retries(call_model, sleep=sleep)

    def ask(self, attempt: Attempt) -> Completion:
        """Return the cached answer to an attempt, or ask for one and cache it."""
        cached = self.cached(attempt)
        if cached is not None:
            return cached
        completion = self._call_model(self._call(attempt))[0]
        self.keep(attempt, completion)
        return completion

    def ask_together(self, attempts: Sequence[Attempt]) -> list[Completion]:
        """Ask for the answers to several attempts at one case by one request; the cache is not used.

        There is at least one answer, and there may be fewer than attempts.
        """
        return self._call_model(self._call(attempts[0], len(attempts)))

    def cached(self, attempt: Attempt) -> Completion | None:
        """Return the cached answer to an attempt, or None."""
        if self._cache is None or self._cache_key is None:
            return None
        return self._cache.get(self._cache_key(attempt))

    def keep(self, attempt: Attempt, completion: Completion) -> None:
        """Cache the answer to an attempt, where there is a cache."""
        if self._cache is not None and self._cache_key is not None:
            self._cache.put(self._cache_key(attempt), completion)

    def _call(self, attempt: Attempt, count: int = 1) -> Call:
        return Call(model_name=attempt.model_name, request=self._build_request(attempt), count=count)


def _call_provider(provider: Provider) -> CallModel:
    def call_model(call: Call) -> list[Completion]:
        if call.count > 1 and isinstance(provider, ManyAtOnce):
            return provider.generate_several(call.request, call.count)[: call.count]
        return [provider.generate(call.request)]

    return call_model
