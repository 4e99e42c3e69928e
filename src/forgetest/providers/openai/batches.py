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
from forgetest.sample import Completion, Request

if TYPE_CHECKING:
    import openai

    from forgetest.providers.openai.provider import OpenAI

_ENDED = frozenset({"completed", "expired", "cancelled", "failed"})
_LABEL = "forgetest"
_LOOKED_AT = 200
"""How many batches, the newest first, are looked at for one of ours."""

Result = TypeVar("Result")


class _Response(msgspec.Struct):
    status_code: int
    body: dict[str, Any]


class _Error(msgspec.Struct):
    code: str | None = None
    message: str | None = None


class _Line(msgspec.Struct):
    custom_id: str
    response: _Response | None = None
    error: _Error | None = None


_lines = msgspec.json.Decoder(_Line)


class OpenAIBatches:
    """The batches of a project."""

    def __init__(self, client: openai.OpenAI, provider: OpenAI) -> None:
        self._client = client
        self._provider = provider

    def submit(self, requests: Mapping[str, Request], tag: str) -> str:
        """Upload a file of requests, and hand it in."""
        content = b"".join(
            msgspec.json.encode(
                {
                    "custom_id": name,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": self._provider.question(request),
                }
            )
            + b"\n"
            for name, request in requests.items()
        )
        return self._tried(lambda: self._submitted(content, tag))

    def _submitted(self, content: bytes, tag: str) -> str:
        file = self._client.files.create(file=(f"{_LABEL}-{tag}.jsonl", content), purpose="batch")
        batch = self._client.batches.create(
            completion_window="24h",
            endpoint="/v1/chat/completions",
            input_file_id=file.id,
            metadata={_LABEL: tag},
        )
        return batch.id

    def find(self, tag: str, size: int, since: datetime) -> tuple[str | None, bool]:  # noqa: ARG002  (the label will do)
        """The batch that is labelled so."""
        return self._tried(lambda: self._found(tag, since)), True

    def _found(self, tag: str, since: datetime) -> str | None:
        for batch in islice(self._client.batches.list(limit=100), _LOOKED_AT):
            if datetime.fromtimestamp(batch.created_at, UTC) < since:
                break
            if (batch.metadata or {}).get(_LABEL) == tag:
                return batch.id
        return None

    def collect(self, batch_id: str, model: str) -> Collected | None:
        """The answers and the errors, once the batch has ended."""
        return self._tried(lambda: self._collected(batch_id, model))

    def _collected(self, batch_id: str, model: str) -> Collected | None:
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
            said = "; ".join(problem.message or "" for problem in problems[:3])
            return Collected(answers=answers, otherwise=str(self._provider.refusal(model, 400, said)))
        return Collected(answers=answers)

    def _read(self, file_id: str) -> Iterator[_Line]:
        for line in self._client.files.content(file_id).content.split(b"\n"):
            if line.strip():
                yield _lines.decode(line)

    def _answer(self, line: _Line, model: str) -> Completion | ProviderError:
        if line.response is None:
            error = line.error or _Error()
            return ProviderError(f"openai: {error.code or 'no answer'}: {error.message or 'in the batch'}")
        if line.response.status_code == 200:
            return self._provider.of_batch(model, line.response.body)
        told = line.response.body.get("error")
        told = told if isinstance(told, Mapping) else {}
        return self._provider.refusal(model, line.response.status_code, told.get("message"), told.get("code"))

    def _tried(self, call: Callable[[], Result]) -> Result:
        found = self._outcome(call)
        if isinstance(found, ProviderError):
            raise found  # when the SDK's exception, which holds the key, is gone
        return found

    def _outcome(self, call: Callable[[], Result]) -> Result | ProviderError:
        import openai

        try:
            return call()
        except (openai.OpenAIError, *errors.MALFORMED) as error:
            return self._provider.failure(error, "")
