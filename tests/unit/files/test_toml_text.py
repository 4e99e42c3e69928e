"""Writing TOML, checked by reading it back."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.files import toml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("a'\"\\\n\r\t\x7f#")
SCALARS = TEXTS | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.floats(allow_nan=False) | st.dates()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=12
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_what_is_written_is_what_is_read(table: dict[str, Any]):
    assert tomllib.loads(toml_text.document(table)) == table


def test_a_text_of_several_lines_can_be_read_by_people():
    text = toml_text.document({"cases": [{"prompt": "def f():\n    return 'a\\b'\n", "id": "f"}]})

    assert text == "[[cases]]\nprompt = '''\ndef f():\n    return 'a\\b'\n'''\nid = \"f\"\n"


def test_short_tables_stay_on_their_line():
    text = toml_text.document({"dependencies": [{"name": "rand", "version": "0.7"}]})

    assert text == 'dependencies = [{ name = "rand", version = "0.7" }]\n'


def test_null_cannot_be_written():
    with pytest.raises(ValueError, match="TOML has no NoneType"):
        toml_text.document({"a": None})
