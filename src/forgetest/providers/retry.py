"""Retry policy for requests to a model: exponential backoff with jitter, or the delay that the service asks for."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from forgetest.errors import ProviderError

MAX_TRIES = 6
FIRST_DELAY_S = 1.0
MAX_DELAY_S = 120.0
MAX_RETRY_AFTER_S = 3600.0
"""A service that asks for a longer delay than this is asked again after it all the same."""

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


def with_retries(
    call: Callable[[_Argument], _Result],
    *,
    sleep: Callable[[float], None] = time.sleep,
    jitter: Callable[[], float] = random.random,
) -> Callable[[_Argument], _Result]:
    """Wrap a call so that a ProviderError that is not final is retried.

    The error of the last try says how often the service was asked.
    """

    def call_with_retries(argument: _Argument) -> _Result:
        for attempt in range(MAX_TRIES):
            try:
                return call(argument)
            except ProviderError as error:
                if error.final:
                    raise
                if attempt + 1 == MAX_TRIES:
                    raise ProviderError(
                        f"{error} (asked {MAX_TRIES} times)",
                        overloaded=error.overloaded,
                        retry_after_s=error.retry_after_s,
                    ) from None
                delay = retry_delay_s(attempt, error.retry_after_s, jitter())
            sleep(delay)  # outside the handler, so that the error and its frames are not kept alive meanwhile
        raise AssertionError("the last try returns or raises")

    return call_with_retries


def retry_delay_s(attempt: int, retry_after_s: float | None, jitter: float) -> float:
    """Return the seconds to wait after try number `attempt`, counted from 0.

    `jitter`, from 0 to 1, spreads out clients that failed at the same moment.
    """
    if retry_after_s is not None:
        return min(retry_after_s, MAX_RETRY_AFTER_S) + min(retry_after_s, MAX_DELAY_S) * jitter / 4
    return min(FIRST_DELAY_S * 2.0**attempt, MAX_DELAY_S) * (0.5 + jitter / 2)
