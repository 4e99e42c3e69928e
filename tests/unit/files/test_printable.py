"""File names that are not valid text."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.files.printable import (
    printable,
    printable_all,
    terminal_safe,
    terminal_safe_json,
    terminal_safe_line,
)


@given(st.binary(min_size=1, max_size=20))
def test_any_file_name_becomes_text_that_can_be_encoded(name: bytes) -> None:
    text = printable(os.fsdecode(name))
    assert msgspec.json.decode(msgspec.json.encode(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_valid_text_is_unchanged(text: str) -> None:
    assert printable(text) == text


def test_an_undecodable_byte_stays_recognisable() -> None:
    assert printable(Path(os.fsdecode(b"caf\xc3\xa9/caf\xe9"))) == "café/caf\\xe9"


def test_keys_and_values_of_a_document_are_converted_at_every_depth() -> None:
    name = os.fsdecode(b"\xff")
    assert printable_all({name: [name, ("x", 1, None)]}) == {"\\xff": ["\\xff", ["x", 1, None]]}


HARMLESS_MARKS = "\u200c\u200d"  # they join letters and parts of emoji


@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "L", "N", "S", "P", "Zs"])))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    for character in terminal_safe(text):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") or character in "\t\n"
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
    assert not set(terminal_safe_line(text)) & set("\t\n")


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
def test_other_text_is_shown_as_it_is(text: str) -> None:
    assert terminal_safe(text) == terminal_safe_line(text) == text
    assert terminal_safe(f"{text}\n\t{HARMLESS_MARKS}") == f"{text}\n\t{HARMLESS_MARKS}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b8m", "\\x9b8m"),
        ("\x7f\r", "\\x7f\\r"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\U000e0041", "\\U000e0041"),
        (os.fsdecode(b"\xff"), "\\xff"),
    ],
)
def test_what_a_terminal_obeys_is_shown_by_its_number(text: str, shown: str) -> None:
    assert terminal_safe(text) == shown


def test_a_line_has_no_breaks_or_tabs() -> None:
    assert terminal_safe_line("a\n\tb") == "a\\n\\tb"


@given(st.recursive(st.text(), lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner), max_leaves=5))
def test_json_keeps_its_content_and_has_nothing_that_a_terminal_obeys(value: object) -> None:
    text = terminal_safe_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(text) == value
    assert terminal_safe(text) == text
