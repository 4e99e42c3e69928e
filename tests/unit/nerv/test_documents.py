"""Documents that a run wrote: whatever they hold, reading them raises nothing."""

from __future__ import annotations

import pytest

from nerv.documents import read_json, read_toml, table

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("text", ["", "no JSON", DEEP, '{"a": ' + DEEP + "}"])
def test_a_text_that_cannot_be_read_as_json_is_no_document(text):
    assert read_json(text) is None


@pytest.mark.parametrize("text", ["no TOML", "a = " + "[" * 5000 + "]" * 5000])
def test_a_text_that_cannot_be_read_as_toml_is_no_document(text):
    assert read_toml(text) is None


def test_documents_are_read():
    assert read_json('{"a": [1]}') == {"a": [1]}
    assert read_toml("a = [1]\n") == {"a": [1]}


@pytest.mark.parametrize("document", [None, 3, [], {}, {"a": 3}, {"a": ["b"]}])
def test_something_else_in_the_place_of_a_table_is_an_empty_one(document):
    assert table(document, "a") == {}


def test_a_table_is_found_by_its_key():
    assert table({"a": {"b": 1}}, "a") == {"b": 1}
