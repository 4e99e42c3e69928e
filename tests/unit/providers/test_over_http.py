"""What the providers over HTTP have in common: each by its real SDK, against a real server on loopback."""

from __future__ import annotations

import gc
import logging
import socket
import traceback
from collections.abc import Callable
from dataclasses import replace

import pytest

from forgetest.errors import ProviderError
from forgetest.testing.loopback import Reply
from model_apis import KEY, MODEL, Api, Serve, a_request, failure, truncated, well_behaved

pytestmark = pytest.mark.usefixtures("bare_environment")


def test_an_answer_has_its_tokens_and_its_latency(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello there.", tokens=7))
    completion = api.create(api.settings(server.url)).generate(a_request())
    assert (completion.text, completion.finish, completion.verbatim) == ("Hello there.", "stop", False)
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (12, 7)
    assert completion.latency_ms is not None
    assert completion.latency_ms > 0
    assert len(server.received) == 1


def test_an_answer_that_was_cut_off_is_marked(api: Api, serve: Serve) -> None:
    server = serve(api.answer("fn main() {", finish="length"))
    completion = api.create(api.settings(server.url)).generate(a_request())
    assert (completion.text, completion.finish) == ("fn main() {", "length")
    assert len(server.received) == 1


def test_an_empty_answer_is_an_empty_text(api: Api, serve: Serve) -> None:
    server = serve(api.answer(""))
    completion = api.create(api.settings(server.url)).generate(a_request())
    assert (completion.text, completion.finish) == ("", "stop")
    assert len(server.received) == 1


def test_a_429_carries_the_time_to_wait(api: Api, serve: Serve) -> None:
    server = serve(api.error(429, "slow down", {"Retry-After": "7"}))
    error = failure(api.create(api.settings(server.url)))
    assert (error.final, error.retry_after_s) == (False, 7.0)
    assert str(error).startswith(f"{api.name}: 429: too many requests; it asks to be left alone for 7 s (slow down)")
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
def test_a_failure_of_the_service_may_be_retried(api: Api, serve: Serve, status: int) -> None:
    server = serve(api.error(status, "overloaded"))
    error = failure(api.create(api.settings(server.url)))
    assert (error.final, error.retry_after_s) == (False, None)
    assert str(error) == f"{api.name}: {status}: the service failed; ask again later (overloaded)"
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "the request was refused; change what it names (messages: too long)"),
        (401, "the key was not accepted; check its api_key in forgetest.toml"),
        (403, "the key does not allow this; check its api_key in forgetest.toml"),
        (404, f'127.0.0.1:{{port}} has no model "{MODEL}"; `forgetest list-models` shows what there is'),
        (413, "the request was refused; change what it names (messages: too long)"),
    ],
)
def test_an_error_that_no_retry_can_fix_is_final(api: Api, serve: Serve, status: int, message: str) -> None:
    server = serve(api.error(status, "messages: too long"))
    error = failure(api.create(api.settings(server.url)))
    assert error.final
    assert f"{api.name}: {status}: {message.format(port=server.url.rpartition(':')[2])}" in str(error)
    assert "\n" not in str(error)
    assert len(server.received) == 1


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b'{"error": {"message": {"no": "text"}, "type": {}}}'])
def test_an_error_of_another_format_is_classified_by_its_status(api: Api, serve: Serve, content: bytes) -> None:
    error = failure(api.create(api.settings(serve(Reply(status=400, content=content)).url)))
    assert str(error).startswith(f"{api.name}: 400: the request was refused")
    assert error.__context__ is None


def test_a_time_out_may_be_retried(api: Api, serve: Serve) -> None:
    server = serve(Reply(silent=True))
    error = failure(api.create(api.settings(server.url, timeout_secs=0.2)))
    assert not error.final
    assert "within 0.2 s; timeout_secs gives it longer" in str(error)
    assert len(server.heard(1)) == 1


