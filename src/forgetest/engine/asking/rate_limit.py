"""How fast a model is asked: requests in flight, requests and tokens a minute; less where that is too much.

A service that is overloaded halves the number in flight, every answer gives a little of it back; while it asks to be
left alone, nobody asks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from forgetest.engine.asking.retry import LONGEST_ASKED_S
from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the user allows; None where there is no limit."""

    in_flight: int
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


class Pace:
    """The pace of one model; safe from many threads."""

    def __init__(
        self,
        limits: Limits,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float | None], object] | None = None,
    ) -> None:
        """`wait` is called with the lock held, and ends after so many seconds or when something has changed."""
        self._limits = limits
        self._clock = clock
        self._changed = threading.Condition()
        self._wait = wait or self._changed.wait
        self.allowed = float(limits.in_flight)
        """How many may be in flight now."""
        self._in_flight = 0
        self._not_before = self._next_request = self._next_tokens = clock()
        self._lowered_at = clock() - 1.0
        self._answers = self._tokens_out = 0

    def paced(
        self, ask: Callable[[Attempt], Completion], prompt_tokens: Callable[[Attempt], int], most_tokens: int
    ) -> Callable[[Attempt], Completion]:
        """The same, in turn. `prompt_tokens` is a guess; an answer has at most `most_tokens`."""

        def ask_in_turn(attempt: Attempt) -> Completion:
            expected = prompt_tokens(attempt) + self._usual_answer(most_tokens)
            began = self.begin(expected)
            try:
                completion = ask(attempt)
            except ProviderError as error:
                self.failed(error, began)
                raise
            except BaseException:
                self._end()
                raise
            self.answered(completion, expected)
            return replace(completion, leave_alone_s=None)

        return ask_in_turn

    def begin(self, tokens: int) -> float:
        """Wait for one's turn; the moment that it came."""
        with self._changed:
            while (pause := self._pause_s(now := self._clock())) is None or pause > 0:
                self._wait(pause)
            self._in_flight += 1
            if self._limits.requests_per_minute is not None:
                self._next_request = max(now, self._next_request) + 60.0 / self._limits.requests_per_minute
            if self._limits.tokens_per_minute is not None:
                self._next_tokens = max(now, self._next_tokens) + 60.0 * tokens / self._limits.tokens_per_minute
            return now

    def answered(self, completion: Completion, expected: int) -> None:
        """An answer came: the number in flight may grow, and its real tokens take the place of those expected."""
        usage = completion.usage
        with self._changed:
            self.allowed = min(float(self._limits.in_flight), self.allowed + 1.0 / self.allowed)
            if usage.completion_tokens is not None:
                self._answers += 1
                self._tokens_out += usage.completion_tokens
                if self._limits.tokens_per_minute is not None:
                    real = (usage.prompt_tokens or 0) + usage.completion_tokens
                    self._next_tokens += 60.0 * (real - expected) / self._limits.tokens_per_minute
            self._leave_alone(completion.leave_alone_s)
        self._end()

    def failed(self, error: ProviderError, began: float) -> None:
        """No answer came to a request that began at a moment."""
        with self._changed:
            # many that began together are told the same thing once
            if error.overloaded and began > self._lowered_at:
                self.allowed = max(1.0, self.allowed / 2)
                self._lowered_at = self._clock()
            self._leave_alone(error.retry_after_s)
        self._end()

    def _leave_alone(self, seconds: float | None) -> None:
        if seconds is not None:
            self._not_before = max(self._not_before, self._clock() + min(seconds, LONGEST_ASKED_S))

    def _end(self) -> None:
        with self._changed:
            self._in_flight -= 1
            self._changed.notify_all()

    def _pause_s(self, now: float) -> float | None:
        """How long to wait before one may ask; None: until another has come back."""
        if self._in_flight >= int(self.allowed):
            return None
        moments = (self._not_before, self._next_request, self._next_tokens)
        return max(0.0, max(moments) - now)

    def _usual_answer(self, most: int) -> int:
        return self._tokens_out // self._answers if self._answers else most
