"""Anthropic's Message Batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from forgetest.errors import ProviderError
from forgetest.providers import GONE, Collected
from forgetest.providers.http import errors
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import anthropic

    from forgetest.providers.anthropic.provider import Anthropic

_LOOKED_AT = 200
"""How many batches, the newest first, are looked at for one of ours."""

Result = TypeVar("Result")


class _Error(msgspec.Struct):
    type: str
    message: str = ""


class _Errors(msgspec.Struct):
    error: _Error


class _Result(msgspec.Struct):
    type: str
    message: dict[str, Any] | None = None
    error: _Errors | None = None


class _Line(msgspec.Struct):
    custom_id: str
    result: _Result


# known from the start: msgspec is not safe where two threads meet a type for the first time
msgspec.json.Decoder(_Line)


class AnthropicBatches:
    """The batches of an account."""

    def __init__(self, client: anthropic.Anthropic, provider: Anthropic) -> None:
        self._batches = client.messages.batches
        self._provider = provider

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:  # noqa: ARG002  (the names begin with it)
        """Hand in requests."""
        handed_in: Any = [
            {"custom_id": name, "params": self._provider.message(request)} for name, request in requests.items()
        ]
        return self._tried(lambda: self._batches.create(requests=handed_in).id)

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        """A batch has no label, only its requests have names; and these are told when it has ended."""
        return self._tried(lambda: self._found(tag, size, since))

    def _found(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        sure = True
        for batch in islice(self._batches.list(limit=100), _LOOKED_AT):
            counts = batch.request_counts
            total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            created = batch.created_at if batch.created_at.tzinfo else batch.created_at.replace(tzinfo=UTC)
            if created < since:
                break
            if total != size:
                continue
            if batch.processing_status != "ended":
                sure = False
            elif any(line.custom_id.startswith(f"{tag}-") for line in islice(self._batches.results(batch.id), 1)):
                return batch.id, True
        return None, sure

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """The results, once the batch has ended."""
        return self._tried(lambda: self._collected(batch_id, model))

    def _collected(self, batch_id: str, model: str) -> Collected | None:
        import anthropic

        try:
            status = self._batches.retrieve(batch_id).processing_status
        except anthropic.NotFoundError:
            return Collected(answers={}, otherwise=GONE)
        if status != "ended":
            return None
        lines = (msgspec.convert(line.to_dict(warnings=False), _Line) for line in self._batches.results(batch_id))
        return Collected(answers={line.custom_id: self._answer(line.result, model) for line in lines})

    def _answer(self, result: _Result, model: str) -> Completion | ProviderError:
        if result.type == "succeeded":
            return self._provider.of_batch(model, result.message)
        if result.error is not None:
            return self._provider.refusal(model, result.error.error.type, result.error.error.message)
        return ProviderError(f"anthropic: the request in the batch is {result.type}; the same command asks again")

    def _tried(self, call: Callable[[], Result]) -> Result:
        found = self._outcome(call)
        if isinstance(found, ProviderError):
            raise found  # when the SDK's exception, which holds the key, is gone
        return found

    def _outcome(self, call: Callable[[], Result]) -> Result | ProviderError:
        import anthropic
        import httpx2

        try:
            return call()
        except (anthropic.AnthropicError, httpx2.HTTPError, *errors.MALFORMED) as error:
            return self._provider.failure(error, "")
