"""Recognises test files that leave nothing behind in their interpreter, so that another run can follow in it.

An allow-list over the syntax tree. It guards against accidents, not against attacks: tests are trusted. Anything else
has an interpreter of its own for each run, which only takes longer.
"""

from __future__ import annotations

import ast
import sys

_MODULE_NAMES = """
bisect collections copy datetime enum fractions functools heapq itertools json math operator pytest random
re statistics string typing unittest
"""
_EFFECTS = """
__builtins__ __import__ breakpoint capfd capsys caplog compile delattr eval exec exit getattr globals input locals
memoryview monkeypatch open quit recwarn setattr tmp_path tmpdir vars
"""
"""Functions with effects or with access to everything, and fixtures that change the interpreter."""
_GLOBAL_STATE = "builtins environ mock modules os path setlocale simplefilter sys types"
_MODULES = frozenset(_MODULE_NAMES.split())
_REFUSED_NAMES = frozenset(_EFFECTS.split())
_REFUSED_ATTRIBUTES = frozenset(_GLOBAL_STATE.split())
_REFUSED_NODES = (ast.AsyncFunctionDef, ast.Global, ast.Await, ast.AsyncFor, ast.AsyncWith)
_REFUSED_TEXTS = ("seed", "setstate", "mock", "warn", "assertLogs", "assertNoLogs")
"""What `run_test` prepares the interpreter for, and what has a state for each line of a test."""


def is_stateless(tree: ast.Module, source: str, module: str) -> bool:
    """Return whether running these tests changes nothing in their interpreter. `module`: the sample's name."""
    if module in sys.stdlib_module_names or any(text in source for text in _REFUSED_TEXTS):
        return False
    return all(_is_harmless(node, module) for node in ast.walk(tree))


def _is_harmless(node: ast.AST, module: str) -> bool:
    if isinstance(node, _REFUSED_NODES):
        return False
    if isinstance(node, ast.Name):
        return node.id not in _REFUSED_NAMES
    if isinstance(node, ast.arg):
        return node.arg not in _REFUSED_NAMES
    if isinstance(node, ast.Attribute):
        is_read = isinstance(node.ctx, ast.Load)
        on_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        return (is_read or on_self) and not node.attr.startswith("_") and node.attr not in _REFUSED_ATTRIBUTES
    if isinstance(node, ast.Import):
        return all(_is_known(alias.name, module) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        names = {alias.name for alias in node.names}
        return not node.level and _is_known(node.module or "", module) and not names & _REFUSED_ATTRIBUTES
    return True


def _is_known(name: str, module: str) -> bool:
    return name == module or name.partition(".")[0] in _MODULES
