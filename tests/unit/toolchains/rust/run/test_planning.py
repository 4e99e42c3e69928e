"""Which samples are asked every twin at once."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.run import planning


@pytest.mark.parametrize(
    "code",
    [
        "impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }",
        "impl<T: ?Sized> std::cmp::PartialEq<T> for Any { }",
        "impl std::ops::Not for Truth { type Output = bool; }",
        "impl Iterator for Words { type Item = u8; }",
        "macro_rules! made { ($t:ty) => { } }",
    ],
)
def test_a_sample_with_operators_of_its_own_could_lie_in_part(code: str):
    assert planning.has_own_operators(code)


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
    assert not planning.has_own_operators(code)


def test_no_text_takes_quadratic_time():
    assert not planning.has_own_operators("impl for " * 100_000)
