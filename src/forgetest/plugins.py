"""Entry points → providers, toolchains, sandboxes, executors, renderers. Ours are registered like any plugin."""

from __future__ import annotations

import functools
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, get_args

from forgetest.errors import UserError
from forgetest.files.schema import nearest

_ONE = {"sandboxes": "sandbox"}

Kind = Literal["providers", "toolchains", "sandboxes", "executors", "renderers"]


def names(kind: Kind) -> list[str]:
    """Return the names of the installed plugins of a kind."""
    return sorted({point.name for point in _points(kind)})


def find(kind: Kind, name: str) -> Any:
    """Import a plugin by name, and return it."""
    for point in _points(kind):
        if point.name == name:
            try:
                return point.load()
            except (ImportError, AttributeError) as error:
                raise UserError(f"{_one(kind)} {name}: {point.value} cannot be loaded: {error}") from error
    known = names(kind)
    guess = nearest(name, known)
    hint = f'; did you mean "{guess}"?' if guess else f"; there are: {', '.join(known)}" if known else ""
    raise UserError(f"{_one(kind)} {name}: not installed{hint}")


def _one(kind: Kind) -> str:
    return _ONE.get(kind, kind.removesuffix("s"))


def _points(kind: Kind) -> tuple[EntryPoint, ...]:
    return _installed(tuple(sys.path))[kind]


@functools.cache
def _installed(_path: tuple[str, ...]) -> dict[Kind, tuple[EntryPoint, ...]]:
    """Return all entry points. Cached: the search takes milliseconds, and some callers ask for each case."""
    every = entry_points()
    kinds: tuple[Kind, ...] = get_args(Kind)
    return {kind: tuple(every.select(group=f"forgetest.{kind}")) for kind in kinds}
