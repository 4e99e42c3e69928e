"""Models served by Ollama, on this machine or another, through its own API and SDK (the extra `ollama`)."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from forgetest.errors import ProviderError
from forgetest.providers import Model, Provider
from forgetest.providers.http import errors
from forgetest.providers.http.connection import MAX_CONNECT_SECS, Connection, not_installed, read_settings, with_address
from forgetest.sample import Completion, Request, Usage, stated_model

if TYPE_CHECKING:
    import ollama

OPTIONS = frozenset(
    {
        "frequency_penalty",
        "min_p",
        "num_ctx",
        "presence_penalty",
        "repeat_penalty",
        "stop",
        "think",
        "top_k",
        "top_p",
    }
)
"""Names that `Request.options` may hold, which are Ollama's own, with its own defaults."""

_Result = TypeVar("_Result")

# Ollama queues the requests that it cannot serve: the second one is there when the first is done
CONCURRENCY = 2


def create(settings: Mapping[str, object]) -> Provider:
    """Return the provider; docs/providers.md lists the settings."""
    connection = read_settings("ollama", settings, options=OPTIONS, effort_option="think", concurrency=CONCURRENCY)
    try:
        import httpx
        import ollama
    except ImportError:
        raise not_installed("ollama") from None
    client = ollama.Client(
        host=connection.base_url,
        headers={"authorization": f"Bearer {connection.api_key}"} if connection.api_key else None,
        timeout=httpx.Timeout(connection.timeout_secs, connect=min(MAX_CONNECT_SECS, connection.timeout_secs)),
    )
    # what the SDK found in the environment, for which it has no public attribute
    http = client._client
    key = http.headers.get("authorization", "").removeprefix("Bearer ") or None
    return Ollama(client, with_address(connection, key, http.base_url))


class Ollama:
    """A client of an Ollama server."""

    def __init__(self, client: ollama.Client, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Return the models that have been pulled."""
        listed = self._call(lambda: self._client.list(), "")
        return [
            Model(id=model.model, description=_model_description(model))
            for model in sorted(listed.models, key=lambda model: model.model or "")
            if model.model
        ]

    def generate(self, request: Request) -> Completion:
        """Send a request."""
        options = self._connection.options_of(request)
        start = time.perf_counter()
        answer = self._call(lambda: self._ask(request, options), request.model)
        latency_ms = (time.perf_counter() - start) * 1000
        usage = Usage(prompt_tokens=answer.prompt_eval_count, completion_tokens=answer.eval_count)
        return Completion(
            text=answer.message.content or "",
            finish="length" if answer.done_reason == "length" else "stop",
            usage=replace(usage, cost_usd=self._connection.cost(request.model, usage, as_listed=True)),
            latency_ms=latency_ms,
            model=stated_model(answer.model),
        )

    def _ask(self, request: Request, options: Mapping[str, Any]) -> ollama.ChatResponse:
        system = [{"role": "system", "content": request.system}] if request.system else []
        parameters: dict[str, object] = {name: value for name, value in options.items() if name != "think"}
        if request.seed is not None:
            parameters["seed"] = request.seed
        think = options.get("think")
        answer = self._client.chat(
            model=request.model,
            messages=[*system, {"role": "user", "content": request.prompt}],
            options={**parameters, "temperature": request.temperature, "num_predict": request.max_tokens},
            think=think if isinstance(think, bool | str) else None,
        )
        if not answer.done:
            raise ValueError("the answer is incomplete")
        return answer

    def _call(self, call: Callable[[], _Result], model: str) -> _Result:
        import httpx
        import ollama

        exceptions = (ollama.ResponseError, ConnectionError, httpx.HTTPError, *errors.MALFORMED)
        return errors.call_sdk(call, exceptions, lambda error: self._error_from_exception(error, model))

    def _error_from_exception(self, error: Exception, model: str) -> ProviderError:
        import httpx

        # the SDK's exception has no headers and, for an unexpected body, no status; the one that it handled has both
        response = getattr(error.__context__, "response", None)
        if response is not None:
            message = getattr(error, "error", None)
            return errors.error_from_status(
                self._connection, model, response.status_code, message, None, response.headers
            )
        match error:
            case httpx.TimeoutException():
                return errors.timeout_error(self._connection)
            case ConnectionError() | httpx.HTTPError():
                return errors.connection_error(self._connection)
            case _:
                return errors.malformed_answer_error(self._connection)


def _model_description(model: ollama.ListResponse.Model) -> str:
    details = model.details
    return "" if details is None else " ".join(filter(None, (details.parameter_size, details.quantization_level)))
