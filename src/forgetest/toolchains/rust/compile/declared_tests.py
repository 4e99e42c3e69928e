"""The tests that a test file declares, and the edits that make them functions that our entry point can call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from forgetest.errors import UserError
from forgetest.toolchains.rust.compile.trusted_paths import Edit, text_at
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket
from forgetest.toolchains.rust.source.literals import string_value

_QUALIFIERS = frozenset({"pub", "async", "unsafe", "const", "extern", "default"})
_BEFORE_ITEM = frozenset({*_QUALIFIERS, "(", "crate", ")", "super"})
"""Tokens that may stand between an item's attributes and its keyword: qualifiers, also `pub(in super)`."""

Kind = Literal["plain", "should_panic", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTest:
    """A test of the case."""

    __test__ = False

    name: str
    """Its path in the test file: `tests::adds_two`."""
    kind: Kind = "plain"
    panic_text: str = ""
    """For `should_panic`: text that the panic's message must contain."""
    returns: bool = False
    """True if it returns a value, whose `Termination` report decides."""
    runtime: str | None = None
    """For an async test: the call that builds its tokio runtime, from `Builder::` on."""


@dataclass(frozen=True, slots=True)
class DeclaredTest:
    """A test, with the indices of the tokens of its head and body."""

    expected: ExpectedTest
    parameters_end: int
    body: tuple[int, int]

    def end(self, found: Sequence[Token]) -> int | None:
        """Return where the test ends, in characters; None if it may also end elsewhere."""
        inside = [token.text for token in found[self.body[0] + 1 : self.body[1]]]
        if "return" in inside or self.expected.kind != "plain":
            return None
        if not self.expected.returns:
            return found[self.body[1]].start if self.has_hidden_result(found) else None
        return found[self.body[1] - 5].start if inside[-5:] == ["Ok", "(", "(", ")", ")"] else None

    def has_hidden_result(self, found: Sequence[Token]) -> bool:
        """Return whether the function's result can be replaced by our own type."""
        inside = {token.text for token in found[slice(*self.body)]}
        return not self.expected.returns and self.body[0] == self.parameters_end + 1 and "return" not in inside


@dataclass(frozen=True, slots=True)
class _Attribute:
    words: tuple[str, ...]
    start: int
    end: int

    @property
    def name(self) -> str:
        return self.words[0] if self.words else ""  # `#[]` is a mistake that the compiler will report

    @property
    def path(self) -> str:
        words = self.words[: self.words.index("(")] if "(" in self.words else self.words
        return "".join(words).removeprefix("::")

    @property
    def is_test(self) -> bool:
        return self.path == "test" or self.path.endswith("::test")

    @property
    def belongs_to_test(self) -> bool:
        return self.is_test or self.name in ("should_panic", "ignore")


class ItemReader:
    """Walks over the tokens of a test file; collects its tests and the edits that make them callable functions.

    `_attributes` and `_head` describe the item that is about to begin: its attributes, and the first of its
    qualifiers and keyword. They are reset by the first token that cannot be part of an item's beginning.
    """

    def __init__(self, text: str, found: Sequence[Token], case_id: str) -> None:
        self.tests: list[DeclaredTest] = []
        self.mains: list[DeclaredTest] = []
        """`fn main()` outside all modules, which is the test of a file that has no other."""
        self.edits: list[Edit] = []
        self._text, self._tokens, self._case_id = text, found, case_id
        self._attributes: list[_Attribute] = []
        self._head: Token | None = None
        self._depth = 0
        self._modules: list[tuple[str, int]] = []
        """Name of each module around the current token, and the depth of braces around that module."""

    def read(self) -> None:
        """Read the whole file."""
        index = 0
        while index < len(self._tokens):
            if self._tokens[index].text == "#" and text_at(self._tokens, index + 1) == "[":
                index = self._read_attribute(index)
            else:
                self._read_token(index)
                index += 1

    def _read_attribute(self, index: int) -> int:
        """Read the attribute at `index`; return the index behind it."""
        end = closing_bracket(self._tokens, index + 1)
        inside = self._tokens[index + 2 : end]
        words = tuple(token.text for token in inside)
        self._attributes.append(_Attribute(words, self._tokens[index].start, self._tokens[end].end))
        if words and words[0] in ("cfg", "cfg_attr"):
            # `cfg(test)` is off, so that samples' own tests are not built; in the case's tests it must be true
            self.edits += [Edit(token.start, token.end, "all()") for token in inside if token.text == "test"]
        return end + 1

    def _read_token(self, index: int) -> None:
        token = self._tokens[index]
        if token.text in _QUALIFIERS or token.text in ("fn", "mod"):
            self._head = self._head or token
        match token.text:
            case "{":
                self._depth += 1
            case "}":
                self._depth -= 1
                if self._modules and self._modules[-1][1] == self._depth:
                    self._modules.pop()
            case "mod" if text_at(self._tokens, index + 2) == "{":
                self._modules.append((text_at(self._tokens, index + 1), self._depth))
                self._make_visible()
            case "fn":
                self._read_function(index)
        if token.text not in _BEFORE_ITEM and token.text[0] != '"':  # `extern "C"` has a string before its keyword
            self._end_item_head()

    def _read_function(self, index: int) -> None:
        is_test = any(attribute.is_test for attribute in self._attributes)
        if self._depth != len(self._modules):  # inside something other than modules
            if is_test:
                raise self._made_by_macro()
            return
        name = text_at(self._tokens, index + 1)
        if not is_test and (name != "main" or self._modules):
            return
        if name == "$":
            raise self._made_by_macro()
        for attribute in self._attributes:
            if attribute.is_test and attribute.path not in ("test", "core::prelude::v1::test", "tokio::test"):
                raise UserError(
                    f"case {self._case_id}: {name}: #[{attribute.path}] is not supported; use #[tokio::test]"
                )
        path = "::".join([*(module for module, _ in self._modules), name])
        parameters_end = closing_bracket(self._tokens, index + 2)
        opening = parameters_end
        while opening < len(self._tokens) - 1 and self._tokens[opening].text != "{":
            opening += 1
        function = DeclaredTest(
            _expected_test(self._tokens, index, self._attributes, path),
            parameters_end,
            (opening, closing_bracket(self._tokens, opening)),
        )
        (self.tests if is_test else self.mains).append(function)
        self._make_visible()

    def _make_visible(self) -> None:
        """Make the current item reachable from our entry point."""
        if self._head and self._head.text != "pub":
            self.edits.append(Edit(self._head.start, self._head.start, "pub(crate) "))

    def _end_item_head(self) -> None:
        """Blank the attributes that make a test of a function, and forget the item's head."""
        self.edits += [
            Edit(attribute.start, attribute.end, re.sub(r"[^\n]", " ", self._text[attribute.start : attribute.end]))
            for attribute in self._attributes
            if attribute.belongs_to_test
        ]
        self._attributes, self._head = [], None

    def _made_by_macro(self) -> UserError:
        return UserError(f"case {self._case_id}: tests made by a macro are not supported")


def _expected_test(found: Sequence[Token], index: int, attributes: Sequence[_Attribute], path: str) -> ExpectedTest:
    """Describe the test whose `fn` is at `index`."""
    panics = next((attribute for attribute in attributes if attribute.name == "should_panic"), None)
    is_ignored = any(attribute.name == "ignore" for attribute in attributes)
    strings = [word for word in panics.words if word.endswith(('"', "#"))] if panics else []
    is_async = any(token.text == "async" for token in found[max(0, index - 3) : index])
    test = next((attribute for attribute in attributes if attribute.is_test), None)
    return ExpectedTest(
        name=path,
        kind="ignored" if is_ignored else "should_panic" if panics else "plain",
        panic_text=string_value(strings[0]) if strings else "",
        returns=text_at(found, closing_bracket(found, index + 2) + 1) == "->",
        runtime=_tokio_runtime(test.words) if is_async and test else None,
    )


def _tokio_runtime(words: Sequence[str]) -> str:
    """Return the runtime that `#[tokio::test(…)]` would build."""
    text = "".join(words)
    threads = re.search(r"worker_threads=(\d+)", text)
    if "multi_thread" in text or threads:
        count = f".worker_threads({threads[1]})" if threads else ""
        return f"new_multi_thread(){count}.enable_all()"
    paused = ".start_paused(true)" if "start_paused=true" in text else ""
    return f"new_current_thread().enable_all(){paused}"
