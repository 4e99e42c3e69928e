"""Constants of Rust's types, for functions that do no work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from forgetest.mutation import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_UNSIGNED = frozenset({"u8", "u16", "u32", "u64", "u128", "usize"})
_SIGNED = frozenset({"i8", "i16", "i32", "i64", "i128", "isize"})
_CONSTANTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_UNSIGNED, ("0", "1")),
    **dict.fromkeys(_SIGNED, ("0", "1", "-1")),
    **dict.fromkeys(("f32", "f64"), ("0.0", "1.0")),
    "bool": ("true", "false"),
    "char": ("'x'",),
    "String": ("String::new()", 'String::from("mutant")'),
    "&str": ('""', '"mutant"'),
    "&'static str": ('""', '"mutant"'),
    "()": ("()",),
    "": ("()",),
}
_COLLECTION = re.compile(r"(?:\w+::)*(Vec|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque|BinaryHeap)\s*<")
_WRAPPER = re.compile(r"(?:\w+::)*(Option|Result|Box|Rc|Arc)\s*<(.*)>$", re.DOTALL)


def constants(function: Node) -> tuple[str, ...]:
    """Return constants of a function's return type, as expressions."""
    return of_type(text_of(function.child_by_field_name("return_type")))


def of_type(written: str) -> tuple[str, ...]:
    """Return constants of a type, as expressions; `Default::default()` where nothing better is known."""
    kind = " ".join(written.split())
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    if _COLLECTION.match(kind):
        return ("Default::default()",)
    wrapped = _WRAPPER.match(kind)
    if wrapped:
        name, inner = wrapped[1], first_argument(wrapped[2])
        held = of_type(inner)[:2]
        if name == "Option":
            return ("None", *(f"Some({value})" for value in held))
        if name == "Result":
            return tuple(f"Ok({value})" for value in held)
        return tuple(f"{name}::new({value})" for value in held)
    if kind.startswith("(") and kind.endswith(")"):
        parts = split_arguments(kind[1:-1])
        return (f"({', '.join(of_type(part)[0] for part in parts)})",) if parts else ("()",)
    if kind.startswith("impl ") or kind in ("!", "Self"):
        return ("Default::default()",) if kind == "Self" else ()
    return ("Default::default()",)


def first_argument(arguments: str) -> str:
    """Return the first of several type arguments."""
    return (split_arguments(arguments) or [""])[0]


def split_arguments(arguments: str) -> list[str]:
    """Split type arguments at the commas that are not inside of brackets."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(arguments):
        if letter in "<([":
            depth += 1
        elif letter in ">)]" and arguments[index - 1 : index + 1] != "->":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(arguments[start:index].strip())
            start = index + 1
    parts.append(arguments[start:].strip())
    return [part for part in parts if part]
