"""Versions as Poetry and Pipenv write them (`^1.2`, `~1.2`, `*`), as pip reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_VERSION = re.compile(r"\d+(\.\d+)*([a-z]+\d*)?")
_PLAIN = re.compile(r"(===|==|!=|<=|>=|~=|<|>)\s*[\w.*+!-]+")


def pinned(requirements: Mapping[str, Any]) -> list[str]:
    """Return a table of requirements as lines for pip; one from an address or a folder is its name with `@`.

    What pip could not read is left to any version.
    """
    found = []
    for name, value in requirements.items():
        if name == "python":
            continue
        settings = value if isinstance(value, dict) else {"version": value}
        if {"git", "url", "path", "file"} & settings.keys():
            found.append(f"{name} @ elsewhere")
            continue
        extras = settings.get("extras")
        named = f"[{','.join(map(str, extras))}]" if isinstance(extras, list) and extras else ""
        found.append(f"{name}{named}{constraint(str(settings.get('version', '*')))}{_marker(settings)}")
    return found


def constraint(version: str) -> str:
    """Return what pip calls a range of versions; empty for any version."""
    parts = [_part(each.strip()) for each in version.split(",")] if "|" not in version else [None]
    return "" if None in parts else ",".join(each for each in parts if each)


def _part(text: str) -> str | None:
    if text in ("", "*"):
        return ""
    if _PLAIN.fullmatch(text):
        return text.replace(" ", "")
    if text[0] in "^~" and _VERSION.fullmatch(text[1:].strip()):
        version = text[1:].strip()
        numbers = [int(number) for number in re.match(r"\d+(\.\d+)*", version)[0].split(".")]  # type: ignore[index]
        kept = min(2, len(numbers)) if text[0] == "~" else _first_that_counts(numbers)
        limit = [*numbers[: kept - 1], numbers[kept - 1] + 1]
        return f">={version},<{'.'.join(map(str, limit))}"
    return f"=={text}" if re.fullmatch(r"\d+(\.\d+)*(\.\*)?", text) else None


def _first_that_counts(numbers: list[int]) -> int:
    """Return how many numbers a caret keeps: up to the first that is not zero."""
    return next((index for index, number in enumerate(numbers, 1) if number), len(numbers))


def _marker(settings: Mapping[str, Any]) -> str:
    marker = settings.get("markers")
    if isinstance(marker, str):
        return f"; {marker}"
    python = constraint(str(settings.get("python", "*")))
    parts = (re.match(r"([<>=!~]+)(.+)", each) for each in python.split(","))
    return "; " * bool(python) + " and ".join(f"python_version {part[1]} '{part[2]}'" for part in parts if part)
