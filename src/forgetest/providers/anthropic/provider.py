"""Anthropic's models, through the official SDK (the extra `anthropic`), which is imported when it is used.

Answers are streamed, because the SDK requires that for long ones. A model that does not accept `temperature` is asked
once more without it, and never again with it.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from forgetest.errors import UserError
from forgetest.providers import Model, Provider
from forgetest.providers.anthropic import wire
from forgetest.providers.anthropic.batches import AnthropicBatches
from forgetest.providers.http import errors
from forgetest.providers.http.connection import (
    MAX_CONNECT_SECS,
    Connection,
    explicit_key,
    not_installed,
    read_settings,
    with_address,
)
from forgetest.providers.http.errors import UnknownParameter
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import anthropic

OPTIONS = frozenset({"effort", "prompt_caching", "stop", "top_k", "top_p"})
"""Names that `Request.options` may hold."""

CONCURRENCY = 8


def create(settings: Mapping[str, object]) -> Provider:
    """Return the provider; docs/providers.md lists the settings."""
    connection = read_settings("anthropic", settings, options=OPTIONS, effort_option="effort", concurrency=CONCURRENCY)
    try:
        import anthropic
    except ImportError:
        raise not_installed("anthropic") from None
    try:
        client = anthropic.Anthropic(
            api_key=explicit_key(connection, wire.VENDORS_HOST),
            base_url=connection.base_url,
            timeout=anthropic.Timeout(connection.timeout_secs, connect=min(MAX_CONNECT_SECS, connection.timeout_secs)),
            max_retries=0,  # the engine retries
        )
    except anthropic.AnthropicError as error:
        raise UserError(f"provider anthropic: {error}") from None
    key = client.api_key or client.auth_token
    if key is None and client.credentials is None:
        raise UserError("provider anthropic: no key; set api_key in [providers.anthropic], or ANTHROPIC_API_KEY")
    return Anthropic(client, with_address(connection, key, client.base_url))


class Anthropic:
    """A client of the service, which remembers the models that do not accept `temperature`."""

    def __init__(self, client: anthropic.Anthropic, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        self._without_temperature: set[str] = set()
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Return the models that the service lists."""
        return errors.call_sdk(
            lambda: [
                Model(id=model.id, description=model.display_name, context_tokens=model.max_input_tokens)
                for model in self._client.models.list(limit=1000)
            ],
            wire.sdk_exceptions(),
            lambda error: wire.error_from_exception(self._connection, "", error),
        )

    def generate(self, request: Request) -> Completion:
        """Send a request, and a second one if the model turns out not to accept `temperature`."""
        while True:
            start = time.perf_counter()
            answer = self._ask(request)
            latency_ms = (time.perf_counter() - start) * 1000
            if isinstance(answer, wire.Message):
                return replace(wire.completion(self._connection, request.model, answer), latency_ms=latency_ms)
            self._without_temperature.add(request.model)

    @property
    def batches(self) -> AnthropicBatches:
        """The Message Batches API."""
        return AnthropicBatches(self._client, self._connection, self._batch_request)

    def _batch_request(self, request: Request) -> dict[str, object]:
        return {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [{"role": "user", "content": request.prompt}],
            **self._parameters(request),
        }

    def _parameters(self, request: Request) -> dict[str, object]:
        options = self._connection.options_of(request)
        return wire.parameters(request, options, temperature=request.model not in self._without_temperature)

    def _ask(self, request: Request) -> wire.Message | UnknownParameter:
        import anthropic

        parameters = self._parameters(request)
        try:
            with self._client.messages.stream(
                model=request.model,
                max_tokens=request.max_tokens,
                messages=[{"role": "user", "content": request.prompt}],
                extra_body=parameters,  # the SDK has no arguments for those that new models do not accept
            ) as stream:
                message = stream.get_final_message().to_dict(warnings=False)
                headers = stream.response.headers
            answer = msgspec.convert(message, wire.Message)
            answer.leave_alone_s = errors.exhausted_for_s(headers)
            return answer
        except wire.sdk_exceptions() as error:
            if isinstance(error, anthropic.APIStatusError):
                sent = parameters.keys() & {"temperature"}
                unknown = errors.unknown_parameter(sent, error.status_code, error.api_message)
                if unknown is not None:
                    return unknown
            failure = wire.error_from_exception(self._connection, request.model, error)
        raise failure
