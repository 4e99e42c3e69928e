"""Models that Ollama serves, on this machine or another, through its own API and SDK (the extra `ollama`)."""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from forgetest.errors import ProviderError
from forgetest.providers import Model, Provider
from forgetest.providers.http import errors
from forgetest.providers.http.connection import MOST_CONNECTING_SECS, Connection, not_installed, reached, read
from forgetest.sample import Completion, Request, Usage

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
"""What `Request.options` may hold: Ollama's own names, with its own defaults."""

# Ollama lets requests wait that it has no room for: one is written, the next is there when it is done
CONCURRENCY = 2


def create(settings: Mapping[str, object]) -> Provider:
    """The provider; settings as in docs/providers.md."""
    connection = read("ollama", settings, options=OPTIONS, effort_option="think", concurrency=CONCURRENCY)
    try:
        import httpx
        import ollama
    except ImportError:
        raise not_installed("ollama") from None
    client = ollama.Client(
        host=connection.base_url,
        headers={"authorization": f"Bearer {connection.api_key}"} if connection.api_key else None,
        timeout=httpx.Timeout(connection.timeout_secs, connect=min(MOST_CONNECTING_SECS, connection.timeout_secs)),
    )
    # what the SDK found in the environment, which it does not tell otherwise
    http = client._client
    key = http.headers.get("authorization", "").removeprefix("Bearer ") or None
    return Ollama(client, reached(connection, key, http.base_url))


class Ollama:
    """A client, and how it is to ask."""

    def __init__(self, client: ollama.Client, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Those that are pulled now."""
        listed = self._list()
        if isinstance(listed, ProviderError):
            raise listed
        return [
            Model(id=model.model, description=_described(model))
            for model in sorted(listed.models, key=lambda model: model.model or "")
            if model.model
        ]

    def generate(self, request: Request) -> Completion:
        """Ask once."""
        start = time.perf_counter()
        answer = self._ask(request, self._connection.options_of(request))
        latency_ms = (time.perf_counter() - start) * 1000
        if isinstance(answer, ProviderError):
            raise answer
        usage = Usage(prompt_tokens=answer.prompt_eval_count, completion_tokens=answer.eval_count)
        return Completion(
            text=answer.message.content or "",
            finish="length" if answer.done_reason == "length" else "stop",
            usage=replace(usage, cost_usd=self._connection.cost(request.model, usage, as_listed=True)),
            latency_ms=latency_ms,
        )

    def _ask(self, request: Request, options: Mapping[str, Any]) -> ollama.ChatResponse | ProviderError:
        import httpx
        import ollama

        system = [{"role": "system", "content": request.system}] if request.system else []
        parameters: dict[str, object] = {name: value for name, value in options.items() if name != "think"}
        if request.seed is not None:
            parameters["seed"] = request.seed
        think = options.get("think")
        try:
            answer = self._client.chat(
                model=request.model,
                messages=[*system, {"role": "user", "content": request.prompt}],
                options={**parameters, "temperature": request.temperature, "num_predict": request.max_tokens},
                think=think if isinstance(think, bool | str) else None,
            )
            if not answer.done:
                raise ValueError("not the end of the answer")
            return answer
        except (ollama.ResponseError, ConnectionError, httpx.HTTPError, *errors.MALFORMED) as error:
            return self._failure(error, request.model)

    def _list(self) -> ollama.ListResponse | ProviderError:
        import httpx
        import ollama

        try:
            return self._client.list()
        except (ollama.ResponseError, ConnectionError, httpx.HTTPError, *errors.MALFORMED) as error:
            return self._failure(error, "")

    def _failure(self, error: Exception, model: str) -> ProviderError:
        import httpx

        # the SDK's own exception has neither headers nor, over a strange body, a status: the one that it handled has
        response = getattr(error.__context__, "response", None)
        if response is not None:
            said = getattr(error, "error", None)
            return errors.of_status(self._connection, model, response.status_code, said, None, response.headers)
        match error:
            case httpx.TimeoutException():
                return errors.of_timeout(self._connection)
            case ConnectionError() | httpx.HTTPError():
                return errors.of_connection(self._connection)
            case _:
                return errors.of_malformed(self._connection)


def _described(model: ollama.ListResponse.Model) -> str:
    details = model.details
    return "" if details is None else " ".join(filter(None, (details.parameter_size, details.quantization_level)))