def test_a_connection_that_is_reset_may_be_retried(api: Api, serve: Serve) -> None:
    server = serve(replace(api.answer("Hello there."), reset=True))
    error = failure(api.create(api.settings(server.url)))
    assert not error.final
    assert "failed or broke" in str(error)
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        truncated,
        lambda reply: replace(reply, content=b""),
        lambda reply: replace(reply, content=b"<html>a proxy's page</html>"),
        lambda reply: replace(reply, content=b"<html>a proxy's page</html>", headers={"content-type": "text/html"}),
        lambda reply: replace(reply, content=b'{"some": "thing"}', headers={"content-type": "application/json"}),
        lambda reply: replace(reply, content=b'["a list"]', headers={"content-type": "application/json"}),
    ],
    ids=["truncated", "nothing", "HTML as JSON", "HTML", "another object", "a list"],
)
def test_an_incomplete_answer_or_one_of_another_format_may_be_retried(
    api: Api, serve: Serve, spoil: Callable[[Reply], Reply]
) -> None:
    server = serve(spoil(api.answer("Hello there.")))
    error = failure(api.create(api.settings(server.url)))
    assert not error.final
    assert "ended early, or is none of this API" in str(error)
    assert len(server.received) == 1


def test_a_refused_connection_may_be_retried(api: Api) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        error = failure(api.create(api.settings(url)))
    assert not error.final
    assert "see that the server runs" in str(error)


def held_by(error: BaseException) -> str:
    """All text in what an exception holds, as far as one can get from it; its frames apart."""
    seen: dict[int, object] = {}
    left: list[object] = [vars(error), error.args, error.__cause__, error.__context__]
    while left:
        thing = left.pop()
        if id(thing) not in seen and not isinstance(thing, type):
            seen[id(thing)] = thing
            left += gc.get_referents(thing)
    return "\n".join(repr(thing) for thing in seen.values() if isinstance(thing, str | bytes))


@pytest.mark.parametrize("trouble", ["401", "429", "500", "400", "time-out", "reset", "truncated", "none"])
def test_the_key_is_in_no_error_and_in_no_log(
    api: Api, serve: Serve, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    replies = {
        "time-out": Reply(silent=True),
        "reset": replace(api.answer("Hello."), reset=True),
        "truncated": truncated(api.answer("Hello.")),
        "none": api.answer("Hello."),
    }
    # a service that repeats the key is the worst case
    server = serve(replies.get(trouble) or api.error(int(trouble), f"Incorrect API key provided: {KEY}."))
    provider = api.create(api.settings(server.url, timeout_secs=0.3 if trouble == "time-out" else 60))
    if trouble == "none":
        provider.generate(a_request())
    else:
        error = failure(provider)
        shown = traceback.TracebackException.from_exception(error, capture_locals=True)
        assert error.__cause__ is None
        assert error.__context__ is None
        for text in (str(error), repr(error), "".join(traceback.format_exception(error)), held_by(error)):
            assert KEY not in text
        assert KEY not in "".join(line for line in shown.format() if "test_over_http" not in line)
    assert KEY in str(server.heard(1)[0].headers)
    assert caplog.records
    assert KEY not in caplog.text
    assert KEY not in repr(provider)
    assert KEY not in repr(vars(provider))


def test_models_are_listed_by_the_service(api: Api, serve: Serve) -> None:
    server = serve(well_behaved(api))
    provider = api.create(api.settings(server.url))
    assert server.received == []
    assert [model.id for model in provider.models()] == [MODEL]
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_list_of_models_that_fails_is_a_provider_error(api: Api, serve: Serve, status: int) -> None:
    server = serve(api.error(status, "sorry"))
    with pytest.raises(ProviderError, match=f"{api.name}: {status}: ") as caught:
        api.create(api.settings(server.url)).models()
    assert caught.value.final == (status != 500)
    assert len(server.received) == 1


def test_common_parameters_are_sent_by_the_names_of_each_api(api: Api, serve: Serve) -> None:
    server = serve(api.answer("Hello."))
    provider = api.create(api.settings(server.url, options={"top_p": 0.1, "stop": "configured"}))
    provider.generate(a_request(top_p=0.5, stop=("END", "DONE"), reasoning_effort="low"))
    body = server.received[0].body
    asked = {**body, **body.get("options", {}), **body.get("output_config", {})}
    assert asked["top_p"] == 0.5
    assert asked[{"anthropic": "stop_sequences"}.get(api.name, "stop")] == ["END", "DONE"]
    assert asked[{"anthropic": "effort", "ollama": "think"}.get(api.name, "reasoning_effort")] == "low"
