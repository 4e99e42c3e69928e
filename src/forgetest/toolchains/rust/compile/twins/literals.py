"""Literals in trusted text that may be altered: values of an expectation, never arguments of the sample's functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from forgetest.toolchains.rust.compile.trusted_paths import text_at
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket

Range = tuple[int, int]
"""Indices of the first token and of the one behind the last; or of characters."""

# fmt: off
_KEYWORDS = frozenset(
    {
        "as", "break", "else", "if", "in", "let", "match", "move", "mut", "ref", "return", "while", "for", "loop",
        "async", "fn", "unsafe", "const", "static", "dyn", "impl", "where",
    }
)
UNREADABLE = _KEYWORDS - {"as", "mut", "ref"} | {"|", "||"}
"""Words of an argument with branches, patterns or closures: what a literal there does, tokens do not show."""
STD_ROOTS = frozenset(
    {
        "std", "core", "alloc", "String", "Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "Box", "Rc",
        "Arc", "Cow", "Duration", "Option", "Result", "Some", "Ok", "Err", "Cell", "RefCell", "BinaryHeap",
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64", "char",
        "str", "bool",
    }
)
_PURE_NAMES = frozenset(
    {
        "Some", "Ok", "Err", "None", "vec", "String", "Vec", "Box", "from", "new", "to_string", "to_owned", "into",
        "to_vec", "true", "false", "as_str", "as_bytes", "as_slice", "mut",
    }
)
"""Names that keep different literals different."""
# fmt: on


def literal_spans(found: Sequence[Token], region: Range) -> Iterator[Range]:
    """Yield the literals in a range of tokens that may be altered, as ranges of characters."""
    if not UNREADABLE.isdisjoint(token.text for token in found[slice(*region)]):
        return
    index = region[0]
    while index < region[1]:
        text = found[index].text
        if text in ("(", "[", "{") and not _may_enter(found, index, region[0]):
            index = closing_bracket(found, index) + 1
            continue
        if text == ";":  # the length of an array; that of a vector is one, too, often enough
            while index < region[1] and found[index].text not in (")", "]", "}"):
                index += 1
            continue
        if text == "<" and text_at(found, index - 1) == "::":
            index = _closing_angle(found, index)
            continue
        if span := literal_at(found, index, region[0]):
            yield span
        index += 1


def literal_at(found: Sequence[Token], index: int, first: int) -> Range | None:
    """Return the characters of the literal at an index, with its sign."""
    token, before, after = found[index], text_at(found, index - 1), text_at(found, index + 1)
    if token.kind not in ("number", "string", "character") and token.text not in ("true", "false"):
        return None
    if after in ("as", ":", "=>") or before == ".":
        return None  # a literal takes its type from a cast; `x.0`, `1..2`
    is_negative = before == "-" and index > first and (index - 1 == first or not _ends_expression(found, index - 2))
    return (found[index - 1].start if is_negative else token.start), token.end


def _may_enter(found: Sequence[Token], opening: int, first: int) -> bool:
    """Return whether literals in a bracket are values of the expectation, not arguments of the sample's functions."""
    before = text_at(found, opening - 1) if opening > first else ""
    bracket = found[opening].text
    if before == "!":
        return text_at(found, opening - 2) == "vec"
    if bracket == "{":
        return before[:1].isupper()
    if bracket == "[":
        return not _ends_expression(found, opening - 1) or opening == first
    if not _ends_expression(found, opening - 1) and before != ">":
        return True
    if opening == first:
        return True
    return (before[:1].isupper() and text_at(found, opening - 2) != ".") or _path_root(found, opening - 1) in STD_ROOTS


def _path_root(found: Sequence[Token], index: int) -> str:
    """Return the first name of the path that ends at an index; "" for a method's name."""
    if text_at(found, index - 1) == ".":
        return ""
    while text_at(found, index - 1) == "::":
        index -= 2
        if text_at(found, index) == ">":
            return ""
    return text_at(found, index)


def _closing_angle(found: Sequence[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(found)):
        depth += {"<": 1, ">": -1}.get(found[index].text, 0)
        if depth == 0:
            return index + 1
    return len(found)


def is_pure(found: Sequence[Token], region: Range) -> bool:
    """Return whether it is a literal, or built of literals in a way that keeps different ones different."""
    for index in range(*region):
        token = found[index]
        if token.is_name and token.text not in _PURE_NAMES and not literal_at(found, index, region[0]):
            return False
        if not token.is_name and token.text in (";", "<", ">", "*", "/", "+", "%", "?", "=", "==", "{"):
            return False
        if token.text == "-" and index > region[0] and _ends_expression(found, index - 1):
            return False
    return True


def is_built_of_literals(found: Sequence[Token], region: Range) -> bool:
    """Return whether it is a value that its author wrote down: literals in constructors, without arithmetic."""
    for index in range(*region):
        token, after = found[index], text_at(found, index + 1)
        if token.text in ("<", ">", "*", "/", "+", "%", "?", "=", "=="):
            return False
        if token.text == "-" and index > region[0] and _ends_expression(found, index - 1):
            return False
        is_constructor = token.text[:1].isupper() or after in (":", "::") or token.text in _PURE_NAMES
        if token.is_name and not is_constructor and not literal_at(found, index, region[0]):
            return False
    return True


def _ends_expression(found: Sequence[Token], index: int) -> bool:
    text = text_at(found, index)
    if text in _KEYWORDS:
        return False
    return text in (")", "]", "}", "?") or (bool(text) and (text[0].isalnum() or text[0] in "_\"'"))


def split_arguments(found: Sequence[Token], opening: int) -> list[Range]:
    """Return the ranges of tokens between the commas in a bracket; without an empty one at the end."""
    arguments, start, end = [], opening + 1, closing_bracket(found, opening)
    index = start
    while index < end:
        if found[index].text in ("(", "[", "{"):
            index = closing_bracket(found, index)
        elif found[index].text == ",":
            arguments.append((start, index))
            start = index + 1
        index += 1
    return [*arguments, (start, end)] if start < end else arguments


def at_top(found: Sequence[Token], region: Range) -> Iterator[int]:
    """Yield the indices in a range of tokens that are in no bracket."""
    index = region[0]
    while index < region[1]:
        yield index
        index = closing_bracket(found, index) + 1 if found[index].text in ("(", "[", "{") else index + 1
