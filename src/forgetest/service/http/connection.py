"""One connection: requests are read, handled and answered one after the other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import h11

from forgetest.service.http.messages import Handler, HttpError, Request, Response, problem

_READ_BYTES = 1 << 16
_MOST_HEAD_BYTES = 16 << 10
_MOST_AHEAD_BYTES = 1 << 16
"""Of later requests that a client sends before it has its answer."""
_LINGER_S = 1.0
"""A client that is still sending when it is refused needs a moment to read why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long a client may take, in seconds."""

    head_s: float = 10.0
    """From the first byte of a request to the end of its headers."""
    idle_s: float = 75.0
    """Between two requests."""
    body_s: float = 60.0
    """For the whole body."""
    write_s: float = 30.0
    """To take the answer."""


class BodyBudget:
    """Memory for the bodies of all requests together."""

    def __init__(self, total_bytes: int) -> None:
        self._free = total_bytes

    @contextlib.contextmanager
    def reserve(self, size: int) -> Iterator[None]:
        """Hold memory for a body, or refuse the request."""
        if size > self._free:
            raise HttpError(429, "too many large requests at once", headers={"retry-after": "1"})
        self._free -= size
        try:
            yield
        finally:
            self._free += size


class _ClientGoneError(Exception):
    """The client closed the connection, or is cut off."""


class Connection:
    """A client's connection."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handler: Handler,
        most_body_bytes: int,
        budget: BodyBudget,
        timeouts: Timeouts,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._handler = handler
        self._most_body_bytes = most_body_bytes
        self._budget = budget
        self._timeouts = timeouts
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_MOST_HEAD_BYTES)
        self._is_stopping = False
        self._is_between_requests = True
        self._has_whole_request = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None

    def close_when_idle(self) -> None:
        """Close now if no request is being handled, else after its answer."""
        self._is_stopping = True
        if self._is_between_requests and self._serving is not None:
            self._serving.cancel()

    async def refuse(self) -> None:
        """Answer that there are too many connections."""
        self._is_stopping = True
        with contextlib.suppress(_ClientGoneError, OSError, asyncio.CancelledError):
            await self._respond(problem(HttpError(503, "too many connections", headers={"retry-after": "1"})), "GET")
        self._writer.close()

    async def serve(self) -> None:
        """Serve until the client or the server closes the connection."""
        self._serving = asyncio.current_task()
        try:
            while await self._serve_request():
                self._http.start_next_cycle()
        except (_ClientGoneError, OSError, asyncio.CancelledError):  # cancelled: the server stops
            pass
        finally:
            self._writer.close()

    async def _serve_request(self) -> bool:
        """Handle one request; return whether another one may follow."""
        self._is_between_requests = True
        self._has_whole_request.clear()
        method = "GET"
        try:
            head = await self._read_head()
            self._is_between_requests = False
            method = head.method.decode("ascii")
            length = self._announced_length(head)
            if not length:
                await self._read_body()
            with self._budget.reserve(length):
                response = await self._handle(self._request(head))
        except h11.RemoteProtocolError as error:
            response = problem(HttpError(error.error_status_hint, "not HTTP/1.1 as we understand it", str(error)))
            self._is_stopping = True
        except HttpError as error:
            response = problem(error)
        await self._respond(response, method)
        may_follow = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        if not may_follow and self._http.their_state is h11.SEND_BODY:
            await self._linger()
        return may_follow and not self._is_stopping

    async def _read_head(self) -> h11.Request:
        timeout = self._timeouts.head_s if self._http.trailing_data[0] else self._timeouts.idle_s
        deadline: float | None = None
        loop = asyncio.get_running_loop()
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                return event
            if event is not h11.NEED_DATA:
                raise _ClientGoneError
            wait_s = timeout if deadline is None else deadline - loop.time()
            try:
                await self._receive(wait_s)
            except TimeoutError:
                if deadline is None:
                    raise _ClientGoneError from None  # an idle connection is simply closed
                raise HttpError(408, "the headers took too long") from None
            if deadline is None:
                deadline = loop.time() + self._timeouts.head_s
                self._is_between_requests = False

    def _announced_length(self, head: h11.Request) -> int:
        """Return the length of the body, or the longest one where it is not announced; refuse one that is too long."""
        headers = dict(head.headers)
        if b"transfer-encoding" in headers:
            return self._most_body_bytes
        length = int(headers.get(b"content-length", b"0"))
        if length > self._most_body_bytes:
            self._is_stopping = True
            raise self._too_large()
        return length

    def _too_large(self) -> HttpError:
        return HttpError(413, "the body is too large", f"at most {self._most_body_bytes} bytes; send fewer samples")

    def _request(self, head: h11.Request) -> Request:
        path, _, query = head.target.decode("ascii").partition("?")
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
        return Request(
            method=head.method.decode("ascii"), path=path, query=query, headers=headers, read_body=self._read_body
        )

    async def _read_body(self) -> bytes:
        """Read the body, once."""
        if self._http.their_state is h11.DONE:
            return b""
        deadline = asyncio.get_running_loop().time() + self._timeouts.body_s
        if self._http.they_are_waiting_for_100_continue:
            await self._send(h11.InformationalResponse(status_code=100, headers=[]))
        body = bytearray()
        while True:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError as error:
                self._is_stopping = True
                raise HttpError(error.error_status_hint, "the body is not what its headers say", str(error)) from error
            if isinstance(event, h11.Data):
                body += event.data
                if len(body) > self._most_body_bytes:
                    self._is_stopping = True
                    raise self._too_large()
            elif isinstance(event, h11.EndOfMessage):
                self._has_whole_request.set()
                return bytes(body)
            elif event is h11.NEED_DATA:
                try:
                    await self._receive(deadline - asyncio.get_running_loop().time())
                except TimeoutError:
                    self._is_stopping = True
                    raise HttpError(408, "the body took too long") from None
            else:
                raise _ClientGoneError

    async def _handle(self, request: Request) -> Response:
        """Run the handler until it has an answer; cancel it when the client goes away."""
        handling = asyncio.ensure_future(self._handler(request))
        watching = asyncio.ensure_future(self._wait_until_gone())
        try:
            await asyncio.wait({handling, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not handling.done():
                raise _ClientGoneError
            return handling.result()
        finally:
            for task in (handling, watching):
                task.cancel()
            await asyncio.gather(handling, watching, return_exceptions=True)

    async def _wait_until_gone(self) -> None:
        """Return when the client has closed the connection; keep what it sends meanwhile for later."""
        await self._has_whole_request.wait()  # until then, the handler reads the body, and notices
        while len(self._http.trailing_data[0]) < _MOST_AHEAD_BYTES:
            data = await self._reader.read(_READ_BYTES)
            self._http.receive_data(data)
            if not data:
                return
        await asyncio.Event().wait()

    async def _receive(self, timeout: float) -> None:
        async with asyncio.timeout(max(0.0, timeout)):
            self._http.receive_data(await self._reader.read(_READ_BYTES))

    async def _respond(self, response: Response, method: str) -> None:
        headers = [
            ("content-type", response.content_type),
            ("content-length", str(len(response.content))),
            ("cache-control", "no-store"),
            *response.headers.items(),
        ]
        unread = self._http.their_state not in (h11.DONE, h11.IDLE)
        if self._is_stopping or unread:
            headers.append(("connection", "close"))
        reason = HTTPStatus(response.status).phrase.encode()
        await self._send(
            h11.Response(status_code=response.status, headers=headers, reason=reason),
            *([h11.Data(data=response.content)] if response.content and method != "HEAD" else []),
            h11.EndOfMessage(),
        )

    async def _send(self, *events: Any) -> None:
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        try:
            async with asyncio.timeout(self._timeouts.write_s):
                await self._writer.drain()
        except TimeoutError:
            self._writer.transport.abort()
            raise _ClientGoneError from None

    async def _linger(self) -> None:
        """Read what the client is still sending for a moment: closing at once would destroy the answer on its way."""
        with contextlib.suppress(TimeoutError, OSError):
            if self._writer.can_write_eof():
                self._writer.write_eof()
            async with asyncio.timeout(_LINGER_S):
                while await self._reader.read(_READ_BYTES):
                    pass
