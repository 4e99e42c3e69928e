"""OpenAI's chat API: the parts of an answer that are read, and what its errors mean. Servers differ in the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from forgetest.errors import ProviderError
from forgetest.pricing import VENDORS_HOSTS
from forgetest.providers.http import errors
from forgetest.providers.http.connection import Connection
from forgetest.sample import Completion, Finish, Usage, split_usage, stated_model

if TYPE_CHECKING:
    import openai

VENDORS_HOST = VENDORS_HOSTS["openai"]

_FINISHES: Mapping[str, Finish] = {"length": "length", "content_filter": "refusal"}


class PromptDetails(msgspec.Struct):
    """Breakdown of the prompt tokens."""

    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class CompletionDetails(msgspec.Struct):
    """Breakdown of the completion tokens."""

    reasoning_tokens: int | None = None


class OpenAITokenCounts(msgspec.Struct):
    """The `usage` of an answer."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: PromptDetails | None = None
    completion_tokens_details: CompletionDetails | None = None


class ChatMessage(msgspec.Struct):
    """The text of an answer, or a refusal."""

    content: str | None = None
    refusal: str | None = None


class Choice(msgspec.Struct):
    """One of the answers to a request."""

    message: ChatMessage
    finish_reason: str | None = None


class ChatCompletion(msgspec.Struct):
    """The response to a request, with at least one answer."""

    choices: list[Choice]
    usage: OpenAITokenCounts | None = None
    service_tier: str | None = None
    model: object = None
    leave_alone_s: float | None = None

    def __post_init__(self) -> None:
        if not self.choices:
            raise ValueError("no choices")


class ListedModel(msgspec.Struct):
    """An entry of the list of models."""

    id: str
    max_model_len: int | None = None
    """The context, as vLLM calls it."""
    context_length: int | None = None
    """The context, as OpenRouter calls it."""


class ModelList(msgspec.Struct):
    """The list of models."""

    data: list[ListedModel]


chat_completions = msgspec.json.Decoder(ChatCompletion)


def completions(
    connection: Connection, model: str, answer: ChatCompletion, latency_ms: float | None = None, *, batch: bool = False
) -> list[Completion]:
    """Return the completions that a response holds, each with its share of the tokens."""
    usages = split_usage(_openai_usage(connection, model, answer, batch=batch), len(answer.choices))
    return [
        Completion(
            text=choice.message.content or "",
            finish="refusal" if choice.message.refusal else _FINISHES.get(choice.finish_reason or "", "stop"),
            usage=usage,
            latency_ms=latency_ms,
            leave_alone_s=answer.leave_alone_s,
            model=stated_model(answer.model),
        )
        for choice, usage in zip(answer.choices, usages, strict=True)
    ]


def _openai_usage(connection: Connection, model: str, answer: ChatCompletion, *, batch: bool) -> Usage:
    if answer.usage is None:
        return Usage()
    prompt = answer.usage.prompt_tokens_details or PromptDetails()
    completion = answer.usage.completion_tokens_details or CompletionDetails()
    usage = Usage(
        prompt_tokens=answer.usage.prompt_tokens,
        completion_tokens=answer.usage.completion_tokens,
        cached_tokens=prompt.cached_tokens,
        cache_write_tokens=prompt.cache_write_tokens,
        reasoning_tokens=completion.reasoning_tokens,
    )
    tiers = (None, "default", "batch") if batch else (None, "default")
    as_listed = connection.host == VENDORS_HOST and answer.service_tier in tiers
    return replace(usage, cost_usd=connection.cost(model, usage, as_listed=as_listed, batch=batch))


def error_message(error: openai.APIStatusError) -> object:
    """Return the service's own message, around which the SDK puts the whole body."""
    return error.body.get("message") if isinstance(error.body, Mapping) else error.body


def error_from_exception(connection: Connection, model: str, error: Exception) -> ProviderError:
    """Return the error for an exception of the SDK."""
    import openai

    match error:
        case openai.APIStatusError():
            return errors.error_from_status(
                connection, model, error.status_code, error_message(error), error.code, error.response.headers
            )
        case openai.APITimeoutError():
            return errors.timeout_error(connection)
        case openai.APIConnectionError():
            return errors.connection_error(connection)
        case _:
            return errors.malformed_answer_error(connection)


def sdk_exceptions() -> tuple[type[Exception], ...]:
    """Return the exceptions that a call of the SDK may raise."""
    import openai

    return (openai.OpenAIError, *errors.MALFORMED)
