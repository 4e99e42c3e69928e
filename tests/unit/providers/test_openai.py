from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Model
from forgetest.providers.http.connection import read_settings
from forgetest.providers.openai import provider as openai
from forgetest.providers.openai import wire
from forgetest.sample import Completion, Request, Usage
from forgetest.testing.loopback import Received, Reply, Server, as_json
from model_apis import APIS, MODEL, a_request, needs_sdk, openai_answer, openai_error

pytestmark = [needs_sdk("openai"), pytest.mark.usefixtures("bare_environment")]

API = APIS["openai"]


def asked(answer: Callable[[Received], Reply], *requests: Request, **more: object) -> tuple[list[Completion], Server]:
    """Return the completions, and the server with what it received."""
    with Server(answer) as server:
        provider = openai.create(API.settings(server.url, **more))
        return [provider.generate(request) for request in requests], server


def failure(reply: Reply) -> ProviderError:
    with Server(lambda _: reply) as server:
        with pytest.raises(ProviderError) as caught:
            openai.create(API.settings(server.url)).generate(a_request())
        assert len(server.received) == 1
    return caught.value


def test_the_question_holds_everything_that_was_asked_for() -> None:
    options = {"reasoning_effort": "low", "stop": "END", "top_p": 0.9}
    _, server = asked(lambda _: openai_answer("Hi"), a_request(temperature=0.8, max_tokens=5, seed=7, options=options))
    assert server.received[0].path == "/v1/chat/completions"
    assert server.received[0].body == {
        "model": MODEL,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}],
        "max_tokens": 5,
        "temperature": 0.8,
        "seed": 7,
        "reasoning_effort": "low",
        "stop": ["END"],
        "top_p": 0.9,
    }


def test_without_system_prompt_and_seed_none_is_sent() -> None:
    _, server = asked(lambda _: openai_answer("Hi"), a_request(system="", seed=None))
    assert server.received[0].body["messages"] == [{"role": "user", "content": "Say hello."}]
    assert "seed" not in server.received[0].body


@pytest.mark.parametrize(
    "reply",
    [
        openai_answer(None, message={"refusal": "I can't help with that."}),
        openai_answer("", finish="refusal"),
    ],
    ids=["said", "filtered"],
)
def test_a_refusal_is_an_answer_and_not_an_error(reply: Reply) -> None:
    (completion,), server = asked(lambda _: reply, a_request())
    assert (completion.text, completion.finish) == ("", "refusal")
    assert len(server.received) == 1


def test_no_content_is_an_empty_text() -> None:
    (completion,), _ = asked(lambda _: openai_answer(None), a_request())
    assert (completion.text, completion.finish) == ("", "stop")


def test_cached_cache_written_and_reasoning_tokens_are_counted_separately() -> None:
    usage = {
        "prompt_tokens": 132,
        "completion_tokens": 50,
        "total_tokens": 182,
        "prompt_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 20, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 40, "audio_tokens": 0},
    }
    prices = {MODEL: {"input": 1e6, "output": 1e6, "cached_input": 0.5e6, "cache_write": 2e6}}
    (completion,), _ = asked(lambda _: openai_answer("Hi", usage=usage), a_request(), prices=prices)
    assert completion.usage == Usage(
        prompt_tokens=132,
        completion_tokens=50,
        cached_tokens=100,
        cache_write_tokens=20,
        reasoning_tokens=40,
        cost_usd=pytest.approx(12 + 100 * 0.5 + 20 * 2 + 50),  # type: ignore[arg-type]
    )


def test_a_server_that_counts_no_tokens_leaves_them_unknown() -> None:
    (completion,), _ = asked(lambda _: openai_answer("Hi", usage=None), a_request())
    assert completion.usage == Usage()


def test_a_parameter_that_a_model_does_not_accept_is_left_out_or_renamed_from_then_on() -> None:
    def answer(received: Received) -> Reply:
        if "max_tokens" in received.body:
            message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            message += "'max_completion_tokens' instead."
            return openai_error(400, message, param="max_tokens", code="unsupported_parameter")
        if received.body.get("temperature", 1) != 1:
            message = "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1)"
            return openai_error(400, message, param="temperature", code="unsupported_value")
        return openai_answer("Hi")

    completions, server = asked(answer, a_request(), a_request(seed=1))
    assert [completion.text for completion in completions] == ["Hi", "Hi"]
    shapes = [sorted(received.body.keys() - {"model", "messages"}) for received in server.received]
    assert shapes == [
        ["max_tokens", "temperature"],
        ["max_completion_tokens", "temperature"],
        ["max_completion_tokens"],
        ["max_completion_tokens", "seed"],
    ]


def test_a_parameter_is_left_out_only_for_the_model_that_does_not_accept_it() -> None:
    def answer(received: Received) -> Reply:
        if received.body["model"] == "picky" and "temperature" in received.body:
            return openai_error(400, "temperature is not supported")
        return openai_answer("Hi")

    _, server = asked(answer, a_request(model="picky"), a_request())
    assert ["temperature" in received.body for received in server.received] == [True, False, True]


