"""Inputs that may tell two programs apart."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.probing import Difference, calls_in, difference, variations

PYTHON = "tree_sitter_python"
RUST = "tree_sitter_rust"


def test_the_message_of_a_probing_test_is_read():
    assert difference("AssertionError: forgetest-differs 3 [1, 'a b']") == Difference(call=3, expected="[1, 'a b']")
    found = difference("forgetest-differs 3 [1] forgetest-instead [2]\nand more")
    assert found == Difference(call=3, expected="[1]", actual="[2]\nand more")
    assert difference("some other failure") is None


def test_calls_are_found_with_their_brackets_and_quotes():
    text = 'assert f("a)", [1, (2)]) == g(f(1)); x.f(2); half_f(3)'
    assert calls_in(text, ["f"]) == ['f("a)", [1, (2)])', "f(1)"]


def test_variations_have_boundaries_and_come_with_the_shortest_first():
    found = variations(["f([3, 1], 'ab')"], PYTHON, 200, 0)
    assert {"f([], 'ab')", "f([1], 'ab')", "f([3, 1], '')", "f([3, 0], 'ab')", "f([1, 3], 'ab')"} <= set(found)
    assert found == sorted(found, key=lambda call: (len(call), call))


def test_each_call_has_variations_even_if_one_is_long():
    long, short = f"f({list(range(200))})", "f([7])"
    found = variations([long, short], PYTHON, 100, 0)
    assert len(found) == 100
    assert {"f([])", "f([8])", "f([7, 7])"} <= set(found)


def test_two_arguments_may_be_equal():
    assert "f(3, 3)" in variations(["f(3, 5)"], PYTHON, 100, 0)
    assert 'f("ab", "ab")' in variations(['f("ab", "c")'], PYTHON, 300, 0)


def test_numbers_are_negative_only_where_a_call_has_a_negative_one():
    assert not any("-" in call for call in variations(["f(3)"], PYTHON, 100, 0))
    assert "f(-3)" in variations(["f(3)", "f(-1)"], PYTHON, 100, 0)


def test_constants_of_the_code_are_values_too():
    code = "def f(n, text):\n    return n > 40 or text == 'nine'\n"
    found = variations(["f(7, 'a 1, b')"], PYTHON, 300, 0, code)
    assert {"f(40, 'a 1, b')", "f(41, 'a 1, b')", "f(7, 'nine')", "f(7, 'nine 1, b')", "f(7, 'a 40, b')"} <= set(found)


def test_numbers_in_texts_change_and_keep_their_width():
    found = variations(["f('03-11')"], PYTHON, 300, 0)
    assert {"f('04-11')", "f('02-11')", "f('00-11')", "f('03-12')"} <= set(found)


def test_rust_calls_have_variations_too():
    found = variations(['f(&[1, 2], "a")', "g(vec![7, 8])"], RUST, 300, 0)
    assert {'f(&[], "a")', 'f(&[1, 2], "")', "g(vec![8, 7])", "g(vec![7])"} <= set(found)


PLAIN = st.recursive(st.integers(0, 99) | st.booleans() | st.text("ab ", max_size=4), st.lists, max_leaves=5)


@given(st.lists(PLAIN, min_size=1, max_size=3), st.integers(0, 9))
def test_every_variation_of_plain_data_is_plain_data(arguments: list[object], seed: int):
    call = f"f({', '.join(map(repr, arguments))})"
    for varied in variations([call], PYTHON, 40, seed):
        ast.literal_eval(f"[{varied[2:-1]}]")
