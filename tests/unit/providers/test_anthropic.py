from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Model
from forgetest.providers.anthropic import provider as anthropic
from forgetest.providers.anthropic import wire
from forgetest.providers.http.connection import read_settings
from forgetest.sample import Completion, Request, Usage
from forgetest.testing.loopback import Received, Reply, Server, in_order
from model_apis import (
    APIS,
    MODEL,
    a_request,
    anthropic_block,
    anthropic_end,
    anthropic_events,
    anthropic_start,
    needs_sdk,
)

pytestmark = [needs_sdk("anthropic"), pytest.mark.usefixtures("bare_environment")]

API = APIS["anthropic"]


def asked(answer: Callable[[Received], Reply], *requests: Request, **more: object) -> tuple[list[Completion], Server]:
    """Return the completions, and the server with what it received."""
    with Server(answer) as server:
        provider = anthropic.create(API.settings(server.url, **more))
        return [provider.generate(request) for request in requests], server


def test_the_question_holds_everything_that_was_asked_for() -> None:
    options = {"effort": "low", "stop": "END", "top_k": 5, "top_p": 0.9}
    _, server = asked(lambda _: API.answer("Hi"), a_request(temperature=0.8, max_tokens=5, options=options))
    assert server.received[0].path == "/v1/messages"
    assert server.received[0].body == {
        "model": MODEL,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Say hello."}],
        "max_tokens": 5,
        "temperature": 0.8,
        "output_config": {"effort": "low"},
        "stop_sequences": ["END"],
        "top_k": 5,
        "top_p": 0.9,
        "stream": True,
    }


def test_without_a_system_prompt_none_is_sent() -> None:
    _, server = asked(lambda _: API.answer("Hi"), a_request(system=""))
    assert "system" not in server.received[0].body


def test_a_refusal_is_an_answer_and_not_an_error() -> None:
    (completion,), server = asked(lambda _: API.answer("I would rather", finish="refusal"), a_request())
    assert (completion.text, completion.finish) == ("I would rather", "refusal")
    assert len(server.received) == 1


def test_an_answer_that_fills_the_context_window_counts_as_cut_off() -> None:
    events = (*anthropic_block(0, "text", "fn"), *anthropic_end("model_context_window_exceeded"))
    (completion,), _ = asked(lambda _: anthropic_events(anthropic_start(), *events), a_request())
    assert completion.finish == "length"


def test_reasoning_is_not_part_of_the_text() -> None:
    thought, said = anthropic_block(0, "thinking", "Hm. ", "Yes."), anthropic_block(1, "text", "Hello", " there.")
    events = (*thought, *said, *anthropic_end())
    (completion,), _ = asked(lambda _: anthropic_events(anthropic_start(), *events), a_request())
    assert completion.text == "Hello there."


def test_cached_cache_written_and_reasoning_tokens_are_counted_separately() -> None:
    start = anthropic_start(cache_read_input_tokens=100, cache_creation_input_tokens=20)
    end = anthropic_end(output_tokens=50, output_tokens_details={"thinking_tokens": 40})
    prices = {MODEL: {"input": 1e6, "output": 1e6, "cached_input": 0.5e6, "cache_write": 2e6, "reasoning": 3e6}}
    (completion,), _ = asked(lambda _: anthropic_events(start, *end), a_request(), prices=prices)
    assert completion.usage == Usage(
        prompt_tokens=132,
        completion_tokens=50,
        cached_tokens=100,
        cache_write_tokens=20,
        reasoning_tokens=40,
        cost_usd=pytest.approx(12 + 100 * 0.5 + 20 * 2 + 10 + 40 * 3),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("kind", "final", "status"),
    [("overloaded_error", False, 529), ("rate_limit_error", False, 429), ("invalid_request_error", True, 400)],
)
def test_an_error_in_the_middle_of_a_stream_is_classified_by_its_type(kind: str, final: bool, status: int) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "sorry"}}
    events = anthropic_events(anthropic_start(), *anthropic_block(0, "text", "fn")[:-1], error)
    with Server(lambda _: events) as server:
        with pytest.raises(ProviderError, match=f"anthropic: {status}: .*sorry") as caught:
            anthropic.create(API.settings(server.url)).generate(a_request())
        assert caught.value.final == final
        assert len(server.received) == 1


