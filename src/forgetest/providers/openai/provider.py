"""OpenAI's models, and any server that speaks its chat API (vLLM, llama.cpp, LM Studio, OpenRouter, …).

Through the official SDK (the extra `openai`), which is imported when it is used. A model that refuses `temperature`
or `seed` is asked once more without it, one that wants the limit on tokens under its other name, under that; and
so from then on.
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
from forgetest.providers.openai.batches import OpenAIBatches
from forgetest.sample import Completion, Finish, Request, Usage, shared

if TYPE_CHECKING:
    import openai

OPTIONS = frozenset({"frequency_penalty", "presence_penalty", "reasoning_effort", "stop", "top_p", "verbosity"})
"""What `Request.options` may hold: the API's own names."""

VENDORS_HOST = VENDORS_HOSTS["openai"]
CONCURRENCY = 8

_FINISHES: Mapping[str, Finish] = {"length": "length", "content_filter": "refusal"}
_LIMITS = ("max_tokens", "max_completion_tokens")


class _PromptDetails(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _CompletionDetails(msgspec.Struct):
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Answer(msgspec.Struct):
    """What is read of an answer; servers differ in the rest."""

    choices: list[_Choice]
    usage: _Usage | None = None
    service_tier: str | None = None
    leave_alone_s: float | None = None

    def __post_init__(self) -> None:
        if not self.choices:
            raise ValueError("no choices")


_answers = msgspec.json.Decoder(_Answer)


class _ListedModel(msgspec.Struct):
    id: str
    max_model_len: int | None = None
    """vLLM's word for the context."""
    context_length: int | None = None
    """OpenRouter's."""


class _ListedModels(msgspec.Struct):
    data: list[_ListedModel]


def create(settings: Mapping[str, object]) -> Provider:
    """The provider; settings as in docs/providers.md."""
    connection = read("openai", settings, options=OPTIONS, effort_option="reasoning_effort", concurrency=CONCURRENCY)
    try:
        import openai
    except ImportError:
        raise not_installed("openai") from None
    try:
        client = openai.OpenAI(
            api_key=explicit_key(connection, VENDORS_HOST),
            base_url=connection.base_url,
            timeout=openai.Timeout(connection.timeout_secs, connect=min(MOST_CONNECTING_SECS, connection.timeout_secs)),
            max_retries=0,  # the engine retries, and knows why
        )
    except openai.OpenAIError:
        raise UserError("provider openai: no key; set api_key in [providers.openai], or OPENAI_API_KEY") from None
    return OpenAI(client, reached(connection, client.api_key, client.base_url))


class OpenAI:
    """A client, and what was learned about the models it asks."""

    def __init__(self, client: openai.OpenAI, connection: Connection) -> None:
        self.concurrency = connection.concurrency
        self._client = client
        self._connection = connection
        # OpenAI's own models all know the new name, every other server knows the old one
        self._limit = _LIMITS[connection.host == VENDORS_HOST]
        self._refused: set[tuple[str, str]] = set()
        weakref.finalize(self, client.close).atexit = False

    def models(self) -> list[Model]:
        """Those the service lists now."""
        listed = self._list()
        if isinstance(listed, ProviderError):
            raise listed
        return [Model(id=model.id, context_tokens=model.max_model_len or model.context_length) for model in listed.data]

    def generate(self, request: Request) -> Completion:
        """Ask once; once more for each parameter that the model turns out not to know."""
        return self.generate_several(request, 1)[0]

    def generate_several(self, request: Request, count: int) -> list[Completion]:
        """The same for several answers, which servers that do not know `n` give one of."""
        options = self._connection.options_of(request)
        while True:
            start = time.perf_counter()
            answer = self._ask(request.model, {**options, **self._question(request, count)})
            latency_ms = (time.perf_counter() - start) * 1000
            if isinstance(answer, Refused):
                self._refused.add((request.model, answer.parameter))
            elif isinstance(answer, ProviderError):
                raise answer
            else:
                return self._completions(request.model, answer, latency_ms)

    @property
    def batches(self) -> OpenAIBatches:
        """Through the Batch API."""
        return OpenAIBatches(self._client, self)

    def question(self, request: Request) -> dict[str, object]:
        """A request as it stands in a batch."""
        return {**self._connection.options_of(request), **self._question(request)}

    def of_batch(self, model: str, body: object) -> Completion:
        """An answer as it stands in a batch's results; raises what a parser does over one that is none."""
        return self._completions(model, msgspec.convert(body, _Answer), None, batch=True)[0]

    def refusal(self, model: str, status: int, said: object, code: object = None) -> ProviderError:
        """An error as it stands in a batch's results."""
        return errors.of_status(self._connection, model, status, said, code, {})

    def _completions(
        self, model: str, answer: _Answer, latency_ms: float | None, *, batch: bool = False
    ) -> list[Completion]:
        usages = shared(self._usage(model, answer, batch=batch), len(answer.choices))
        return [
            Completion(
                text=choice.message.content or "",
                finish="refusal" if choice.message.refusal else _FINISHES.get(choice.finish_reason or "", "stop"),
                usage=usage,
                latency_ms=latency_ms,
                leave_alone_s=answer.leave_alone_s,
            )
            for choice, usage in zip(answer.choices, usages, strict=True)
        ]

    def _question(self, request: Request, count: int = 1) -> dict[str, object]:
        system = [{"role": "system", "content": request.system}] if request.system else []
        question: dict[str, object] = {
            "model": request.model,
            "messages": [*system, {"role": "user", "content": request.prompt}],
        }
        if (request.model, "temperature") not in self._refused:
            question["temperature"] = request.temperature
        if request.seed is not None and (request.model, "seed") not in self._refused:
            question["seed"] = request.seed
        if count > 1 and (request.model, "n") not in self._refused:
            question["n"] = count
        limit = self._limit if (request.model, self._limit) not in self._refused else self._other_limit
        return {**question, limit: request.max_tokens}

    @property
    def _other_limit(self) -> str:
        return _LIMITS[self._limit == _LIMITS[0]]

    def _ask(self, model: str, question: Mapping[str, Any]) -> _Answer | Refused | ProviderError:
        import openai

        try:
            raw = self._client.chat.completions.with_raw_response.create(**question)
            answer = _answers.decode(raw.content)
            answer.leave_alone_s = errors.no_room_for_s(raw.headers)
            return answer
        except openai.APIStatusError as error:
            adjustable = [name for name in ("temperature", "seed", "n", self._limit) if name in question]
            refused = errors.refused(adjustable, error.status_code, _said(error), error.param)
            return refused or self.failure(error, model)
        except (openai.OpenAIError, *errors.MALFORMED) as error:
            return self.failure(error, model)

    def _list(self) -> _ListedModels | ProviderError:
        import openai

        try:
            return msgspec.json.decode(self._client.models.with_raw_response.list().content, type=_ListedModels)
        except (openai.OpenAIError, *errors.MALFORMED) as error:
            return self.failure(error, "")

    def failure(self, error: Exception, model: str) -> ProviderError:
        """What an exception of the SDK's means."""
        import openai

        match error:
            case openai.APIStatusError():
                headers = error.response.headers
                return errors.of_status(self._connection, model, error.status_code, _said(error), error.code, headers)
            case openai.APITimeoutError():
                return errors.of_timeout(self._connection)
            case openai.APIConnectionError():
                return errors.of_connection(self._connection)
            case _:
                return errors.of_malformed(self._connection)

    def _usage(self, model: str, answer: _Answer, *, batch: bool = False) -> Usage:
        if answer.usage is None:
            return Usage()
        prompt = answer.usage.prompt_tokens_details or _PromptDetails()
        completion = answer.usage.completion_tokens_details or _CompletionDetails()
        usage = Usage(
            prompt_tokens=answer.usage.prompt_tokens,
            completion_tokens=answer.usage.completion_tokens,
            cached_tokens=prompt.cached_tokens,
            cache_write_tokens=prompt.cache_write_tokens,
            reasoning_tokens=completion.reasoning_tokens,
        )
        tiers = (None, "default", "batch") if batch else (None, "default")
        as_listed = self._connection.host == VENDORS_HOST and answer.service_tier in tiers
        return replace(usage, cost_usd=self._connection.cost(model, usage, as_listed=as_listed, batch=batch))


def _said(error: openai.APIStatusError) -> object:
    """The service's own words; the SDK puts the whole body around them."""
    return error.body.get("message") if isinstance(error.body, Mapping) else error.body
