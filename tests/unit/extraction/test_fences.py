"""Fenced blocks in an answer."""

import pytest

from forgetest.extraction.fences import Block, opens, split


@pytest.mark.parametrize(
    ("text", "blocks", "outside"),
    [
        ("a\n```rust\nx\n```\nb", [Block("rust", "x\n")], "a\n\nb"),
        ("```\n```", [Block("", "")], ""),
        ("```\nx\n~~~\n````  ", [Block("", "x\n~~~\n")], ""),
        ("````\n```\n````", [Block("", "```\n")], ""),
        ("```\nx\n``` y\n", [Block("", "x\n``` y\n\n", closed=False)], ""),
        ("~~~ a ` b\nx\n~~~", [Block("a ` b", "x\n")], ""),
        ("  ```\n  x\n   y\n\n  ```", [Block("", "x\n y\n\n")], ""),
        ("  ```\n  x\ny\n  ```", [Block("", "  x\ny\n")], ""),
        ("> ```\n> x\n>\n> ```", [Block("", "x\n\n")], ""),
        ("1. ```\n   x\n   ```", [Block("", "x\n")], ""),
        ("``` x ```", [Block("x", "")], ""),
        ("``` x ``` y", [], "``` x ``` y"),
        ("a ```\nb", [], "a ```\nb"),
        ("```\nx();```\ny", [Block("", "x();\n")], "\ny"),
        ("```\n// x();```\ny", [Block("", "// x();```\ny\n", closed=False)], ""),
    ],
)
def test_an_answer_is_split_into_blocks_and_the_text_around_them(text, blocks, outside):
    assert split(text) == (blocks, outside)


@pytest.mark.parametrize(
    "info", ["rust", "Rust,ignore", "{.rust #id}", "language-rust", "rust title=x", "rust:src/a.rs"]
)
def test_the_tag_is_the_language(info):
    assert Block(info, "").tag == "rust"


def test_a_tag_of_another_language_keeps_its_punctuation():
    assert [Block(info, "").tag for info in ("C++", "c#", "objective-c", "")] == ["c++", "c#", "objective-c", ""]


def test_a_line_that_opens_a_block_is_recognised():
    assert opens("  ```rust") == Block("rust", "", closed=False)
    assert opens("let x = 1; // ```") is None
