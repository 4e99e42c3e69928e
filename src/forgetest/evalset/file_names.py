"""Names in files that differ from the names in code.

The component of the score that the linter decides is called `clippy` in every file, whatever the language's linter is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

FILE_NAMES = {"lint": "clippy", "max_lint_warnings": "max_clippy_warnings"}
"""Name in code → name in files; also the `rename` of a struct that reads a file."""
_IN_CODE = {theirs: ours for ours, theirs in FILE_NAMES.items()}

_Value = TypeVar("_Value")


def to_file(values: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return the values of a weights, score or expectations table under their names in files, in the same order."""
    return {FILE_NAMES.get(name, name): value for name, value in values.items()}


def from_file(values: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return the values of such a table under their names in code."""
    return {_IN_CODE.get(name, name): value for name, value in values.items()}
