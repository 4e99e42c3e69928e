"""Functions that give empty values, or refuse."""

from __future__ import annotations

import subprocess

import pytest

from nerv.inspection.hollow_code import hollow_results, refuse_calls
from nerv.inspection.languages import language_of, parse, walk

ALL = range(1, 50)


def is_valid(path: str, content: bytes) -> bool:
    language = language_of(path)
    assert language is not None
    return not any(node.type == "ERROR" or node.is_missing for node in walk(parse(language, content.decode())))


@pytest.mark.parametrize("value", ["3", '"text"', "[1]", "(1, 2)", "{1: 2}", "{1}", "True", "1.5", 'b"x"', "1, 2"])
def test_a_python_function_gives_an_empty_value_of_the_same_kind(value):
    found = hollow_results("a.py", f"def f():\n    return {value}\n", ALL, {"f"})
    assert found is not None
    names: dict[str, object] = {}
    exec(found.decode(), names)
    given = names["f"]()  # type: ignore[operator]
    assert type(given) is type(eval(value))
    assert not given


def test_errors_objects_and_other_functions_stay():
    raising = "def f(x):\n    if x:\n        raise ValueError(x)\n    return\n"
    text = f"{raising}\n\ndef g():\n    return 1\n\n\ndef h():\n    return max\n"
    names: dict[str, object] = {}
    exec((hollow_results("a.py", text, ALL, {"f", "h"}) or b"").decode(), names)
    assert names["g"]() == 1  # type: ignore[operator]
    assert names["h"]() is max  # type: ignore[operator]
    with pytest.raises(ValueError, match="7"):
        names["f"](7)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "export const f = (x) => x.map((y) => ({ y }));\nfunction g() { return { a: 1 }; }\n"),
        ("a.go", "package a\n\nfunc f() (x, y []string, err error) {\n\treturn nil, nil, nil\n}\n\nfunc g() {\n}\n"),
    ],
)
def test_other_languages_stay_valid(path, text):
    found = hollow_results(path, text, ALL, {"f", "g"})
    assert found is not None
    assert found.count(b"function _h(_v)") + found.count(b"if true { return") == 2
    assert is_valid(path, found)


def test_a_function_that_a_function_gives_is_hollow_too() -> None:
    python = "def f(n):\n    def inner(x):\n        return x * n\n    return inner\n"
    names: dict[str, object] = {}
    exec((hollow_results("a.py", python, ALL, {"f"}) or b"").decode(), names)
    assert names["f"](3)(2) == 0  # type: ignore[operator]
    javascript = "class C {}\nfunction f(n) { return (x) => x * n; }\nfunction g() { return C; }\n"
    found = (hollow_results("a.js", javascript, ALL, {"f", "g"}) or b"").decode()
    done = subprocess.run(
        ["node", "-e", f"{found}; console.log(f(3)(2), g() === C)"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 true\n"


def test_functions_that_the_run_did_not_write_give_what_they_gave():
    text = "def f():\n    return 1\n"
    assert hollow_results("a.py", text, [3], {"f"}) is None
    assert hollow_results("a.rs", "fn f() -> i32 { 1 }\n", ALL, {"f"}) is None


def test_a_go_function_refuses_by_an_error_and_others_by_an_empty_value():
    text = (
        "package a\n\nfunc F(x int) (int, error) {\n\treturn x, nil\n}\n\nfunc (g *G) H() [][]string { return nil }\n"
    )
    found = refuse_calls("a.go", text, ALL)
    assert found is not None
    assert is_valid("a.go", found)
    assert b"return *new(int), disabled" in found
    assert b"return *new([][]string) }" in found
    assert found.count(b"Error() string") == 1


def test_elsewhere_a_function_refuses_by_failing():
    assert b"raise RuntimeError" in (refuse_calls("a.py", "def f():\n    return 1\n", ALL) or b"")
