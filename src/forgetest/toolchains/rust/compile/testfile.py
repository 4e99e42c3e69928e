"""A case's test file → text that the sample cannot bend, and the list of expected tests.

The tests are compiled inside the sample's crate, where private items are in reach and where, for that very
reason, the sample could shadow what they use. So every macro and path of the standard library, and of the
case's dependencies, is rewritten to go through a crate whose name the sample cannot know. That name is filled
in where this module leaves HOLE. Line breaks are kept, so that places in diagnostics are the author's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from forgetest.errors import UserError
from forgetest.toolchains.rust.source.lexer import Token, closing, literal, tokens

HOLE = "\0"
"""Stands for the secret name. NUL cannot be part of Rust text."""
ROOT = "\1"
"""Stands for the path of the module that the sample is: its crate, unless it shares one with others."""

# fmt: off
_MACROS = frozenset(
    {
        "assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error", "concat", "dbg", "debug_assert",
        "debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln", "file", "format", "format_args",
        "include", "include_bytes", "include_str", "line", "matches", "module_path", "option_env", "panic",
        "print", "println", "stringify", "thread_local", "todo", "unimplemented", "unreachable", "vec", "write",
        "writeln",
    }
)
_BEFORE_PATHS = frozenset(
    {
        "as", "async", "break", "const", "dyn", "else", "for", "if", "impl", "in", "match", "move", "mut", "pub", "ref",
        "return", "static", "unsafe", "use", "where", "while",
    }
)
# fmt: on
"""Words that are no part of the path behind them: `use ::std::fmt` begins anew where `x::std::fmt` goes on."""
_QUALIFIERS = frozenset({"pub", "async", "unsafe", "const", "extern", "default"})

Kind = Literal["plain", "should_panic", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTest:
    """One test of the case, by name."""

    __test__ = False

    name: str
    """Its path in the test file: `tests::adds_two`."""
    kind: Kind = "plain"
    panic_text: str = ""
    """What the panic's message must contain, for `should_panic`."""
    returns: bool = False
    """It returns something, whose report decides."""
    runtime: str | None = None
    """For an async test: how its tokio runtime is built, from `Builder::` on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFile:
    """A rewritten test file."""

    __test__ = False

    tests: tuple[ExpectedTest, ...]
    body: str


NO_TESTS = TestFile(tests=(), body="")
"""Where a case asks for no test."""


@dataclass(frozen=True, slots=True)
class _Attribute:
    words: tuple[str, ...]
    start: int
    end: int

    @property
    def name(self) -> str:
        return self.words[0] if self.words else ""  # `#[]` is a mistake that the compiler will name

    @property
    def path(self) -> str:
        words = self.words[: self.words.index("(")] if "(" in self.words else self.words
        return "".join(words).removeprefix("::")

    @property
    def is_test(self) -> bool:
        return self.path == "test" or self.path.endswith("::test")


@dataclass(frozen=True, slots=True)
class Edit:
    """Text that takes the place of other text."""

    start: int
    end: int
    text: str


def rewrite(text: str, crates: Collection[str], case_id: str) -> TestFile:
    """Rewrite a case's test file; `crates` are the dependencies' names as code spells them."""
    found = tokens(text)
    tests, edits = _items(text, found, case_id)
    if not tests:
        raise UserError(f"case {case_id}: test_file has neither a #[test] function nor a `fn main()`")
    edits += path_edits(found, crates)
    return TestFile(tests=tuple(tests), body=with_edits(text, edits))


def _items(text: str, found: list[Token], case_id: str) -> tuple[list[ExpectedTest], list[Edit]]:
    """The tests, and the edits that make them callable functions instead."""
    tests: list[ExpectedTest] = []
    mains: list[ExpectedTest] = []
    edits: list[Edit] = []
    modules: list[tuple[str, int]] = []
    depth, index = 0, 0
    attributes: list[_Attribute] = []
    head: Token | None = None
    while index < len(found):
        token = found[index]
        if token.text == "#" and _text(found, index + 1) == "[":
            end = closing(found, index + 1)
            words = tuple(word.text for word in found[index + 2 : end])
            attributes.append(_Attribute(words, token.start, found[end].end))
            edits += _without_test_cfg(found[index + 2 : end])
            index = end + 1
            continue
        if token.text in _QUALIFIERS or token.text in ("fn", "mod"):
            head = head or token
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
            if modules and modules[-1][1] == depth:
                modules.pop()
        elif token.text == "mod" and _text(found, index + 2) == "{":
            modules.append((_text(found, index + 1), depth))
            edits += _opened(head)
        elif token.text == "fn" and depth == len(modules):
            name = _text(found, index + 1)
            if any(attribute.is_test for attribute in attributes) or (name == "main" and not modules):
                _check(attributes, name, case_id)
                test = _test(found, index, attributes, "::".join([*(module for module, _ in modules), name]))
                (tests if any(attribute.is_test for attribute in attributes) else mains).append(test)
                edits += _opened(head)
        if any(a.is_test for a in attributes) and token.text == "fn" and depth != len(modules):
            raise UserError(f"case {case_id}: tests made by a macro are not supported")
        if token.text not in (*_QUALIFIERS, "(", "crate", ")", "super") and token.text[0] != '"':
            edits += [
                Edit(a.start, a.end, _blank(text[a.start : a.end]))
                for a in attributes
                if a.is_test or a.name in ("should_panic", "ignore")
            ]
            attributes, head = [], None
        index += 1
    return tests or mains, edits


def _test(found: list[Token], index: int, attributes: list[_Attribute], name: str) -> ExpectedTest:
    panics = next((a for a in attributes if a.name == "should_panic"), None)
    ignored = any(a.name == "ignore" for a in attributes)
    strings = [word for word in panics.words if word.endswith(('"', "#"))] if panics else []
    is_async = any(token.text == "async" for token in found[max(0, index - 3) : index])
    test = next((a for a in attributes if a.is_test), None)
    return ExpectedTest(
        name=name,
        kind="ignored" if ignored else "should_panic" if panics else "plain",
        panic_text=literal(strings[0]) if strings else "",
        returns=_text(found, closing(found, index + 2) + 1) == "->",
        runtime=_runtime(test.words) if is_async and test else None,
    )


def _check(attributes: list[_Attribute], name: str, case_id: str) -> None:
    if name == "$":
        raise UserError(f"case {case_id}: tests made by a macro are not supported")
    for attribute in attributes:
        if attribute.is_test and attribute.path not in ("test", "core::prelude::v1::test", "tokio::test"):
            raise UserError(f"case {case_id}: {name}: #[{attribute.path}] is not supported; use #[tokio::test]")


def _runtime(words: tuple[str, ...]) -> str:
    """What `#[tokio::test(…)]` would build."""
    text = "".join(words)
    threads = re.search(r"worker_threads=(\d+)", text)
    if "multi_thread" in text or threads:
        count = f".worker_threads({threads[1]})" if threads else ""
        return f"new_multi_thread(){count}.enable_all()"
    paused = ".start_paused(true)" if "start_paused=true" in text else ""
    return f"new_current_thread().enable_all(){paused}"


def _opened(head: Token | None) -> list[Edit]:
    """Make an item reachable from the entry."""
    return [Edit(head.start, head.start, "pub(crate) ")] if head and head.text != "pub" else []


def _without_test_cfg(words: list[Token]) -> list[Edit]:
    """`cfg(test)` is off while samples are built, so that their own tests are not; here it must read as true."""
    if not words or words[0].text not in ("cfg", "cfg_attr"):
        return []
    return [Edit(word.start, word.end, "all()") for word in words if word.text == "test"]


def path_edits(found: list[Token], crates: Collection[str]) -> Iterator[Edit]:
    """Lead macros and paths of std and of the dependencies through the crates of secret name."""
    own = {found[index + 2].text for index, token in enumerate(found[:-2]) if token.text == "macro_rules"}
    for index, token in enumerate(found):
        before, after = _text(found, index - 1), _text(found, index + 1)
        leading = before == "::" and not _ends_path(found, index - 2)
        if before in ("::", ".") and not leading:
            continue
        start = found[index - 1].start if leading or before == "$" else token.start
        if token.text in _MACROS - own and after == "!" and _text(found, index + 2) in ("(", "[", "{"):
            yield Edit(token.start, token.start, f"::{HOLE}::std::")
        elif after == "::" and token.text in ("std", "core", "alloc"):
            yield Edit(start, token.end, f"::{HOLE}::{token.text}")
        elif after == "::" and token.text in crates:
            yield Edit(start, token.end, f"::{HOLE}_{token.text}")
        elif after == "::" and token.text == "crate":
            yield Edit(start, token.end, f"{ROOT}::{HOLE}_tests::{HOLE}_names")


def _ends_path(found: list[Token], index: int) -> bool:
    """Whether what stands there is a path that a `::` continues."""
    if index < 0:
        return False
    if found[index].text == ">":
        return found[index].end == found[index + 1].start  # `Vec<u8>::new`, not `a > ::std::f()`
    return found[index].is_name and found[index].text not in _BEFORE_PATHS


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits made."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            continue  # inside an attribute that is blanked as a whole
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _text(found: list[Token], index: int) -> str:
    return found[index].text if 0 <= index < len(found) else ""
