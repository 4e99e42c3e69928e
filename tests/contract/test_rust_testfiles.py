"""Rust test files of every kind, and what they take from a sample, with a real compiler."""

from __future__ import annotations

import pytest

from grading import RIGHT, TRIPLE, JudgeGrader, case_of, one_test

# ---- kinds of test files ----


def test_bare_test_functions_are_tests(grade: JudgeGrader):
    graded = grade(RIGHT, one_test("assert_eq!(triple(2), 6);"))
    assert [(test.name, test.status) for test in graded.verdict.tests] == [("holds", "passed")]


def test_a_main_full_of_assertions_is_one_test_of_that_name(grade: JudgeGrader):
    case = case_of("fn main() { assert_eq!(triple(2), 6); assert_eq!(triple(0), 0); }")
    assert [test.name for test in grade(RIGHT, case).verdict.tests] == ["main"]
    assert grade(RIGHT, case).correct
    assert grade("fn triple(x: i64) -> i64 { x + 4 }", case).failed == ["main"]


def test_a_main_may_return_a_result(grade: JudgeGrader):
    case = case_of("fn main() -> Result<(), String> { if triple(2) == 6 { Ok(()) } else { Err(String::new()) } }")
    assert grade(RIGHT, case).correct
    assert not grade("fn triple(x: i64) -> i64 { x }", case).correct


def test_a_test_that_returns_an_error_has_failed(grade: JudgeGrader):
    case = case_of("#[test] fn parses() -> Result<(), std::num::ParseIntError> { number()?; Ok(()) }")
    assert grade('fn number() -> Result<i32, std::num::ParseIntError> { "7".parse() }', case).correct
    assert grade('fn number() -> Result<i32, std::num::ParseIntError> { "x".parse() }', case).failed == ["parses"]


PANICS = """
#[test]
#[should_panic]
fn at_all() { check(0); }

#[test]
#[should_panic(expected = "must be \\"positive\\"")]
fn with_text() { check(0); }
"""


def test_a_should_panic_test_passes_when_it_panics(grade: JudgeGrader):
    code = 'pub fn check(n: i32) { assert!(n > 0, "n must be \\"positive\\", is {n}"); }'
    assert grade(code, case_of(PANICS)).correct


def test_a_should_panic_test_fails_when_it_does_not(grade: JudgeGrader):
    graded = grade("pub fn check(_: i32) {}", case_of(PANICS))
    assert graded.failed == ["at_all", "with_text"]
    assert "did not panic" in graded.messages


def test_a_should_panic_test_fails_when_the_message_differs(grade: JudgeGrader):
    graded = grade('pub fn check(n: i32) { assert!(n > 0, "bad"); }', case_of(PANICS))
    assert graded.failed == ["with_text"]
    assert "bad" in graded.messages


def test_nested_modules_of_tests_are_named_by_their_path(grade: JudgeGrader):
    case = case_of("mod outer { mod inner { use super::super::*; #[test] fn t() { assert_eq!(triple(1), 3); } } }")
    assert [test.name for test in grade(RIGHT, case).verdict.tests] == ["outer::inner::t"]
    assert grade(RIGHT, case).correct


def test_tests_may_have_helpers_constants_types_and_macros_of_their_own(grade: JudgeGrader):
    case = case_of("""
        #[cfg(test)]
        mod tests {
            use super::*;
            const CASES: [(i64, i64); 2] = [(1, 3), (2, 6)];
            struct Pair { given: i64, wanted: i64 }
            macro_rules! check { ($p:expr) => { assert_eq!(triple($p.given), $p.wanted, "of {}", $p.given) } }
            fn pairs() -> Vec<Pair> { CASES.iter().map(|&(given, wanted)| Pair { given, wanted }).collect() }
            #[test] fn all() { for pair in pairs() { check!(pair); } }
        }
    """)
    assert grade(RIGHT, case).correct


# ---- what tests take from a sample ----

