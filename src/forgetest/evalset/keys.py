"""The keys of an eval-set file: one description that checks files and writes their JSON Schema."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from forgetest.evalset import generation
from forgetest.evalset.io_keys import FILE_IN_FOLDER, IO, Date
from forgetest.files.schema import (
    NON_EMPTY_TEXT,
    Flag,
    Key,
    Kind,
    ListOf,
    Number,
    PlainOrTable,
    Rule,
    Schema,
    SchemaError,
    Table,
    Text,
)
from forgetest.files.toml_lines import KeyPath
from forgetest.language import Language, find, installed

DEFAULT_LANGUAGE = "rust"


def json_schema() -> Schema:
    """Return the JSON Schema (2020-12) of eval-set files; a line of `cases_from` is an item of its `cases`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "forgetest eval set",
        **file_table().schema(),
    }


def _with(*keys: str, schema: Schema) -> Schema:
    """Return the schema of a table in which nested `keys` lead to a value that matches `schema`."""
    for key in reversed(keys):
        schema = {"properties": {key: schema}, "required": [key]}
    return schema


def _weights_sum_to_one(weights: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    total = math.fsum(weights.values())
    if not math.isclose(total, 1.0, abs_tol=1e-9):
        yield SchemaError(at, f"must sum to 1, not {total:g}", at)


def lacks_tests(case: Mapping[str, Any]) -> bool:
    """Return True for a case that asks for tests and has none, so that no sample can be correct."""
    expectations = case.get("expectations", {})
    asked = expectations.get("should_pass_tests", True) and expectations.get("should_compile", True)
    return bool(asked) and "io" not in case and not expectations.get("test_file", "").strip()


_WITHOUT_IO = (
    "should_compile",
    "should_pass_tests",
    "test_file",
    "expected_functions",
    "expected_types",
    "unsafe_code",
)
"""Expectations of code that is tested by other code."""


def _io_is_all_that_tests(case: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    if "io" in case:
        for name in _WITHOUT_IO:
            if name in case.get("expectations", {}):
                path = (*at, "expectations", name)
                yield SchemaError(path, "has no meaning beside [cases.io], which has the tests: leave it out", path)


def _cases_are_there(file: Mapping[str, Any], at: KeyPath) -> Iterator[SchemaError]:
    if not file.get("cases") and "cases_from" not in file["eval_set"]:
        yield SchemaError((*at, "cases"), "no case: write [[cases]], or name a file as cases_from", ("eval_set",))


def _dependency(*languages: Language) -> Kind:
    """Return the kind of a dependency: a table, or one text in languages that have a notation for it."""
    texts = {each.dependency_text for each in languages}
    text = texts.pop() if len(texts) == 1 else NON_EMPTY_TEXT
    table = dependency_table(*languages)
    return table if text is None else PlainOrTable(text, table)


def dependency_table(*languages: Language) -> Table:
    """Return the table of a dependency; where languages name packages differently, any name will do."""
    names = {each.dependency_name for each in languages}
    features = {each.dependency_feature for each in languages}
    name = names.pop() if len(names) == 1 else NON_EMPTY_TEXT
    feature = features.pop() if len(features) == 1 else NON_EMPTY_TEXT
    return Table(
        (
            Key("name", name, "The package's name", required=True),
            Key("version", NON_EMPTY_TEXT, "Accepted versions, in the package manager's notation", required=True),
            Key("features", ListOf(feature), "Features to switch on"),
        )
    )


CONTEXT_FILE = Table(
    (
        Key("path", NON_EMPTY_TEXT, "The name under which the model is shown the file", required=True),
        Key("content", Text(), "Content of the file", required=True),
    )
)

ACCEPTED_MUTANT = Table(
    (
        Key("line", Text(), "The changed lines of the reference solution, without indentation", required=True),
        Key("becomes", Text(), "The lines in their place", required=True),
        Key("reason", NON_EMPTY_TEXT, "Why it is no worse an answer", required=True),
    )
)

_UNSAFE_CODE = Text(choices=("forbidden", "checked", "allowed"))

_EXPECTATION_KEYS = (
    Key("should_compile", Flag(), "False: the code must be rejected by the compiler"),
    Key("should_pass_tests", Flag(), "False: no tests are run"),
    Key("test_file", Text(), "The test code, in the case's language"),
    Key("expected_functions", ListOf(NON_EMPTY_TEXT), "Functions that must be defined: names or whole signatures"),
    Key("expected_types", ListOf(NON_EMPTY_TEXT), "Types that must be defined"),
    Key("max_clippy_warnings", Number(whole=True, least=0), "More lint warnings make the sample incorrect"),
    Key("custom_check", NON_EMPTY_TEXT, "A command that gets the code on stdin and exits 0 for yes"),
    Key("unsafe_code", _UNSAFE_CODE, "Whether unsafe and foreign code may be part of a correct answer"),
)

_CASE_KEYS = (
    Key("id", NON_EMPTY_TEXT, "Unique in the set", required=True),
    Key("name", NON_EMPTY_TEXT, "Shown in reports", required=True),
    Key("prompt", NON_EMPTY_TEXT, "What the model is asked", required=True),
    Key("description", Text(), "Shown in reports"),
    Key("language", NON_EMPTY_TEXT, "The language of the answer; default_language where it is absent"),
    Key("tags", ListOf(NON_EMPTY_TEXT), "Words to filter and to aggregate by"),
)
_FURTHER_CASE_KEYS = (
    Key("timeout_secs", Number(above=0), "How long the tests may run; default_timeout_secs where it is absent"),
    Key("max_tokens", Number(whole=True, above=0), "Longest answer, in tokens"),
    Key("context", ListOf(CONTEXT_FILE), "Files that the model is shown beside the prompt"),
    Key("reference_solution", NON_EMPTY_TEXT, "A correct answer; `validate --solve` grades it"),
    Key("date", Date(), "The day on which the task was published; for --since and --until"),
    Key("source", NON_EMPTY_TEXT, "Where the task comes from"),
    Key("accepted_mutants", ListOf(ACCEPTED_MUTANT), "Changes that no test needs to notice; for `audit`"),
)
_IO_KEY = Key("io", IO, "Tests by input and output: the sample is a program, or a function that is called")


def case_table(*languages: Language) -> Table:
    """Return the table of a case, with the own keys of these languages."""
    own = (each.key for language in languages for each in language.case_keys)
    dependencies = Key("dependencies", ListOf(_dependency(*languages)), "Packages that the code may use")
    plain = (*_CASE_KEYS, *own, dependencies, *_FURTHER_CASE_KEYS)
    expectations = Table(
        _EXPECTATION_KEYS, misplaced={key.name: "to the case itself, above [cases.expectations]" for key in plain}
    )
    return Table(
        (*plain, Key("expectations", expectations, "What is asked of the code"), _IO_KEY),
        rules=(Rule(_io_is_all_that_tests),),
        misplaced={
            **{key.name: "in [cases.io]" for key in IO.keys},
            **{key.name: "in [cases.expectations]" for key in _EXPECTATION_KEYS},
        },
    )


@dataclass(frozen=True, slots=True)
class CaseInLanguage:
    """A case: which keys it may have depends on its language."""

    default_language: str

    def errors(self, value: object, at: KeyPath) -> Iterator[SchemaError]:
        """Yield every mistake in `value`."""
        name = value.get("language") if isinstance(value, Mapping) else None
        return case_table(find(name if isinstance(name, str) else self.default_language)).errors(value, at)

    def schema(self) -> Schema:
        """Return the JSON Schema of cases, with the keys of all languages: a schema cannot distinguish them."""
        return case_table(*installed()).schema()


_SHARE = Number(least=0, most=1)

WEIGHTS = Table(
    (
        Key("compilation", _SHARE, "Weight of compilation", required=True),
        Key("tests", _SHARE, "Weight of the tests", required=True),
        Key("clippy", _SHARE, "Weight of the linter, whatever the language's linter is", required=True),
    ),
    rules=(Rule(_weights_sum_to_one),),  # JSON Schema cannot add
)

HEADER = Table(
    (
        Key("id", NON_EMPTY_TEXT, "Unique among the sets of a run", required=True),
        Key("name", NON_EMPTY_TEXT, "Shown in reports", required=True),
        Key("description", Text(), "Shown in reports"),
        Key("default_language", NON_EMPTY_TEXT, "The language of cases that name none"),
        Key("default_timeout_secs", Number(above=0), "The timeout of cases that name none"),
        Key("default_unsafe_code", _UNSAFE_CODE, "The unsafe_code of cases that have none"),
        Key("weights", WEIGHTS, "How much each component of the score counts"),
        Key("generation", generation.KEYS, "How models are asked for these cases"),
        Key(
            "cases_from",
            FILE_IN_FOLDER,
            "A file with further cases beside this one: JSON lines, with the keys of a case",
        ),
    )
)


def file_table(default_language: str = DEFAULT_LANGUAGE) -> Table:
    """Return the table of a whole file. `default_language` is that of its header."""
    return Table(
        (
            Key("eval_set", HEADER, "The header", required=True),
            Key("cases", ListOf(CaseInLanguage(default_language)), "The tasks"),
        ),
        rules=(
            Rule(
                _cases_are_there,
                {
                    "anyOf": [
                        _with("cases", schema={"minItems": 1}),
                        _with("eval_set", "cases_from", schema={}),
                    ]
                },
            ),
        ),
    )
