"""OpenAI's models, and any server that speaks its chat API (vLLM, llama.cpp, LM Studio, OpenRouter, …).

Through the official SDK (the extra `openai`), which is imported when it is used. A model that does not accept
`temperature` or `seed` is asked once more without it, and one that knows the limit on tokens by its other name, with
that; from then on, always so.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from forgetest.errors import UserError
from forgetest.providers import Model, Provider
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
from forgetest.providers.openai import wire
from forgetest.providers.openai.batches import OpenAIBatches
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import openai

OPTIONS = frozenset({"frequency_penalty", "presence_penalty", "reasoning_effort", "stop", "top_p", "verbosity"})
"""Names that `Request.options` may hold, which are the API's own."""

CONCURRENCY = 8

_TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")


def create(settings: Mapping[str, object]) -> Provider:
    """Return the provider; docs/providers.md lists the settings."""
    connection = read_settings(
        "openai", settings, options=OPTIONS, effort_option="reasoning_effort", concurrency=CONCURRENCY
    )
    try:
        import openai
    except ImportError:
        raise not_installed("openai") from None
    try:
        client = openai.OpenAI(
            api_key=explicit_key(connection, wire.VENDORS_HOST),
            base_url=connection.base_url,
            timeout=openai.Timeout(connection.timeout_secs, connect=min(MAX_CONNECT_SECS, connection.timeout_secs)),
            max_retries=0,  # the engine retries
        )
    except openai.OpenAIError:
        raise UserError("provider openai: no key; set api_key in [providers.openai], or OPENAI_API_KEY") from None
    return OpenAI(client, with_address(connection, client.api_key, client.base_url))


class OpenAI:
    """A client of a server, which remembers the parameters that its models do not accept."""

    def __init__(self, client: openai.OpenAI, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        # all of OpenAI's own models know the new name, and every other server knows the old one
        self._limit = _TOKEN_LIMITS[connection.host == wire.VENDORS_HOST]
        self._unknown: set[tuple[str, str]] = set()
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Return the models that the server lists."""
        listed = errors.call_sdk(
            lambda: msgspec.json.decode(self._client.models.with_raw_response.list().content, type=wire.ModelList),
            wire.sdk_exceptions(),
            lambda error: wire.error_from_exception(self._connection, "", error),
        )
        return [Model(id=model.id, context_tokens=model.max_model_len or model.context_length) for model in listed.data]

    def generate(self, request: Request) -> Completion:
        """Send a request, and another one for each parameter that the model turns out not to accept."""
        return self.generate_several(request, 1)[0]

    def generate_several(self, request: Request, count: int) -> list[Completion]:
        """Send a request for several answers; a server that does not know `n` gives one."""
        while True:
            start = time.perf_counter()
            answer = self._ask(request.model, self._request_body(request, count))
            latency_ms = (time.perf_counter() - start) * 1000
            if isinstance(answer, wire.ChatCompletion):
                return wire.completions(self._connection, request.model, answer, latency_ms)
            self._unknown.add((request.model, answer.parameter))

    @property
    def batches(self) -> OpenAIBatches:
        """The Batch API."""
        return OpenAIBatches(self._client, self._connection, self._request_body)

    def _request_body(self, request: Request, count: int = 1) -> dict[str, Any]:
        system = [{"role": "system", "content": request.system}] if request.system else []
        body: dict[str, Any] = {
            **self._connection.options_of(request),
            "model": request.model,
            "messages": [*system, {"role": "user", "content": request.prompt}],
        }
        if self._accepts(request.model, "temperature"):
            body["temperature"] = request.temperature
        if request.seed is not None and self._accepts(request.model, "seed"):
            body["seed"] = request.seed
        if count > 1 and self._accepts(request.model, "n"):
            body["n"] = count
        limit = self._limit if self._accepts(request.model, self._limit) else self._other_limit
        return {**body, limit: request.max_tokens}

    def _accepts(self, model: str, parameter: str) -> bool:
        return (model, parameter) not in self._unknown

    @property
    def _other_limit(self) -> str:
        return _TOKEN_LIMITS[self._limit == _TOKEN_LIMITS[0]]

    def _ask(self, model: str, body: Mapping[str, Any]) -> wire.ChatCompletion | UnknownParameter:
        import openai

        try:
            raw = self._client.chat.completions.with_raw_response.create(**body)
            answer = wire.chat_completions.decode(raw.content)
            answer.leave_alone_s = errors.exhausted_for_s(raw.headers)
            return answer
        except wire.sdk_exceptions() as error:
            if isinstance(error, openai.APIStatusError):
                sent = [name for name in ("temperature", "seed", "n", self._limit) if name in body]
                unknown = errors.unknown_parameter(sent, error.status_code, wire.error_message(error), error.param)
                if unknown is not None:
                    return unknown
            failure = wire.error_from_exception(self._connection, model, error)
        raise failure
