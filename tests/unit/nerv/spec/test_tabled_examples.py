"""Calls in tables and code blocks, and pairs below a line that says what is called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nerv.location import Location
from nerv.spec import markdown
from nerv.spec.examples import examples


def found(text: str) -> list[tuple[str, object]]:
    return [(str(each), "fails" if each.fails else each.expected) for each in examples(markdown.parse(text, "SPEC.md"))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| call | result |\n|---|---|\n| `add(1, 2)` | `3` |\n| `add(2, 2)` | 4 |\n",
            [("add(1, 2)", 3), ("add(2, 2)", 4)],
        ),
        ("| call | result |\n|---|---|\n| `parse('x')` | `ValueError` |\n", [("parse('x')", "fails")]),
        ("```python\n>>> add(1, 2)\n3\n```\n", [("add(1, 2)", 3)]),
        ("```js\nadd(1, 2) // 3\nadd('a', 'b'); \n```\n", [("add(1, 2)", 3)]),
        ("```python\nassert add(1, 2) == 3\n```\n", [("add(1, 2)", 3)]),
        (
            '`clock(text)` reads times:\n\n- `"1:30"` is 90, `"2:00"` is 120\n',
            [("clock('1:30')", 90), ("clock('2:00')", 120)],
        ),
    ],
)
def test_a_call_with_its_result_is_an_example(text: str, expected: list[tuple[str, object]]) -> None:
    assert found(f"Please add this.\n\n{text}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "At the moment it is wrong:\n\n| call | result |\n|---|---|\n| `add(1, 2)` | `4` |\n",
        "| call | today | wanted |\n|---|---|---|\n| `add(1, 2)` | `4` | `3` |\n",
        "Steps to reproduce:\n\n```python\n>>> add(1, 2)\n4\n```\n",
        "```python\n>>> add(1, 2)\nTraceback (most recent call last):\n```\n",
        "```python\nadd(1, 2)  # adds two numbers\n```\n",
        "| zone | price |\n|---|---|\n| 1 | 390 |\n",
        '`clock(text)` and `watch(text)` read times:\n\n- `"1:30"` is 90\n',
        "`clock(text)` reads times:\n\n- `O` is 0\n",
        "- `parse` reads weeks: `1w` is 7 days\n",
    ],
)
def test_what_may_mean_something_else_is_none(text: str) -> None:
    assert found(f"Please look at this.\n\n{text}") == []


def test_items_are_found_in_the_text_of_a_prompt_wherever_the_log_has_it() -> None:
    text = 'Good morning.\n\nPlease.\n\n`clock(text)` reads times:\n\n- `"1:30"` is 90\n\n'
    text += "| call | result |\n|---|---|\n| `add(1)` | 2 |\n"
    spec = markdown.parse(text, "SPEC.md")
    moved = replace(spec, items=tuple(replace(item, location=Location(file="log", line=2)) for item in spec.items))
    assert [(str(each), each.item) for each in examples(moved)] == [(str(each), each.item) for each in examples(spec)]
    assert [str(each) for each in examples(moved)] == ["clock('1:30')", "add(1)"]
