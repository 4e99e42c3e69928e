"""Anthropic's Messages API: the parts of an answer that are read, and what its errors mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from forgetest.errors import ProviderError
from forgetest.pricing import VENDORS_HOSTS
from forgetest.providers.http import errors
from forgetest.providers.http.connection import Connection
from forgetest.sample import Completion, Finish, Request, Usage, stated_model

VENDORS_HOST = VENDORS_HOSTS["anthropic"]

_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_STATUS_BY_ERROR_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class OutputDetails(msgspec.Struct):
    """Breakdown of the output tokens."""

    thinking_tokens: int


class AnthropicTokenCounts(msgspec.Struct):
    """The `usage` of an answer."""

    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: OutputDetails | None = None
    service_tier: str | None = None
    speed: str | None = None
    inference_geo: str | None = None


class ContentBlock(msgspec.Struct):
    """A part of an answer; `text` is set where its type is text."""

    type: str
    text: str = ""


class Message(msgspec.Struct):
    """An answer. One whose stream ended early has no `stop_reason`, and does not decode."""

    content: list[ContentBlock]
    stop_reason: str
    usage: AnthropicTokenCounts
    model: object = None
    leave_alone_s: float | None = None


# msgspec is not thread-safe while it first learns a type, so it learns this one at import
msgspec.json.Decoder(Message)


def parameters(request: Request, options: Mapping[str, object], *, temperature: bool) -> dict[str, object]:
    """Return the parameters of a request beyond its model, length and prompt, with `temperature` or without."""
    found: dict[str, object] = {name: options[name] for name in ("top_k", "top_p") if name in options}
    if temperature:
        found["temperature"] = request.temperature
    if request.system:
        found["system"] = request.system
    if "effort" in options:
        found["output_config"] = {"effort": options["effort"]}
    if "stop" in options:
        found["stop_sequences"] = options["stop"]
    if options.get("prompt_caching"):
        # the attempts at a case have everything up to this mark in common: system prompt and prompt
        mark = {"type": "text", "text": request.prompt, "cache_control": {"type": "ephemeral"}}
        found["messages"] = [{"role": "user", "content": [mark]}]
    return found


def completion(connection: Connection, model: str, answer: Message, *, batch: bool = False) -> Completion:
    """Return the completion that an answer holds."""
    text = "".join(block.text for block in answer.content if block.type == "text")
    return Completion(
        text=text,
        finish=_FINISHES.get(answer.stop_reason, "stop"),
        usage=_anthropic_usage(connection, model, answer.usage, batch=batch),
        leave_alone_s=answer.leave_alone_s,
        model=stated_model(answer.model),
    )


def _anthropic_usage(connection: Connection, model: str, counts: AnthropicTokenCounts, *, batch: bool) -> Usage:
    cached, written = counts.cache_read_input_tokens, counts.cache_creation_input_tokens
    details = counts.output_tokens_details
    usage = Usage(
        prompt_tokens=counts.input_tokens + (cached or 0) + (written or 0),
        completion_tokens=counts.output_tokens,
        cached_tokens=cached,
        cache_write_tokens=written,
        reasoning_tokens=None if details is None else details.thinking_tokens,
    )
    as_listed = (
        connection.host == VENDORS_HOST
        and counts.service_tier in (None, "batch" if batch else "standard")
        and counts.speed in (None, "standard")
        and counts.inference_geo != "us"  # costs more
    )
    return replace(usage, cost_usd=connection.cost(model, usage, as_listed=as_listed, batch=batch))


def error_from_type(connection: Connection, model: str, error_type: str, message: object) -> ProviderError:
    """Return the error for an error object in the results of a batch."""
    status = _STATUS_BY_ERROR_TYPE.get(error_type, 500)
    return errors.error_from_status(connection, model, status, message, error_type, {})


def error_from_exception(connection: Connection, model: str, error: Exception) -> ProviderError:
    """Return the error for an exception of the SDK."""
    import anthropic
    import httpx2

    match error:
        case anthropic.APIStatusError():
            # an error in the middle of a stream comes after the status 200
            status = error.status_code if error.status_code >= 400 else _STATUS_BY_ERROR_TYPE.get(str(error.type), 500)
            headers = error.response.headers
            return errors.error_from_status(connection, model, status, error.api_message, error.type, headers)
        case anthropic.APITimeoutError() | httpx2.TimeoutException():
            return errors.timeout_error(connection)
        case anthropic.APIConnectionError() | httpx2.HTTPError():
            return errors.connection_error(connection)
        case _:
            return errors.malformed_answer_error(connection)


def sdk_exceptions() -> tuple[type[Exception], ...]:
    """Return the exceptions that a call of the SDK may raise."""
    import anthropic
    import httpx2

    return (anthropic.AnthropicError, httpx2.HTTPError, *errors.MALFORMED)
