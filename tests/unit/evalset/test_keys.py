"""The JSON Schema of eval set files accepts the same files as the loader."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest import evalset, language
from forgetest.evalset.keys import dependency_table, file_table, json_schema

VALIDATOR = jsonschema.Draft202012Validator(json_schema())

FULL: dict[str, Any] = {
    "eval_set": {
        "id": "s",
        "name": "S",
        "description": "",
        "default_language": "rust",
        "default_timeout_secs": 60,
        "default_unsafe_code": "checked",
        "weights": {"compilation": 0.4, "tests": 0.5, "clippy": 0.1},
        "cases_from": "cases.jsonl",
    },
    "cases": [
        {
            "id": "a",
            "name": "A",
            "prompt": "p",
            "description": "",
            "language": "rust",
            "tags": ["x"],
            "edition": "2021",
            "dependencies": [{"name": "tokio", "version": "1", "features": ["full"]}],
            "timeout_secs": 0.5,
            "max_tokens": 10,
            "context": [{"path": "src/lib.rs", "content": ""}],
            "reference_solution": "fn a() {}",
            "expectations": {
                "should_compile": True,
                "should_pass_tests": True,
                "test_file": "t",
                "expected_functions": ["a"],
                "expected_types": [],
                "max_clippy_warnings": 0,
                "custom_check": "true",
                "unsafe_code": "forbidden",
            },
        }
    ],
}
ODD_VALUES = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        0.5,
        1.5,
        -0.1,
        "",
        " \n",
        "x",
        "2021",
        "../a",
        "/a",
        "a/../b",
        "a/..",
        "..a",
        "a b",
    ),
    *([], [1], [""], ["x"], [{}], {}, {"x": 1}, {"name": "n", "version": "1"}, {"should_compile": False}),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every table or list in a document, paired with each of its keys or indices."""
    if isinstance(value, dict):
        keys = [*value, "unheard_of"]
    elif isinstance(value, list):
        keys = list(range(len(value)))
    else:
        return []
    inner = [place for key in keys if key != "unheard_of" for place in places(value[key])]
    return [(value, key) for key in keys] + inner


@st.composite
def changed_files(draw: st.DrawFn) -> dict[str, Any]:
    """The full file with one to three values removed or replaced."""
    document = copy.deepcopy(FULL)
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(places(document)))
        if draw(st.booleans()) and key != "unheard_of":
            del holder[key]
        else:
            holder[key] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
    return document


def test_the_published_schema_is_a_valid_json_schema():
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert evalset.json_schema() == json_schema()


def test_the_full_file_is_valid():
    assert VALIDATOR.is_valid(FULL)
    assert list(file_table().errors(FULL, ())) == []


@given(changed_files())
def test_the_schema_and_the_loader_accept_the_same_files(document: dict[str, Any]) -> None:
    errors = [
        complaint
        for complaint in file_table().errors(document, ())
        if not complaint.message.startswith("must sum to 1")  # JSON Schema cannot add
    ]
    assert VALIDATOR.is_valid(document) == (errors == [])


@pytest.mark.parametrize("path", [pytest.param(path, id=name) for name, path in evalset.built_in().items()])
def test_the_built_in_sets_are_valid_by_the_schema(path: Path) -> None:
    VALIDATOR.validate(tomllib.loads(path.read_text(encoding="utf-8")))


def test_every_key_in_the_schema_has_a_description():
    def described(schema: dict[str, Any]) -> bool:
        inner = [*schema.get("properties", {}).values()]
        items = [schema["items"]] if "items" in schema else []
        return all("description" in each for each in inner) and all(described(each) for each in inner + items)

    assert described({**json_schema(), "allOf": []})


def test_names_of_dependencies_follow_the_rules_of_the_cases_language():
    scoped = {"name": "@scope/pkg", "version": "1", "features": ["a b"]}
    assert [error.key for error in dependency_table(language.find("rust")).errors(scoped, ())] == [
        ("name",),
        ("features", 0),
    ]
    assert list(dependency_table(language.find("javascript")).errors(scoped, ())) == []


def test_the_schema_of_several_languages_takes_the_names_of_each():
    several = dependency_table(language.find("rust"), language.find("javascript"))
    assert several.schema()["properties"]["name"]["pattern"] == r"\S"
