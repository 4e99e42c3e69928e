"""File names that are no text."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forgetest.files.printable import printable, printable_all


@given(st.binary(min_size=1, max_size=20))
def test_any_name_becomes_text_that_can_be_written(name: bytes) -> None:
    text = printable(os.fsdecode(name))
    assert msgspec.json.decode(msgspec.json.encode(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_a_byte_that_is_no_text_can_be_recognised() -> None:
    assert printable(Path(os.fsdecode(b"caf\xc3\xa9/caf\xe9"))) == "café/caf\\xe9"


def test_documents_are_gone_through_to_their_keys() -> None:
    name = os.fsdecode(b"\xff")
    assert printable_all({name: [name, ("x", 1, None)]}) == {"\\xff": ["\\xff", ["x", 1, None]]}
