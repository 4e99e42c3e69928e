"""Names in a spec are found in the code, whatever their spelling there."""

from __future__ import annotations

import pytest

from nerv.inspection.values import Definition
from nerv.location import Location
from nerv.matching.spec_names import DefinitionIndex, SpecName, names_in_spec
from nerv.spec import markdown

HERE = Location(file="a.ts", line=1)


def defines(wanted: str, *names: str) -> bool:
    definition_index = DefinitionIndex(Definition(kind="endpoint", name=name, location=HERE) for name in names)
    return definition_index.find(SpecName(kind="endpoint", name=wanted, location=HERE)) is not None


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("GET /todos", ("GET /todos",)),
        ("GET /todos/:id", ("GET /todos/{todoId}",)),
        ("GET /todos/:id", ("GET /todos/<int:number>",)),
        ("POST /todos", ("ANY /todos",)),
        ("POST /api/auth/login", ("ANY /api/auth", "POST /login")),
        ("GET /api/todos", ("ANY /api/todos", "GET /")),
        ("GET /api/v1/todos/:id", ("ANY /api", "ANY /v1", "GET /todos/:id")),
        ("GET /", ("GET /",)),
    ],
)
def test_an_endpoint_is_found(wanted: str, names: tuple[str, ...]) -> None:
    assert defines(wanted, *names)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("GET /todos", ()),
        ("GET /todos", ("POST /todos",)),
        ("GET /todos/:id", ("GET /todos",)),
        ("POST /api/auth/login", ("POST /login",)),
        ("GET /todos", ("GET /",)),
    ],
)
def test_a_different_endpoint_does_not_match(wanted: str, names: tuple[str, ...]) -> None:
    assert not defines(wanted, *names)


def test_functions_are_found_whichever_case_they_are_written_in() -> None:
    definition_index = DefinitionIndex([Definition(kind="function", name="parse_date", location=HERE)])
    assert definition_index.find(SpecName(kind="function", name="parseDate", location=HERE)) is not None
    assert definition_index.find(SpecName(kind="type", name="parseDate", location=HERE)) is None


def test_a_spec_names_endpoints_functions_and_commands_once() -> None:
    text = """# Dates
- [ ] `parse_date(text)` reads a date, and GET /dates lists them
- [ ] GET /dates answers quickly, and `npm run dev` starts it

```
POST /dates   adds one
npm run build
```
"""
    found = [one.name for one in names_in_spec(markdown.parse(text, "spec.md"))]
    assert found == ["GET /dates", "parse_date", "npm run dev", "POST /dates"]


def test_a_word_before_brackets_is_no_function() -> None:
    text = "# Clues\n- [ ] Other brackets belong to the text: `Composer (German)` becomes `Composer (German) (4)`\n"
    assert names_in_spec(markdown.parse(text, "spec.md")) == ()
