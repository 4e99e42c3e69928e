"""Decides which samples may share a compiler call: those that the language itself keeps apart.

In a shared call each sample is a module. Modules of safe code cannot affect each other, as long as nothing in them
concerns the crate as a whole, what surrounds them, or what a process has only one of. So everything that leads out of a
module has to be on a list of what is known to be harmless: keywords, attributes, macros, and modules of std. A sample
with anything else is built in a crate of its own, and so is one whose text the compiler may read differently. The
worst that a neighbour can still do is to keep the shared crate from compiling, and then every sample is built alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from forgetest.toolchains.rust.source.ambiguity import is_unambiguous
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import (
    Token,
    closing_brackets,
    code_start,
    tokens,
    without_test_modules,
)

_MOST_CHARACTERS = 20_000
"""A longer sample gains little from sharing."""

# fmt: off
_KEYWORDS = frozenset(
    {
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
        "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self", "static",
        "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
        "while", "yield",
    }
)
_HARMLESS_KEYWORDS = frozenset(
    {
        "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "false", "fn", "for", "if", "impl",
        "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct",
        "trait", "true", "type", "use", "where", "while",
        "crate", "super",  # only where they do not lead out, see `_has_no_path_out`
    }
)
_HARMLESS_ATTRIBUTES = frozenset(
    {
        "allow", "cold", "default", "deprecated", "derive", "doc", "expect", "ignore", "inline", "must_use",
        "non_exhaustive", "should_panic", "test", "warn",
    }
)
_HARMLESS_DERIVES = frozenset(
    {"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"}
)
_HARMLESS_MACROS = frozenset(
    {
        "assert", "assert_eq", "assert_ne", "cfg", "column", "concat", "dbg", "debug_assert", "debug_assert_eq",
        "debug_assert_ne", "eprint", "eprintln", "format", "format_args", "line", "macro_rules", "matches", "panic",
        "pin", "print", "println", "stringify", "thread_local", "todo", "unimplemented", "unreachable", "vec",
        "write", "writeln",
    }
)
_STD = frozenset({"std", "core", "alloc", "r#std", "r#core", "r#alloc"})
_HARMLESS_MODULES = frozenset(
    {
        "any", "array", "ascii", "borrow", "boxed", "cell", "char", "clone", "cmp", "collections", "convert",
        "default", "error", "f32", "f64", "fmt", "fs", "future", "hash", "hint", "i128", "i16", "i32", "i64", "i8",
        "io", "isize", "iter", "marker", "mem", "num", "ops", "option", "path", "pin", "prelude", "primitive", "ptr",
        "rc", "result", "slice", "str", "string", "sync", "task", "thread", "time", "u128", "u16", "u32", "u64",
        "u8", "usize", "vec",
    }
)
"""Not `env`, `panic`, `process` and the like: what they are about exists once for all. Files are each test's own."""
_TELL_CRATE = frozenset({"type_id", "type_name", "type_name_of_val", "r#type_id", "r#type_name", "r#type_name_of_val"})
"""Names and numbers of types depend on the crate that they are in."""
# fmt: on


def may_share(code: str) -> bool:
    """Return whether a sample gets the same verdict as a module among others."""
    if len(code) > _MOST_CHARACTERS or dangling_end(code) is not None:
        return False
    if code_start(code) > 0 or not is_unambiguous(code):
        return False
    found = tokens(code)
    if not any(token.text == "macro_rules" for token in found):  # a macro could use a test module's tokens elsewhere
        found = without_test_modules(found)
    texts = [token.text for token in found]
    return (
        texts != []
        and all(text in _HARMLESS_KEYWORDS for text in _KEYWORDS.intersection(texts))
        and _TELL_CRATE.isdisjoint(texts)
        and _has_no_path_out(texts)
        and _has_only_inline_modules(texts)
        and _uses_std_harmlessly(texts)
        and _calls_harmless_macros(texts)
        and all(_is_harmless(words) for words in _source_attributes(found, texts))
    )


def _has_no_path_out(texts: Sequence[str]) -> bool:
    """Return whether no path leads out of the sample: to its crate, or above its own modules."""
    if "crate" in texts:
        for index, text in enumerate(texts):
            if text == "crate" and texts[max(0, index - 2) : index + 2] != ["pub", "(", "crate", ")"]:
                return False
    if "super" not in texts:
        return True
    if "macro_rules" in texts:
        return False  # no telling where a macro's tokens end up
    ups = 0
    for index, (text, depth) in enumerate(zip(texts, _module_depths(texts), strict=True)):
        if text == "super":
            continues = index >= 2 and texts[index - 2 : index] == ["super", "::"]
            ups = ups + 1 if continues else 1
            if ups > depth:
                return False
    return True