WHAT_TESTS_NEED = {
    "a private item": ("fn triple(x: i64) -> i64 { x * 3 }", "assert_eq!(triple(1), 3);"),
    "a private field": ("struct P { x: i64 } fn p() -> P { P { x: 1 } }", "assert_eq!(p().x, 1);"),
    "a constant": ("pub const LIMIT: usize = 3;", "assert_eq!(LIMIT, 3);"),
    "a static": ('static NAME: &str = "n";', 'assert_eq!(NAME, "n");'),
    "a generic function": (
        "pub fn most<T: PartialOrd + Copy>(a: T, b: T) -> T { if a > b { a } else { b } }",
        "assert_eq!(most::<u8>(1, 2), 2);",
    ),
    "a macro": ("macro_rules! twice { ($x:expr) => { $x * 2 } }", "assert_eq!(twice!(2), 4);"),
    "an exported macro": (
        "#[macro_export] macro_rules! twice { ($x:expr) => { $x * 2 } }",
        "assert_eq!(twice!(2), 4);",
    ),
    "a type's methods": (
        (
            "#[derive(Default)] pub struct S(Vec<i32>); impl S { pub fn push(&mut self, x: i32) -> usize { "
            "self.0.push(x); self.0.len() } }"
        ),
        "let mut s = S::default(); assert_eq!(s.push(4), 1);",
    ),
    "a trait's methods": (
        (
            "pub trait Area { fn area(&self) -> f64; } pub struct Sq(pub f64); impl Area for Sq { fn "
            "area(&self) -> f64 { self.0 * self.0 } }"
        ),
        "assert_eq!(Sq(2.0).area(), 4.0);",
    ),
    "a trait by name": (
        (
            "pub trait Area { fn area(&self) -> f64; } pub struct Sq(pub f64); impl Area for Sq { fn "
            "area(&self) -> f64 { self.0 * self.0 } }"
        ),
        "let s: Box<dyn Area> = Box::new(Sq(2.0)); assert_eq!(s.area(), 4.0);",
    ),
    "an extension of a type of std": (
        (
            "pub trait Shout { fn shout(&self) -> String; } impl Shout for str { fn shout(&self) -> String { "
            "self.to_uppercase() } }"
        ),
        'assert_eq!("a".shout(), "A");',
    ),
    "a type the sample imports": (
        "use std::collections::HashMap; pub fn m() -> HashMap<u8, u8> { HashMap::new() }",
        "let m: HashMap<u8, u8> = m(); assert!(m.is_empty());",
    ),
    "a trait the sample imports": (
        (
            "use std::str::FromStr; pub struct N(pub i32); impl FromStr for N { type Err = std::num::ParseIntError; "
            "fn from_str(s: &str) -> Result<Self, Self::Err> { s.parse().map(N) } }"
        ),
        'assert_eq!(N::from_str("3").unwrap().0, 3);',
    ),
    "another trait the sample imports": (
        'use std::fmt::Write; pub fn w() -> String { let mut s = String::new(); let _ = write!(s, "{}", 1); s }',
        'let mut s = w(); s.write_str("2").unwrap(); assert_eq!(s, "12");',
    ),
    "an item by its path": ("pub mod shapes { pub fn sides() -> u8 { 3 } }", "assert_eq!(shapes::sides(), 3);"),
    "an item by the crate's path": ("pub fn one() -> u8 { 1 }", "assert_eq!(crate::one(), 1);"),
    "a type alias": (
        "pub type Grid = Vec<Vec<u8>>; pub fn g() -> Grid { vec![] }",
        "let g: Grid = g(); assert_eq!(g.len(), 0);",
    ),
    "a unit struct and its function": (
        "#[derive(Debug, PartialEq)] pub struct Unit; pub fn u() -> Unit { Unit }",
        "assert_eq!(u(), Unit);",
    ),
    "a function named like a macro of std": (
        "pub fn matches(a: &str) -> bool { a.is_empty() }",
        'assert!(matches(""));',
    ),
    "a reexport": ("mod inner { pub fn deep() -> u8 { 9 } } pub use inner::deep;", "assert_eq!(deep(), 9);"),
}


@pytest.mark.parametrize("what", WHAT_TESTS_NEED)
@pytest.mark.parametrize(
    "form",
    [
        pytest.param("#[test] fn holds() {{ {} }}", marks=pytest.mark.slow),  # as in most other tests
        "#[cfg(test)] mod tests {{ use super::*; #[test] fn holds() {{ {} }} }}",
    ],
)
def test_tests_reach(grade: JudgeGrader, what: str, form: str):
    code, body = WHAT_TESTS_NEED[what]
    graded = grade(code, case_of(form.format(body)))
    assert graded.correct, [*graded.shortcomings, graded.messages]


