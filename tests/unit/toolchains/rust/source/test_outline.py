"""Functions, traits and implementations of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.source.lexer import tokens
from forgetest.toolchains.rust.source.outline import outline


def test_functions_belong_to_the_trait_or_implementation_around_them():
    code = "trait T { fn a(&self); fn b() { fn inner() {} } } impl T for u8 { fn a(&self) {} } fn c() {}"
    found = [(item.keyword, item.name, item.parent.head[0] if item.parent else "") for item in outline(tokens(code))]
    assert found == [
        ("trait", "T", ""),
        ("fn", "a", "trait"),
        ("fn", "b", "trait"),
        ("fn", "inner", "fn"),
        ("impl", "T", ""),
        ("fn", "a", "impl"),
        ("fn", "c", ""),
    ]


def test_types_in_a_head_are_no_items():
    code = "fn f(x: impl Fn(), y: [u8; 3]) -> impl Iterator<Item = fn()> { g() } struct S { f: fn(u8) } fn h() {}"
    assert [item.name for item in outline(tokens(code))] == ["f", "h"]


def test_a_raw_name_is_the_name():
    assert [item.name for item in outline(tokens("fn r#triple() {}"))] == ["triple"]


def test_what_a_macro_writes_is_told():
    plain, made = outline(tokens("trait A { const X: u8; } trait B { methods!(len); }"))
    assert (plain.holds_macros, made.holds_macros) == (False, True)


@given(st.lists(st.sampled_from(["fn ", "impl ", "trait ", "{", "}", "(", ")", ";", "x ", "$", "!"])).map("".join))
def test_any_text_has_an_outline_within_its_tokens(text: str):
    found = tokens(text)
    for item in outline(found):
        assert item.start >= 0
        assert item.end <= len(found)
