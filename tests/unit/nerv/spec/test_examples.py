"""Examples are taken from a spec only where it says plainly what a call gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.spec import markdown
from nerv.spec.examples import examples


def found(*items: str) -> list[tuple[str, object]]:
    spec = markdown.parse("".join(f"- [ ] {item}\n" for item in items), "SPEC.md")
    return [(str(each), "fails" if each.fails else each.expected) for each in examples(spec)]


@pytest.mark.parametrize(
    ("item", "example"),
    [
        ("`double(2)` returns `4`", ("double(2)", 4)),
        ("`double(-2.5)` is -5.0", ("double(-2.5)", -5.0)),
        ("`add(2, 3) == 5`", ("add(2, 3)", 5)),
        ('Accents go: `slugify("Crème")` is `creme`', ("slugify('Crème')", "creme")),
        ("`is_even(3)` is `false`", ("is_even(3)", False)),
        ("`split('a,b')` gives `['a', 'b']`", ("split('a,b')", ["a", "b"])),
        ('`parse("5x")` raises ValueError', ("parse('5x')", "fails")),
        ('`Parse("5x")` returns an error', ("Parse('5x')", "fails")),
        ("`parse` reads several units: `1h30m` is 5400 seconds", ("parse('1h30m')", 5400)),
        ("`render` writes the shortest text: 5400 is `1h30m`", ("render(5400)", "1h30m")),
        ("`parse` raises ValueError for `5x`", ("parse('5x')", "fails")),
        ('`parse` rounds half to even: "12.345" is 1234', ("parse('12.345')", 1234)),
        ('`format(-5)` is "-0.05"', ("format(-5)", -0.05)),
        ("`split(100, 3)` is 34, 33, 33", ("split(100, 3)", [34, 33, 33])),
        ('`parse` wants digits: "5." is `ParseError::Invalid`', ("parse('5.')", "fails")),
        ('`fill("a: {b}", { b: 1 })` gives `a: 1`', ("fill('a: {b}', {'b': 1})", "a: 1")),
    ],
)
def test_a_call_and_its_value_are_an_example(item, example):
    assert found(item) == [example]


def test_several_examples_of_an_item_are_found_once_each():
    item = "`render` writes seconds: 5400 is `1h30m`, 0 is `0s`; `render(0)` is `0s`"
    assert found(item) == [("render(5400)", "1h30m"), ("render(0)", "0s")]


def test_a_list_of_inputs_may_be_refused():
    item = "`Parse` returns an error for a leading zero: `1.2`, `1.02.3` and `1.x.3` are refused"
    assert [call for call, _ in found(item)] == ["Parse('1.2')", "Parse('1.02.3')", "Parse('1.x.3')"]


def test_the_sentence_after_a_described_fault_may_have_examples():
    assert found("Doubling is wrong: `double(2)` gives `5`. `double(4)` is `8`") == [("double(4)", 8)]


def test_an_example_belongs_to_its_item():
    spec = markdown.parse("- [ ] `f(1)` is 2\n- [ ] tidy\n- [ ] `g(1)` is 3\n", "SPEC.md")
    assert [each.item for each in examples(spec)] == [1, 3]


@pytest.mark.parametrize(
    "item",
    [
        "Currently `double(2)` returns `5`",
        "Doubling is wrong for even numbers: `double(2)` gives `5`; `double(4)` gives `9`",
        "`double(2)` must not return 4; `double(2)` is not `4`",
        "`total` is `0` if the cart is empty",
        "`double(x)` returns `2 * x`",
        "`double(2, *rest)` is 4",
        "`slugify` cuts at `maxLength`",
        "The default of `--jobs` is `4`",
        "`Crème` is `creme`",
        "`parse` knows days (`d`) and weeks (`w`)",
        "`Wrap` returns an error for a width below 1",
        "`load(path)` returns `Config`",
    ],
)
def test_other_sentences_are_no_examples(item):
    assert found(item) == []


@given(
    st.lists(
        st.sampled_from(
            ["`", "``", "```", "\n", "| ", "|---|", "f(1)", " is ", "2", '"', ": ", "- ", "\0", ">>> ", "x"]
        )
    )
)
def test_no_text_is_too_odd(parts):
    spec = markdown.parse("".join(parts), "SPEC.md")
    assert all(each.function for each in examples(spec))


def test_names_between_two_backticks_are_no_trouble():
    assert found("``parse`` reads units: `1h30m` is 5400", "``a`` and ``b``") == []
