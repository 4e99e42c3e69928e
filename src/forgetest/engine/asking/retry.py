"""Asks again where a failure may pass: after as long as the service asks for, or growing, jittered pauses."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion

TRIES = 6
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 120.0
LONGEST_ASKED_S = 3600.0
"""A service that asks for more than this is not waited for, but asked again."""


def patient(
    ask: Callable[[Attempt], Completion],
    *,
    sleep: Callable[[float], None] = time.sleep,
    chance: Callable[[], float] = random.random,
) -> Callable[[Attempt], Completion]:
    """The same, tried a few times; what is final is not tried again. The last failure says how often it was asked."""

    def ask_patiently(attempt: Attempt) -> Completion:
        for number in range(TRIES):
            try:
                return ask(attempt)
            except ProviderError as error:
                if error.final:
                    raise
                if number + 1 == TRIES:
                    raise ProviderError(
                        f"{error} (asked {TRIES} times)", overloaded=error.overloaded, retry_after_s=error.retry_after_s
                    ) from None
                wait = pause_s(number, error.retry_after_s, chance())
            sleep(wait)  # outside the handler: nothing of the failure is held on to meanwhile
        raise AssertionError("the last try returns or raises")

    return ask_patiently


def pause_s(number: int, retry_after_s: float | None, chance: float) -> float:
    """How long to wait after try `number`, from 0; `chance` in 0..1 keeps many from coming back at once."""
    if retry_after_s is not None:
        return min(retry_after_s, LONGEST_ASKED_S) + min(retry_after_s, LONGEST_PAUSE_S) * chance / 4
    return min(FIRST_PAUSE_S * 2.0**number, LONGEST_PAUSE_S) * (0.5 + chance / 2)
