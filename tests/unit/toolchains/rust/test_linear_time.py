"""Reading a sample outside the sandbox takes time linear in its length, whatever it holds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from forgetest import extraction
from forgetest.toolchains.rust.integrity import own_operators, source_text
from forgetest.toolchains.rust.sharing.eligible import may_share
from forgetest.toolchains.rust.source.ambiguity import ambiguity
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import closing_brackets, tokens, without_test_modules
from forgetest.toolchains.rust.source.outline import outline

TESTS = "#[test] fn t() { assert_eq!(f().len(), 3); }"
READERS: dict[str, Callable[[str], object]] = {
    "ambiguity": ambiguity,
    "dangling_end": dangling_end,
    "findings": lambda code: source_text.findings(code, TESTS, ("Evil",), compiles=True, reference="fn f() {}"),
    "has_own_operators": own_operators.has_own_operators,
    "can_decide": own_operators.can_decide,
    "may_share": may_share,
    "extract": lambda code: extraction.extract(f"```\n{code}"),
    "extract_answer": extraction.extract,
}
PIECES = [
    *(
        "#[allow(x)]\n",
        "#[cfg(test)] ",
        "#[cfg(test)] mod a {",
        "#[",
        "impl PartialEq ",
        "impl PartialEq for X { fn eq(",
    ),
    *(
        "trait x {",
        "fn main() ",
        "fn ",
        "fn f() { ",
        "macro_rules! vec { ",
        "x ! (",
        "use std::{",
        "use tokio::pause; ",
    ),
    *(
        'r#"',
        "r####",
        '"\\u{',
        "'\\u{0",
        '"\\',
        '"',
        "'",
        "/*",
        "*/ ",
        "//",
        "0b0",
        "0b1____2 ",
        "1e",
        "é",
        "\u0301",
        "🦀",
    ),
    *(
        "\u200e",
        "\r",
        " ",
        "\n",
        "{",
        "}",
        "({[",
        '"test x',
        "<think></think>",
        "</think> \n",
        "```\n",
        "; ",
        "`",
        "a(\n",
    ),
]


def cpu_seconds(read: Callable[[str], object], piece: str, length: int) -> float:
    text = (piece * (length // len(piece) + 1))[:length]
    began = time.thread_time()
    read(text)
    return time.thread_time() - began


@pytest.mark.slow
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_four_times_the_text_takes_nowhere_near_sixteen_times_the_time(read: Callable[[str], object]):
    gc.disable()
    try:
        for piece in PIECES:
            short_s, long_s = (cpu_seconds(read, piece, length) for length in (60_000, 240_000))
            assert long_s < 8 * short_s + 1, f"{piece!r}: {short_s:.2f} s, then {long_s:.2f} s"
    finally:
        gc.enable()


class CountedList(list):  # type: ignore[type-arg]
    """A list that counts how many of its elements are looked at."""

    looks = 0

    def __getitem__(self, index):
        found = super().__getitem__(index)
        CountedList.looks += len(found) if isinstance(index, slice) else 1
        return found

    def __iter__(self):
        CountedList.looks += len(self)
        return super().__iter__()


@pytest.mark.parametrize("walk", [closing_brackets, outline, without_test_modules], ids=lambda walk: walk.__name__)
@pytest.mark.parametrize("piece", ["#[cfg(test)] ", "#[cfg(test)] mod a { ", "impl X ", "trait a { fn f(); ", "({["])
def test_each_token_is_looked_at_a_few_times_only(walk: Callable[[list[object]], object], piece: str):
    found = CountedList(tokens(piece * 2_000))
    CountedList.looks = 0
    walk(found)
    assert CountedList.looks < 40 * len(found)
