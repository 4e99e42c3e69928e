"""The application: routes, tokens, errors, metrics and logs around the endpoints."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.service.endpoints import State
from forgetest.service.http.messages import Handler, HttpError, Request, Response, problem
from forgetest.service.logs import Log
from forgetest.service.metrics import Metrics

Routes = Mapping[str, Mapping[str, Handler]]
"""Handlers by path and method."""

OPEN_PATHS = frozenset({"/health"})
"""Paths that need no token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Answers every request, whatever happens."""

    routes: Routes
    tokens: Collection[bytes]
    """Hashes of the bearer tokens that are accepted. Without any, no token is needed."""
    metrics: Metrics
    state: State
    log: Log

    async def __call__(self, request: Request) -> Response:
        """Answer a request."""
        started = time.monotonic()
        path = request.path if request.path in self.routes else "other"
        try:
            response = await self._respond(request)
        except asyncio.CancelledError:
            self.log("abandoned", method=request.method, path=path, ms=_elapsed_ms(started))
            raise
        seconds = time.monotonic() - started
        self.metrics.count_request(path, response.status, seconds)
        self.log("request", method=request.method, path=path, status=response.status, ms=_elapsed_ms(started))
        return response

    async def _respond(self, request: Request) -> Response:
        try:
            return await self._find_handler(request)(request)
        except HttpError as error:
            return problem(error)
        except MachineryError as error:
            return problem(HttpError(503, "our machinery failed", str(error), {"retry-after": "5"}))
        except Exception as error:
            # the message may quote what the client sent
            self.log("bug", path=request.path[:200], error=type(error).__name__, where=_place(error))
            return problem(HttpError(500, "a bug in forgetest", "the log of the service says more"))

    def _find_handler(self, request: Request) -> Handler:
        handlers = self.routes.get(request.path)
        if request.path not in OPEN_PATHS:
            self._check_token(request)
        if handlers is None:
            raise HttpError(404, "no such path", "GET /openapi.json describes those that exist")
        handler = handlers.get("GET" if request.method == "HEAD" else request.method)
        if handler is None:
            allowed = ", ".join([*handlers, *(["HEAD"] if "GET" in handlers else [])])
            raise HttpError(405, "not for this path", f"use {allowed}", {"allow": allowed})
        if self.state.is_stopping and request.method == "POST":
            raise HttpError(503, "the service is stopping", "send it again later", {"retry-after": "5"})
        return handler

    def _check_token(self, request: Request) -> None:
        if not self.tokens:
            return
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        digest = token_digest(token.strip()) if scheme.lower() == "bearer" else b""
        if not any(hmac.compare_digest(digest, known) for known in self.tokens):
            detail = "send `authorization: Bearer TOKEN` with a token of the service's token file"
            raise HttpError(401, "a token is needed", detail, {"www-authenticate": "Bearer"})


def token_digest(token: str) -> bytes:
    """Return the hash by which a token is known: the token itself is not kept."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _elapsed_ms(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 1)


def _place(error: BaseException) -> str:
    """Return where an error was raised, without what was in the variables."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return "" if place is None else f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
