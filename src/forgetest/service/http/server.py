"""HTTP server: takes connections, and stops without dropping what it took.

A client that sends slowly, stops in the middle, or does not read its answer, is cut off; one that goes away while its
request is being handled has its handler cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from forgetest.errors import UserError
from forgetest.service.http.connection import BodyBudget, Connection, Timeouts
from forgetest.service.http.messages import Handler

_BACKLOG = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """What clients may take of the server."""

    body_bytes: int = 32 << 20
    """Longest body of a request."""
    all_bodies_bytes: int = 256 << 20
    """All bodies that are being read or handled, together."""
    connections: int = 1024
    timeouts: Timeouts = field(default_factory=Timeouts)


class HttpServer:
    """Serves a handler on one address."""

    def __init__(self, handler: Handler, limits: HttpLimits | None = None) -> None:
        self._handler = handler
        self._limits = limits or HttpLimits()
        self._budget = BodyBudget(self._limits.all_bodies_bytes)
        self._connections: dict[asyncio.Task[None], Connection] = {}
        self._server: asyncio.Server | None = None
        self.refused_connections = 0

    @property
    def open_connections(self) -> int:
        """How many clients are connected."""
        return len(self._connections)

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Begin to listen; return the actual address."""
        try:
            self._server = await asyncio.start_server(self._connected, host, port, backlog=_BACKLOG, limit=1 << 16)
        except OSError as error:
            raise UserError(f"--host {host} --port {port}: cannot listen there: {error.strerror or error}") from error
        actual = self._server.sockets[0].getsockname()
        return actual[0], actual[1]

    async def stop(self, finishing: Coroutine[Any, Any, None]) -> None:
        """Take no connection any more; close idle ones, await `finishing`, and let the others send their answers."""
        assert self._server is not None
        self._server.close()
        for connection in self._connections.values():
            connection.close_when_idle()
        await finishing
        if self._connections:
            await asyncio.wait(self._connections, timeout=self._limits.timeouts.write_s)
        for task in list(self._connections):
            task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        stream_socket = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):  # answers are small; do not hold them back
            stream_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        limits = self._limits
        connection = Connection(reader, writer, self._handler, limits.body_bytes, self._budget, limits.timeouts)
        if len(self._connections) >= limits.connections:
            self.refused_connections += 1
            await connection.refuse()
            return
        self._connections[task] = connection
        try:
            await connection.serve()
        finally:
            del self._connections[task]
