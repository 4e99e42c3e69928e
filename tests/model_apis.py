"""The APIs of model services as their documentation describes them, as far as the tests need them."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import ProviderError
from forgetest.providers import Provider, ollama
from forgetest.providers.anthropic import provider as anthropic
from forgetest.providers.openai import provider as openai
from forgetest.sample import Request
from forgetest.testing.loopback import Received, Reply, Server, as_json
from workbench import environment

Serve = Callable[[Reply | Callable[[Received], Reply]], Server]

KEY = "sk-test-3f9c1d7a5b2e8640"
MODEL = "test-model-1"


def needs_sdk(name: str) -> pytest.MarkDecorator:
    """Skip tests without a provider's SDK, which is not imported: that takes seconds in every process that collects."""
    return pytest.mark.skipif(find_spec(name) is None, reason=f"the extra `{name}` is not installed")


@functools.cache
def plain_http() -> dict[str, str]:
    """Variables for clients of servers without TLS: one certificate authority.

    Each new client of an SDK reads all of them, which takes 40 to 80 ms of CPU time instead of 2.
    """
    import certifi

    folder = tempfile.mkdtemp(prefix="forgetest-authority-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    file = Path(folder, "one.pem")
    file.write_text(first + end, encoding="utf-8")
    return {"SSL_CERT_FILE": str(file)}


SERVICE_PRICES = {"input": 100.0, "output": 1000.0}
"""USD per million tokens, so that a few answers cost whole cents."""


def configure_service(folder: Path, api: Api, url: str, **settings: object) -> None:
    """A forgetest.toml for the provider `service`, which is that API at that address, with a key and a price."""
    lines = [
        "[providers.service]",
        f'type = "{api.name}"',
        f'base_url = "{url}{api.path}"',
        'api_key = "${SERVICE_KEY}"',
    ]
    lines += [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    lines += [f'[providers.service.prices."{MODEL}"]', *(f"{name} = {value}" for name, value in SERVICE_PRICES.items())]
    (folder / "forgetest.toml").write_text("\n".join(lines) + "\n")


def service_environment(**further: str) -> dict[str, str]:
    """An environment for commands that ask that service: its key, and nothing of another service."""
    kept = {name: value for name, value in environment().items() if not name.startswith(("ANTHROPIC_", "OPENAI_"))}
    return {**kept, "SERVICE_KEY": KEY, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", **plain_http(), **further}


@dataclass(frozen=True, kw_only=True)
class Api:
    """One service: its provider, and the format of its replies."""

    name: str
    create: Callable[[Mapping[str, object]], Provider]
    path: str
    """Of `base_url`."""
    answer: Callable[..., Reply]
    """`answer(text, finish="stop", tokens=7)`."""
    error: Callable[..., Reply]
    """`error(status, message, headers={})`."""
    models: Reply
    """The list of its only model."""
    limit: Callable[[Any], int]
    """The most tokens that a request asks for."""

    def settings(self, url: str, **more: object) -> dict[str, object]:
        return {"api_key": KEY, "base_url": url + self.path, "timeout_secs": 60, **more}


def anthropic_events(*events: Mapping[str, Any]) -> Reply:
    lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Reply(content=lines.encode(), headers={"content-type": "text/event-stream; charset=utf-8"})


def anthropic_start(**usage: object) -> dict[str, Any]:
    counted = {"input_tokens": 12, "output_tokens": 1, "service_tier": "standard", **usage}
    message = {"id": "msg_01", "type": "message", "role": "assistant", "model": MODEL, "content": [], "usage": counted}
    return {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}


def anthropic_block(index: int, kind: str, *pieces: str) -> list[dict[str, Any]]:
    field = "text" if kind == "text" else "thinking"
    start = {"type": kind, field: ""} | ({} if kind == "text" else {"signature": ""})
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        {"type": "ping"},
        *(
            {"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", field: piece}}
            for piece in pieces
        ),
        {"type": "content_block_stop", "index": index},
    ]


def anthropic_end(reason: str = "end_turn", **usage: object) -> list[dict[str, Any]]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7, **usage}},
        {"type": "message_stop"},
    ]