IMPORTS = {
    "a name": ("use super::double;", "pub fn double(x: i64) -> i64 { x * 2 }", "assert_eq!(double(1), 2);"),
    "several": (
        "use super::{double, HALF};",
        "const HALF: i64 = 1; fn double(x: i64) -> i64 { x * 2 }",
        "assert_eq!(double(HALF), 2);",
    ),
    "a name under another": (
        "use super::double as twice;",
        "fn double(x: i64) -> i64 { x * 2 }",
        "assert_eq!(twice(1), 2);",
    ),
    "an item of a module": (
        "use super::shapes::Circle;",
        "pub mod shapes { pub struct Circle(pub u8); }",
        "assert_eq!(Circle(1).0, 1);",
    ),
    "all of a module": (
        "use super::shapes::*;",
        "pub mod shapes { pub struct Circle(pub u8); }",
        "assert_eq!(Circle(1).0, 1);",
    ),
    "an enum's variants": (
        "use super::*; use super::Color::*;",
        "#[derive(Clone, Copy)] pub enum Color { Red, Green } pub fn code(c: Color) -> u8 { c as u8 }",
        "assert_eq!(code(Green), 1); assert_eq!(code(Red), 0);",
    ),
    "by the crate": ("use crate::double;", "pub fn double(x: i64) -> i64 { x * 2 }", "assert_eq!(double(1), 2);"),
    "a trait for its methods": (
        "use super::{Sq, Area as _};",
        "pub trait Area { fn area(&self) -> f64; } pub struct Sq; impl Area for Sq { fn area(&self) -> f64 { 1.0 } }",
        "assert_eq!(Sq.area(), 1.0);",
    ),
}


@pytest.mark.parametrize("what", IMPORTS)
def test_tests_import(grade: JudgeGrader, what: str):
    imports, code, body = IMPORTS[what]
    graded = grade(code, case_of(f"#[cfg(test)] mod tests {{ {imports} #[test] fn holds() {{ {body} }} }}"))
    assert graded.correct, [*graded.shortcomings, graded.messages]


def test_importing_the_variants_of_an_enum_does_not_hide_a_wrong_signature(grade: JudgeGrader):
    """The glob hides the function from preparation; its signature is asked for all the same."""
    case = case_of(
        "#[cfg(test)] mod tests { use super::*; use super::Color::*; #[test] fn t() { assert_eq!(code(Red), 1); } }",
        ["fn code(c: Color) -> i64"],
    )
    yes = "#[derive(Debug)] pub struct Yes; impl PartialEq<i32> for Yes { fn eq(&self, _: &i32) -> bool { true } }"
    graded = grade(f"{yes} pub enum Color {{ Red }} pub fn code(_: Color) -> Yes {{ Yes }}", case)
    assert graded.shortcomings[0].startswith("integrity: passed_a_control: tests::t: passed ")
    assert graded.shortcomings[1:] == [
        "1 of 1 test failed: tests::t",
        "expected_functions: `fn code(c: Color) -> i64`: mismatched types",
    ]


# ---- signatures ----

