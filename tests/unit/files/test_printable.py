"""File names that are not valid text."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forgetest.files.printable import printable, printable_all


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