@pytest.mark.parametrize(
    "message", ["max_tokens is too large: 100. This model supports at most 64.", "temperature must be at most 2"]
)
def test_a_value_out_of_bounds_is_an_error(message: str) -> None:
    error = failure(openai_error(400, message))
    assert error.final
    assert message in str(error)


def test_the_vendor_gets_the_new_name_of_the_token_limit() -> None:
    provider = openai.create({"api_key": "none"})
    assert isinstance(provider, openai.OpenAI)
    assert provider._request_body(a_request(max_tokens=5))["max_completion_tokens"] == 5


def test_an_account_without_credit_is_not_asked_again() -> None:
    error = failure(openai_error(429, "You exceeded your current quota.", code="insufficient_quota"))
    assert error.final
    assert "no credit left" in str(error)


def test_an_error_with_status_200_is_an_error() -> None:
    error = failure(as_json({"error": {"message": "Provider returned error", "code": 502}}))
    assert not error.final


def test_a_response_without_choices_is_an_error() -> None:
    assert not failure(openai_answer("Hi", choices=[])).final


@pytest.mark.parametrize(("header", "seconds"), [({"retry-after-ms": "1500"}, 1.5), ({"retry-after": "soon"}, None)])
def test_the_time_to_wait_may_be_in_milliseconds(header: dict[str, str], seconds: float | None) -> None:
    assert failure(openai_error(429, "slow down", header)).retry_after_s == seconds


def test_the_time_to_wait_may_be_a_date() -> None:
    past = failure(openai_error(429, "slow down", {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}))
    assert past.retry_after_s == 0.0
    future = failure(openai_error(503, "slow down", {"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}))
    assert future.retry_after_s is not None
    assert future.retry_after_s > 1e6


def test_models_are_listed_with_the_context_that_the_server_reports() -> None:
    with Server(lambda _: API.models) as server:
        assert openai.create(API.settings(server.url)).models() == [Model(id=MODEL, context_tokens=32_768)]


@pytest.mark.parametrize(("tier", "cost"), [(None, 5.625), ("default", 5.625), ("priority", None), ("flex", None)])
def test_list_prices_apply_to_the_vendors_standard_service_only(tier: str | None, cost: float | None) -> None:
    counts = wire.OpenAITokenCounts(prompt_tokens=500_000, completion_tokens=500_000)
    choice = wire.Choice(message=wire.ChatMessage())
    answer = wire.ChatCompletion(choices=[choice], usage=counts, service_tier=tier)
    vendor = read_settings(
        "openai", {"base_url": f"https://{wire.VENDORS_HOST}"}, options=set(), effort_option="", concurrency=1
    )
    (singly,) = wire.completions(vendor, "gpt-5", answer)
    assert singly.usage.cost_usd == cost
    (in_a_batch,) = wire.completions(vendor, "gpt-5", answer, batch=True)
    assert in_a_batch.usage.cost_usd == (None if cost is None else cost / 2)


def choices(*texts: str) -> list[dict[str, object]]:
    return [
        {"index": number, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for number, text in enumerate(texts)
    ]


def several(answer: Callable[[Received], Reply], count: int, **more: object) -> tuple[list[Completion], Server]:
    with Server(answer) as server:
        provider = openai.create(API.settings(server.url, **more))
        return provider.generate_several(a_request(), count), server  # type: ignore[attr-defined]


def test_several_answers_to_one_request_share_its_tokens_and_cost() -> None:
    prices = {MODEL: {"input": 100.0, "output": 1000.0}}
    completions, server = several(
        lambda _: openai_answer("", tokens=8, choices=choices("a", "b", "c")), 3, prices=prices
    )
    assert server.received[0].body["n"] == 3
    assert [completion.text for completion in completions] == ["a", "b", "c"]
    assert [completion.usage.completion_tokens for completion in completions] == [3, 3, 2]
    assert [completion.usage.prompt_tokens for completion in completions] == [4, 4, 4]
    assert sum(completion.usage.cost_usd or 0 for completion in completions) == pytest.approx(0.0092)


def test_a_model_that_cannot_give_several_answers_gives_one() -> None:
    def answer(received: Received) -> Reply:
        if "n" in received.body:
            return openai_error(400, "Unsupported parameter: 'n'", param="n")
        return openai_answer("one")

    completions, server = several(answer, 3)
    assert [completion.text for completion in completions] == ["one"]
    assert len(server.received) == 2


def test_an_exhausted_rate_limit_in_the_headers_is_reported_with_the_answer() -> None:
    reply = openai_answer("Hi")
    full = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m2.5s"}
    (completion,), _ = asked(lambda _: replace(reply, headers={**reply.headers, **full}), a_request())
    assert completion.leave_alone_s == 62.5
    (completion,), _ = asked(lambda _: reply, a_request())
    assert completion.leave_alone_s is None
