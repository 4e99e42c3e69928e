"""Settings of a provider over HTTP, checked once and the same for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from forgetest import pricing
from forgetest.errors import ProviderError, UserError
from forgetest.files.schema import NON_EMPTY_TEXT, Key, Number, Rule, SchemaError, Table, Text, key_text
from forgetest.files.toml_lines import KeyPath
from forgetest.pricing import Price
from forgetest.sample import Request, Usage

Option = str | int | float | bool

NO_KEY = "none"
"""Sent to a server of the user's own that is configured without a key."""

MAX_CONNECT_SECS = 15.0
"""A running server accepts the connection within this time, however long it then takes to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Address, credentials, limits and prices of a service."""

    provider: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = field(default=None, repr=False)
    timeout_secs: float
    concurrency: int
    options: Mapping[str, Option]
    prices: Mapping[str, Price]
    known_options: Set[str]
    effort_option: str
    """Name of the reasoning effort in this API."""

    @property
    def host(self) -> str:
        """Host and port for messages, without credentials or a path that the URL may hold."""
        parts = urlsplit(self.base_url or "")
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    def options_of(self, request: Request) -> dict[str, Any]:
        """Return the request's options over the configured ones, by the API's names; `stop` is a list."""
        for name in request.options:
            if name not in self.known_options:
                known = ", ".join(sorted(self.known_options))
                raise ProviderError(f'{self.provider} has no option "{name}", only {known}', final=True)
        options: dict[str, Any] = {**self.options, **request.options}
        if "stop" in options:
            options["stop"] = [options["stop"]]
        given = {
            "stop": list(request.stop) or None,
            "top_p": request.top_p,
            self.effort_option: request.reasoning_effort,
        }
        return {**options, **{name: value for name, value in given.items() if value is not None}}

    def cost(self, model: str, usage: Usage, *, as_listed: bool, batch: bool = False) -> float | None:
        """Return the cost of an answer, by the configured prices before the list prices, or None."""
        cost = pricing.cost(self.provider, model, usage, self.prices, as_listed=as_listed)
        return cost * pricing.BATCH_SHARE if cost is not None and batch else cost


def read_settings(
    provider: str, settings: Mapping[str, object], *, options: Set[str], effort_option: str, concurrency: int
) -> Connection:
    """Check the settings of a provider.

    `options` are the option names it knows, `concurrency` is its default number of requests in flight.
    """
    problems = list(_settings_table(options).errors(settings, ()))
    if problems:
        raise UserError("\n".join(f"provider {provider}: {_error_line(problem)}" for problem in problems))
    given: Mapping[str, Any] = settings
    return Connection(
        provider=provider,
        api_key=given.get("api_key") or None,
        base_url=given.get("base_url"),
        timeout_secs=float(given.get("timeout_secs", 600)),
        concurrency=given.get("concurrency", concurrency),
        options=given.get("options", {}),
        prices=pricing.configured(given.get("prices", {})),
        known_options=options,
        effort_option=effort_option,
    )


def explicit_key(connection: Connection, vendors_host: str) -> str | None:
    """Return the key to pass to an SDK; None lets it read its usual environment variable.

    A key in the environment is meant for the vendor, and is not sent to another server that the user configured.
    """
    if connection.api_key is None and connection.base_url is not None:
        host = urlsplit(connection.base_url).hostname or ""
        if host != vendors_host and not host.endswith(f".{vendors_host}"):
            return NO_KEY
    return connection.api_key


def with_address(connection: Connection, key: str | None, base_url: object) -> Connection:
    """Return the connection with the key and the address that the SDK uses, which may be from the environment."""
    for problem in _KEY.errors(key or "", ("the key in the environment",)):
        raise UserError(f"provider {connection.provider}: {_error_line(problem)}")
    return replace(connection, api_key=key, base_url=str(base_url))


def not_installed(provider: str) -> UserError:
    """Return the error for a provider whose SDK is missing."""
    return UserError(
        f"the provider {provider} needs the package {provider}, which is not installed: "
        f"run `uv sync --extra {provider}` in a checkout, or `pip install 'forgetest[{provider}]'`"
    )


# the HTTP library would quote such a key in its error message
_KEY = Text(pattern=r"\A[!-~]*\Z", otherwise="holds a space, a line break or the like, as no key does")
_NO_URL = "must be a URL, beginning with http:// or https://"
_URL = Text(pattern=r"\Ahttps?://[^/\s]\S*\Z", otherwise=_NO_URL)


@dataclass(frozen=True, slots=True)
class _OptionValue:
    """Schema of an option's value."""

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        if not isinstance(value, Option):
            yield SchemaError(at, "must be a string, a number, true or false", at)

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"]}


def _settings_table(options: Set[str]) -> Table:
    return Table(
        (
            Key("type", NON_EMPTY_TEXT, "which provider it is, where its name does not say so"),
            Key("api_key", _KEY, "the key; without it the SDK looks into its usual variable"),
            Key("base_url", _URL, "where it is asked, if not at the vendor's"),
            Key("timeout_secs", Number(above=0), "how long to wait for an answer"),
            Key("concurrency", Number(whole=True, least=1), "how many requests may be under way at once"),
            Key(
                "options", Table(tuple(Key(name, _OptionValue(), "") for name in sorted(options))), "for every request"
            ),
            Key("prices", pricing.TABLES, "a model's prices, before those of the built-in table"),
        ),
        rules=(Rule(_url_has_host_and_port),),
    )


def _url_has_host_and_port(settings: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    try:
        parts = urlsplit(settings.get("base_url", "http://localhost"))
        sound = bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        yield SchemaError((*at, "base_url"), _NO_URL, at)


def _error_line(error: SchemaError) -> str:
    return f"{key_text(error.key)}: {error.message}"
