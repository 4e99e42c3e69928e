"""Anthropic's Message Batches API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from forgetest.errors import ProviderError
from forgetest.providers import GONE, Collected
from forgetest.providers.anthropic import wire
from forgetest.providers.http import errors
from forgetest.providers.http.connection import Connection
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import anthropic

_MAX_LISTED = 200
"""Number of batches, the newest first, among which one of ours is looked for."""

_Result = TypeVar("_Result")


class BatchError(msgspec.Struct):
    """The innermost error object of a failed request."""

    type: str
    message: str = ""


class BatchErrorResponse(msgspec.Struct):
    """The error response to a failed request."""

    error: BatchError


class BatchResult(msgspec.Struct):
    """The outcome of one request: an answer, an error, or neither where it was canceled or has expired."""

    type: str
    message: dict[str, Any] | None = None
    error: BatchErrorResponse | None = None


class BatchLine(msgspec.Struct):
    """One line of a batch's results."""

    custom_id: str
    result: BatchResult


# msgspec is not thread-safe while it first learns a type, so it learns this one at import
msgspec.json.Decoder(BatchLine)


class AnthropicBatches:
    """The batches of an account."""

    def __init__(
        self,
        client: anthropic.Anthropic,
        connection: Connection,
        build_request: Callable[[Request], Mapping[str, object]],
    ) -> None:
        """`build_request` returns the body of a request."""
        self._batches = client.messages.batches
        self._connection = connection
        self._build_request = build_request

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:  # noqa: ARG002  (the names begin with it)
        """Submit requests; return the id of their batch."""
        bodies: Any = [
            {"custom_id": name, "params": self._build_request(request)} for name, request in requests.items()
        ]
        return self._call(lambda: self._batches.create(requests=bodies).id)

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        """Look for a batch by the names of its requests, which can be read only after it has ended."""
        return self._call(lambda: self._find(tag, size, since))

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """Return the results, once the batch has ended."""
        return self._call(lambda: self._collect(batch_id, model))

    def _find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:
        sure = True
        for batch in islice(self._batches.list(limit=100), _MAX_LISTED):
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

    def _collect(self, batch_id: str, model: str) -> Collected | None:
        import anthropic

        try:
            status = self._batches.retrieve(batch_id).processing_status
        except anthropic.NotFoundError:
            return Collected(answers={}, otherwise=GONE)
        if status != "ended":
            return None
        lines = (msgspec.convert(line.to_dict(warnings=False), BatchLine) for line in self._batches.results(batch_id))
        return Collected(answers={line.custom_id: self._answer(line.result, model) for line in lines})

    def _answer(self, result: BatchResult, model: str) -> Completion | ProviderError:
        if result.type == "succeeded":
            return wire.completion(self._connection, model, msgspec.convert(result.message, wire.Message), batch=True)
        if result.error is not None:
            error = result.error.error
            return wire.error_from_type(self._connection, model, error.type, error.message)
        return ProviderError(f"anthropic: the request in the batch is {result.type}; the same command asks again")

    def _call(self, call: Callable[[], _Result]) -> _Result:
        return errors.call_sdk(
            call, wire.sdk_exceptions(), lambda error: wire.error_from_exception(self._connection, "", error)
        )