def _anthropic_answer(text: str, finish: str = "stop", tokens: int = 7) -> Reply:
    reason = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[finish]
    half = len(text) // 2
    blocks = anthropic_block(0, "text", text[:half], text[half:]) if text else []
    return anthropic_events(anthropic_start(), *blocks, *anthropic_end(reason, output_tokens=tokens))


ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def _anthropic_error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    error = {"type": ANTHROPIC_ERRORS.get(status, "api_error"), "message": message}
    return as_json({"type": "error", "error": error, "request_id": "req_01"}, status, headers)


def openai_answer(text: str | None, finish: str = "stop", tokens: int = 7, **more: Any) -> Reply:
    message = {"role": "assistant", "content": text, "refusal": None, **more.pop("message", {})}
    reason = {"refusal": "content_filter"}.get(finish, finish)
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1760000000,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": 12, "completion_tokens": tokens, "total_tokens": 12 + tokens},
    }
    return as_json({**answer, **more})


def openai_error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: object) -> Reply:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}
    return as_json({"error": error}, status, headers)


def _ollama_answer(text: str, finish: str = "stop", tokens: int = 7) -> Reply:
    return as_json(
        {
            "model": MODEL,
            "created_at": "2026-10-01T12:00:00.000000Z",
            "message": {"role": "assistant", "content": text},
            "done": True,
            "done_reason": finish,
            "total_duration": 5_000_000,
            "prompt_eval_count": 12,
            "eval_count": tokens,
        }
    )


APIS = {
    "anthropic": Api(
        name="anthropic",
        create=anthropic.create,
        path="",
        answer=_anthropic_answer,
        error=_anthropic_error,
        models=as_json(
            {
                "data": [{"type": "model", "id": MODEL, "display_name": "Test Model 1", "max_input_tokens": 200_000}],
                "has_more": False,
                "first_id": MODEL,
                "last_id": MODEL,
            }
        ),
        limit=lambda body: body["max_tokens"],
    ),
    "openai": Api(
        name="openai",
        create=openai.create,
        path="/v1",
        answer=openai_answer,
        error=openai_error,
        models=as_json({"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": 32_768}]}),
        limit=lambda body: body["max_tokens"],
    ),
    "ollama": Api(
        name="ollama",
        create=ollama.create,
        path="",
        answer=_ollama_answer,
        error=lambda status, message, headers=None: as_json({"error": message}, status, headers),
        models=as_json(
            {
                "models": [
                    {
                        "name": MODEL,
                        "model": MODEL,
                        "modified_at": "2026-10-01T12:00:00Z",
                        "size": 4_661_224_676,
                        "digest": "365c0bd3c000",
                        "details": {"format": "gguf", "parameter_size": "8.0B", "quantization_level": "Q4_0"},
                    }
                ]
            }
        ),
        limit=lambda body: body["options"]["num_predict"],
    ),
}


def well_behaved(api: Api) -> Callable[[Received], Reply]:
    """A service with one model, whose every answer is five tokens long."""

    def answer(received: Received) -> Reply:
        if received.method == "GET":
            return api.models
        if received.body["model"] != MODEL:
            return api.error(404, f"model: {received.body['model']}")
        limit = api.limit(received.body)
        return api.answer("Hello there.", finish="length" if limit < 5 else "stop", tokens=min(5, limit))

    return answer


def truncated(reply: Reply) -> Reply:
    """A reply that is complete by HTTP, but whose JSON is truncated."""
    return replace(reply, content=reply.content[: len(reply.content) * 3 // 5])


def a_request(**changes: Any) -> Request:
    fields: dict[str, Any] = {"model": MODEL, "system": "Be brief.", "prompt": "Say hello.", "max_tokens": 100}
    return Request(**{**fields, **changes})


def failure(provider: Provider, **changes: Any) -> ProviderError:
    """The error of a request."""
    with pytest.raises(ProviderError) as caught:
        provider.generate(a_request(**changes))
    return caught.value
