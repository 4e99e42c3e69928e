"""Words in strings, and files with other words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.inspection.renamed_words import flowing_words, new_names, other_words, rename_words, written_words

ALL = range(1, 100)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_a.py", 'def test_a():\n    assert merge({"p": 1}, {"p+": 2}) == {"p": 3, "status": 1}\n'),
        ("test_a.py", 'def test_a():\n    got = merge("p")\n    assert got == "p status"\n'),
        ("a.test.js", 'test("a", () => { assert.deepEqual(merge("p"), ["p", "status"]); });\n'),
        ("tests/a.rs", '#[test]\nfn a() {\n    assert_eq!(merge(&["p"]), [vec!["p", "status"]]);\n}\n'),
        ("a_test.go", 'package a\n\nfunc TestA(t *testing.T) {\n\tif got := Merge("p"); got != "p status" {\n\t}\n}\n'),
    ],
)
def test_words_that_go_in_and_are_expected_flow(path, text):
    assert flowing_words(path, text, ALL) == {"p"}


def test_words_of_two_tests_do_not_flow():
    text = 'def test_a():\n    merge("p")\n\n\ndef test_b():\n    assert other() == "p"\n'
    assert flowing_words("test_a.py", text, ALL) == frozenset()


CODE = '''"""About tea."""

UNITS = {"km": 1000}


def answer(row, unit):
    """Return cake."""
    if unit == "mile" or row["title"] or row.get("size"):
        raise ValueError("no milk")
    return {"Ann": f"plain {unit}"}
'''


def test_words_that_a_function_returns_are_those_of_its_answers():
    assert written_words("a.py", CODE, ALL) == {"Ann", "plain"}
    assert written_words("a.py", CODE, [1, 2]) == frozenset()


def test_patterns_are_no_answers():
    text = 'fn f(x: &str) -> &str {\n    match x {\n        "p" => "q",\n        _ => panic!("r"),\n    }\n}\n'
    assert written_words("src/lib.rs", text, ALL) == {"q"}


def test_words_are_exchanged_in_strings_only():
    text = 'p = merge("p p2\\p", f"{p} p")\n'
    assert rename_words("a.py", text, {"p": "o"}, ALL) == b'p = merge("o p2\\p", f"{p} o")\n'
    assert rename_words("a.py", text, {"p": "o"}, [2]) == text.encode()
    assert other_words("a.py", text) == {"p", "merge", "f"}


@given(st.sets(st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,3}", fullmatch=True), min_size=1, max_size=8))
def test_new_names_are_new_and_keep_the_order(words):
    names = new_names(words, ["path", "port"])
    renamed = [names.get(word, word) for word in sorted(words)]
    assert renamed == sorted(renamed)
    assert len(set(renamed)) == len(words)
    assert not set(names.values()) & {*words, "path", "port"}
