"""The batch APIs of Anthropic and OpenAI on loopback, as far as the tests need them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from forgetest.testing.loopback import Received, Reply, as_json
from model_apis import APIS, MODEL, Api, anthropic_start

PROMPT_TOKENS, TOKENS = 12, 20


@dataclass
class HandedIn:
    """A batch that was submitted to the service."""

    id: str
    requests: dict[str, Any]
    """The requests of the batch, by name."""
    label: str | None = None
    created: datetime = field(default_factory=lambda: datetime.now(UTC))


class BatchService:
    """Answers single requests at once, and batches when `done` is set."""

    def __init__(self, api: Api, text: str) -> None:
        self.api = api
        self.text = text
        self.batches: list[HandedIn] = []
        self.singly = 0
        self.done = threading.Event()
        self.spoil: Callable[[str], Mapping[str, Any] | None] = lambda name: None
        """Returns a result that replaces the answer to a request, or None."""
        self.on_create: Callable[[Reply], Reply] = lambda reply: reply
        """Changes the reply to an accepted batch."""
        self._files: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def __call__(self, received: Received) -> Reply:
        with self._lock:
            return self._anthropic(received) if self.api.name == "anthropic" else self._openai(received)

    def _anthropic(self, received: Received) -> Reply:
        path = received.path.partition("?")[0]
        if (received.method, path) == ("POST", "/v1/messages/batches"):
            requests = {each["custom_id"]: each["params"] for each in received.body["requests"]}
            return self._taken(HandedIn(id=f"msgbatch_{len(self.batches)}", requests=requests), received)
        if path == "/v1/messages/batches":
            listed = [self._described(batch, received) for batch in reversed(self.batches)]
            return as_json({"data": listed, "has_more": False, "first_id": None, "last_id": None})
        if match := re.fullmatch(r"/v1/messages/batches/(\w+)(/results)?", path):
            batch = next((batch for batch in self.batches if batch.id == match[1]), None)
            if batch is None:
                return self.api.error(404, "no such batch")
            if not match[2]:
                return as_json(self._described(batch, received))
            lines = ({"custom_id": name, "result": self._result(name)} for name in reversed(batch.requests))
            return _jsonl(lines)
        self.singly += 1
        return self.api.answer(self.text, tokens=TOKENS)

    def _result(self, name: str) -> Mapping[str, Any]:
        message = anthropic_start(input_tokens=PROMPT_TOKENS, output_tokens=TOKENS, service_tier="batch")["message"]
        content = [{"type": "text", "text": self.text}]
        answer = {"type": "succeeded", "message": {**message, "content": content, "stop_reason": "end_turn"}}
        return self.spoil(name) or answer

    def _openai(self, received: Received) -> Reply:
        path = received.path.partition("?")[0]
        if path == "/v1/files":
            name = f"file-{len(self._files)}"
            parts = received.body.split(b"\r\n\r\n")
            self._files[name] = next(part for part in parts if b'"custom_id"' in part).split(b"\r\n--")[0]
            return as_json(
                {"id": name, "object": "file", "purpose": "batch", "bytes": 1, "created_at": 1, "filename": ""}
            )
        if (received.method, path) == ("POST", "/v1/batches"):
            lines = [json.loads(line) for line in self._files[received.body["input_file_id"]].splitlines()]
            assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
            requests = {line["custom_id"]: line["body"] for line in lines}
            label = received.body["metadata"]["forgetest"]
            return self._taken(HandedIn(id=f"batch_{len(self.batches)}", requests=requests, label=label), received)
        if path == "/v1/batches":
            listed = [self._described(batch, received) for batch in reversed(self.batches)]
            return as_json({"object": "list", "data": listed, "has_more": False})
        if match := re.fullmatch(r"/v1/batches/(\w+)", path):
            batch = next((batch for batch in self.batches if batch.id == match[1]), None)
            return self.api.error(404, "no such batch") if batch is None else as_json(self._described(batch, received))
        if match := re.fullmatch(r"/v1/files/out-(\w+)/content", path):
            batch = next(batch for batch in self.batches if batch.id == match[1])
            answer = json.loads(self.api.answer(self.text, tokens=TOKENS).content)
            good = {"response": {"status_code": 200, "request_id": "r", "body": answer}, "error": None}
            return _jsonl({"id": name, "custom_id": name, **(self.spoil(name) or good)} for name in batch.requests)
        self.singly += 1
        return self.api.answer(self.text, tokens=TOKENS)

    def _taken(self, batch: HandedIn, received: Received) -> Reply:
        self.batches.append(batch)
        return self.on_create(as_json(self._described(batch, received)))

    def _described(self, batch: HandedIn, received: Received) -> dict[str, Any]:
        done, size = self.done.is_set(), len(batch.requests)
        if self.api.name == "anthropic":
            url = f"http://{received.headers['host']}/v1/messages/batches/{batch.id}/results"
            counts = dict.fromkeys(("canceled", "errored", "expired"), 0)
            return {
                "id": batch.id,
                "type": "message_batch",
                "processing_status": "ended" if done else "in_progress",
                "request_counts": {**counts, "processing": 0 if done else size, "succeeded": size if done else 0},
                "created_at": batch.created.isoformat(),
                "expires_at": batch.created.isoformat(),
                "results_url": url if done else None,
            }
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": "file",
            "created_at": int(batch.created.timestamp()),
            "status": "completed" if done else "in_progress",
            "metadata": {"forgetest": batch.label},
            "output_file_id": f"out-{batch.id}" if done else None,
        }


def a_service(name: str, text: str) -> BatchService:
    return BatchService(APIS[name], text)


def _jsonl(lines: Any) -> Reply:
    return Reply(
        content=b"".join(json.dumps(line).encode() + b"\n" for line in lines),
        headers={"content-type": "application/x-jsonl"},
    )


__all__ = ["MODEL", "PROMPT_TOKENS", "TOKENS", "BatchService", "HandedIn", "a_service", "replace"]
