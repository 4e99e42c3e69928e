"""What nerv takes from the environment: the one reader of it in this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def home(environment: Mapping[str, str] | None = None) -> Path:
    """`~/.nerv`, or what NERV_HOME names."""
    variables = os.environ if environment is None else environment
    chosen = variables.get("NERV_HOME")
    return Path(chosen) if chosen else Path(variables.get("HOME") or "/nonexistent") / ".nerv"


def mock_mode(environment: Mapping[str, str] | None = None) -> bool:
    """Whether nothing is to be called or computed."""
    variables = os.environ if environment is None else environment
    return any(variables.get(name, "").lower() in ("1", "true") for name in ("NERV_MOCK_CLAUDE", "NERV_TEST_MODE"))


def search_path(environment: Mapping[str, str] | None = None) -> str:
    """Where programs are looked for."""
    variables = os.environ if environment is None else environment
    return variables.get("PATH", os.defpath)


def for_claude(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a `claude` that we start: the user's own, since it needs the user's account.

    Without the marks of a session of Claude Code that we may run in ourselves: the judge is no part of it.
    """
    variables = os.environ if environment is None else environment
    marks = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")
    return {name: value for name, value in variables.items() if name not in marks}
