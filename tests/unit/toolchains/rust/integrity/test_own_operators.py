"""Which samples have operators of their own, and which of these could decide by an expected value."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.integrity import own_operators


@pytest.mark.parametrize(
    "code",
    [
        "impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }",
        "impl<T: ?Sized> std::cmp::PartialEq<T> for Any { }",
        "impl std::ops::Not for Truth { type Output = bool; }",
        "impl Iterator for Words { type Item = u8; }",
        "macro_rules! made { ($t:ty) => { } }",
        "impl Sub<f64> for Rough { type Output = f64; }",
        "use std::cmp::PartialEq as Same; impl Same<i64> for Any { }",
        "impl r#PartialEq<i64> for Any { }",
        "impl<" + "'a, " * 300 + "T> PartialEq<T> for Any<T> { }",
        "impl PartialEq<[u8; { 1 + 2 }]> for Any { }",
        "impl PartialEq<fn(u8) -> u8> for Any { }",
        "struct r#fn; impl PartialEq<r#fn> for Any { }",
    ],
)
def test_a_sample_with_operators_of_its_own_could_lie_in_part(code: str):
    assert own_operators.has_own_operators(code)


@pytest.mark.parametrize(
    "code",
    [
        "pub fn triple(x: i64) -> i64 { x * 3 }",
        "#[derive(PartialEq, Debug)] pub struct Point(i32); impl Point { fn eq(&self) -> bool { true } }",
        "fn most(values: impl Iterator<Item = i64>) -> i64 { for x in values {} 0 }",
        '// impl PartialEq for X {}\nfn f() -> &\'static str { "impl PartialEq for X {}" }',
        "impl Default for Stack { fn default() -> Self { Stack } }",
    ],
)
def test_ordinary_code_has_no_operators_of_its_own(code: str):
    assert not own_operators.has_own_operators(code)


def test_no_text_takes_quadratic_time():
    assert not own_operators.has_own_operators("impl for " * 100_000)


@pytest.mark.parametrize(
    ("code", "decides"),
    [
        ("impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }", True),
        ("use std::cmp::PartialOrd as P; impl P<i64> for Any { }", True),
        ("impl Sub<f64> for Rough { type Output = f64; }", True),
        ("macro_rules! m { ($t:ident) => { impl $t<i64> for Any { } } } m!(PartialEq);", True),
        ("macro_rules! m { () => { #[derive(PartialEq)] struct A; } }", False),
        ("impl Iterator for Words { type Item = u8; }", False),
        ("fn most<T: PartialOrd>(values: &[T]) -> &T { &values[0] }", False),
        ("use std::cmp::PartialEq as _;", False),
        ("impl<T: PartialOrd> Iterator for Smallest<T> { fn next(&mut self) { for x in y {} } }", False),
        ("impl<T: PartialEq + Ord> Heap<T> { fn f() { for x in y {} } }", False),
        ("impl<T: Clone> std::cmp::PartialEq for Smallest<T> { }", True),
    ],
)
def test_an_operator_decides_if_it_is_handed_what_is_expected(code: str, decides: bool):
    assert own_operators.can_decide(code) == decides