def test_a_stream_without_a_stop_reason_is_an_incomplete_answer() -> None:
    events = anthropic_events(anthropic_start(), *anthropic_block(0, "text", "fn main() {"))
    with (
        Server(lambda _: events) as server,
        pytest.raises(ProviderError, match="ended early") as caught,
    ):
        anthropic.create(API.settings(server.url)).generate(a_request())
    assert not caught.value.final


def test_a_model_that_does_not_accept_temperature_is_asked_without_it_from_then_on() -> None:
    def answer(received: Received) -> Reply:
        if "temperature" in received.body:
            return API.error(400, "`temperature` is deprecated for this model.")
        return API.answer("Hi")

    completions, server = asked(answer, a_request(), a_request())
    assert [completion.text for completion in completions] == ["Hi", "Hi"]
    assert ["temperature" in received.body for received in server.received] == [True, False, False]


def test_a_temperature_out_of_bounds_is_an_error() -> None:
    with Server(lambda _: API.error(400, "temperature: range: 0..1")) as server:
        with pytest.raises(ProviderError, match=r"refused; change what it names \(temperature: range: 0..1\)"):
            anthropic.create(API.settings(server.url)).generate(a_request(temperature=1.7))
        assert len(server.received) == 1


def test_a_request_that_is_refused_again_without_the_parameter_is_an_error() -> None:
    refusal = API.error(400, "`temperature` is deprecated for this model.")
    with Server(in_order([refusal, refusal])) as server:
        with pytest.raises(ProviderError, match="deprecated") as caught:
            anthropic.create(API.settings(server.url)).generate(a_request())
        assert caught.value.final
        assert len(server.received) == 2


def test_models_are_listed_with_a_description_and_a_context() -> None:
    with Server(lambda _: API.models) as server:
        listed = anthropic.create(API.settings(server.url)).models()
    assert listed == [Model(id=MODEL, description="Test Model 1", context_tokens=200_000)]


@pytest.mark.parametrize(
    ("counted", "cost"),
    [
        ({}, 6.0),
        ({"service_tier": "priority"}, None),
        ({"speed": "fast"}, None),
        ({"inference_geo": "us"}, None),
        ({"cache_read_input_tokens": 1}, None),  # the price of these is not in the table
    ],
)
def test_list_prices_apply_to_the_vendors_standard_service_only(counted: dict[str, Any], cost: float | None) -> None:
    counts = wire.AnthropicTokenCounts(input_tokens=500_000, output_tokens=500_000, **counted)
    answer = wire.Message(content=[], stop_reason="end_turn", usage=counts)
    vendor = read_settings(
        "anthropic", {"base_url": f"https://{wire.VENDORS_HOST}"}, options=set(), effort_option="", concurrency=1
    )
    assert wire.completion(vendor, "claude-sonnet-5-5", answer).usage.cost_usd == cost


def test_prompt_caching_marks_the_prompt_that_all_attempts_share() -> None:
    _, server = asked(lambda _: API.answer("Hi"), a_request(), options={"prompt_caching": True})
    body = server.received[0].body
    mark = {"type": "text", "text": "Say hello.", "cache_control": {"type": "ephemeral"}}
    assert body["messages"] == [{"role": "user", "content": [mark]}]
    assert "prompt_caching" not in body


def test_an_exhausted_rate_limit_in_the_headers_is_reported_with_the_answer() -> None:
    reply = API.answer("Hi")
    full = {"anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "2999-01-01T00:00:00Z"}
    (completion,), _ = asked(lambda _: replace(reply, headers={**reply.headers, **full}), a_request())
    assert completion.leave_alone_s is not None
    assert completion.leave_alone_s > 1e6
