"""Tables of keys: what they complain about, and their JSON Schema."""

import jsonschema
import pytest

from forgetest.files.schema import Either, Flag, Key, ListOf, Number, Table, Text, nearest, written

COUNT = Number(whole=True, least=0)
NAMED = Table((Key("name", Text(), "A name", required=True),), others=COUNT)
OPEN = Table((Key("on", Flag(), "On or off"),), open=True)


def complaints(kind, value):
    return [(written(key), message) for key, message, _ in kind.complaints(value, ())]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (NAMED, {"name": "x", "other": 1}, {"name": "x", "other": -1}),
        (OPEN, {"on": True, "other": object}, {"on": 1}),
        (Either(COUNT, OPEN), 3, "3"),
        (Either(COUNT, OPEN), {"on": False}, {"on": "no"}),
        (ListOf(Number(above=0, most=1)), [0.5, 1], [0]),
        (Text(choices=("a", "b")), "a", "c"),
    ],
)
def test_checks_and_schema_agree(kind, good, bad):
    schema = jsonschema.Draft202012Validator(kind.schema())
    assert complaints(kind, good) == []
    assert schema.is_valid(good)
    assert complaints(kind, bad) != []
    assert not schema.is_valid(bad)


def test_values_under_other_keys_are_checked_under_their_own_name():
    assert complaints(NAMED, {"name": "x", "other": "y"}) == [("other", "must be a whole number, not a string")]


def test_a_misspelt_key_is_one_mistake():
    strict = Table((Key("name", Text(), "A name", required=True),))
    assert complaints(strict, {"Nmae": "x"}) == [("Nmae", 'unknown key; did you mean "name"?')]


def test_the_nearest_name_is_near_or_none():
    assert nearest("TEST_FIL", ["test_file", "tests"]) == "test_file"
    assert nearest("xyzzy", ["test_file"]) is None


def test_a_key_is_written_as_in_python():
    assert written(("cases", 2, "prompt")) == "cases[2].prompt"
    assert written(()) == ""
