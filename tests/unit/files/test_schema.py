"""Tables of keys: the problems they find, and their JSON Schema."""

import jsonschema
import pytest

from forgetest.files.schema import Flag, Key, ListOf, Number, PlainOrTable, Table, Text, key_text, nearest

COUNT = Number(whole=True, least=0)
NAMED = Table((Key("name", Text(), "A name", required=True),), unlisted=COUNT)
OPEN = Table((Key("on", Flag(), "On or off"),), allows_unlisted=True)


def errors(kind, value):
    return [(key_text(key), message) for key, message, _ in kind.errors(value, ())]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (NAMED, {"name": "x", "other": 1}, {"name": "x", "other": -1}),
        (OPEN, {"on": True, "other": object}, {"on": 1}),
        (PlainOrTable(COUNT, OPEN), 3, "3"),
        (PlainOrTable(COUNT, OPEN), {"on": False}, {"on": "no"}),
        (ListOf(Number(above=0, most=1)), [0.5, 1], [0]),
        (Text(choices=("a", "b")), "a", "c"),
    ],
)
def test_the_checks_and_the_schema_accept_the_same_values(kind, good, bad):
    schema = jsonschema.Draft202012Validator(kind.schema())
    assert errors(kind, good) == []
    assert schema.is_valid(good)
    assert errors(kind, bad) != []
    assert not schema.is_valid(bad)


def test_a_problem_with_an_additional_key_is_reported_under_its_name():
    assert errors(NAMED, {"name": "x", "other": "y"}) == [("other", "must be a whole number, not a string")]


def test_a_misspelt_key_is_one_problem_and_not_two():
    strict = Table((Key("name", Text(), "A name", required=True),))
    assert errors(strict, {"Nmae": "x"}) == [("Nmae", 'unknown key; did you mean "name"?')]


def test_a_suggestion_is_close_to_the_name_or_absent():
    assert nearest("TEST_FIL", ["test_file", "tests"]) == "test_file"
    assert nearest("xyzzy", ["test_file"]) is None


def test_the_path_of_a_key_is_written_as_in_python():
    assert key_text(("cases", 2, "prompt")) == "cases[2].prompt"
    assert key_text(()) == ""
