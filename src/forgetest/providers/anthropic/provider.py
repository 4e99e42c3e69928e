"""Anthropic's models, through the official SDK (the extra `anthropic`), which is imported when it is used.

Answers are streamed: for long ones the SDK insists on it. A model that refuses `temperature` is asked once more
without it, and never again with it.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from forgetest.errors import ProviderError, UserError
from forgetest.pricing import VENDORS_HOSTS
from forgetest.providers import Model, Provider
from forgetest.providers.anthropic.batches import AnthropicBatches
from forgetest.providers.http import errors
from forgetest.providers.http.connection import (
    MOST_CONNECTING_SECS,
    Connection,
    explicit_key,
    not_installed,
    reached,
    read,
)
from forgetest.providers.http.errors import Refused
from forgetest.sample import Completion, Finish, Request, Usage

if TYPE_CHECKING:
    import anthropic

OPTIONS = frozenset({"effort", "prompt_caching", "stop", "top_k", "top_p"})
"""What `Request.options` may hold."""

VENDORS_HOST = VENDORS_HOSTS["anthropic"]
CONCURRENCY = 8

_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_STATUSES = {
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


class _Thinking(msgspec.Struct):
    thinking_tokens: int


class _Usage(msgspec.Struct):
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: _Thinking | None = None
    service_tier: str | None = None
    speed: str | None = None
    inference_geo: str | None = None


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Message(msgspec.Struct):
    """What is read of an answer. A stream that ends early has no `stop_reason`, and is none."""

    content: list[_Block]
    stop_reason: str
    usage: _Usage
    leave_alone_s: float | None = None


# msgspec is not safe where two threads meet a type for the first time: it meets this one here
msgspec.json.Decoder(_Message)


def create(settings: Mapping[str, object]) -> Provider:
    """The provider; settings as in docs/providers.md."""
    connection = read("anthropic", settings, options=OPTIONS, effort_option="effort", concurrency=CONCURRENCY)
    try:
        import anthropic
    except ImportError:
        raise not_installed("anthropic") from None
    try:
        client = anthropic.Anthropic(
            api_key=explicit_key(connection, VENDORS_HOST),
            base_url=connection.base_url,
            timeout=anthropic.Timeout(
                connection.timeout_secs, connect=min(MOST_CONNECTING_SECS, connection.timeout_secs)
            ),
            max_retries=0,  # the engine retries, and knows why
        )
    except anthropic.AnthropicError as error:
        raise UserError(f"provider anthropic: {error}") from None
    key = client.api_key or client.auth_token
    if key is None and client.credentials is None:
        raise UserError("provider anthropic: no key; set api_key in [providers.anthropic], or ANTHROPIC_API_KEY")
    return Anthropic(client, reached(connection, key, client.base_url))


class Anthropic:
    """A client, and what was learned about the models it asks."""

    def __init__(self, client: anthropic.Anthropic, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        self._without_temperature: set[str] = set()
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Those the service lists now."""
        listed = self._list()
        if isinstance(listed, ProviderError):
            raise listed
        return listed

    def generate(self, request: Request) -> Completion:
        """Ask once; twice where the model turns out not to know `temperature`."""
        options = self._connection.options_of(request)
        while True:
            start = time.perf_counter()
            answer = self._ask(request, self._parameters(request, options))
            latency_ms = (time.perf_counter() - start) * 1000
            if isinstance(answer, Refused):
                self._without_temperature.add(request.model)
            elif isinstance(answer, ProviderError):
                raise answer
            else:
                completion = _completion(answer, self._usage(request.model, answer.usage))
                return replace(completion, latency_ms=latency_ms, leave_alone_s=answer.leave_alone_s)

    @property
    def batches(self) -> AnthropicBatches:
        """Through the Message Batches API."""
        return AnthropicBatches(self._client, self)

    def message(self, request: Request) -> dict[str, object]:
        """A request as it stands in a batch."""
        question = {"model": request.model, "max_tokens": request.max_tokens}
        messages = [{"role": "user", "content": request.prompt}]
        return {**question, "messages": messages, **self._parameters(request, self._connection.options_of(request))}

    def of_batch(self, model: str, message: object) -> Completion:
        """An answer as it stands in a batch's results; raises what a parser does over one that is none."""
        answer = msgspec.convert(message, _Message)
        return _completion(answer, self._usage(model, answer.usage, batch=True))

    def _parameters(self, request: Request, options: Mapping[str, Any]) -> dict[str, object]:
        parameters: dict[str, object] = {name: options[name] for name in ("top_k", "top_p") if name in options}
        if request.model not in self._without_temperature:
            parameters["temperature"] = request.temperature
        if request.system:
            parameters["system"] = request.system
        if "effort" in options:
            parameters["output_config"] = {"effort": options["effort"]}
        if "stop" in options:
            parameters["stop_sequences"] = options["stop"]
        if options.get("prompt_caching"):
            # what stands before this mark, system prompt and prompt, is what the attempts at a case have in common
            mark = {"type": "text", "text": request.prompt, "cache_control": {"type": "ephemeral"}}
            parameters["messages"] = [{"role": "user", "content": [mark]}]
        return parameters

    def _ask(self, request: Request, parameters: Mapping[str, object]) -> _Message | Refused | ProviderError:
        import anthropic
        import httpx2

        try:
            with self._client.messages.stream(
                model=request.model,
                max_tokens=request.max_tokens,
                messages=[{"role": "user", "content": request.prompt}],
                extra_body=parameters,  # the SDK has no names for those that new models refuse
            ) as stream:
                message = stream.get_final_message().to_dict(warnings=False)
                headers = stream.response.headers
            answer = msgspec.convert(message, _Message)
            answer.leave_alone_s = errors.no_room_for_s(headers)
            return answer
        except anthropic.APIStatusError as error:
            adjustable = parameters.keys() & {"temperature"}
            refused = errors.refused(adjustable, error.status_code, error.api_message)
            return refused or self.failure(error, request.model)
        except (anthropic.AnthropicError, httpx2.HTTPError, *errors.MALFORMED) as error:
            return self.failure(error, request.model)

    def _list(self) -> list[Model] | ProviderError:
        import anthropic
        import httpx2

        try:
            return [
                Model(id=model.id, description=model.display_name, context_tokens=model.max_input_tokens)
                for model in self._client.models.list(limit=1000)
            ]
        except (anthropic.AnthropicError, httpx2.HTTPError, *errors.MALFORMED) as error:
            return self.failure(error, "")

    def refusal(self, model: str, kind: str, said: object) -> ProviderError:
        """An error as it stands in a batch's results."""
        return errors.of_status(self._connection, model, _STATUSES.get(kind, 500), said, kind, {})

    def failure(self, error: Exception, model: str) -> ProviderError:
        """What an exception of the SDK's means."""
        import anthropic
        import httpx2

        match error:
            case anthropic.APIStatusError():
                # an error in the middle of a stream comes after the status 200
                status = error.status_code if error.status_code >= 400 else _STATUSES.get(str(error.type), 500)
                headers = error.response.headers
                return errors.of_status(self._connection, model, status, error.api_message, error.type, headers)
            case anthropic.APITimeoutError() | httpx2.TimeoutException():
                return errors.of_timeout(self._connection)
            case anthropic.APIConnectionError() | httpx2.HTTPError():
                return errors.of_connection(self._connection)
            case _:
                return errors.of_malformed(self._connection)

    def _usage(self, model: str, counted: _Usage, *, batch: bool = False) -> Usage:
        cached, written = counted.cache_read_input_tokens, counted.cache_creation_input_tokens
        details = counted.output_tokens_details
        usage = Usage(
            prompt_tokens=counted.input_tokens + (cached or 0) + (written or 0),
            completion_tokens=counted.output_tokens,
            cached_tokens=cached,
            cache_write_tokens=written,
            reasoning_tokens=None if details is None else details.thinking_tokens,
        )
        as_listed = (
            self._connection.host == VENDORS_HOST
            and counted.service_tier in (None, "batch" if batch else "standard")
            and counted.speed in (None, "standard")
            and counted.inference_geo != "us"  # dearer
        )
        return replace(usage, cost_usd=self._connection.cost(model, usage, as_listed=as_listed, batch=batch))


def _completion(answer: _Message, usage: Usage) -> Completion:
    text = "".join(block.text for block in answer.content if block.type == "text")
    return Completion(text=text, finish=_FINISHES.get(answer.stop_reason, "stop"), usage=usage)
