"""Entries of `expected_functions` and `expected_types` → what the compiler is asked to check."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import UserError
from forgetest.toolchains.rust.compile import signatures
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT, SECRET


def function(entry: str, *own: str) -> signatures.ExpectedItem:
    return signatures.function(entry, ["tokio"], "case", own)


def check(entry: str, *own: str) -> str:
    return " ".join(
        (function(entry, *own).signature_check or "").replace(SECRET, "H").replace(SAMPLE_ROOT, "crate").split()
    )


@pytest.mark.parametrize("name", ["triple", "r#match", "größe"])
def test_a_bare_name_has_no_signature_check(name: str):
    assert function(name) == signatures.ExpectedItem(entry=name, name=name, keyword=None)


def test_a_signature_becomes_a_check_and_a_shim():
    expected = function("pub fn triple(x: i64) -> i64")
    assert (expected.name, expected.keyword, expected.has_shim) == ("triple", "fn", True)
    assert check("pub fn triple(x: i64) -> i64") == (
        "const _: () = { fn pin<>() { let _: fn(i64) -> i64 = crate::triple; } }; "
        "pub(crate) fn triple<>(argument_0: i64) -> i64 { crate::triple(argument_0) }"
    )


@pytest.mark.parametrize(
    ("entry", "pointer"),
    [
        ("fn f()", "fn() -> ()"),
        ("fn f(a: u8, b: &str,) -> Option<(u8, String)>", "fn(u8, &str) -> Option<(u8, String)>"),
        ("fn f(m: std::collections::HashMap<u8, Vec<u8>>)", "fn(::H::std::collections::HashMap<u8, Vec<u8>>) -> ()"),
        ("fn f(r: tokio::sync::mpsc::Receiver<u8>)", "fn(::H_tokio::sync::mpsc::Receiver<u8>) -> ()"),
        ("fn f(mut a: u8, (b, c): (u8, u8), _: bool)", "fn(u8, (u8, u8), bool) -> ()"),
        ("fn f(g: fn(u8) -> u8) -> u8;", "fn(fn(u8) -> u8) -> u8"),
        ("fn f(u8, &str) -> u8", "fn(u8, &str) -> u8"),
        ("unsafe fn f(p: *const u8)", "unsafe fn(*const u8) -> ()"),
        ("fn f(x: [u8; 3]) -> [u8; 3] {}", "fn([u8; 3]) -> [u8; 3]"),
        ("const fn f(x: u8) -> u8", "fn(u8) -> u8"),
    ],
)
def test_the_check_states_the_types_of_arguments_and_result(entry: str, pointer: str):
    assert f"let _: {pointer} = crate::f;" in check(entry)


def test_type_parameters_become_those_of_the_check():
    text = check("fn most<'a, T: Ord + ?Sized, const N: usize>(x: &'a [T; N]) -> &'a T where T: Copy")
    assert "fn pin<'a, T: Ord + ?Sized, const N: usize>() where T: Copy" in text
    assert "let _: fn(&'a [T; N]) -> &'a T = crate::most;" in text


def test_an_impl_trait_argument_becomes_a_type_parameter():
    text = check("fn f(a: u8, g: impl Fn(u8) -> u8) -> u8")
    assert "fn pin<Argument1: Fn(u8) -> u8>()" in text
    assert "let _: fn(u8, Argument1) -> u8 = crate::f;" in text
    assert "fn f<>(argument_0: u8, argument_1: impl Fn(u8) -> u8) -> u8" in text


def test_an_opaque_result_is_checked_by_its_bound():
    text = check("fn f(n: u8) -> impl Iterator<Item = u8>")
    assert "fn result<Result_: Iterator<Item = u8>>(_: fn(u8) -> Result_)" in text
    assert "result::<_>(crate::f);" in text


def test_an_async_function_is_checked_by_its_output():
    text = check("async fn f(text: &str) -> u8")
    assert "fn result<Result_: ::H::std::future::Future<Output = u8>>(_: fn(&'static str) -> Result_)" in text
    assert "async fn f<>(argument_0: &str) -> u8 { crate::f(argument_0).await }" in text


def test_a_method_is_checked_by_its_path_and_has_no_shim():
    expected = function("fn Stack::push(&mut self, x: u8) -> usize")
    assert (expected.name, expected.has_shim) == ("push", False)
    text = check("fn Stack::push(&mut self, x: u8) -> usize")
    assert "let _: fn(&mut Stack, u8) -> usize = crate::Stack::push;" in text
    assert "let _ = crate::Stack::push;" in text


@pytest.mark.parametrize(
    ("receiver", "taken"),
    [("self", "S"), ("mut self", "S"), ("&self", "&S"), ("&mut self", "&mut S"), ("&'a self", "&S")],
)
def test_self_becomes_the_methods_type(receiver: str, taken: str):
    assert f"let _: fn({taken}) -> () = crate::S::f;" in check(f"fn S::f({receiver})")


def test_a_method_without_its_type_is_checked_by_name_only():
    expected = function("fn push(&mut self, x: u8)")
    assert (expected.name, expected.keyword, expected.signature_check) == ("push", "fn", None)


def test_names_of_std_are_imported_unless_the_sample_must_define_them():
    assert check("fn f(c: Cell<u8>) -> HashMap<u8, u8>").startswith(
        "use ::H::std::collections::HashMap; use ::H::std::cell::Cell; const"
    )
    assert check("fn f(c: Cell)", "Cell").startswith("const")
    assert check("fn f(c: mine::Cell)").startswith("const")


def test_a_check_is_one_line():
    assert "\n" not in check("fn f(\n  a: u8,\n  b: u8,\n) -> u8")


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "fn",
        "fn ()",
        "fn f",
        "fn f(",
        "triple(x: i64)",
        "let f(x)",
        "fn f<T(x: T)",
        "static fn f()",
        "1",
        "a b",
        "fn 1()",
    ],
)
def test_a_malformed_signature_is_an_error_in_the_case(entry: str):
    with pytest.raises(UserError, match="case: expected_functions: "):
        function(entry)


WORDS = [
    "fn",
    "f",
    "(",
    ")",
    "<",
    ">",
    "->",
    ",",
    ":",
    "&",
    "self",
    "T",
    "impl ",
    "async",
    "where",
    "'a",
    "[",
    "]",
    "::",
    ";",
]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_entry_is_read_or_refused(entry: str):
    try:
        expected = function(entry)
    except UserError:
        return
    assert expected.name


@pytest.mark.parametrize(
    ("entry", "name", "keyword"),
    [
        ("Stack", "Stack", None),
        ("struct Stack", "Stack", "struct"),
        ("pub enum E { A }", "E", "enum"),
        ("trait T<X>", "T", "trait"),
    ],
)
def test_a_type_is_a_name_or_has_its_keyword(entry: str, name: str, keyword: str | None):
    expected = signatures.type_(entry, "case")
    assert (expected.name, expected.keyword, expected.signature_check) == (name, keyword, None)


@pytest.mark.parametrize("entry", ["", "fn f()", "struct", "class C", "struct 1", "A B"])
def test_a_malformed_type_is_an_error_in_the_case(entry: str):
    with pytest.raises(UserError, match="case: expected_types: "):
        signatures.type_(entry, "case")


@pytest.mark.parametrize(
    ("entry", "pin"),
    [
        (
            "fn Ring<T>::push(&mut self, item: T) -> Option<T>",
            (
                "fn pin<T>() { let _ = crate::Ring::<T>::push; "
                "let _: fn(&mut Ring<T>, T) -> Option<T> = crate::Ring::<T>::push; }"
            ),
        ),
        (
            "fn Cache<K, V>::get(&mut self, key: &K) -> Option<&V> where K: Eq",
            (
                "fn pin<K, V>() where K: Eq { let _ = crate::Cache::<K, V>::get; "
                "let _: for<'s> fn(&'s mut Cache<K, V>, &K) -> Option<&'s V> = crate::Cache::<K, V>::get; }"
            ),
        ),
        (
            "fn Cache<String, u8>::new() -> Cache<String, u8>",
            (
                "fn pin<>() { let _ = crate::Cache::<String, u8>::new; "
                "let _: fn() -> Cache<String, u8> = crate::Cache::<String, u8>::new; }"
            ),
        ),
        (
            "fn Ring<T>::iter(&self) -> impl Iterator<Item = &T>",
            (
                "fn pin<T: 'static>() { let _ = crate::Ring::<T>::iter; "
                "fn result<T: 'static, Result_: Iterator<Item = &'static T>>(_: fn(&'static Ring<T>) -> Result_) {} "
                "result::<T, _>(crate::Ring::<T>::iter); }"
            ),
        ),
        (
            "fn <Rgb as std::str::FromStr>::from_str(text: &str) -> Result<Rgb, Invalid>",
            (
                "fn pin<>() { let _ = <Rgb as ::H::std::str::FromStr>::from_str; "
                "let _: fn(&str) -> Result<Rgb, Invalid> = <Rgb as ::H::std::str::FromStr>::from_str; }"
            ),
        ),
        (
            "fn <Fraction as std::ops::Neg>::neg(self) -> Fraction",
            (
                "fn pin<>() { let _ = <Fraction as ::H::std::ops::Neg>::neg; "
                "let _: fn(Fraction) -> Fraction = <Fraction as ::H::std::ops::Neg>::neg; }"
            ),
        ),
    ],
)
def test_a_method_may_be_named_with_the_parameters_of_its_type_or_with_its_trait(entry: str, pin: str):
    assert check(entry) == f"const _: () = {{ {pin} }};"
    assert not function(entry).has_shim


def test_the_constructor_of_a_tuple_has_no_shim_in_its_place():
    entry = "fn Point(i32, i32) -> Point"
    assert "let _: fn(i32, i32) -> Point = crate::Point;" in check(entry, "Point")
    assert not function(entry, "Point").has_shim
    assert "let _: fn(u8) -> Turn = crate::Turn::Left;" in check("fn Turn::Left(u8) -> Turn", "Turn")


@pytest.mark.parametrize("entry", ["fn <Rgb>::new()", "fn <Rgb as X>", "fn Ring<T>::()", "fn Ring<T", "fn a::"])
def test_a_path_without_a_name_is_an_error(entry: str):
    with pytest.raises(UserError):
        function(entry)
