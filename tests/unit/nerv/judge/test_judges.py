"""Choice of the judge, and its time limit."""

from __future__ import annotations

import threading

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Model
from forgetest.sample import Completion, Request
from nerv.judge.model_judge import JudgeUnavailableError, ModelJudge


class Thinking:
    """A provider that answers when it is released."""

    concurrency = 1

    def __init__(self) -> None:
        self.released = threading.Event()

    def models(self) -> list[Model]:
        return []

    def generate(self, request: Request) -> Completion:
        self.released.wait(60)
        return Completion(text=request.prompt)


def test_a_judge_that_takes_too_long_is_not_awaited() -> None:
    provider = Thinking()
    try:
        with pytest.raises(ProviderError, match=r"acme/slow did not answer within 0\.05 s; --judge-timeout"):
            ModelJudge(name="acme/slow", provider=provider, model="slow", timeout_s=0.05).ask("?")
    finally:
        provider.released.set()


def test_an_answer_in_time_is_used() -> None:
    provider = Thinking()
    provider.released.set()
    assert ModelJudge(name="acme/quick", provider=provider, model="quick", timeout_s=60).ask("?").text == "?"


def test_a_failure_of_the_judge_is_raised() -> None:
    class Failing(Thinking):
        def generate(self, request: Request) -> Completion:
            raise ProviderError("no credit", final=True)

    with pytest.raises(ProviderError, match="no credit"):
        ModelJudge(name="acme/poor", provider=Failing(), model="poor", timeout_s=60).ask("?")


def test_an_error_of_the_users_account_is_not_retried() -> None:
    class Locked(Thinking):
        asked = 0

        def generate(self, request: Request) -> Completion:
            self.asked += 1
            raise ProviderError("API error 401: invalid x-api-key")

    provider = Locked()
    with pytest.raises(ProviderError, match="401"):
        ModelJudge(name="acme/locked", provider=provider, model="m").ask("?")
    assert provider.asked == 1


@pytest.mark.parametrize(
    ("message", "of_request", "is_unavailable"),
    [
        ("anthropic: 404: there is no such model", False, True),
        ("claude ended with exit code 1 and no answer: Claude AI usage limit reached", False, True),
        ("anthropic: 400: the prompt has 402 tokens too many", True, False),
        ("claude ended with exit code 1 and no answer: error_max_turns", False, False),
    ],
)
def test_errors_of_the_account_are_told_from_those_of_a_question(
    message: str, of_request: bool, is_unavailable: bool
) -> None:
    class Failing(Thinking):
        def generate(self, request: Request) -> Completion:
            raise ProviderError(message, final=True, of_request=of_request)

    with pytest.raises(ProviderError) as caught:
        ModelJudge(name="acme/m", provider=Failing(), model="m").ask("?")
    assert isinstance(caught.value, JudgeUnavailableError) is is_unavailable


def test_retries_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(Thinking):
        asked = 0

        def generate(self, request: Request) -> Completion:
            self.asked += 1
            if self.asked == 1:
                raise ProviderError("overloaded")
            return Completion(text="done")

    said: list[str] = []
    monkeypatch.setattr("nerv.judge.model_judge.time.sleep", lambda _: None)
    judge = ModelJudge(name="acme/busy", provider=Busy(), model="m", say=said.append)
    assert judge.ask("?").text == "done"
    assert len(said) == 1
    assert said[0].startswith("notice: acme/busy did not answer; asking again in")
    assert said[0].endswith(" s: overloaded")
