"""What gives a sample away, and what must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.integrity import source_text

TESTS = "#[test] fn t() { assert_eq!(f().len(), 3); assert!(f().iter().eq([1].iter())); }"


def kinds_found(code: str, in_scope: tuple[str, ...] = (), reference: str | None = None) -> dict[str, bool]:
    """Each kind that is found, and whether it forbids."""
    found = source_text.findings(code, TESTS, in_scope, compiles=True, edition="2021", reference=reference)
    return {
        kind: any(finding.forbids for finding in found if finding.kind == kind)
        for kind in {finding.kind for finding in found}
    }


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("extern crate self as core;", "shadowed_std"),
        ('const T: &str = include_str!("/w/tests.rs");', "reads_tests"),
        ("use std::include_str as text_of;", "reads_tests"),
        ('const T: &str = r#include_str!("/w/tests.rs");', "reads_tests"),
        ('#[path = "/etc/passwd"] mod m;', "reads_tests"),
        ("#![feature(custom_test_frameworks)] #![test_runner(crate::run)]", "own_harness"),
        ("async fn f(d: Duration) { tokio::time::advance(d).await; }", "changes_clock"),
    ],
)
def test_what_no_honest_author_writes_makes_a_sample_incorrect(code, kind):
    assert kinds_found(code) == {kind: True}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("macro_rules! assert_eq { ($($t:tt)*) => {} }", "shadowed_assertion"),
        ("macro_rules! r#assert_eq { ($($t:tt)*) => {} }", "shadowed_assertion"),
        ("#[macro_export] macro_rules! assert { () => {} } fn f() { assert!() }", "shadowed_assertion"),
        ("pub use crate::nothing as assert_eq;", "shadowed_assertion"),
        ("macro_rules! vec { () => {} }", "shadowed_macro"),
        ("mod std { }", "shadowed_std"),
        ("mod core { pub fn triple() {} } pub use self::core::triple;", "shadowed_std"),
        ("#![no_implicit_prelude]", "shadowed_std"),
        ("#![allow(dead_code)] #![cfg(unix)] fn f() {}", "configured_away"),
        ("fn f() { std::process::exit(0) }", "early_exit"),
        ("fn f() { std::panic::set_hook(Box::new(|_| {})) }", "panic_hook"),
        ('fn f() { std::process::Command::new("ls"); }', "starts_programs"),
        ('fn f() { println!("test result: ok. 3 passed"); }', "forged_output"),
        ('const V: Option<&str> = option_env!("HOME");', "reads_environment"),
        ('fn f() { std::fs::read_dir("/x"); }', "reaches_for_harness"),
        ('fn f() { std::fs::read("/proc/self/mem"); }', "reaches_for_harness"),
        ('fn f() { log("nothing in /proc/self"); }', "reaches_for_harness"),
        ("impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }", "equal_to_everything"),
        ("struct Any; impl PartialEq<u8> for Any { fn eq(&self, _: &u8) -> bool { true } }", "equal_to_everything"),
        ("impl<T> PartialEq<T> for Any where T: Copy { fn ne(&self, _: &T) -> bool { 1 > 2 } }", "equal_to_everything"),
        ("fn f() { unsafe { std::fs::File::from_raw_fd(3) }; }", "raw_descriptor"),
        ("fn f(d: i32) { F::r#from_raw_fd(d); }", "raw_descriptor"),
        ("fn f() {} #[cfg(any())]", "dangling_end"),
        ("#!/*\npub fn f() {} // */", "ambiguous_text"),
        ("pub fn\u200ef() {}", "ambiguous_text"),
        (
            "macro_rules! m { () => { pub fn f(x: u64) -> u64 { " + "if x == 1 { return 1; } " * 8 + "} } } m!();",
            "written_in_macros",
        ),
        (
            "fn a() {} " * 60 + "macro_rules! m { ($x:ident) => {{ let mut s = 0; "
            "for i in 0..$x.len() { s += $x[i]; } return s; }}; } fn f(x: &[u8]) -> u8 { m!(x) }",
            "written_in_macros",
        ),
    ],
)
def test_what_an_honest_author_may_write_is_only_noted(code, kind):
    assert kinds_found(code) == {kind: False}


@pytest.mark.parametrize(
    "code",
    [
        "macro_rules! my_assert { () => {} }",
        "macro_rules! add { ($a:expr, $b:expr) => { " + "$a.checked_add($b).unwrap() + " * 5 + "0 } }",
        '#[cfg(test)] mod tests { macro_rules! assert_eq { () => {} } #[test] fn t() { panic!("/proc/self") } }',
        "fn main() { std::process::exit(1) }",
        'fn f() -> &\'static str { "macro_rules! assert_eq { () => {} } mod std {}" }',
        '// include_str!("/w/tests.rs")\nfn f() {}',
        "macro_rules! op { ($trait:ident) => { impl $trait for Decimal { type Output = Self; } } }",
        "mod standard {} use std::fmt as formatting;",
        'fn normal(path: &str) { normalise("/x/../w"); }',
        "impl PartialEq for Point { fn eq(&self, other: &Self) -> bool { self.x == other.x } }",
        "struct Unit; impl PartialEq for Unit { fn eq(&self, _: &Self) -> bool { true } }",
        "trait Area { fn area(&self) -> f64; } impl<T: Shape> Area for T { fn area(&self) -> f64 { 0.0 } }",
        "trait Sized2 { fn len(&self) -> usize; } struct S; impl Sized2 for S { fn len(&self) -> usize { 0 } }",
    ],
)
def test_honest_code_has_no_findings(code):
    assert kinds_found(code, in_scope=("Area", "Sized2")) == {}


def test_a_text_that_the_compiler_may_read_differently_is_not_verified():
    (found,) = source_text.findings("pub fn\u200ef() {}", TESTS, (), compiles=True)
    assert found.kind == "ambiguous_text"
    assert found.is_about == "unsound"


def test_text_that_does_not_compile_anyway_is_not_called_ambiguous():
    assert source_text.findings('fn f() { "open', TESTS, (), compiles=False)[0].kind == "dangling_end"


PIECES = [
    *("trait ", "impl ", "for ", "fn ", "eq", "PartialEq", "macro_rules", "! ", "assert", "{", "}", "(", ")", "where "),
    *('"', "#", "[", "]", "<T>", ";", "main", "/*", "///", "pub ", "cfg(test)", "mod std", "'", "\\", "\n", " "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_can_be_searched(text):
    source_text.findings(text, TESTS, (), compiles=True)
