"""Mutations change one thing on a line that the run wrote."""

from __future__ import annotations

import pytest

from nerv.inspection.mutations import mutations


def changed_lines(path: str, text: str, *lines: int) -> list[str]:
    """The changed line of each mutation."""
    found = mutations(path, text, lines or range(1, 100))
    return [each.content.decode().split("\n")[each.line - 1].strip() for each in found]


PYTHON = """\
def limit(value, most=9):
    if value < 0 and most:
        raise ValueError(value)
    log(value)
    return value + 1
"""


def test_python():
    assert changed_lines("a.py", PYTHON) == [
        "def limit(value, most=10):",
        "if False:",
        "if value <= 0 and most:",
        "if value < 1 and most:",
        "if value < 0 or most:",
        "pass",
        "return value - 1",
        "return value + 2",
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "if (a === b) send(1);", ["if (false) send(1);", "if (a !== b) send(1);", "if (a === b) {}"]),
        ("a.go", "package a\nfunc f(a int) {\n\tif a > 1 {\n\t}\n}\n", ["if false {", "if a >= 1 {", "if a > 2 {"]),
        ("a.rs", "fn f(a: u8) -> bool { a <= 7 && true }", ["a < 7", "a <= 8", "||", "false"]),
        ("A.java", "class A { boolean f(int a) { return a != 3; } }", ["a == 3", "a != 4"]),
    ],
)
def test_other_languages(path, text, expected):
    found = changed_lines(path, text)
    for piece in expected:
        assert any(piece in line for line in found), (piece, found)


def test_only_the_given_lines_change():
    assert changed_lines("a.py", PYTHON, 5) == ["return value - 1", "return value + 2"]


def test_conditions_that_bind_names_are_left_alone():
    assert not any("if false" in line for line in changed_lines("a.rs", "fn f() { if let Some(x) = y { g(x) } }"))
    assert "if False:" not in changed_lines("a.py", "if (n := g()):\n    h(n)\n")


def test_a_language_without_a_parser_has_none():
    assert mutations("a.rb", "a == 1 if b", [1]) == ()


def test_every_mutation_of_python_still_parses():
    for each in mutations("a.py", PYTHON, range(1, 10)):
        compile(each.content, "a.py", "exec")


def test_a_large_table_is_data_and_a_small_one_is_code():
    table = "STEPS = [\n" + "    (1, -5),\n" * 40 + "]\n"
    assert mutations("a.py", table, range(1, 60)) == ()
    assert mutations("a.py", "STEPS = [\n" + "    (1, -5),\n" * 3 + "]\n", range(1, 60)) != ()
    inside = "STEPS = [\n" + "    lambda n: n + 1,\n" * 40 + "]\n"
    assert mutations("a.py", inside, range(1, 60)) != ()
