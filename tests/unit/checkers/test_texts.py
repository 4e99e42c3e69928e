"""Checkers of printed text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.checkers import texts
from forgetest.checkers.difference import Difference, Tolerance

TOLERANCE = Tolerance(absolute=1e-6, relative=1e-6)
FEW = settings(max_examples=40)
CHECKERS = {
    "exact": texts.exact,
    "tokens": texts.tokens,
    "floats": lambda expected, found: texts.floats(expected, found, TOLERANCE),
    "unordered_lines": texts.unordered_lines,
}
WHITESPACE = st.text(alphabet=" \t\n\r\v\f", min_size=1, max_size=4).map(str.encode)
WORD = st.binary(min_size=1, max_size=6).map(lambda word: b"".join(word.split())).filter(bool)


@pytest.mark.parametrize("name", CHECKERS)
@FEW
@given(output=st.binary(max_size=200))
def test_every_checker_accepts_the_expected_output_itself(name, output):
    assert CHECKERS[name](output, output) is None


@pytest.mark.parametrize("name", CHECKERS)
@FEW
@given(expected=st.binary(max_size=60), found=st.binary(max_size=60))
def test_every_checker_but_floats_is_symmetric_and_any_bytes_get_an_answer(name, expected, found):
    there, back = CHECKERS[name](expected, found), CHECKERS[name](found, expected)
    assert isinstance(there, Difference | None)
    if name != "floats":
        assert (there is None) == (back is None)


@FEW
@given(expected=st.binary(max_size=60), found=st.binary(max_size=60))
def test_exact_accepts_nothing_but_the_same_bytes(expected, found):
    assert (texts.exact(expected, found) is None) == (expected == found)


@FEW
@given(expected=st.binary(max_size=60), found=st.binary(max_size=60))
def test_tokens_accepts_exactly_the_same_words(expected, found):
    assert (texts.tokens(expected, found) is None) == (expected.split() == found.split())


@FEW
@given(words=st.lists(WORD, max_size=8), data=st.data())
def test_tokens_and_floats_accept_any_whitespace_between_words_and_around_them(words, data):
    spaced = b"".join(word + data.draw(WHITESPACE) for word in words)
    assert texts.tokens(b" ".join(words), data.draw(WHITESPACE) + spaced) is None
    assert texts.floats(b" ".join(words), spaced, TOLERANCE) is None


@FEW
@given(words=st.lists(WORD, min_size=2, max_size=8, unique=True))
def test_the_order_of_words_counts(words):
    difference = texts.tokens(b" ".join(words), b" ".join([*words[1:], words[0]]))
    assert difference is not None
    assert difference.place == "token 1"


def test_a_difference_names_the_first_token_that_differs():
    assert texts.tokens(b"1 2 3\n", b"1 2 4 5\n") == Difference(place="token 3", expected="3", found="4")
    assert texts.tokens(b"1 2 3\n", b"1 2\n") == Difference(place="token 3", expected="3", found="the end")
    assert texts.tokens(b"1\n", b"1 2\n") == Difference(place="token 2", expected="the end", found="2")


def test_exact_says_where_only_the_line_ends_differ():
    assert texts.exact(b"1\n", b"1") == Difference(place="line ends", expected="'1\\n'", found="'1'")
    assert texts.exact(b"1\n2\n", b"1\n3\n") == Difference(place="line 2", expected="2", found="3")


@FEW
@given(
    st.lists(st.sampled_from([b"a", b"b b", b"c", b"7"]), max_size=8).flatmap(
        lambda lines: st.tuples(st.just(lines), st.permutations(lines))
    )
)
def test_unordered_lines_accepts_every_order_of_the_lines(pair):
    lines, shuffled = pair
    assert texts.unordered_lines(b"\n".join(lines), b"\r\n\n".join(shuffled) + b" \n") is None


def test_unordered_lines_counts_how_often_a_line_is_there():
    assert texts.unordered_lines(b"a\na\nb\n", b"b\na\n") == Difference(place="line", expected="a", found="the end")
    assert texts.unordered_lines(b"a\nb\n", b"a\na\nb\n") == Difference(place="line", expected="the end", found="a")


@FEW
@given(value=st.floats(allow_nan=False, allow_infinity=False, width=32), share=st.floats(-0.9, 0.9))
def test_floats_accepts_a_number_within_the_absolute_tolerance_on_both_sides(value, share):
    near = value + share * 1e-6
    if abs(value) < 1e6:  # beyond, the next float is further away than the tolerance
        assert texts.floats(repr(value).encode(), repr(near).encode(), TOLERANCE) is None
        assert texts.floats(repr(near).encode(), repr(value).encode(), TOLERANCE) is None


@FEW
@given(value=st.floats(1e-3, 1e250), sign=st.sampled_from([1, -1]))
def test_the_relative_tolerance_is_a_share_of_the_expected_value(value, sign):
    only_relative = Tolerance(absolute=0.0, relative=1e-3)
    near, far = value * (1 + sign * 0.9e-3), value * (1 + sign * 1.1e-3)
    assert texts.floats(repr(value).encode(), repr(near).encode(), only_relative) is None
    assert texts.floats(repr(value).encode(), repr(far).encode(), only_relative) is not None


@FEW
@given(value=st.floats(1, 1e6))
def test_floats_rejects_a_number_outside_both_tolerances(value):
    assert texts.floats(repr(value).encode(), repr(value * 1.00001 + 1e-5).encode(), TOLERANCE) is not None


@pytest.mark.parametrize(
    ("expected", "found", "accepted"),
    [
        ("0.1", "1e-1", True),
        ("3", "3.0000001", True),
        (".5", "0.5", True),
        ("-0", "0", True),
        ("+1", "1", True),
        ("nan", "nan", True),
        ("nan", "NaN", False),
        ("nan", "0", False),
        ("0", "nan", False),
        ("inf", "1e400", False),
        ("1e400", "1e400", True),
        ("1e400", "1.0000001e400", True),
        ("1e400", "2e400", False),
        ("1e400", "-1e400", False),
        ("1e400", "inf", False),
        ("1", "1e99999999999999999999", False),
        ("1e99999999999999999999", "1", False),
        ("1" + "0" * 400, "1" + "0" * 399 + "1", True),
        ("10", "1_0", False),
        ("16", "0x10", False),
        ("1", "\u0661", False),
        ("1", "1.", True),
        ("1", "1e", False),
        ("1", "", False),
        ("1", "1 1", False),
    ],
)
def test_what_counts_as_a_number_and_what_is_near(expected, found, accepted):
    assert (texts.floats(expected.encode(), found.encode(), TOLERANCE) is None) == accepted


@pytest.mark.parametrize("name", CHECKERS)
@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (b"9" * 300_000, b"9" * 299_999 + b"8"),
        (b"1 " * 150_000, b"1\n" * 150_000 + b"1"),
        (b"\n" * 300_000, b" " * 300_000 + b"x"),
        (b"1e" + b"9" * 290_000, b"1e" + b"9" * 290_001),
        (b"0." + b"0" * 300_000 + b"1", b"0"),
        (b"a\r" * 120_000, b"b\r" * 120_000),
        (b"+" * 300_000, b"-" * 300_000),
    ],
)
def test_a_text_that_is_written_to_be_slow_takes_a_moment(name, expected, found):
    began = time.process_time()
    assert CHECKERS[name](expected, found) is not None or name in ("tokens", "floats", "unordered_lines")
    assert time.process_time() - began < 1


def test_a_message_shows_only_the_beginning_of_a_long_token():
    difference = texts.tokens(b"x" * 10_000, b"\xff" * 10_000)
    assert len(difference.expected) < 100
    assert len(difference.found) < 100
