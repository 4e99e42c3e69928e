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


def wants_colour(environment: Mapping[str, str] | None = None) -> bool:
    """Unless NO_COLOR is set, or the terminal can show none."""
    variables = os.environ if environment is None else environment
    return not variables.get("NO_COLOR") and variables.get("TERM") != "dumb"
