"""Altered literals: of the same form, and nobody can tell which of the two is the author's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile.twins.altered import altered
from forgetest.toolchains.rust.source.lexer import tokens

texts = st.text(st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=("Cs", "Cc")), min_size=2)
literals = st.one_of(
    st.integers(0, 2**128 - 1).map(str),
    st.integers(-(2**63), -1).map(str),
    st.integers(0, 2**64 - 1).map(lambda number: f"{number:_}"),
    st.integers(0, 255).map(lambda number: f"{number}u8"),
    st.integers(0, 2**64 - 1).map(lambda number: f"{number:#x}"),
    st.tuples(st.integers(0, 10**9), st.integers(0, 999)).map(lambda parts: f"{parts[0]}.{parts[1]}"),
    st.sampled_from(["true", "false", "'a'", "'Z'", "'\\n'", "b'7'", "2.5f32", "-0.5"]),
    texts.map(lambda text: f'"{text}"'),
    texts.map(lambda text: f'r#"{text}"#'),
)


@given(literals, st.integers())
def test_altering_is_its_own_inverse(literal: str, seed: int):
    other = altered(literal, random.Random(seed))
    if other is not None:
        assert other != literal
        assert altered(other, random.Random(seed)) == literal


@given(literals, st.integers())
def test_the_altered_literal_is_one_token_of_the_same_kind(literal: str, seed: int):
    other = altered(literal, random.Random(seed))
    if other is not None:
        assert [token.kind for token in tokens(other)] == [token.kind for token in tokens(literal)]


@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("seed", range(5))
def test_no_altered_number_leaves_its_type(bits: int, seed: int):
    for least, most in ((0, 2**bits - 1), (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)):
        for number in (least, least + 1, most - 1, most):
            other = altered(str(number), random.Random(seed))
            assert other is not None
            assert least <= int(other) <= most
            assert (int(other) < 0) == (number < 0)


@pytest.mark.parametrize("number", ["0.1", "3.14", "10.0", "16777216.0", "123456789012.5", "99.99f32"])
def test_no_float_rounds_the_difference_away(number: str):
    other = altered(number, random.Random(0))
    assert other is not None
    one, two = (float(each.removesuffix("f32")) for each in (number, other))
    assert abs(one - two) >= max(1.0, 1e-3 * abs(one))


@pytest.mark.parametrize(
    "literal", ["1e5", "2.", "1e-3", 'b""', '"\\n"', '"🦀"', "-0", "'\\u{e9}'", 'c"x"', '"a"suffix']
)
def test_a_literal_without_a_good_neighbour_is_left_alone(literal: str):
    assert altered(literal, random.Random(0)) is None


def test_escapes_are_left_alone():
    assert {altered('"\\tx\\u{41}"', random.Random(seed)) for seed in range(20)} == {'"\\tw\\u{41}"'}


def test_texts_of_one_letter_and_of_none_are_altered_into_each_other():
    assert {len(altered('"x"', random.Random(seed)) or "") for seed in range(20)} == {2, 3}
    assert all(len(altered('""', random.Random(seed)) or "") == 3 for seed in range(20))


def test_bytes_keep_their_length_and_stay_ascii():
    assert all(len(altered('b"a"', random.Random(seed)) or "") == 4 for seed in range(20))
