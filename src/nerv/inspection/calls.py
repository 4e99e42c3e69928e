"""Calls with literal arguments in tests, and the parameters of functions: how a function can be called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nerv.inspection.languages import language_of, name_of, parse, text_of, walk
from nerv.inspection.source import LARGEST, is_test_path
from nerv.inspection.values import STRINGS, ancestors, enclosing, inner_text
from nerv.spec.examples import Value

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = frozenset({"call", "call_expression", "new_expression"})
_CLASSES = frozenset({"class_definition", "class_declaration", "impl_item"})
_NUMBERS = frozenset({"integer", "float", "number", "integer_literal", "float_literal", "int_literal"})
_CONSTANTS: dict[str, bool | None] = {
    "True": True, "true": True, "False": False, "false": False, "None": None, "null": None, "nil": None,
}  # fmt: skip
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern", "property_identifier", "self"})
_MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralCall:
    """A call whose arguments are all literals."""

    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """A function, a method or a class, and how tests call it."""

    name: str
    owner: str = ""
    """The class of a method."""
    parameters: tuple[str, ...] = ()
    """Their names, without `self`; the keys of an object that is taken apart stand for it."""
    calls: tuple[LiteralCall, ...] = ()


def callees(files: Iterable[tuple[str, str]]) -> dict[str, Callee]:
    """Return what a project's files (path and text) define once, by name, with the literal calls in its tests."""
    defined: dict[str, list[Callee]] = {}
    calls: dict[str, list[LiteralCall]] = {}
    for path, text in files:
        language = language_of(path)
        if language is None or len(text) > LARGEST:
            continue
        for node in walk(parse(language, text)):
            if node.type in _CALLS and (is_test_path(path) or language.name == "Rust"):
                name, call = _literal_call(node)
                if call is not None and len(calls.setdefault(name, [])) < _MOST:
                    calls[name].append(call)
            elif node.type in language.functions and not is_test_path(path) and name_of(node):
                callee = _callee(node)
                defined.setdefault(callee.name, []).append(callee)
    return {
        name: Callee(name=name, owner=found[0].owner, parameters=found[0].parameters, calls=tuple(calls.get(name, ())))
        for name, found in defined.items()
        if len(found) == 1
    }


def _callee(node: Node) -> Callee:
    around = enclosing(node, _CLASSES)
    owner = ""
    if around is not None:
        owner = text_of(around.child_by_field_name("type")) if around.type == "impl_item" else name_of(around)
    elif node.type == "method_declaration":  # Go: the receiver names the type
        receiver = re.search(r"\*?(\w+)\s*\)$", text_of(node.child_by_field_name("receiver")))
        owner = receiver[1] if receiver else ""
    name = name_of(node)
    if owner and name in ("__init__", "constructor"):
        name, owner = owner, ""
    return Callee(name=name, owner=owner, parameters=tuple(_parameters(node)))


def _parameters(node: Node) -> Iterator[str]:
    found = node.child_by_field_name("parameters")
    for parameter in found.named_children if found is not None else ():
        if parameter.type in ("self_parameter", "comment", "keyword_separator"):
            continue
        names = [each for each in walk(parameter) if each.type in _NAMES]
        if parameter.type == "parameter_declaration":  # Go: `a, b int`
            yield from map(text_of, parameter.children_by_field_name("name"))
        elif any(each.type == "object_pattern" for each in walk(parameter)):
            keys = [each for each in names if _is_key(each)]
            yield "{" + ",".join(map(text_of, keys)) + "}"
        elif names and text_of(names[0]) not in ("self", "cls"):
            yield text_of(names[0])


def _is_key(node: Node) -> bool:
    """Return whether a name in `{ capacity = 3, ttl }` is a key, and not a default value."""
    if node.type == "shorthand_property_identifier_pattern":
        return True
    return node.type == "property_identifier" and any(each.type == "pair_pattern" for each in ancestors(node))


def _literal_call(node: Node) -> tuple[str, LiteralCall | None]:
    called = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    name = re.split(r"[.:]", text_of(called))[-1]
    given = node.child_by_field_name("arguments")
    if given is None or not re.fullmatch(r"\w+", name):
        return "", None
    arguments: list[Value] = []
    keywords: dict[str, Value] = {}
    for each in given.named_children:
        if each.type == "comment":
            continue
        try:
            if each.type == "keyword_argument":
                keywords[text_of(each.child_by_field_name("name"))] = _literal(each.child_by_field_name("value"))
            else:
                arguments.append(_literal(each))
        except ValueError:
            return "", None
    return name, LiteralCall(arguments=tuple(arguments), keywords=keywords)


def _literal(node: Node | None) -> Value:
    """Return the value of a literal; raises ValueError for anything else."""
    if node is None:
        raise ValueError("nothing")
    text = text_of(node)
    if node.type in STRINGS:
        if any(each.type in ("interpolation", "template_substitution") for each in node.children):
            raise ValueError(text)
        return _unquoted(text, node)
    if node.type in _NUMBERS or (node.type in ("unary_operator", "unary_expression") and text.startswith("-")):
        plain = re.sub(r"_|(?<=\d)[iuf]\d+$", "", text)
        return float(plain) if re.search(r"[.eE]", plain) else int(plain)
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if node.type in ("list", "array", "array_expression"):
        return [_literal(each) for each in node.named_children]
    if node.type in ("reference_expression",) and node.named_children:
        return _literal(node.named_children[-1])
    if node.type == "object":
        return {_key(each): _literal(each.child_by_field_name("value")) for each in node.named_children}
    raise ValueError(text)


def _key(pair: Node) -> str:
    key = pair.child_by_field_name("key")
    if pair.type != "pair" or key is None:
        raise ValueError(text_of(pair))
    return inner_text(key) if key.type in STRINGS else text_of(key)


def _unquoted(text: str, node: Node) -> str:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return inner_text(node)
    if not isinstance(value, str):
        raise ValueError(text)
    return value
