"""Altered literals: of the same form, and nobody can tell which of the two is the author's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile.twins.altered import MOST_VALUES, altered, literal_value, values
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
        back = altered(other, random.Random(seed))
        assert back == (str(int(literal, 16)) if literal.startswith("0x") else literal)


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


@given(literals, st.integers())
def test_all_values_are_different_tokens_of_the_same_kind(literal: str, seed: int):
    found = values(literal, random.Random(seed))
    assert len(found) == len({literal_value(each) for each in found}) <= MOST_VALUES
    assert len(found) != 1
    assert found[:1] in ([], [literal])
    for other in found:
        kinds = [token.kind for token in tokens(other) if token.text != "-"]
        assert kinds == [token.kind for token in tokens(literal) if token.text != "-"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("number", [1, 2, 7, 8, 16, 100, 1000, -5, 10**12])
def test_a_number_has_neighbours_on_both_sides_and_others_far_away(number: int, seed: int):
    found = {int(each) for each in values(str(number), random.Random(seed))}
    assert {number - 1, number, number + 1} <= found
    assert len(found) == MOST_VALUES
    assert max(abs(each - number) for each in found) >= 7
    assert len({each % 2 for each in found - {number}}) == 2


@pytest.mark.parametrize("number", ["9.0", "0.25", "-12.5", "1000000.5", "3f32"])
def test_a_float_has_neighbours_within_three_percent_on_both_sides(number: str):
    own, *others = (float(each.removesuffix("f32")) for each in values(number, random.Random(0)))
    changes = [(other - own) / abs(own) for other in others]
    assert any(0.005 < change < 0.03 for change in changes)
    assert any(-0.03 < change < -0.005 for change in changes)
    assert any(abs(change) > 0.09 for change in changes)


@given(st.sampled_from(["1.5", "3", "200.0", "0.25"]), st.sampled_from([0.01, 0.5, 2.0, 30.0]), st.integers())
def test_no_answer_is_within_the_allowed_difference_of_two_values(number: str, allowed: float, seed: int):
    own, *others = (float(each) for each in values(number, random.Random(seed), allowed_difference=allowed) or ["0"])
    assert all(abs(own - other) >= 2 * allowed for other in others)


@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("seed", range(3))
def test_no_value_leaves_the_type_of_the_literal(bits: int, seed: int):
    for least, most, letter in ((0, 2**bits - 1, "u"), (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, "i")):
        for number in (least, least + 1, most - 1, most):
            for suffix in ("", f"{letter}{bits}"):
                found = values(f"{number}{suffix}", random.Random(seed))
                assert all(least <= int(each.removesuffix(suffix)) <= most for each in found), found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("number", ["4.0", "5.0", "1.0", "0.5", "10.0", "-2.0", "11.0f32"])
def test_no_altered_float_is_the_same_number_in_another_spelling(number: str, seed: int):
    found = [float(each.removesuffix("f32")) for each in values(number, random.Random(seed))]
    assert len(found) == len(set(found))


@pytest.mark.parametrize("seed", range(5))
def test_a_text_has_beginnings_and_longer_texts_beside_it(seed: int):
    found = values('"abc"', random.Random(seed))
    assert '"ab"' in found
    assert any(each.startswith('"abc') and len(each) == 6 for each in found)
    assert not [each for each in found[1:] if each.lower() == '"abc"'], "an honest equality may ignore capitals"


@pytest.mark.parametrize("literal", ["7", "23", "9.0", '"abc"', "'x'", "1000"])
@pytest.mark.parametrize("seed", range(5))
def test_the_values_of_a_literal_are_those_of_its_partner(literal: str, seed: int):
    """So of the two, nobody can tell which one the author wrote."""
    partner = altered(literal, random.Random(seed))
    assert partner is not None
    assert sorted(values(literal, random.Random(seed))) == sorted(values(partner, random.Random(seed)))
