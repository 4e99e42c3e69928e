"""HTTP failures → ProviderError: one clear sentence, whether a retry may help, and never the key.

An SDK's exception holds the request with its headers, and so the key. A ProviderError is therefore raised outside the
handler of that exception: as its context, the exception would be kept, even where it is not shown.
"""

from __future__ import annotations

import contextlib
import email.utils
import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, TypeVar

from forgetest.errors import ProviderError
from forgetest.providers.http.connection import NO_KEY, Connection

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RuntimeError, AssertionError)
"""Exceptions of an SDK's parser for an answer that it does not expect."""

TRANSIENT = frozenset({408, 409, 425, 429})
"""Statuses below 500 after which a retry may succeed."""
_OVERLOADED = frozenset({503, 529})

_MAX_QUOTED = 300
_UNKNOWN = re.compile(
    r"unsupported|not support|unknown|unrecognized|deprecated|not allowed|not permitted|only the default|may only be",
    re.IGNORECASE,
)

_Result = TypeVar("_Result")


def call_sdk(
    call: Callable[[], _Result],
    exceptions: tuple[type[Exception], ...],
    convert: Callable[[Exception], ProviderError],
) -> _Result:
    """Make a call of an SDK, and raise its exceptions as ProviderError."""
    try:
        return call()
    except exceptions as error:
        failure = convert(error)
    raise failure


def error_from_status(
    connection: Connection, model: str, status: int, message: object, code: object, headers: Mapping[str, str]
) -> ProviderError:
    """Return the error for an HTTP status; `message` and `code` are the service's own.

    An empty `model` means that the request was for the list of models.
    """
    who = f"{connection.provider}: {status}"
    quoted = _message_without_key(message if isinstance(message, str) else "", connection.api_key)
    wait = retry_after_s(headers)
    if status == 401:  # the message may quote a part of the key
        return ProviderError(f"{who}: the key was not accepted; {_key_advice(connection)}", final=True)
    if status == 403:
        return ProviderError(f"{who}: the key does not allow this; {_key_advice(connection)}{quoted}", final=True)
    if status == 404:
        what = f'has no model "{model}"; `forgetest list-models` shows what there is' if model else "lists no models"
        return ProviderError(f"{who}: {connection.host} {what}{quoted}", final=True)
    if status == 402 or code in ("insufficient_quota", "billing_error"):
        return ProviderError(f"{who}: the account has no credit left; top it up{quoted}", final=True)
    if status == 429:
        pause = f" for {wait:g} s" if wait is not None else ""
        return ProviderError(
            f"{who}: too many requests; it asks to be left alone{pause}{quoted}", overloaded=True, retry_after_s=wait
        )
    if status in TRANSIENT or status >= 500:
        busy = status in _OVERLOADED
        return ProviderError(f"{who}: the service failed; ask again later{quoted}", overloaded=busy, retry_after_s=wait)
    return ProviderError(f"{who}: the request was refused; change what it names{quoted}", final=True, of_request=True)


def timeout_error(connection: Connection) -> ProviderError:
    """Return the error for an answer that did not come in time."""
    return ProviderError(
        f"{connection.provider}: no answer from {connection.host} within {connection.timeout_secs:g} s; "
        "timeout_secs gives it longer"
    )


def connection_error(connection: Connection) -> ProviderError:
    """Return the error for a connection that was not made, or broke."""
    return ProviderError(
        f"{connection.provider}: the connection to {connection.host} failed or broke; "
        "see that the server runs and base_url is right"
    )


def malformed_answer_error(connection: Connection) -> ProviderError:
    """Return the error for an answer that is incomplete, or not one of this API."""
    return ProviderError(
        f"{connection.provider}: the answer of {connection.host} ended early, or is none of this API; "
        "ask again, or see that base_url is right"
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the service asks to wait before a retry, or None."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", value):
            return float(value) / scale
    try:
        moment = email.utils.parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - time.time())


_REMAINING_AND_RESET = (
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
)
"""Headers with what is left of a rate limit, and with when it is reset."""


def exhausted_for_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds until an exhausted rate limit is reset, from the headers of an answer, or None."""
    waits = [
        _until_s(headers.get(reset, "")) for remaining, reset in _REMAINING_AND_RESET if headers.get(remaining) == "0"
    ]
    return max(waits, default=None)


def _until_s(moment: str) -> float:
    """Return the seconds until a moment: `2026-10-01T12:00:00Z`, `6m0.5s` or `20ms`."""
    with contextlib.suppress(ValueError):
        return max(0.0, datetime.fromisoformat(moment).timestamp() - time.time())
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)(ms|h|m|s)", moment)
    return sum(float(number) * {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}[unit] for number, unit in parts)


class UnknownParameter(NamedTuple):
    """A parameter that a model does not accept; it can be asked without it."""

    parameter: str


def unknown_parameter(
    sent: Iterable[str], status: int, message: object, named: object = None
) -> UnknownParameter | None:
    """Return which of the parameters sent a model does not accept, or None.

    A value out of bounds is not meant: the user has to change it. `named` is the parameter that the service names.
    """
    if status != 400 or not isinstance(message, str) or not _UNKNOWN.search(message):
        return None
    for parameter in sent:
        if named == parameter or (named is None and re.search(rf"\b{parameter}\b", message)):
            return UnknownParameter(parameter)
    return None


def _key_advice(connection: Connection) -> str:
    return f"check its api_key in forgetest.toml, or {connection.provider.upper()}_API_KEY in the environment"


def _message_without_key(message: str, key: str | None) -> str:
    """Return the service's message on one line, without the key, which some services repeat."""
    line = " ".join(message.split())
    if key and key != NO_KEY:
        line = line.replace(key, "[key]")
    return f" ({line[:_MAX_QUOTED]})" if line else ""
