"""Which samples may share a compiler call with others: those that the language keeps to themselves.

In a shared call each sample is a module. Modules of safe code cannot touch each other, as long as nothing in them
speaks of the crate as a whole or of what is around them. Of attributes, only those pass that are known to be harmless.
Of words, those are refused that lead out: `unsafe` and `extern`, paths above the sample's own modules, the compiler's
own macros that take something in or tell where code stands, and what a process has but one of. A sample with any of
these is built by itself, where it is the crate. Whatever a neighbour can still do is to keep the whole from compiling,
and then everybody is built alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forgetest.toolchains.rust.source.lexer import Token, closing, dangling, tokens

_LONGEST = 20_000
"""Characters; a longer sample gains little by company."""

# fmt: off
_NOT_SHARED = frozenset(
    {
        # beyond the language's own promises
        "unsafe", "extern", "asm", "global_asm", "naked_asm", "from_raw_fd", "borrow_raw", "transmute",
        # the crate as a whole, or what is around the sample in it; what names it
        "macro_export", "macro_use", "global_allocator", "module_path", "file", "type_name",
        "type_name_of_val", "Location", "Backtrace", "caller",
        # files and the environment of the compiler
        "include", "include_str", "include_bytes", "env", "option_env", "concat_idents", "concat_bytes",
        # what the process as a whole has one of
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
    """Whether a sample can be judged as a module among others, and be judged the same."""
    if len(code) > _LONGEST or dangling(code) is not None:
        return False
    found = _without_own_tests(tokens(code))
    texts = [token.text for token in found]
    if not texts or not _NOT_SHARED.isdisjoint(text.removeprefix("r#") for text in set(texts)):
        return False
    return _keeps_inside(texts) and all(_is_harmless(words) for words in _attributes(found, texts))


def _keeps_inside(texts: Sequence[str]) -> bool:
    """Whether no path leads out of the sample: to its crate, or above its own modules."""
    if "crate" in texts:
        for index, text in enumerate(texts):
            if text == "crate" and texts[max(0, index - 2) : index + 2] != ["pub", "(", "crate", ")"]:
                return False
    if "super" not in texts:
        return True
    if "macro_rules" in texts:
        return False  # where a macro's words will stand, nobody knows
    depths = _module_depths(texts)
    for index, text in enumerate(texts):
        ups = 1
        while text == "super" and texts[index - 2 * ups : index - 2 * ups + 2] == ["super", "::"]:
            ups += 1
        if text == "super" and ups > depths[index]:
            return False
    return True


def _module_depths(texts: Sequence[str]) -> list[int]:
    """In how many of the sample's own modules each word stands."""
    depths, opened = [], list[bool]()
    for index, text in enumerate(texts):
        if text == "{":
            opened.append(index >= 2 and texts[index - 2] == "mod")
        depths.append(sum(opened))
        if text == "}" and opened:
            opened.pop()
    return depths


def _attributes(found: list[Token], texts: list[str]) -> Iterator[list[str]]:
    """The words of every attribute, with a `!` before those of inner ones."""
    index = -1
    for _ in range(texts.count("#")):
        index = texts.index("#", index + 1)
        opening = index + 2 if texts[index + 1 : index + 2] == ["!"] else index + 1
        if texts[opening : opening + 1] != ["["]:
            yield ["#"]  # nothing that is known
        else:
            yield [*texts[index + 1 : opening], *texts[opening + 1 : closing(found, opening)]]


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
    """Whether it is as it is written, with nothing in it for the compiler to put in."""
    return all(re.fullmatch(r'[\w:(),=]+|".*"', word, re.DOTALL) for word in words)


def _without_own_tests(found: list[Token]) -> list[Token]:
    """Without modules that are there for the sample's own tests only: they are not compiled."""
    start = ["#", "[", "cfg", "(", "test", ")", "]", "mod"]
    texts = [token.text for token in found]
    if "cfg" not in texts or "macro_rules" in texts:
        return found  # a macro of its own could take them for something else
    kept, index = list[Token](), 0
    while index < len(found):
        if texts[index : index + 8] == start and texts[index + 9 : index + 10] == ["{"]:
            index = closing(found, index + 9) + 1
            continue
        kept.append(found[index])
        index += 1
    return kept
