"""The names that a simple test file takes from a sample, read off its text.

The compiler lists these names when it builds the tests with an empty sample, but that call takes longer than judging
several samples. Most test files need no compiler: modules of test functions with `let`, `for`, `if` and calls, in which
it is plain where each name is bound. For anything else (closures, patterns, items, macros of its own, further imports)
the answer is None, and the compiler is asked.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from forgetest.toolchains.rust.compile.trusted_paths import text_at
from forgetest.toolchains.rust.source.ambiguity import is_unambiguous
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket, tokens

_EDITIONS = ("2021", "2024")
_INLINE_ARGUMENT = re.compile(r"\{\s*[^\W\d]")
"""In a string: `"{name}"` may use a name."""

# fmt: off
_STD = frozenset(
    {
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64",
        "u8", "usize",
        "AsMut", "AsRef", "Box", "Clone", "Copy", "Default", "DoubleEndedIterator", "Drop", "Eq", "Err",
        "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From", "FromIterator", "Into", "IntoIterator",
        "Iterator", "None", "Ok", "Option", "Ord", "PartialEq", "PartialOrd", "Result", "Send", "Sized", "Some",
        "String", "Sync", "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec", "drop",
        "std", "core",
    }
)
"""Names that need no import in these editions."""
_UNCERTAIN = frozenset(
    {
        "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Future", "IntoFuture", "align_of", "align_of_val", "alloc", "clippy",
        "diagnostic", "f128", "f16", "miri", "rust_analyzer", "rustdoc", "rustfmt", "size_of", "size_of_val",
    }
)
"""Names that some compilers or editions know without an import."""
_HARMLESS_KEYWORDS = frozenset(
    {"as", "break", "continue", "else", "false", "if", "in", "loop", "mut", "return", "true", "while", "_"}
)
_OTHER_KEYWORDS = frozenset(
    {
        "Self", "abstract", "async", "await", "become", "box", "const", "crate", "do", "dyn", "enum", "extern", "final",
        "fn", "gen", "impl", "macro", "macro_rules", "match", "mod", "move", "override", "priv", "pub", "ref", "self",
        "static", "struct", "super", "trait", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual",
        "where", "yield",
    }
)
_MACROS = frozenset({"assert", "assert_eq", "assert_ne", "format", "panic", "print", "println", "vec"})
"""Macros of std whose arguments are expressions, all of which are evaluated where they stand."""
# fmt: on
_ATTRIBUTES = (["test"], ["cfg", "(", "test", ")"], ["should_panic"], ["ignore"])


@functools.lru_cache(maxsize=128)
def free_names(test_file: str, edition: str) -> frozenset[str] | None:
    """Return the names that the compiler would not find without a sample; None if only it can tell."""
    found = tokens(test_file)
    if edition not in _EDITIONS or not is_unambiguous(test_file):
        return None
    if any(token.kind == "lifetime" or token.text.startswith("r#") for token in found):
        return None
    if any(token.kind == "string" and _INLINE_ARGUMENT.search(token.text) for token in found):
        return None
    try:
        return frozenset(_in_file(found))
    except _UnclearError:
        return None


class _UnclearError(Exception):
    """The text has something whose names tokens do not show."""


def _in_file(found: Sequence[Token]) -> Iterator[str]:
    """Yield the free names of a file that consists of test functions, or of modules of them."""
    functions, modules = _items(found, (0, len(found)))
    if functions and modules:  # a glob import could bring the functions into a module
        raise _UnclearError
    module_names = {found[start - 2].text for start, _ in modules}
    for module in modules or [(0, len(found))]:
        functions, inner = _items(found, module)
        if inner and modules:
            raise _UnclearError
        own = {found[index + 1].text for index in functions}
        for index in functions:
            for name in _Body(found, own).read(index + 4):
                if name in module_names:  # a glob import brings them in
                    raise _UnclearError
                yield name


def _items(found: Sequence[Token], part: tuple[int, int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return where the functions of a file or module begin, and the insides of its modules."""
    functions, modules = list[int](), list[tuple[int, int]]()
    index, end = part
    while index < end:
        words = [token.text for token in found[index : index + 5]]
        if words[:2] == ["#", "["]:
            closing = closing_bracket(found, index + 1)
            if [token.text for token in found[index + 2 : closing]] not in _ATTRIBUTES:
                raise _UnclearError
        elif words == ["use", "super", "::", "*", ";"]:
            closing = index + 4
        elif words[:1] == ["mod"] and words[2:3] == ["{"]:
            closing = closing_bracket(found, index + 2)
            modules.append((index + 3, closing))
        elif words[:1] == ["fn"] and words[2:5] == ["(", ")", "{"]:
            closing = closing_bracket(found, index + 4)
            functions.append(index)
        else:
            raise _UnclearError
        index = closing + 1
    return functions, modules


