"""OpenAI's Batch API: a file of requests in, a file of answers out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from forgetest.errors import ProviderError
from forgetest.providers import GONE, Collected
from forgetest.providers.http import errors
from forgetest.providers.http.connection import Connection
from forgetest.providers.openai import wire
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import openai

_ENDED = frozenset({"completed", "expired", "cancelled", "failed"})
_LABEL = "forgetest"
_MAX_LISTED = 200
"""Number of batches, the newest first, among which one of ours is looked for."""

_Result = TypeVar("_Result")


class LineResponse(msgspec.Struct):
    """The response to a request of a batch."""

    status_code: int
    body: dict[str, Any]


class LineError(msgspec.Struct):
    """The reason why a request of a batch has no response."""

    code: str | None = None
    message: str | None = None


class ResultLine(msgspec.Struct):
    """One line of a batch's results."""

    custom_id: str
    response: LineResponse | None = None
    error: LineError | None = None


_lines = msgspec.json.Decoder(ResultLine)


class OpenAIBatches:
    """The batches of a project."""

    def __init__(
        self, client: openai.OpenAI, connection: Connection, build_request: Callable[[Request], Mapping[str, object]]
    ) -> None:
        """`build_request` returns the body of a request."""
        self._client = client
        self._connection = connection
        self._build_request = build_request

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:
        """Upload a file of requests and submit it; return the id of the batch."""
        content = b"".join(
            msgspec.json.encode(
                {
                    "custom_id": name,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": self._build_request(request),
                }
            )
            + b"\n"
            for name, request in requests.items()
        )
        return self._call(lambda: self._submit(content, tag))

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:  # noqa: ARG002  (the label suffices)
        """Look for the batch that is labelled with the tag."""
        return self._call(lambda: self._find(tag, since)), True

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """Return the answers and the errors, once the batch has ended."""
        return self._call(lambda: self._collect(batch_id, model))

    def _submit(self, content: bytes, tag: str) -> str:
        file = self._client.files.create(file=(f"{_LABEL}-{tag}.jsonl", content), purpose="batch")
        batch = self._client.batches.create(
            completion_window="24h",
            endpoint="/v1/chat/completions",
            input_file_id=file.id,
            metadata={_LABEL: tag},
        )
        return batch.id

    def _find(self, tag: str, since: datetime) -> str | None:
        for batch in islice(self._client.batches.list(limit=100), _MAX_LISTED):
            if datetime.fromtimestamp(batch.created_at, UTC) < since:
                break
            if (batch.metadata or {}).get(_LABEL) == tag:
                return batch.id
        return None

    def _collect(self, batch_id: str, model: str) -> Collected | None:
        import openai

        try:
            batch = self._client.batches.retrieve(batch_id)
        except openai.NotFoundError:
            return Collected(answers={}, otherwise=GONE)
        if batch.status not in _ENDED:
            return None
        files = [file for file in (batch.output_file_id, batch.error_file_id) if file]
        answers = {line.custom_id: self._answer(line, model) for file in files for line in self._read(file)}
        if batch.status == "failed":
            problems = (batch.errors.data if batch.errors else None) or []
            message = "; ".join(problem.message or "" for problem in problems[:3])
            return Collected(answers=answers, otherwise=str(self._error(model, 400, message)))
        return Collected(answers=answers)

    def _read(self, file_id: str) -> Iterator[ResultLine]:
        for line in self._client.files.content(file_id).content.split(b"\n"):
            if line.strip():
                yield _lines.decode(line)

    def _answer(self, line: ResultLine, model: str) -> Completion | ProviderError:
        if line.response is None:
            reason = line.error or LineError()
            return ProviderError(f"openai: {reason.code or 'no answer'}: {reason.message or 'in the batch'}")
        if line.response.status_code == 200:
            answer = msgspec.convert(line.response.body, wire.ChatCompletion)
            return wire.completions(self._connection, model, answer, batch=True)[0]
        error = line.response.body.get("error")
        error = error if isinstance(error, Mapping) else {}
        return self._error(model, line.response.status_code, error.get("message"), error.get("code"))

    def _error(self, model: str, status: int, message: object, code: object = None) -> ProviderError:
        return errors.error_from_status(self._connection, model, status, message, code, {})

    def _call(self, call: Callable[[], _Result]) -> _Result:
        return errors.call_sdk(
            call, wire.sdk_exceptions(), lambda error: wire.error_from_exception(self._connection, "", error)
        )
