"""A model that judges: requests with a time limit, retries that are reported, and errors that no retry can repair."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from forgetest.errors import ProviderError
from forgetest.providers import Provider
from forgetest.providers.retry import with_retries
from forgetest.sample import Completion, Request
from nerv.judge.prompt import SYSTEM

_MAX_TOKENS, _MORE_TOKENS = 4_096, 16_384
"""Limits of an answer, and of one after an answer that could not be used: it may have been cut off."""
_LONGEST_PAUSE_S = 30.0
_UNAVAILABLE = re.compile(
    r"\b40[1-4]\b|invalid (?:x-)?api[- _]?key|authentication|unauthori[sz]ed|not logged in|please run /login"
    r"|credit balance|no credit left|usage limit reached|unknown option|not on the PATH",
    re.I,
)
"""Errors of the user's account or installation: asking again, or asking something else, only delays the message."""


class JudgeUnavailableError(ProviderError):
    """The judge answers no question at all: a wrong key, no credit, no such model."""


def _say_nothing(_: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJudge:
    """A model that judges."""

    name: str
    """Name in the report: `claude`, or `provider/model`."""
    provider: Provider
    model: str
    timeout_s: float | None = None
    """Time limit for one answer; None where the provider enforces its own."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Settings that only this provider supports."""
    say: Callable[[str], None] = _say_nothing

    @property
    def concurrency(self) -> int:
        """Number of questions that may be under way at once."""
        return max(1, self.provider.concurrency)

    def ask(self, prompt: str, *, more_room: bool = False) -> Completion:
        """Ask, with retries after temporary errors; `more_room` allows a longer answer than usual."""
        request = Request(
            model=self.model,
            system=SYSTEM,
            prompt=prompt,
            temperature=0.0,
            max_tokens=_MORE_TOKENS if more_room else _MAX_TOKENS,
            options=self.options,
        )
        reasons: list[str] = []

        def generate(request: Request) -> Completion:
            try:
                return self._generate_in_time(request)
            except ProviderError as error:
                reasons.append(str(error))
                if _UNAVAILABLE.search(str(error)) and not error.of_request and not error.overloaded:
                    raise JudgeUnavailableError(str(error), final=True) from None
                raise

        def sleep_briefly(seconds: float) -> None:
            """Wait, but not longer than a user would, whatever the service asks for."""
            pause = min(seconds, _LONGEST_PAUSE_S)
            self.say(f"notice: {self.name} did not answer; asking again in {pause:.0f} s: {reasons[-1]}")
            time.sleep(pause)

        return with_retries(generate, sleep=sleep_briefly)(request)

    def _generate_in_time(self, request: Request) -> Completion:
        if self.timeout_s is None:
            return self.provider.generate(request)
        done: queue.SimpleQueue[Completion | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                done.put(self.provider.generate(request))
            except BaseException as error:
                done.put(error)

        # a daemon: an answer that is no longer awaited must not delay the exit
        threading.Thread(target=work, daemon=True).start()
        try:
            result = done.get(timeout=self.timeout_s)
        except queue.Empty:
            message = f"{self.name} did not answer within {self.timeout_s:g} s; --judge-timeout allows more"
            raise ProviderError(message, final=True) from None
        if isinstance(result, BaseException):
            raise result
        return result