@dataclass(slots=True)
class _Block:
    """A block that is being read."""

    bound: set[str]
    to_bind: set[str] = field(default_factory=set)
    """Names of a `let`, which are bound where its statement ends."""
    for_body: set[str] = field(default_factory=set)
    """Names of a `for`, which are bound in the block that follows."""
    in_head: bool = False
    """Between `if`, `while` or `for` and the block that follows."""
    brackets: int = 0


class _Body:
    """Reads the body of a function from its brace on, and yields the names that nothing in it binds."""

    def __init__(self, found: Sequence[Token], own: set[str]) -> None:
        self._found = found
        self._blocks = [_Block(set(own))]

    def read(self, opening: int) -> Iterator[str]:
        index, end = opening, closing_bracket(self._found, opening)
        while index < end:
            token = self._found[index]
            if token.text == "let":
                index = self._read_let(index)
            elif token.text == "for":
                index = self._read_for(index)
            elif token.is_name:
                if self._is_free(index):
                    yield token.text
            elif token.kind == "punctuation":
                self._read_punctuation(index)
            index += 1

    def _read_punctuation(self, index: int) -> None:
        block, text = self._blocks[-1], self._found[index].text
        match text:
            case "{":
                before = self._found[index - 1]
                is_body = block.in_head and not block.brackets
                # `Type { … }`, unless it is the head of a block that ends in a variable
                is_name = before.is_name and before.text not in ("else", "loop")
                if is_name and not (is_body and before.text in self._bound):
                    raise _UnclearError
                self._blocks.append(_Block(set(block.for_body) if is_body else set()))
                if is_body:
                    block.for_body, block.in_head = set(), False
            case "}":
                self._blocks.pop()
            case "(" | "[":
                block.brackets += 1
            case ")" | "]":
                block.brackets -= 1
            case ";" if not block.brackets:
                block.bound |= block.to_bind
                block.to_bind = set()
            case "|" | "#" | "=>" | "@" | "$":  # closures, patterns, attributes
                raise _UnclearError

    def _read_let(self, index: int) -> int:
        """Read `let` with its pattern; return the index of the pattern's last token."""
        block = self._blocks[-1]
        if text_at(self._found, index - 1) not in (";", "{", "}") or block.brackets:
            raise _UnclearError
        names, last = self._pattern(index + 1)
        if text_at(self._found, last + 1) not in ("=", ":"):
            raise _UnclearError
        block.to_bind = names
        return last

    def _read_for(self, index: int) -> int:
        block = self._blocks[-1]
        names, last = self._pattern(index + 1)
        if text_at(self._found, last + 1) != "in" or block.in_head or block.brackets:
            raise _UnclearError
        block.for_body, block.in_head = names, True
        return last

    def _pattern(self, index: int) -> tuple[set[str], int]:
        """Read `name`, `mut name` or a tuple of these; return its names and the index of its last token."""
        start = index
        if self._found[index].text == "(":
            end = closing_bracket(self._found, index)
        else:
            end = index = index + (self._found[index].text in ("mut", "&"))
        names = set[str]()
        for token in self._found[start : end + 1]:
            is_variable = token.is_name and token.text not in _HARMLESS_KEYWORDS | _OTHER_KEYWORDS
            if is_variable and token.text == token.text.lower():  # a constant or a variant would be compared with
                names.add(token.text)
            elif token.text not in ("mut", "_", "(", ")", ",", "&"):
                raise _UnclearError
        return names, end

    @property
    def _bound(self) -> set[str]:
        return set[str]().union(*(block.bound for block in self._blocks))

    def _is_free(self, index: int) -> bool:
        """Return whether the name at an index is bound nowhere."""
        name, before, after = self._found[index].text, text_at(self._found, index - 1), text_at(self._found, index + 1)
        if name in _OTHER_KEYWORDS or name in _UNCERTAIN:
            raise _UnclearError
        if name in _HARMLESS_KEYWORDS:
            if name in ("if", "while"):
                if self._blocks[-1].in_head:
                    raise _UnclearError
                self._blocks[-1].in_head = True
            return False
        is_range = before == "." and text_at(self._found, index - 2) == "."
        if before == "::" or (before == "." and not is_range):
            return False
        if after == "!":
            if name not in _MACROS or text_at(self._found, index + 2) not in ("(", "["):
                raise _UnclearError
            return False
        if after == ":":  # a field
            raise _UnclearError
        return name not in _STD and name not in self._bound
