"""Methods that take the place of std's in the tests."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.integrity import hijacked_methods
from forgetest.toolchains.rust.source.lexer import tokens

TESTS = 'use super::*; #[test] fn t() { assert_eq!(f().len(), 3); assert_eq!(f().join(","), ""); f().area(); }'
EVIL = "pub trait Evil { fn len(self) -> usize; } impl<T> Evil for T { fn len(self) -> usize { 3 } }"
FOR_VECTORS = "pub trait Evil { fn join(&self, by: &str) -> String; } impl Evil for Vec<String> { }"
REFERENCE = "pub fn f() -> Vec<String> { vec![] }"


def forbidden(code: str, *in_scope: str, tests: str = TESTS, reference: str | None = REFERENCE) -> list[bool]:
    """Whether each finding forbids."""
    return [each.forbids for each in hijacked_methods.findings(tokens(code), tests, in_scope, reference)]


def test_a_trait_for_every_type_is_noted_where_the_tests_do_not_see_it():
    assert forbidden(EVIL) == [False]


@pytest.mark.parametrize("code", [EVIL, FOR_VECTORS, EVIL.replace("Evil", "r#Evil")])
def test_a_trait_that_the_tests_see_and_the_reference_does_without_makes_a_sample_incorrect(code):
    assert forbidden(code, "Evil") == [True]


def test_a_trait_for_other_types_that_the_tests_do_not_see_is_nothing():
    assert forbidden(FOR_VECTORS) == []


def test_without_a_reference_solution_it_is_only_noted():
    assert forbidden(FOR_VECTORS, "Evil", reference=None) == [False]


def test_a_trait_that_the_reference_has_too_is_what_the_case_asks_for():
    assert forbidden(FOR_VECTORS, "Evil", reference=FOR_VECTORS) == []


@pytest.mark.parametrize(
    "code",
    [
        "trait Area { fn area(&self) -> f64; } impl<T: Shape> Area for Box<T> { fn area(&self) -> f64 { 0.0 } }",
        "trait Size { fn len(&self) -> usize; } struct S; impl Size for S { fn len(&self) -> usize { 0 } }",
    ],
)
def test_methods_that_std_does_not_have_and_types_of_its_own_are_nothing(code):
    assert forbidden(code, "Area", "Size") == []


def test_everything_of_a_module_is_seen_by_tests_that_import_it():
    tests = TESTS.replace("super::*", "super::geometry::*")
    assert forbidden("mod geometry { " + FOR_VECTORS + " }", tests=tests) == [True]
    assert forbidden("mod geometry { " + FOR_VECTORS + " }", tests="use std::collections::*;" + TESTS) == []


@pytest.mark.parametrize(
    "code",
    [
        "macro_rules! m { ($n:ident) => { trait $n { fn len(self) -> usize; } } } m!(Evil);",
        "trait Evil { methods!(len); }",
        "macro_rules! m { ($f:ident) => { trait Evil { fn $f(self) -> usize; } } } m!(len);",
    ],
)
def test_a_trait_put_together_by_macros_is_noted(code):
    assert forbidden(code, "Evil") == [False]


@pytest.mark.parametrize(
    "code",
    [
        "struct T; trait Evil { fn len(self) -> usize; } impl<T> Evil for T { fn len(self) -> usize { 3 } }",
        "trait Evil { fn len(self) -> usize; } macro_rules! m { ($t:ty) => { impl Evil for $t {} } } m!(Vec<i64>);",
    ],
)
def test_macros_and_names_do_not_hide_an_implementation(code):
    assert forbidden(code, "Evil") == [True]


OPTION_TESTS = "#[test] fn t() { assert!(new(-1.0).is_none()); assert!(new(1.0).is_some()); }"


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("pub struct Made; impl Made { pub fn is_none(&self) -> bool { true } }", True),
        ("impl Made { pub fn r#is_none(&self) -> bool { true } }", True),
        ("macro_rules! m { ($n:ident) => { fn $n(&self) -> bool { true } } } impl Made { m!(is_some); }", True),
        ("impl Deref for Made { type Target = std::option::Option<u8>; }", True),
        ("impl Deref for Made { type Target = Vec<u8>; }", False),
        ("fn f(x: Option<u8>) -> bool { x.is_none() || [x].iter().all(Option::is_some) }", False),
        ("impl Made { pub fn is_ok(&self) -> bool { true } }", False),
    ],
)
def test_a_type_that_answers_for_an_option_is_not_verified(code: str, own: bool):
    found = list(hijacked_methods.stand_ins(tokens(code), OPTION_TESTS, None))
    assert [(each.kind, each.concern, each.forbids) for each in found] == [("own_answers", "unsound", False)] * own


def test_a_stand_in_that_the_reference_has_too_is_what_the_case_asks_for():
    code = "impl Maybe { pub fn is_none(&self) -> bool { true } }"
    assert list(hijacked_methods.stand_ins(tokens(code), OPTION_TESTS, code)) == []
