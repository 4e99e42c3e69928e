from __future__ import annotations

import pytest

from forgetest.toolchains.rust.compile.free_names import free_names


def in_test(body: str) -> frozenset[str] | None:
    return free_names(f"#[cfg(test)]\nmod tests {{ use super::*; #[test] fn works() {{ {body} }} }}", "2021")


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("assert_eq!(add(1, 2), 3);", {"add"}),
        ("let x = double(2); assert_eq!(x, 4);", {"double"}),
        ("let x = x + 1; assert!(f(x) == 2);", {"x", "f"}),
        ("{ let inner = 1; f(inner); } assert_eq!(inner, 1);", {"f", "inner"}),
        ("for (i, x) in pairs() { assert_eq!(g(i), x); } i;", {"pairs", "g", "i"}),
        ("for x in x() { f(x); }", {"x", "f"}),
        ("let n = 3; for _ in 0..n { step(); }", {"step"}),
        ("let v: Vec<Shape> = vec![Shape::new(1)]; assert_eq!(v[0].area(), 1.0);", {"Shape"}),
        ("assert_eq!(std::mem::size(f()), i32::MAX); drop(String::from(NAME));", {"f", "NAME"}),
        ("if a() { b(); } else { c(); } while d() { break; }", {"a", "b", "c", "d"}),
        ("let mut total = 0; total += 1; assert_eq!(total.pow(2), 1);", set()),
        ("let works = 1; assert_eq!(works, 1); other::works();", {"other"}),
        ("geometry::area(1);", {"geometry"}),
    ],
)
def test_the_names_that_nothing_binds_come_from_the_sample(body: str, names: set[str]) -> None:
    assert in_test(body) == names


@pytest.mark.parametrize(
    "body",
    [
        "let f = |x| x + y; f(1);",
        "match f() { Some(x) => x, None => 0 };",
        "if let Some(x) = f() { g(x); }",
        "let Some(x) = f() else { return };",
        "let Point { x, y } = f();",
        "let p = Point { x: 1, y };",
        "if f() == Point { x } { }",
        "let None = f();",
        "let LIMIT = f();",
        "fn helper() {} helper();",
        "use std::mem::swap; swap(f(), g());",
        "use std::mem::*; swap(f(), g());",
        'println!("{value}");',
        "own_macro!(f());",
        "dbg!(f());",
        "let r#type = 1; f(r#type);",
        "'outer: for x in f() { break 'outer; }",
        "for x in x { f(x); }",
        "tests::f();",
        "crate::f();",
        "super::f();",
        "const N: usize = 3; f(N);",
        "size_of::<u8>();",
        "unsafe { f() };",
        "f(/* unterminated ",
    ],
)
def test_the_compiler_is_asked_about_everything_else(body: str) -> None:
    assert in_test(body) is None


@pytest.mark.parametrize(
    "text",
    [
        "use std::collections::HashMap; #[test] fn works() { f(); }",
        "#[macro_use] mod a { #[test] fn works() { f(); } }",
        "#![allow(unused)] #[test] fn works() { f(); }",
        "#[test] fn works() { f(); } mod a { use super::*; #[test] fn too() { works(); } }",
        "mod a { mod b { #[test] fn works() { f(); } } }",
        "fn helper(x: i32) -> i32 { x } #[test] fn works() { f(helper(1)); }",
        "struct S; #[test] fn works() { f(S); }",
        "macro_rules! f { () => { g() } } #[test] fn works() { f!(); }",
        "#[test] async fn works() { f(); }",
        "#[test] fn works() -> Result<(), String> { f() }",
    ],
)
def test_files_with_other_items_are_left_to_the_compiler(text: str) -> None:
    assert free_names(text, "2021") is None


def test_functions_of_the_file_are_its_own_wherever_they_stand() -> None:
    text = "#[test] fn first() { second(); f(); } fn second() { g(); } #[test] #[should_panic] fn third() { h(); }"
    assert free_names(text, "2024") == {"f", "g", "h"}


def test_modules_do_not_see_each_others_functions() -> None:
    text = "mod a { #[test] fn one() { two(); } } mod b { #[test] fn two() { f(); } }"
    assert free_names(text, "2021") == {"two", "f"}


def test_editions_with_other_names_in_scope_are_left_to_the_compiler() -> None:
    assert free_names("#[test] fn works() { f(); }", "2018") is None
