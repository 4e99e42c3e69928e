"""Python modules with names like those of tests that are no tests: `testing.py` of a library may be `test_tools.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from nerv.verification.ecosystems import pytest_suite
from nerv.verification.trees import Tree

_TEST = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+test[_A-Z]", re.M)
_ALWAYS_TESTS = re.compile(r"(^|/)(tests/|conftest\.py$)|^test/")
_IMPORT = re.compile(r"^[ \t]*(?:from\b[^\n(]*\bimport[ \t]*\([^)]*\)|(?:from|import)\b.*)$", re.M)


def code_named_as_tests(*trees: Tree) -> frozenset[str]:
    """Return the files whose paths are those of tests, but that have none and that the code imports.

    The first tree that has a file decides: a run may take the tests out of one.
    """
    whole: Tree = {path: file for tree in reversed(trees) for path, file in tree.items() if path.endswith(".py")}
    suspects = {
        path: file.text
        for path, file in whole.items()
        if pytest_suite.is_test_file(path) and not _ALWAYS_TESTS.search(path) and not _TEST.search(file.text)
    }
    if not suspects:
        return frozenset()
    found: set[str] = set()
    texts = [file.text for path, file in whole.items() if not pytest_suite.is_test_file(path)]
    while texts:
        words = _imported_words(texts)
        new = {path for path in suspects.keys() - found if _name(path) in words}
        found |= new
        texts = [suspects[path] for path in new]
    return frozenset(found)


def _imported_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for line in _IMPORT.finditer(text) for word in re.findall(r"\w+", line[0])}


def _name(path: str) -> str:
    file = PurePosixPath(path)
    return file.parent.name if file.stem == "__init__" else file.stem
