"""Skewed code: functions give other values of the same kind, or, where they give none, end at once.

They are called as before, and what they give looks as before: tests that pass all the same do not look at what it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.hollow_code import Edit, edited, functions_with, wrapped_returns
from nerv.inspection.languages import SyntaxLanguage, language_of, name_of, text_of, walk
from nerv.inspection.source import LARGEST

if TYPE_CHECKING:
    from tree_sitter import Node

_PYTHON = """

def _skewed_value(value, depth=4):
    kind = type(value)
    if value is None:
        return "~"
    if kind is bool:
        return not value
    if kind in (int, float, complex):
        return value + 1
    if kind in (str, bytes):
        return value + ("~" if kind is str else b"~")
    if depth and kind in (list, tuple):
        return kind([_skewed_value(each, depth - 1) for each in value] or ["~"])
    if depth and kind is dict:
        return {key: _skewed_value(each, depth - 1) for key, each in value.items()} or {"~": "~"}
    if depth and kind in (set, frozenset):
        return kind([_skewed_value(each, depth - 1) for each in value] or ["~"])
    if depth and isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make([_skewed_value(each, depth - 1) for each in value])
    fields = getattr(value, "__dict__", None)
    if depth and fields and not isinstance(value, (type, BaseException)) and not callable(value):
        other = __import__("copy").copy(value)
        for name, each in fields.items():
            object.__setattr__(other, name, _skewed_value(each, depth - 1))
        return other
    if kind.__module__ in ("decimal", "fractions"):
        return value + 1
    raise RuntimeError("disabled")
"""
_JAVASCRIPT = """

function _skewedValue(value, depth = 4) {
  const again = (each) => _skewedValue(each, depth - 1);
  if (value === null || value === undefined) return "~";
  if (typeof value === "string") return value + "~";
  if (typeof value === "number") return value + 1;
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  if (typeof value.then === "function") return value.then(again);
  if (depth && Array.isArray(value)) return value.length ? value.map(again) : ["~"];
  if (depth && value instanceof Map) {
    return new Map(value.size ? [...value].map(([key, each]) => [key, again(each)]) : [["~", "~"]]);
  }
  if (depth && value instanceof Set) return new Set(value.size ? [...value].map(again) : ["~"]);
  if (value instanceof Date) return new Date(value.getTime() + 1000);
  if (depth && typeof value === "object" && Object.keys(value).length) {
    const other = Object.create(Object.getPrototypeOf(value));
    for (const key of Object.keys(value)) other[key] = again(value[key]);
    return other;
  }
  throw new Error("disabled");
}
"""
_GO = """

