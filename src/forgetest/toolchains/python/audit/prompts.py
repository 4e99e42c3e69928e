"""What Python tests need from an answer, and the prompt does not tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from forgetest.evalset import Case
from forgetest.toolchains.python import discovery
from forgetest.toolchains.python.language import LANGUAGE

_RAISES = ("raises", "assertRaises", "assertRaisesRegex")


def untold(case: Case) -> list[str]:
    """Return the names, exceptions and messages that tests need and neither the prompt nor its context has."""
    told = "\n".join((case.prompt, *(file.content for file in case.context)))
    try:
        tree = ast.parse(case.expectations.test_file or "")
    except (SyntaxError, ValueError):
        return []
    needed = {f"the name {name}": name for name in _names(case, tree)}
    needed |= {f"the exception {name}": name for name in _exceptions(tree)}
    found = [
        what for what, word in sorted(needed.items()) if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told) is None
    ]
    found += [f"the message {text!r}" for text in _messages(tree) if text.lower() not in told.lower()]
    return found


def _names(case: Case, tree: ast.Module) -> Iterator[str]:
    if case.io is not None:
        yield from (case.io.call,) if case.io.call else ()
        return
    read = discovery.read(case)
    module = str(LANGUAGE.option(case.options, "module"))
    yield from read.names
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names if alias.name != "*")


def _exceptions(tree: ast.Module) -> Iterator[str]:
    for call in _raises(tree):
        for node in call.args[:1]:
            names = node.elts if isinstance(node, ast.Tuple) else [node]
            yield from (name.id for name in names if isinstance(name, ast.Name) and name.id != "Exception")


def _messages(tree: ast.Module) -> Iterator[str]:
    for call in _raises(tree):
        for keyword in call.keywords:
            if keyword.arg == "match" and isinstance(keyword.value, ast.Constant):
                yield re.sub(r"\\(.)", r"\1", str(keyword.value.value)).strip("^$")


def _raises(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RAISES:
            yield node
