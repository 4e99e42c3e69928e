"""JSON and TOML that a run wrote: read without trust in what it holds."""

from __future__ import annotations

import json
import tomllib
from typing import Any


def read_json(text: str) -> Any:
    """Return a JSON document; None if the text is none, or is nested too deeply to be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_toml(text: str) -> dict[str, Any] | None:
    """Return a TOML document; None if the text is none, or is nested too deeply to be read."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def table(document: Any, key: str) -> dict[str, Any]:
    """Return a table of a document; empty if there is none, or something else in its place."""
    found = document.get(key) if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}