func skewedValue(value skewreflect.Value, depth int) bool {
	changed := false
	switch value.Kind() {
	case skewreflect.String:
		value.SetString(value.String() + "~")
		return true
	case skewreflect.Bool:
		value.SetBool(!value.Bool())
		return true
	case skewreflect.Int, skewreflect.Int8, skewreflect.Int16, skewreflect.Int32, skewreflect.Int64:
		value.SetInt(value.Int() + 1)
		return true
	case skewreflect.Uint, skewreflect.Uint8, skewreflect.Uint16, skewreflect.Uint32, skewreflect.Uint64:
		value.SetUint(value.Uint() + 1)
		return true
	case skewreflect.Float32, skewreflect.Float64:
		value.SetFloat(value.Float() + 1)
		return true
	case skewreflect.Pointer:
		return value.IsNil() || depth > 0 && skewedValue(value.Elem(), depth-1)
	case skewreflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			if value.Field(i).CanSet() && depth > 0 && skewedValue(value.Field(i), depth-1) {
				changed = true
			}
		}
	case skewreflect.Slice:
		for i := 0; i < value.Len(); i++ {
			if depth > 0 && skewedValue(value.Index(i), depth-1) {
				changed = true
			}
		}
	}
	return changed
}
"""
_GO_IMPORT = '; import skewreflect "reflect"'
_PACKAGE = re.compile(rb"^package \w+", re.M)
_HELPERS = {
    "Python": (_PYTHON, "_skewed_value({value})"),
    "JavaScript": (_JAVASCRIPT, "_skewedValue({value})"),
}
"""A function that skews a value at run time, for the end of a file, and a call of it."""
_ENDS = {"Python": "return", "JavaScript": " return; ", "Go": " if true { return }; ", "Rust": " if true { return; } "}
"""A statement that ends a function without a value, for the beginning of its body."""
_NUMBER = re.compile(r"u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune|[iu](?:8|16|32|64|128|size)|f(?:32|64)")
_GO_NAMED = re.compile(r"\*?(?:\w+\.)?\w+")
_REAL = re.compile(r"f(?:32|64)")
_GENERATES = frozenset({"yield", "yield_expression"})
_NOT_PLAIN = frozenset({"async", "const", "unsafe", "extern"})
_SET_UP = frozenset({"__init__", "constructor", "main", "init"})


def skew_results(path: str, text: str, lines: Collection[int], names: Collection[str]) -> bytes | None:
    """Return a file whose functions of these names give other values, or end at once; None if it has none to change.

    Only functions with one of these lines (from 1), in Python, JavaScript, Go and Rust. A value of a kind that cannot
    be changed ends its function with an error.
    """
    language = language_of(path)
    if language is None or language.name not in _ENDS or len(text) > LARGEST:
        return None
    functions = [node for node in functions_with(language, text, lines) if name_of(node) in names]
    edits = [edit for node in functions for edit in _edits(node, language)]
    changed = edited(text, edits)
    helper, call = _HELPERS.get(language.name, ("", ""))
    needs_it = changed is not None and bool(call) and call.partition("(")[0].encode() in changed
    if changed is not None and b"skewreflect" in changed:
        return _PACKAGE.sub(lambda match: match[0] + _GO_IMPORT.encode(), changed, count=1) + _GO.encode()
    return changed + helper.encode() if changed is not None and needs_it else changed


def _edits(node: Node, language: SyntaxLanguage) -> Iterator[Edit]:
    body = node.child_by_field_name("body")
    if body is None or name_of(node) in _SET_UP or any(each.type in _GENERATES for each in walk(body)):
        return
    if language.name in _HELPERS:
        values = list(wrapped_returns(node, language, _HELPERS[language.name][1]))
        if values:
            yield from values
        else:
            yield from _ended(body, language)
    elif language.name == "Go":
        yield from _skewed_go(node, body)
    else:
        yield from _skewed_rust(node, body)


def _ended(body: Node, language: SyntaxLanguage) -> Iterator[Edit]:
    """End a function at once that gives no value: its effect is what tests may look at."""
    if language.name == "Python":
        indentation = " " * int(body.start_point[1])
        on_own_line = body.start_point[0] > (body.parent.start_point[0] if body.parent is not None else 0)
        yield body.start_byte, body.start_byte, f"return\n{indentation}" if on_own_line else "return; "
    elif text_of(body).startswith("{"):
        yield body.start_byte + 1, body.start_byte + 1, _ENDS[language.name]


def _skewed_go(node: Node, body: Node) -> Iterator[Edit]:
    """Name the results of a function, and change them when it has ended; results that have names are left alone."""
    result = node.child_by_field_name("result")
    if result is None:
        yield body.start_byte + 1, body.start_byte + 1, _ENDS["Go"]
        return
    kinds = [text_of(result)]
    if result.type == "parameter_list":
        if any(each.child_by_field_name("name") is not None for each in result.named_children):
            return
        kinds = [text_of(each) for each in result.named_children]
    changes = [change for number, kind in enumerate(kinds) if (change := _go_change(f"skewed{number}", kind))]
    if changes:
        named = ", ".join(f"skewed{number} {kind}" for number, kind in enumerate(kinds))
        yield result.start_byte, result.end_byte, f"({named})"
        yield body.start_byte + 1, body.start_byte + 1, f" defer func() {{ {'; '.join(changes)} }}(); "


def _go_change(name: str, kind: str) -> str:
    if kind == "string":
        return f'{name} += "~"'
    if kind == "bool":
        return f"{name} = !{name}"
    if _NUMBER.fullmatch(kind):
        return f"{name} += 1"
    if kind.startswith("[]"):
        return f"if len({name}) > 0 {{ {name} = {name}[:len({name})-1] }} else {{ {name} = make({kind}, 1) }}"
    if kind == "error" or not _GO_NAMED.fullmatch(kind):
        return ""
    return f'if !skewedValue(skewreflect.ValueOf(&{name}).Elem(), 5) {{ panic("disabled") }}'


def _skewed_rust(node: Node, body: Node) -> Iterator[Edit]:
    """Run the body as a closure, and change what it gives."""
    kind = text_of(node.child_by_field_name("return_type"))
    modifiers = {text_of(each) for each in node.children if each.type == "function_modifiers"}
    if any(word in _NOT_PLAIN for each in modifiers for word in each.split()):
        return
    if not kind:
        yield body.start_byte + 1, body.start_byte + 1, _ENDS["Rust"]
        return
    change = _rust_change("skewed", kind)
    if change:
        yield body.start_byte, body.start_byte, f"{{ let skewed: {kind} = (|| -> {kind} "
        yield body.end_byte, body.end_byte, f")(); {change} }}"


def _rust_change(name: str, kind: str) -> str:
    """Return an expression for another value of this type; empty if none is known."""
    kind = kind.strip()
    if kind == "String":
        return f'format!("{{}}~", {name})'
    if kind == "bool":
        return f"!{name}"
    if _NUMBER.fullmatch(kind):
        return f"{name} + 1.0" if _REAL.fullmatch(kind) else f"{name}.wrapping_add(1)"
    if kind.startswith("Vec<"):
        return f"{{ let mut other = {name}; other.pop(); other }}"
    inner = re.fullmatch(r"(?:\w+::)*(?:Option|Result)<(?P<value>[^,]+?)(?:,.*)?>", kind, re.S)
    change = _rust_change("value", inner["value"]) if inner is not None else ""
    return f"{name}.map(|value| {change})" if change else ""
