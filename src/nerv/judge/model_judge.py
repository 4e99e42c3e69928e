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

_MAX_TOKENS = 4_096
_LONGEST_PAUSE_S = 30.0
_NOT_AUTHORISED = re.compile(
    r"\b40[13]\b|invalid (?:x-)?api[- _]?key|authentication|unauthori[sz]ed|not logged in|please run /login"
    r"|credit balance",
    re.I,
)
"""Errors of the user's account: asking again only delays the message."""


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

    def ask(self, prompt: str) -> Completion:
        """Ask, with retries after temporary errors."""
        request = Request(
            model=self.model,
            system=SYSTEM,
            prompt=prompt,
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            options=self.options,
        )
        return with_retries(self._generate, sleep=self._sleep_briefly)(request)

    def _sleep_briefly(self, seconds: float) -> None:
        """Wait, but not longer than a user would, whatever the service asks for."""
        pause = min(seconds, _LONGEST_PAUSE_S)
        self.say(f"notice: {self.name} did not answer; asking again in {pause:.0f} s")
        time.sleep(pause)

    def _generate(self, request: Request) -> Completion:
        try:
            return self._generate_in_time(request)
        except ProviderError as error:
            if error.final or not _NOT_AUTHORISED.search(str(error)):
                raise
            raise ProviderError(str(error), final=True) from None

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
