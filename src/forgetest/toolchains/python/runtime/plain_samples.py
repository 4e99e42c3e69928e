"""Recognises samples that can reach nothing but their own values, so that another sample can follow in their process.

An allow-list over the syntax tree: no classes, no special names, no attributes but those of built-in values and of a
few modules without state, nothing that writes to an attribute. A sample that is not plain is not suspicious: it has a
process of its own.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import math
import re
from collections.abc import Callable
from typing import Any


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _public(module: object) -> frozenset[str]:
    return frozenset(name for name in dir(module) if not name.startswith("_"))


_MODULES: dict[str, frozenset[str]] = {
    "bisect": _words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "collections": _words("Counter OrderedDict defaultdict deque"),
    "functools": _words("cache cmp_to_key lru_cache partial reduce"),
    "hashlib": _words("blake2b blake2s md5 sha1 sha224 sha256 sha384 sha512"),
    "heapq": _words("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "itertools": _public(itertools),
    "math": _public(math),
    "re": _words("I IGNORECASE M MULTILINE compile escape findall finditer fullmatch match search split sub subn"),
    "string": _words(
        """
        ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation whitespace
        """
    ),
    "typing": _words(
        """
        Any Callable Counter DefaultDict Deque Dict FrozenSet Generator Iterable Iterator List Mapping Optional Sequence
        Set Text Tuple Union
        """
    ),
}
_EXCEPTIONS = {
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
}
_BUILTINS = _EXCEPTIONS | _words(
    """
    Ellipsis False None NotImplemented True abs all any ascii bin bool bytearray bytes callable chr complex dict divmod
    enumerate filter float format frozenset hash hex int isinstance issubclass iter len list map max min next oct ord
    pow print range repr reversed round set slice sorted str sum tuple zip
    """
)
_REFUSED_BUILTINS = frozenset(vars(builtins)) - _BUILTINS
_VALUES = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, slice)
_ATTRIBUTES = frozenset().union(
    *map(_public, _VALUES),
    *_MODULES.values(),
    _words(
        """
        appendleft args digest elements extendleft group groups hexdigest maxlen most_common move_to_end popleft rotate
        span subtract
        """
    ),
) - {"format", "format_map"}
_DEEP_FIELD = re.compile(r"\{[^{}]*[.\[]")
"""A field of `str.format` that looks into an object."""

_NODES = """
AnnAssign Assert Assign Attribute AugAssign BinOp BoolOp Break Call Compare Constant Continue Delete Dict DictComp
ExceptHandler Expr For FormattedValue FunctionDef GeneratorExp Global If IfExp Import ImportFrom JoinedStr Lambda List
ListComp Module Name NamedExpr Nonlocal Pass Raise Return Set SetComp Slice Starred Subscript Try Tuple UnaryOp While
Yield YieldFrom alias arg arguments comprehension keyword
"""
_CHILDREN: dict[type, tuple[str, ...]] = {
    getattr(ast, name): tuple(field for field in getattr(ast, name)._fields if field not in ("ctx", "op", "ops"))
    for name in _NODES.split()
}


def is_plain_text(code: str) -> bool:
    """Return whether a sample is plain, or no program at all."""
    try:
        return is_plain(ast.parse(code))
    except SyntaxError:
        return True
    except (ValueError, RecursionError, MemoryError):
        return False


def is_plain(tree: ast.Module) -> bool:
    """Return whether this sample can reach nothing but its own values."""
    waiting: list[Any] = [tree]
    kinds = set()
    while waiting:
        node = waiting.pop()
        kind = type(node)
        children = _CHILDREN.get(kind)
        check = _CHECKS.get(kind)
        if children is None or (check is not None and not check(node)):
            return False
        if kind is ast.Call and _is_harmless_format(node):
            children = ("args", "keywords")
        kinds.add(kind)
        for field in children:
            value = getattr(node, field)
            parts = value if type(value) is list else (value,)
            if kind is ast.Compare:
                parts = [each.args[0] if _is_type_call(each) else each for each in parts]
            for each in parts:
                if type(each) in _CHILDREN:
                    waiting.append(each)
                elif isinstance(each, ast.AST):
                    return False
    # a generator that is never finished runs its `finally` or `except` whenever it is freed, perhaps in another's time
    return not (ast.Try in kinds and (ast.Yield in kinds or ast.YieldFrom in kinds))


def _is_own(name: str | None) -> bool:
    return name is None or not name.startswith("__")


def _check_name(node: ast.Name) -> bool:
    if isinstance(node.ctx, ast.Load):
        return node.id == "__name__" or (node.id not in _REFUSED_BUILTINS and _is_own(node.id))
    return _is_own(node.id)


def _is_type_call(node: ast.AST) -> bool:
    """Return True for `type` with one argument. It is only allowed in a comparison: `type(int)` could make classes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    is_single = len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)
    return node.func.id == "type" and is_single


def _is_harmless_format(node: ast.Call) -> bool:
    """Return True for a format that looks into nothing; any other is refused."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "format":
        text = function.value
        return isinstance(text, ast.Constant) and isinstance(text.value, str) and not _DEEP_FIELD.search(text.value)
    return False


def _check_attribute(node: ast.Attribute) -> bool:
    return node.attr in _ATTRIBUTES and isinstance(node.ctx, ast.Load)


def _check_import(node: ast.Import) -> bool:
    return all(alias.name in _MODULES for alias in node.names)


def _check_import_from(node: ast.ImportFrom) -> bool:
    allowed = _MODULES.get(node.module or "", frozenset())
    return not node.level and all(alias.name in allowed for alias in node.names)


_CHECKS: dict[type, Callable[..., bool]] = {
    ast.Name: _check_name,
    ast.Attribute: _check_attribute,
    ast.Import: _check_import,
    ast.ImportFrom: _check_import_from,
    ast.FunctionDef: lambda node: _is_own(node.name),
    ast.arg: lambda node: _is_own(node.arg),
    ast.ExceptHandler: lambda node: _is_own(node.name),
    ast.keyword: lambda node: _is_own(node.arg),
    ast.alias: lambda node: _is_own(node.asname),
    ast.Global: lambda node: all(map(_is_own, node.names)),
    ast.Nonlocal: lambda node: all(map(_is_own, node.names)),
}
