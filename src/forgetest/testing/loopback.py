"""An HTTP server on the loopback interface, whose answers a test defines and whose requests it can inspect."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request that arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    """Its decoded JSON, or its bytes if it is not JSON."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The answer to a request."""

    status: int = 200
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    silent: bool = False
    """Send no answer at all, until the server closes."""
    reset: bool = False
    """Reset the connection in the middle of the content."""


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """Return a reply with a JSON body."""
    content_type = {"content-type": "application/json"}
    return Reply(status=status, content=json.dumps(value).encode(), headers={**content_type, **(headers or {})})


class Server:
    """Answers every request by `answer`, and keeps the requests in the order of their arrival."""

    def __init__(self, answer: Callable[[Received], Reply]) -> None:
        self.received: list[Received] = []
        self.answer = answer
        self.closing = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def heard(self, count: int) -> list[Received]:
        """Wait for this many requests and return them: a client that expects no answer may be gone before that."""
        deadline = time.monotonic() + 60
        while len(self.received) < count and time.monotonic() < deadline:
            time.sleep(0.01)
        return self.received

    def close(self) -> None:
        """Stop the server."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    request_queue_size = 128
    """With the default of five, Linux lets further clients that connect at the same time wait for seconds."""


def in_order(replies: Iterable[Reply]) -> Callable[[Received], Reply]:
    """Return an `answer` that gives one reply after the other."""
    left = iter(replies)
    return lambda received: next(left)


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            is_json = self.headers.get("content-type", "").startswith("application/json")
            self._answer(json.loads(content) if is_json else content)

        def _answer(self, body: Any) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(method=self.command, path=self.path, headers=headers, body=body)
            server.received.append(received)
            reply = server.answer(received)
            if reply.silent:
                server.closing.wait(300)
                return
            self.send_response(reply.status)
            for name, value in {**reply.headers, "content-length": str(len(reply.content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.reset:
                self.wfile.write(reply.content)
                return
            self.wfile.write(reply.content[: len(reply.content) // 2])
            self.wfile.flush()
            # with a linger time of zero, closing resets the connection
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

        def finish(self) -> None:
            if not self.connection._closed:
                super().finish()

        def log_message(self, *args: object) -> None:
            pass

    return Handler
