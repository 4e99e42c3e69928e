"""Forms of code that are unsafe without saying so."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.integrity import soundness
from forgetest.toolchains.rust.source.lexer import tokens

NESTED = "fn f<'a, 'b, T>(_: &'a &'b (), v: &'b T) -> &'a T { v }"
BLANKET = "trait O<U> { type Out; } impl<T: ?Sized, U> O<U> for T { type Out = U; }"


NOTED = ("resembles_a_hole", False, "forgery")
"""Neither incorrect, nor unsafe where a case forbids that, nor unverified."""


def kinds_found(code: str) -> list[tuple[str, bool, str]]:
    found = soundness.findings(" ".join(token.text for token in tokens(code)))
    return [(finding.kind, finding.forbids, finding.is_about) for finding in found]


@pytest.mark.parametrize(
    "code",
    [
        NESTED + "let g: for<'x> fn(_, &'x T) -> &'b T = f;",
        NESTED + "let g: fn(_, &T) -> &'b T = f;",
        NESTED + "trait Sub<'a, 'b, R>: Super<'a, 'b> {} fn g<T: for<'a, 'b> Sub<'a, 'b, &'b &'a ()>>() {}",
        BLANKET.replace("?Sized", "?::core::marker::Sized") + "type X = dyn O<u8, Out = u64>;",
        BLANKET + "fn t<T, U>(x: T) -> U { same::<dyn O<U, Out = T>, U>(x) }",
        "trait O { type Out; } impl<T> O for T where T: ?Sized { type Out = u8; } type X = dyn O<Out = u64>;",
        "trait O { type Out; } impl<T: ?Sized> crate::O for T { type Out = u8; } type X = dyn crate::O<Out = u64>;",
    ],
)
def test_the_form_of_a_known_hole_is_only_noted(code: str):
    assert kinds_found(code) == [NOTED]


@pytest.mark.parametrize(
    "code",
    [
        NESTED,
        "type R<'a, T> = &'a T; fn f<'a, 'b, T>(_: R<'a, R<'b, ()>>, v: R<'b, T>) {} fn g() { let h: fn(_, &T) = f; }",
        "impl<'a, 'b> X<'a, 'b> { fn f() { let g: fn(u8) -> u8 = h; } }",
        "macro_rules! m { ($t:ident) => { impl<T: ?Sized> $t for T { type Out = u8; } type X = dyn $t<Out = u64>; } }",
        "fn f<T: Lends + 'static>(_: &T, value: T::Result) -> Box<dyn Value> { Box::new(value) }",
        "fn f<T>(_: &T, value: <T as Lends>::Result) -> Box<dyn Value> where T: Lends + 'static { Box::new(value) }",
        BLANKET + "trait P {} fn f(x: &dyn P) {}",
    ],
)
def test_a_form_that_may_be_part_of_a_hole_is_only_noted(code: str):
    assert kinds_found(code) == [NOTED]


@pytest.mark.parametrize(
    "code",
    [
        "fn longest<'a>(x: &'a str, y: &'a str) -> &'a str { x }",
        "fn f<'a, 'b>(x: &'a str, y: &'b str) -> &'a str { x }",
        "fn apply(f: fn(i64) -> i64, x: i64) -> i64 { f(x) }",
        "trait Shape { fn area(&self) -> f64; } fn total(all: &[Box<dyn Shape>]) -> f64 { 0.0 }",
        "trait Show { fn show(&self); } impl<T: Debug> Show for T { fn show(&self) {} } fn f(x: &dyn Show) {}",
        "impl<T: ?Sized + Debug> Show for T { fn show(&self) {} } fn f(x: Box<dyn Iterator<Item = u8>>) {}",
        "impl<I: Iterator, B, F: FnMut(I::Item) -> B> Iterator for Map<I, F> { type Item = B; }",
        "fn spawn<F: Future + Send + 'static>(f: F) -> JoinHandle<F::Output> where F::Output: Send + 'static { s(f) }",
        "fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C { move |x| g(f(x)) }",
        "impl<F: Fn(u8) -> u8> Step for F { fn step(&self, x: u8) -> u8 { self(x) } }",
        "fn f(x: Option<u8>) -> Option<u8> { let y = x? as u16; Some(y as u8) } fn g(x: &dyn Shape) {}",
        "impl<T: ?Sized> Show for Wrapper<T> { fn show(&self) {} } fn f(x: &dyn Show) {}",
    ],
)
def test_ordinary_code_is_sound(code: str):
    assert kinds_found(code) == []


def test_no_text_takes_quadratic_time():
    for piece in (
        "impl < T : ? Sized dyn ",
        "impl < ",
        "dyn < ",
        "< 'a : 'b + ",
        "impl < Fn ( ) -> R ",
        "impl < F : Fn ( ) -> R > X for Y ",
        "dyn for < ",
        "& 'a mut ",
        "x :: ",
    ):
        assert len(kinds_found("? Sized dyn " + piece * 5_000)) <= 2
