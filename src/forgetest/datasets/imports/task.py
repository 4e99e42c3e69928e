"""A task of a data set, turned into a case: the values that every format produces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgetest.datasets.imports import rows
from forgetest.datasets.imports.rows import Row
from forgetest.language import installed

LANGUAGES = {
    "c++": "cpp",
    "cc": "cpp",
    "golang": "go",
    "go_test.go": "go",
    "js": "javascript",
    "py": "python",
    "python3": "python",
    "rs": "rust",
    "ts": "typescript",
}
"""Names of languages that data sets use, and ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """An answer that a data set holds: a canonical one, a wrong one, a model's."""

    model: str
    text: str
    kind: str = "code"
    """The key of a recorded sample: `code`, or `answer` for a model's whole response."""
    language: str = ""
    """Its language, where a data set has solutions in several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A case, with the keys of an eval-set file, and the solutions that came with it."""

    case: Mapping[str, Any]
    references: Mapping[str, str] = field(default_factory=dict)
    """Right solutions by language, for a case that names no language because any will do."""
    starter: str = ""
    """Python code to begin with, for a case that names no language."""
    solutions: tuple[Solution, ...] = ()


class LeftOutError(Exception):
    """A row that cannot be judged here; the message is the reason, the same for all rows like it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A data set's form."""

    name: str
    title: str
    """What it holds, in a few words, for lists of formats."""
    convert: Callable[[Row], Task]
    """Return the task of a row; raise InvalidInput where the row is wrong, LeftOutError where it cannot be judged."""
    recognises: Callable[[Row], bool]
    """Return whether a row is of this form."""
    timeout_secs: float
    """The `default_timeout_secs` of the eval set: the data set's own limit, where it has one."""
    any_language: bool = False
    """The tasks can be solved in any language."""
    read: Callable[[Path], Iterator[Row]] = rows.read
    """Yield the rows of a file or a folder."""


def judged_language(name: str) -> str:
    """Return our name of a language; raise LeftOutError where there is no toolchain for it."""
    known = LANGUAGES.get(name.lower(), name.lower())
    if known not in {each.name for each in installed()}:
        raise LeftOutError(f"no toolchain for {known}")
    return known


def has_keys(row: Row, *keys: str) -> bool:
    """Return whether a row has all of these keys."""
    return all(key in row.values for key in keys)


def with_starter(request: str, code: str, language: str, words: str = "Use this code to begin with") -> str:
    """Return a request that ends with the code to begin with, where there is any."""
    return f"{request}\n\n{words}:\n\n```{language}\n{code.strip()}\n```" if code.strip() else request
