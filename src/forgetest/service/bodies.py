"""Bodies of requests: from bytes to values, with an answer for everything that is wrong with them."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from forgetest.service.http.messages import JSON, HttpError, Request

_Form = TypeVar("_Form")


async def read_form(request: Request, kind: type[_Form]) -> _Form:
    """Read the body of a request as JSON of one kind."""
    return decode(await read_json(request), kind)


async def read_json(request: Request) -> bytes:
    """Read a body that says that it is JSON. Web pages cannot send such a request to another site unasked."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != JSON:
        raise HttpError(415, "the body must be JSON", f"send it with `content-type: {JSON}`", {"accept": JSON})
    return await request.read_body()


def decode(body: bytes, kind: type[_Form]) -> _Form:
    """Return the value of a body."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise HttpError(422, "not a request of this kind", str(error)) from error
    except RecursionError:
        raise HttpError(400, "nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise HttpError(400, "not JSON", str(error)) from error
