"""Rate limiter for one model: requests in flight, requests and tokens per minute.

The number in flight adapts to the service (additive increase, multiplicative decrease): an overloaded service halves
it, and every answer gives a little of it back. While a service asks to be left alone, no request is sent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from forgetest.engine.asking.requests import Call, CallModel, prompt_tokens
from forgetest.errors import ProviderError
from forgetest.providers.retry import MAX_RETRY_AFTER_S
from forgetest.sample import Completion, total_usage


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """Configured limits of a model; None means unlimited."""

    in_flight: int
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


class RateLimiter:
    """Keeps calls of one model within its limits. Thread-safe."""

    def __init__(
        self,
        limits: RateLimits,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float | None], object] | None = None,
    ) -> None:
        """`wait` is called with the lock held; it returns after that many seconds, or when the state changes."""
        self._limits = limits
        self._clock = clock
        self._changed = threading.Condition()
        self._wait = wait or self._changed.wait
        self.allowed_in_flight = float(limits.in_flight)
        """Number of requests that may be in flight at present."""
        self._in_flight = 0
        self._not_before = self._next_request = self._next_tokens = clock()
        self._lowered_at = clock() - 1.0
        self._completions = self._completion_tokens = 0

    def limit(self, call_model: CallModel) -> CallModel:
        """Wrap a call so that it waits for its turn."""

        def call_in_turn(call: Call) -> list[Completion]:
            expected_tokens = self._expected_tokens(call)
            began = self.begin(expected_tokens)
            try:
                completions = call_model(call)
            except ProviderError as error:
                self.failed(error, began)
                raise
            except BaseException:
                self._end()
                raise
            self.succeeded(completions, expected_tokens)
            return [replace(completion, leave_alone_s=None) for completion in completions]

        return call_in_turn

    def begin(self, tokens: int) -> float:
        """Wait until a request of this many tokens may be sent; return the moment it may."""
        with self._changed:
            while (pause := self._pause_s(now := self._clock())) is None or pause > 0:
                self._wait(pause)
            self._in_flight += 1
            if self._limits.requests_per_minute is not None:
                self._next_request = max(now, self._next_request) + 60.0 / self._limits.requests_per_minute
            if self._limits.tokens_per_minute is not None:
                self._next_tokens = max(now, self._next_tokens) + 60.0 * tokens / self._limits.tokens_per_minute
            return now

    def succeeded(self, completions: Sequence[Completion], expected_tokens: int) -> None:
        """Record an answered request: let the number in flight grow, and replace expected tokens by actual ones."""
        usage = total_usage(completion.usage for completion in completions)
        with self._changed:
            self.allowed_in_flight = min(
                float(self._limits.in_flight), self.allowed_in_flight + 1.0 / self.allowed_in_flight
            )
            if usage.completion_tokens is not None:
                self._completions += len(completions)
                self._completion_tokens += usage.completion_tokens
                if self._limits.tokens_per_minute is not None:
                    actual = (usage.prompt_tokens or 0) + usage.completion_tokens
                    self._next_tokens += 60.0 * (actual - expected_tokens) / self._limits.tokens_per_minute
            self._leave_alone(max((completion.leave_alone_s or 0.0 for completion in completions), default=0.0))
        self._end()

    def failed(self, error: ProviderError, began: float) -> None:
        """Record the failure of a request that was sent at the moment `began`."""
        with self._changed:
            # requests sent before the last decrease report the same overload; they must not decrease it again
            if error.overloaded and began > self._lowered_at:
                self.allowed_in_flight = max(1.0, self.allowed_in_flight / 2)
                self._lowered_at = self._clock()
            self._leave_alone(error.retry_after_s or 0.0)
        self._end()

    def _leave_alone(self, seconds: float) -> None:
        self._not_before = max(self._not_before, self._clock() + min(seconds, MAX_RETRY_AFTER_S))

    def _end(self) -> None:
        with self._changed:
            self._in_flight -= 1
            self._changed.notify_all()

    def _pause_s(self, now: float) -> float | None:
        """Return the seconds until a request may be sent, or None: when another one has returned."""
        if self._in_flight >= int(self.allowed_in_flight):
            return None
        earliest = max(self._not_before, self._next_request, self._next_tokens)
        return max(0.0, earliest - now)

    def _expected_tokens(self, call: Call) -> int:
        """Estimate the tokens of a call from the completions so far; before the first, assume the longest."""
        average = self._completion_tokens // self._completions if self._completions else call.request.max_tokens
        return prompt_tokens(call.request) + call.count * average
