"""The light look at Rust."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.answer.items import items

SHREDS = [
    "fn a() {",
    "}",
    "\n",
    "\n\n",
    "let x = 1;\n",
    "use a::b;\n",
    "// c\n",
    "/*",
    "*/",
    '"',
    "'a",
    "#[x]",
    "#![y]",
    "impl A ",
]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(item.kind, item.name) for item in items(text) if item.kind != "comment"]


@given(st.one_of(st.text(), st.lists(st.sampled_from(SHREDS)).map("".join)))
def test_the_pieces_are_the_whole_text(text):
    assert "".join(item.text for item in items(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pub(in crate::a) const unsafe fn f<T>(t: T) {}", [("fn", "f")]),
        ('pub extern "C" fn f() {}', [("fn", "f")]),
        ('extern "C" {\n    fn puts(s: *const u8);\n}', [("extern", "")]),
        ("extern crate core as c;", [("extern crate", "core")]),
        ("struct A;\nstruct B(i32);\nstruct C\nwhere\n    i32: Copy,\n{}", [("struct", n) for n in "ABC"]),
        ("union U {\n    a: u8,\n}\ntrait T: Copy {}", [("union", "U"), ("trait", "T")]),
        ("enum E<T> {\n    A(T),\n}", [("enum", "E")]),
        ("impl<T> A<T>\nwhere\n    T: Copy,\n{}", [("impl", "<T> A<T> where T: Copy,")]),
        ("unsafe impl Send for A {}", [("impl", "Send for A")]),
        ("const A: [u8; 2] = [1; 2];\nstatic mut B: u8 = { 1 };", [("const", "A"), ("static", "B")]),
        ("type A<T> = Vec<T>;\nmod m;\nmod n {}", [("type", "A"), ("mod", "m"), ("mod", "n")]),
        ("use a::{\n    b,\n    c as d,\n};", [("use", "")]),
        ("#![no_std]\nthread_local! {\n    static A: u8 = 1;\n}", [("attribute", ""), ("macro", "")]),
        ('println!("{}", 1);\nassert!(true);', [("statement", ""), ("statement", "")]),
        ("if a {\n    b;\n} else {\n    c;\n}\nd.e();", [("statement", ""), ("statement", "")]),
        ("fn is a keyword.\nstruct is another.\nuse it well;\nimpl Trait too", [("prose", "")] * 4),
        ("fn f(a: i32)\n\nand more", [("prose", ""), ("prose", "")]),
    ],
)
def test_items_are_known_by_their_first_words(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "body",
    [
        '"}"',
        '"\\"}"',
        'r"}"',
        'r##"}"#"##',
        'b"}"',
        'br#"}"#',
        'c"}"',
        "'}'",
        "'\\''",
        "b'}'",
        "'\\u{7d}'",
        "// }\n",
        "/* } /* } */ */",
    ],
)
def test_brackets_in_strings_and_comments_do_not_count(body):
    assert kinds(f"fn a<'x>(s: &'x str) {{ {body} }}\nfn b() {{}}") == [("fn", "a"), ("fn", "b")]


def test_an_item_that_is_cut_off_goes_on_to_the_end():
    (item,) = items("fn a() {\n    if b {\n\nfn c() {}\n")
    assert (item.kind, item.complete) == ("fn", False)


def test_a_function_without_a_body_is_not_complete():
    (item,) = items("fn a();")
    assert not item.complete


def test_a_method_on_its_own_is_out_of_place():
    assert [item.stray for item in items("/// { self\nfn a(&'a mut self) {}\nfn b(itself: i32) {}")] == [True, False]


def test_imports_are_the_names_that_they_bring():
    (item,) = items("use std::{fmt::{self, Display}, collections::HashMap as Map, io::*};")
    assert item.imports == {"Display", "Map"}
