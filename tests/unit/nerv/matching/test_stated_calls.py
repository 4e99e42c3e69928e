"""Calls that a spec describes in words."""

from __future__ import annotations

import pytest

from nerv.inspection.calls import callees
from nerv.matching.stated_calls import stated_calls
from nerv.spec import markdown

CODE = """
def parse(text): ...
def wrap(text, width): ...
def mean(numbers): ...
def span(start, end): ...
class Cart:
    def __init__(self, limit=3): ...
    def add(self, name, quantity): ...
"""
TESTS = """
wrap("one two", 20)
mean([1, 2])
Cart(limit=2)
cart.add("tea", 2)
"""


def found(item: str, tests: str = TESTS) -> list[str]:
    spec = markdown.parse(f"- [ ] {item}\n", "SPEC.md")
    calls = stated_calls(spec, callees([("a.py", CODE), ("test_a.py", tests)]))
    return [f"{call} {'fails' if call.fails else call.expected}" for call in calls]


@pytest.mark.parametrize(
    ("item", "calls"),
    [
        ("`parse` raises ValueError for an empty text, an unknown unit, and a unit given twice", ["parse('') fails"]),
        ("`wrap` returns an error for a width below 1", ["wrap('one two', 0) fails"]),
        ("`wrap` rejects an empty text", ["wrap('', 20) fails"]),
        ("`add` throws a RangeError for a negative quantity", ["Cart().add('tea', -1) fails"]),
        (
            "The constructor raises ValueError for a `limit` that is not positive",
            [*(f"Cart(limit={n}) fails" for n in (0, -1))],
        ),
        ("`mean` returns 0 for an empty list", ["mean([]) 0"]),
        ("`span` raises ValueError if the end lies before the start", ["span(4, 3) fails"]),
        ("`wrap` raises TypeError for anything but a string", ["wrap(5, 20) fails", "wrap(None, 20) fails"]),
    ],
)
def test_words_and_a_call_of_the_tests_give_a_call(item, calls):
    assert found(item) == calls


@pytest.mark.parametrize(
    "item",
    [
        "`wrap` no longer raises ValueError for an empty text",
        "`parse` reads an empty text",
        "`unknown` raises ValueError for an empty text",
        "`parse` raises ValueError unless the text is empty",
        "`span` raises ValueError for a negative number",
    ],
)
def test_words_that_leave_a_doubt_give_none(item):
    assert found(item) == []


def test_what_works_for_every_number_works_for_the_smallest_and_the_largest() -> None:
    spec = markdown.parse("- [ ] `format_cents` writes two decimals. It has to work for every `i64`\n", "SPEC.md")
    known = callees([("src/lib.rs", "pub fn format_cents(cents: i64) -> String { String::new() }\n")])
    calls = stated_calls(spec, known)
    assert [call.arguments for call in calls] == [(-(2**63),), (2**63 - 1,)]
    assert all(call.succeeds for call in calls)
