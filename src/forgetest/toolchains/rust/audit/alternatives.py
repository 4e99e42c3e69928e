"""Rust's operators and methods, and what may stand in their places."""

from __future__ import annotations

from forgetest.mutation import Alternatives

COMPARISONS: Alternatives = {
    "<": (">=", "=="),
    "<=": (">",),
    ">": ("<=", "=="),
    ">=": ("<",),
    "==": ("!=",),
    "!=": ("==",),
}
BOUNDARIES: Alternatives = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",)}
ARITHMETIC: Alternatives = {
    "+": ("-", "*"),
    "-": ("+", "/"),
    "*": ("+", "/"),
    "/": ("*", "%"),
    "%": ("/", "+"),
    "&": ("|", "^"),
    "|": ("&", "^"),
    "^": ("&", "|"),
    "<<": (">>",),
    ">>": ("<<",),
}
TWINS: Alternatives = {
    one: (other,)
    for pair in (
        ("min", "max"),
        ("min_by", "max_by"),
        ("min_by_key", "max_by_key"),
        ("any", "all"),
        ("first", "last"),
        ("take", "skip"),
        ("take_while", "skip_while"),
        ("starts_with", "ends_with"),
        ("strip_prefix", "strip_suffix"),
        ("trim_start", "trim_end"),
        ("to_lowercase", "to_uppercase"),
        ("to_ascii_lowercase", "to_ascii_uppercase"),
        ("is_some", "is_none"),
        ("is_ok", "is_err"),
        ("front", "back"),
        ("push_front", "push_back"),
        ("pop_front", "pop_back"),
        ("find", "rfind"),
        ("position", "rposition"),
        ("split", "rsplit"),
        ("split_once", "rsplit_once"),
        ("splitn", "rsplitn"),
        ("floor", "ceil"),
        ("keys", "values"),
        ("union", "intersection"),
        ("is_lowercase", "is_uppercase"),
        ("split_whitespace", "split_ascii_whitespace"),
        ("checked_add", "checked_sub"),
        ("saturating_add", "saturating_sub"),
        ("wrapping_add", "wrapping_sub"),
        ("next", "next_back"),
        ("sum", "product"),
    )
    for one, other in (pair, pair[::-1])
} | {
    "trim": ("trim_start", "trim_end"),
    "is_whitespace": ("is_ascii_whitespace",),
    "is_alphanumeric": ("is_ascii_alphanumeric", "is_alphabetic"),
    "is_alphabetic": ("is_ascii_alphabetic", "is_alphanumeric"),
    "is_numeric": ("is_ascii_digit", "is_alphanumeric"),
    "is_ascii_digit": ("is_numeric",),
    "chars": ("bytes",),
}
