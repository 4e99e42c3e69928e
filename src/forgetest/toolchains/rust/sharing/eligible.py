"""Decides which samples may share a compiler call: those that the language itself keeps apart.

In a shared call each sample is a module. Modules of safe code cannot affect each other, as long as nothing in them
concerns the crate as a whole or what surrounds them. Only attributes known to be harmless are accepted. Words that
lead out of the module are refused: `unsafe` and `extern`, paths above the sample's own modules, the compiler's macros
that include files or reveal where code is, and anything that a process has only one of. A sample with any of these is
built in a crate of its own. The worst that a neighbour can still do is to keep the shared crate from compiling, and
then every sample is built alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forgetest.toolchains.rust.source.ambiguity import is_unambiguous
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import (
    Token,
    closing_bracket,
    code_start,
    tokens,
    without_test_modules,
)

_MOST_CHARACTERS = 20_000
"""A longer sample gains little from sharing."""

# fmt: off
_NOT_SHARED = frozenset(
    {
        # beyond the language's own guarantees
        "unsafe", "extern", "asm", "global_asm", "naked_asm", "from_raw_fd", "borrow_raw", "transmute",
        # the crate as a whole, or what surrounds the sample in it, or reveals its path
        "macro_export", "macro_use", "global_allocator", "module_path", "file", "type_name",
        "type_name_of_val", "Location", "Backtrace", "caller",
        # the compiler's files and environment
        "include", "include_str", "include_bytes", "env", "option_env", "concat_idents", "concat_bytes",
        # what a process has only one of
        "set_hook", "take_hook", "update_hook", "process",
    }
)
_ATTRIBUTES = frozenset(
    {
        "allow", "cold", "default", "deprecated", "derive", "doc", "expect", "ignore", "inline", "must_use",
        "non_exhaustive", "should_panic", "test", "warn",
    }
)
_DERIVED = frozenset(
    {"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"}
)
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
    if not texts or not _NOT_SHARED.isdisjoint(text.removeprefix("r#") for text in set(texts)):
        return False
    return _has_no_path_out(texts) and all(_is_harmless(words) for words in _source_attributes(found, texts))


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
    depths = _module_depths(texts)
    for index, text in enumerate(texts):
        ups = 1
        while text == "super" and texts[index - 2 * ups : index - 2 * ups + 2] == ["super", "::"]:
            ups += 1
        if text == "super" and ups > depths[index]:
            return False
    return True


def _module_depths(texts: Sequence[str]) -> list[int]:
    """Return, for each token, how many of the sample's own modules it is in."""
    depths, opened = [], list[bool]()
    for index, text in enumerate(texts):
        if text == "{":
            opened.append(index >= 2 and texts[index - 2] == "mod")
        depths.append(sum(opened))
        if text == "}" and opened:
            opened.pop()
    return depths


def _source_attributes(found: list[Token], texts: list[str]) -> Iterator[list[str]]:
    """Yield the words of every attribute, with `!` first for inner ones."""
    index = -1
    for _ in range(texts.count("#")):
        index = texts.index("#", index + 1)
        opening = index + 2 if texts[index + 1 : index + 2] == ["!"] else index + 1
        if texts[opening : opening + 1] != ["["]:
            yield ["#"]  # not an attribute that we know
        else:
            yield [*texts[index + 1 : opening], *texts[opening + 1 : closing_bracket(found, opening)]]


def _is_harmless(words: Sequence[str]) -> bool:
    match words:
        case ["derive", "(", *names]:
            return set(names) <= {*_DERIVED, ",", ")"}
        case ["!", "allow" | "warn", *_]:
            return _is_plain(words[1:])
        case [name, *_]:
            return name in _ATTRIBUTES and _is_plain(words)
    return False


def _is_plain(words: Sequence[str]) -> bool:
    """Return whether it means what it says: no macro in it for the compiler to expand."""
    return all(re.fullmatch(r'[\w:(),=]+|".*"', word, re.DOTALL) for word in words)