def _module_depths(texts: Sequence[str]) -> Iterator[int]:
    """Yield, for each token, how many of the sample's own modules it is in."""
    depth, opened = 0, list[bool]()
    for index, text in enumerate(texts):
        if text == "{":
            opened.append(index >= 2 and texts[index - 2] == "mod")
            depth += opened[-1]
        yield depth
        if text == "}" and opened:
            depth -= opened.pop()


def _has_only_inline_modules(texts: Sequence[str]) -> bool:
    """Return whether every module has its code with it, and not in another file."""
    return all(texts[index + 2 : index + 3] == ["{"] for index, text in enumerate(texts) if text == "mod")


def _uses_std_harmlessly(texts: Sequence[str]) -> bool:
    """Return whether std is used only by way of harmless modules and macros, each of them written out."""
    for index, text in enumerate(texts):
        if text == "TypeId" and texts[index + 1 : index + 2] not in ([","], [";"], ["}"]):
            return False  # it is imported now and then, and hardly ever used
        if text not in _STD:
            continue
        if texts[index + 1 : index + 2] != ["::"]:
            return False
        if not all(_is_harmless_in_std(texts, first) for first in _first_segments(texts, index + 2)):
            return False
    return True


def _first_segments(texts: Sequence[str], index: int) -> Iterator[int]:
    """Yield the index of the word at `index`; of every first word in it, if it is a group of imports."""
    if texts[index : index + 1] != ["{"]:
        yield index
        return
    depth = 0
    for at in range(index, len(texts)):
        depth += (texts[at] == "{") - (texts[at] == "}")
        if depth == 0:
            return
        if depth == 1 and texts[at] in ("{", ",") and texts[at + 1 : at + 2] != ["}"]:
            yield at + 1


def _is_harmless_in_std(texts: Sequence[str], index: int) -> bool:
    word, behind = [*texts[index : index + 2], "", ""][:2]
    is_module = word in _HARMLESS_MODULES and behind in ("::", ";", ",", "}", "as")
    return is_module or (word in _HARMLESS_MACROS and behind == "!")


def _calls_harmless_macros(texts: Sequence[str]) -> bool:
    """Return whether every macro that is called is harmless, or the sample's own; and none goes by another name."""
    own = {texts[index + 2] for index in range(len(texts) - 2) if texts[index : index + 2] == ["macro_rules", "!"]}
    previous = ""
    for text, after in pairwise([*texts, ""]):
        if after == "!" and _is_word(text) and text not in _KEYWORDS:
            if previous == "$" or not (text in _HARMLESS_MACROS or text in own):
                return False
        elif text == "as" and (after in _HARMLESS_MACROS or after in own):
            return False  # `use include_str as vec;`
        previous = text
    return True


def _is_word(text: str) -> bool:
    return text.removeprefix("r#").isidentifier()


def _source_attributes(found: list[Token], texts: list[str]) -> Iterator[list[str]]:
    """Yield the words of every attribute, with `!` first for inner ones."""
    closed = closing_brackets(found)
    for index, text in enumerate(texts):
        if text != "#":
            continue
        opening = index + 2 if texts[index + 1 : index + 2] == ["!"] else index + 1
        if texts[opening : opening + 1] != ["["]:
            yield ["#"]  # not an attribute that we know
        else:
            yield [*texts[index + 1 : opening], *texts[opening + 1 : closed[opening]]]


def _is_harmless(words: Sequence[str]) -> bool:
    match words:
        case ["derive", "(", *names]:
            return set(names) <= {*_HARMLESS_DERIVES, ",", ")"}
        case ["!", "allow" | "warn", *_]:
            return _is_plain(words[1:])
        case [name, *_]:
            return name in _HARMLESS_ATTRIBUTES and _is_plain(words)
    return False


def _is_plain(words: Sequence[str]) -> bool:
    """Return whether it means what it says: no macro in it for the compiler to expand."""
    return all(re.fullmatch(r'[\w:(),=]+|".*"', word, re.DOTALL) for word in words)
