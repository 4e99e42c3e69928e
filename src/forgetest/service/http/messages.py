"""Requests and responses, as the application sees them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import msgspec

JSON = "application/json"
PROBLEM = "application/problem+json"

ReadBody = Callable[[], Awaitable[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer to a request."""

    status: int = 200
    content: bytes = b""
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


class HttpError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, title: str, detail: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{status} {title}: {detail}")
        self.status = status
        self.title = title
        self.detail = detail
        self.headers = headers or {}


def problem(error: HttpError) -> Response:
    """Return an error in the form of RFC 9457."""
    document = {"type": "about:blank", "title": error.title, "status": error.status, "detail": error.detail}
    return Response(
        status=error.status, content=msgspec.json.encode(document), content_type=PROBLEM, headers=error.headers
    )


def as_json(value: Any, status: int = 200) -> Response:
    """Return a value as a JSON response."""
    return Response(status=status, content=msgspec.json.encode(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request whose body has not been read yet."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower-case name."""
    read_body: ReadBody

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the query."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


Handler = Callable[[Request], Awaitable[Response]]
"""Answers a request; cancelled when its client is gone."""
