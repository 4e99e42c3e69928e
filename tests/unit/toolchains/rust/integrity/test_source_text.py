"""What gives a sample away, and what must not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.integrity import source_text

TESTS = "#[test] fn t() { assert_eq!(f().len(), 3); assert!(f().iter().eq([1].iter())); }"


def kinds_found(code: str, in_scope: tuple[str, ...] = ()) -> dict[str, bool]:
    """Each kind that is found, and whether it forbids."""
    found = source_text.findings(code, TESTS, in_scope, compiles=True)
    return {
        kind: any(finding.forbids for finding in found if finding.kind == kind)
        for kind in {finding.kind for finding in found}
    }


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("macro_rules! assert_eq { ($($t:tt)*) => {} }", "shadowed_assertion"),
        ("macro_rules! r#assert_eq { ($($t:tt)*) => {} }", "shadowed_assertion"),
        ("#[macro_export] macro_rules! assert { () => {} } fn f() { assert!() }", "shadowed_assertion"),
        ("pub use crate::nothing as assert_eq;", "shadowed_assertion"),
        ("mod std { }", "shadowed_std"),
        ("extern crate self as core;", "shadowed_std"),
        ('const T: &str = include_str!("/w/tests.rs");', "reads_tests"),
        ("use std::include_str as text_of;", "reads_tests"),
        ('const T: &str = r#include_str!("/w/tests.rs");', "reads_tests"),
        ("fn f(d: i32) { F::r#from_raw_fd(d); }", "raw_descriptor"),
        ('#[path = "/etc/passwd"] mod m;', "reads_tests"),
        ("#![feature(custom_test_frameworks)] #![test_runner(crate::run)]", "own_harness"),
        ('fn f() { std::fs::read("/proc/self/mem"); }', "reaches_for_harness"),
        ("impl PartialEq<i64> for Any { fn eq(&self, _: &i64) -> bool { true } }", "equal_to_everything"),
        ("impl<T> PartialEq<T> for Any where T: Copy { fn ne(&self, _: &T) -> bool { 1 > 2 } }", "equal_to_everything"),
        ("fn f() { unsafe { std::fs::File::from_raw_fd(3) }; }", "raw_descriptor"),
    ],
)
def test_what_no_honest_author_writes_makes_a_sample_incorrect(code, kind):
    assert kinds_found(code) == {kind: True}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("macro_rules! assert_eq { () => {} } fn f() { assert_eq!() }", "shadowed_assertion"),
        ("macro_rules! vec { () => {} }", "shadowed_macro"),
        ("#![no_implicit_prelude]", "shadowed_std"),
        ("#![allow(dead_code)] #![cfg(unix)] fn f() {}", "configured_away"),
        ("fn f() { std::process::exit(0) }", "early_exit"),
        ("fn f() { std::panic::set_hook(Box::new(|_| {})) }", "panic_hook"),
        ('fn f() { std::process::Command::new("ls"); }', "starts_programs"),
        ('fn f() { println!("test result: ok. 3 passed"); }', "forged_output"),
        ('const V: Option<&str> = option_env!("HOME");', "reads_environment"),
        ('fn f() { std::fs::read_dir("/x"); }', "reaches_for_harness"),
        ("fn f() {} #[cfg(any())]", "dangling_end"),
    ],
)
def test_what_an_honest_author_may_write_is_only_noted(code, kind):
    assert kinds_found(code) == {kind: False}


@pytest.mark.parametrize(
    "code",
    [
        "macro_rules! my_assert { () => {} }",
        '#[cfg(test)] mod tests { macro_rules! assert_eq { () => {} } #[test] fn t() { panic!("/proc/self") } }',
        "fn main() { std::process::exit(1) }",
        'fn f() -> &\'static str { "macro_rules! assert_eq { () => {} } mod std {}" }',
        '// include_str!("/w/tests.rs")\nfn f() {}',
        "macro_rules! op { ($trait:ident) => { impl $trait for Decimal { type Output = Self; } } }",
        "mod standard {} use std::fmt as formatting;",
        'fn normal(path: &str) { normalise("/x/../w"); }',
        "impl PartialEq for Point { fn eq(&self, other: &Self) -> bool { self.x == other.x } }",
        "trait Area { fn area(&self) -> f64; } impl<T: Shape> Area for T { fn area(&self) -> f64 { 0.0 } }",
        "trait Sized2 { fn len(&self) -> usize; } struct S; impl Sized2 for S { fn len(&self) -> usize { 0 } }",
    ],
)
def test_honest_code_has_no_findings(code):
    assert kinds_found(code, in_scope=("Area", "Sized2")) == {}


def test_a_trait_that_hijacks_methods_makes_a_sample_incorrect_only_if_the_tests_import_it():
    code = "pub trait Evil { fn len(self) -> usize; } impl<T> Evil for T { fn len(self) -> usize { 3 } }"
    assert kinds_found(code) == {"shadowed_method": False}
    assert kinds_found(code, in_scope=("Evil",)) == {"shadowed_method": True}
    assert kinds_found(code.replace("<T>", "").replace("for T", "for Vec<i64>"), in_scope=("Evil",)) == {
        "shadowed_method": True
    }
    assert kinds_found(code.replace("<T>", "").replace("for T", "for Vec<i64>")) == {}


@pytest.mark.parametrize(
    "code",
    [
        "macro_rules! m { ($n:ident) => { trait $n { fn len(self) -> usize; } } } m!(Evil);",
        "trait Evil { methods!(len); }",
        "macro_rules! m { ($f:ident) => { trait Evil { fn $f(self) -> usize; } } } m!(len);",
        "struct T; trait Evil { fn len(self) -> usize; } impl<T> Evil for T { fn len(self) -> usize { 3 } }",
        "trait Evil { fn len(self) -> usize; } macro_rules! m { ($t:ty) => { impl Evil for $t {} } } m!(Vec<i64>);",
    ],
)
def test_macros_and_names_do_not_hide_a_hijacking_trait(code):
    assert kinds_found(code, in_scope=("Evil",)) == {"shadowed_method": True}


PIECES = [
    *("trait ", "impl ", "for ", "fn ", "eq", "PartialEq", "macro_rules", "! ", "assert", "{", "}", "(", ")", "where "),
    *('"', "#", "[", "]", "<T>", ";", "main", "/*", "///", "pub ", "cfg(test)", "mod std", "'", "\\", "\n", " "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_can_be_searched(text):
    source_text.findings(text, TESTS, (), compiles=True)


def test_no_text_takes_quadratic_time():
    started = time.process_time()
    for piece in (
        "impl PartialEq for ",
        "trait x {",
        "fn main() ",
        "#[cfg(test)] mod ",
        "# ! [ x ] ",
        "macro_rules ! vec (",
    ):
        source_text.findings(piece * 5_000, TESTS, (), compiles=False)
    assert time.process_time() - started < 60
