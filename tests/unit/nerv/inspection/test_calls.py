"""How functions can be called: their parameters, and the literal calls of tests."""

from __future__ import annotations

import pytest

from nerv.inspection.calls import callees


@pytest.mark.parametrize(
    ("code", "test", "name", "owner", "parameters", "arguments"),
    [
        (
            ("a.py", "def wrap(text: str, width=3): ..."),
            ("test_a.py", "wrap('a b', -2)\nwrap(text, 3)"),
            "wrap",
            "",
            ("text", "width"),
            ("a b", -2),
        ),
        (
            ("cart.js", "class Cart { add(name, price) {} }"),
            ("cart.test.js", "new Cart().add('tea', 1.5)"),
            "add",
            "Cart",
            ("name", "price"),
            ("tea", 1.5),
        ),
        (
            ("memo.mjs", "class Memo { constructor({ capacity = 3, ttl } = {}) {} }"),
            ("memo.test.mjs", "new Memo({ capacity: 2 })"),
            "Memo",
            "",
            ("{capacity,ttl}",),
            ({"capacity": 2},),
        ),
        (
            ("a.go", "package a\nfunc (c *Cart) Add(name string, price, count int) {}"),
            ("a_test.go", 'package a\nfunc f() { c.Add("tea", 1, 2) }'),
            "Add",
            "Cart",
            ("name", "price", "count"),
            ("tea", 1, 2),
        ),
        (
            ("src/lib.rs", "impl Set { pub fn insert(&mut self, start: i64, end: i64) {} }"),
            ("tests/a.rs", "fn a() { set.insert(1, 4_000i64); }"),
            "insert",
            "Set",
            ("start", "end"),
            (1, 4000),
        ),
    ],
)
def test_a_function_is_known_with_its_parameters_and_calls(code, test, name, owner, parameters, arguments):
    found = callees([code, test])[name]
    assert (found.owner, found.parameters) == (owner, parameters)
    assert [call.arguments for call in found.calls] == [arguments]


def test_keywords_are_kept():
    found = callees([("a.py", "def f(a, b=1): ..."), ("test_a.py", "f('x', b=2)")])["f"]
    assert dict(found.calls[0].keywords) == {"b": 2}


def test_a_name_that_is_defined_twice_is_left_alone():
    assert callees([("a.py", "def f(): ..."), ("b.py", "def f(a): ...")]) == {}
