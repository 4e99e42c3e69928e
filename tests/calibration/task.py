"""Tasks: small projects in txtar files, with a base, hidden tests, and solutions of every quality."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Replacements = tuple[tuple[str, str], ...]
"""Pieces of a text, each with what it becomes."""

_MARKER = re.compile(r"^-- (\S+) --\n", re.M)


@dataclass(frozen=True)
class Task:
    """One project, and what is asked for."""

    name: str
    language: str
    prompt: str
    test: str
    """The command by which a person runs the project's tests."""
    hidden_test: str
    trees: Mapping[str, Mapping[str, str]]
    """Files by path, by tree: `base`, `hidden`, `solution`, `tests`, `partial`, `wrong`, `breaks`, `stub`, `hardcoded`.

    All but `base` are laid over the base. `breaks` is wrong and breaks the base's tests; `wrong` does not.
    """

    def text(self, path: str, tree: str = "base") -> str:
        """Return a file of a tree, or else of the base."""
        return self.trees[tree].get(path) or self.trees["base"][path]


def parse_txtar(text: str) -> dict[str, str]:
    """Return the files of an archive by their names."""
    pieces = _MARKER.split(text)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


@functools.cache
def task(name: str) -> Task:
    """Return the task of this name."""
    files = parse_txtar((Path(__file__).parent / "tasks" / f"{name}.txtar").read_text(encoding="utf-8"))
    settings = tomllib.loads(files.pop("task.toml"))
    trees: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        tree, _, inner = path.partition("/")
        trees.setdefault(tree, {})[inner] = text
    return Task(name=name, trees=trees, **settings)