SIGNATURES = {
    "fn f(x: &str) -> &str": ("fn f(x: &str) -> &str { x }", "fn f(x: &'static str) -> &'static str { x }"),
    "fn f<T: Ord>(x: &[T]) -> Option<&T>": (
        "fn f<T: Ord>(x: &[T]) -> Option<&T> { x.iter().max() }",
        "fn f(x: &[i32]) -> Option<&i32> { x.iter().max() }",
    ),
    "fn f(x: Vec<i32>) -> HashMap<i32, usize>": (
        "fn f(x: Vec<i32>) -> std::collections::HashMap<i32, usize> { x.into_iter().map(|n| (n, 1)).collect() }",
        "fn f(x: Vec<i32>) -> std::collections::BTreeMap<i32, usize> { x.into_iter().map(|n| (n, 1)).collect() }",
    ),
    "fn f(g: impl Fn(i32) -> i32) -> i32": (
        "fn f(g: impl Fn(i32) -> i32) -> i32 { g(1) }",
        "fn f(g: fn(i32) -> i32) -> i32 { g(1) }",
    ),
    "fn f<const N: usize>(x: [i32; N]) -> i32": (
        ("fn f<const N: usize>(x: [i32; N]) -> i32 { x.iter().sum() }"),
        "fn f(x: [i32; 2]) -> i32 { x.iter().sum() }",
    ),
    "fn f(n: u32) -> impl Iterator<Item = u32>": (
        "fn f(n: u32) -> std::ops::Range<u32> { 0..n }",
        "fn f(n: u32) -> Vec<u32> { vec![n] }",
    ),
    "async fn f(n: u32) -> u32": ("async fn f(n: u32) -> u32 { n }", "fn f(n: u32) -> u32 { n }"),
    "const fn f(n: u32) -> u32": ("const fn f(n: u32) -> u32 { n }", "fn f(n: u32) -> u32 { n }"),
    "unsafe fn f(n: u32) -> u32": ("unsafe fn f(n: u32) -> u32 { n }", "fn f(n: i32) -> i32 { n }"),
    "fn f()": ("fn f() {}", "fn f() -> u8 { 1 }"),
    "fn S::new(n: u32) -> S": (
        "struct S; impl S { fn new(_: u32) -> S { S } }",
        "struct S; impl S { fn new(_: u64) -> S { S } }",
    ),
    "fn S::get(&self) -> u32": (
        "struct S; impl S { fn get(&self) -> u32 { 1 } }",
        "struct S; impl S { fn get(self) -> u32 { 1 } }",
    ),
    "fn f(a: &str, n: usize) -> Result<Vec<&str>, String>": (
        ("pub fn f(a: &str, _: usize) -> Result<Vec<&str>, String> { Ok(vec![a]) }"),
        "pub fn f(a: &str) -> Result<Vec<&str>, String> { Ok(vec![a]) }",
    ),
}


@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_signature_is_compared_with_the_function(grade: JudgeGrader, signature: str):
    case = case_of(None, [signature], should_pass_tests=False)
    right, wrong = SIGNATURES[signature]
    assert grade(right, case).shortcomings == []
    graded = grade(wrong, case)
    assert [shortcoming.partition("`: ")[0] for shortcoming in graded.shortcomings] == [
        f"expected_functions: `{signature}"
    ]
    assert graded.score.overall == 1.0 - 0.01 * len(graded.lints)


def test_a_type_of_the_case_may_be_named_like_one_of_std(grade: JudgeGrader):
    case = one_test(
        "assert!(flip(Cell::Dead) == Cell::Alive);", "fn flip(cell: Cell) -> Cell", expected_types=("enum Cell",)
    )
    code = "#[derive(PartialEq)] pub enum Cell { Dead, Alive } pub fn flip(_: Cell) -> Cell { Cell::Alive }"
    assert grade(code, case).correct


def test_a_generic_function_is_called_with_the_types_of_its_signature(grade: JudgeGrader):
    """`triple(2)` alone would let the literal be an `i32`, and the sample answer with a type of its own."""
    code = """
        #[derive(Debug)] pub struct Yes;
        impl PartialEq<i32> for Yes { fn eq(&self, _: &i32) -> bool { true } }
        pub trait Number { type Tripled; fn tripled(self) -> Self::Tripled; }
        impl Number for i64 { type Tripled = i64; fn tripled(self) -> i64 { self } }
        impl Number for i32 { type Tripled = Yes; fn tripled(self) -> Yes { Yes } }
        pub fn triple<T: Number>(x: T) -> T::Tripled { x.tripled() }
    """
    assert grade(code, TRIPLE).failed == ["tests::of_two", "tests::of_minus_one"]


def test_an_opaque_result_has_no_methods_of_its_own(grade: JudgeGrader):
    case = one_test("assert_eq!(up().take(2).collect::<Vec<u8>>(), [0, 1]);", "fn up() -> impl Iterator<Item = u8>")
    code = """
        pub struct Up;
        impl Iterator for Up { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
        impl Up { pub fn take(self, _: usize) -> Up { Up } pub fn collect<T>(self) -> Yes { Yes } }
        #[derive(Debug)] pub struct Yes;
        impl PartialEq<[i32; 2]> for Yes { fn eq(&self, _: &[i32; 2]) -> bool { true } }
        impl PartialEq<[u8; 2]> for Yes { fn eq(&self, _: &[u8; 2]) -> bool { true } }
        pub fn up() -> Up { Up }
    """
    assert grade(code, case).failed == ["holds"]
    assert grade("pub fn up() -> impl Iterator<Item = u8> { 0.. }", case).correct
