"""The environment variables that nerv uses. No other module of nerv reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

_VERIFICATION_CACHE_MB = 10_000
_KEPT_FOR_GIT = ("PATH", "LANG", "TMPDIR")
_KEPT_FOR_PREPARATION = re.compile(
    r"PATH|HOME|USER|LANG|LC_\w+|TMPDIR|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|(?i:https?_proxy|no_proxy|all_proxy)"
    r"|PIP_\w+|UV_\w+|(?i:npm_config_\w+)|NODE_EXTRA_CA_CERTS|CARGO_\w+|RUSTUP_\w+|GO\w+|JAVA_HOME|MAVEN_\w+|M2_HOME"
)
"""Variables by which package managers find themselves and their registry."""
_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_ID)?$", re.I)
_SHORTEST_SECRET = 12
"""Characters; a shorter value may be any word."""


def home(environment: Mapping[str, str] | None = None) -> Path:
    """Return nerv's own folder: NERV_HOME, or `~/.nerv`."""
    variables = os.environ if environment is None else environment
    chosen = variables.get("NERV_HOME")
    return Path(chosen) if chosen else Path(variables.get("HOME") or "/nonexistent") / ".nerv"


def verification_cache_bytes(environment: Mapping[str, str] | None = None) -> int:
    """Return how large the packages and builds that verification keeps may be: NERV_VERIFY_CACHE_MB, or 10 GB."""
    variables = os.environ if environment is None else environment
    chosen = variables.get("NERV_VERIFY_CACHE_MB", "")
    return 1_000_000 * (int(chosen) if chosen.isascii() and chosen.isdigit() else _VERIFICATION_CACHE_MB)


def mock_mode(environment: Mapping[str, str] | None = None) -> bool:
    """Return whether to print fixed scores, without reading the run or calling a judge."""
    variables = os.environ if environment is None else environment
    return any(variables.get(name, "").lower() in ("1", "true") for name in ("NERV_MOCK_CLAUDE", "NERV_TEST_MODE"))


def wants_colour(environment: Mapping[str, str] | None = None) -> bool:
    """Return whether to use colour: NO_COLOR is not set, and the terminal is not dumb."""
    variables = os.environ if environment is None else environment
    return not variables.get("NO_COLOR") and variables.get("TERM") != "dumb"


def secret_values(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the values of variables whose names say that they hold a secret, longest first."""
    variables = os.environ if environment is None else environment
    found = {value for name, value in variables.items() if _SECRET.search(name) and len(value) >= _SHORTEST_SECRET}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def git_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables for git: no configuration but ours, no prompts, no network, no locks."""
    variables = os.environ if environment is None else environment
    return {
        **{name: variables[name] for name in _KEPT_FOR_GIT if name in variables},
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        # names no protocol that exists; unlike `protocol.allow`, no key in a repository's configuration overrides it
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
    }


def preparation_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables for package managers, which fetch what a repository's tests need; never a model's key."""
    variables = os.environ if environment is None else environment
    return {name: value for name, value in variables.items() if _KEPT_FOR_PREPARATION.fullmatch(name)}
