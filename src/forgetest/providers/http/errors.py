"""What went wrong on the wire → ProviderError: one clear sentence, whether to ask again, and never the key.

An SDK's exception holds the request with its headers. So an adapter makes its ProviderError here, and raises it
when the SDK's exception is gone: as a context it would be held, even where it is not shown.
"""

from __future__ import annotations

import contextlib
import email.utils
import re
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from forgetest.errors import ProviderError
from forgetest.providers.http.connection import NO_KEY, Connection

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RuntimeError, AssertionError)
"""What an SDK's parser raises over an answer that is not what it expects."""

TRANSIENT = frozenset({408, 409, 425, 429})
"""Statuses below 500 that may be gone when one asks again."""
_OVERLOADED = frozenset({503, 529})

_MOST_SAID = 300
_UNKNOWN = re.compile(
    r"unsupported|not support|unknown|unrecognized|deprecated|not allowed|not permitted|only the default|may only be",
    re.IGNORECASE,
)


def of_status(
    connection: Connection, model: str, status: int, said: object, code: object, headers: Mapping[str, str]
) -> ProviderError:
    """The service answered with an error; `said` and `code` are its own words. No `model`: it was to list them."""
    who, said = f"{connection.provider}: {status}", _tidy(said if isinstance(said, str) else "", connection.api_key)
    wait = retry_after_s(headers)
    if status == 401:  # what is said here may quote a part of the key
        return ProviderError(f"{who}: the key was not accepted; {_where_keys_are(connection)}", final=True)
    if status == 403:
        return ProviderError(f"{who}: the key does not allow this; {_where_keys_are(connection)}{said}", final=True)
    if status == 404:
        what = f'has no model "{model}"; `forgetest list-models` shows what there is' if model else "lists no models"
        return ProviderError(f"{who}: {connection.host} {what}{said}", final=True)
    if status == 402 or code in ("insufficient_quota", "billing_error"):
        return ProviderError(f"{who}: the account has no credit left; top it up{said}", final=True)
    if status == 429:
        pause = f" for {wait:g} s" if wait is not None else ""
        return ProviderError(
            f"{who}: too many requests; it asks to be left alone{pause}{said}", overloaded=True, retry_after_s=wait
        )
    if status in TRANSIENT or status >= 500:
        busy = status in _OVERLOADED
        return ProviderError(f"{who}: the service failed; ask again later{said}", overloaded=busy, retry_after_s=wait)
    return ProviderError(f"{who}: the request was refused; change what it names{said}", final=True, of_request=True)


def of_timeout(connection: Connection) -> ProviderError:
    """No answer in time."""
    return ProviderError(
        f"{connection.provider}: no answer from {connection.host} within {connection.timeout_secs:g} s; "
        "timeout_secs gives it longer"
    )


def of_connection(connection: Connection) -> ProviderError:
    """There was no connection, or it broke."""
    return ProviderError(
        f"{connection.provider}: the connection to {connection.host} failed or broke; "
        "see that the server runs and base_url is right"
    )


def of_malformed(connection: Connection) -> ProviderError:
    """An answer came, but not a whole one, or not one of this API."""
    return ProviderError(
        f"{connection.provider}: the answer of {connection.host} ended early, or is none of this API; "
        "ask again, or see that base_url is right"
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """How long the service asks to be left alone."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", value):
            return float(value) / scale
    try:
        moment = email.utils.parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - time.time())


_ROOM = (
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
)
"""What services say of the room that they have left, and when there will be more."""


def no_room_for_s(headers: Mapping[str, str]) -> float | None:
    """How long a service that has just answered has no room for another request; None where it does not say so."""
    waits = [_until_s(headers.get(reset, "")) for remaining, reset in _ROOM if headers.get(remaining) == "0"]
    return max(waits, default=None)


def _until_s(moment: str) -> float:
    """`2026-10-01T12:00:00Z`, or `6m0.5s`, or `20ms`."""
    with contextlib.suppress(ValueError):
        return max(0.0, datetime.fromisoformat(moment).timestamp() - time.time())
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)(ms|h|m|s)", moment)
    return sum(float(number) * {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}[unit] for number, unit in parts)


class Refused(NamedTuple):
    """A model does not know a parameter: it can be asked without it."""

    parameter: str


def refused(sent: Iterable[str], status: int, said: object, named: object = None) -> Refused | None:
    """Which of the parameters a model does not know; a value out of bounds is the user's to mend, and not meant."""
    if status != 400 or not isinstance(said, str) or not _UNKNOWN.search(said):
        return None
    for parameter in sent:
        if named == parameter or (named is None and re.search(rf"\b{parameter}\b", said)):
            return Refused(parameter)
    return None


def _where_keys_are(connection: Connection) -> str:
    return f"check its api_key in forgetest.toml, or {connection.provider.upper()}_API_KEY in the environment"


def _tidy(said: str, key: str | None) -> str:
    """The service's words, on one line, without the key that some services repeat."""
    line = " ".join(said.split())
    if key and key != NO_KEY:
        line = line.replace(key, "[key]")
    return f" ({line[:_MOST_SAID]})" if line else ""
