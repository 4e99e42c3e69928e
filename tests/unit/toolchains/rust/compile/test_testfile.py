"""A case's test file → expected tests, and text that a sample cannot bend."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import UserError
from forgetest.toolchains.controls import JudgeSecret
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.compile.testfile import TestFile, WantedSites, rewrite
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT, SECRET, apply_edits, path_edits
from forgetest.toolchains.rust.source.lexer import tokens


def rewritten(text: str, *crates: str) -> TestFile:
    return rewrite(text, crates, "case")


def body(text: str, *crates: str) -> str:
    """The rewritten text of a test's body, with STD for the secret crate."""
    return apply_edits(text, path_edits(tokens(text), crates)).replace(SECRET, "H").replace(SAMPLE_ROOT, "crate")


# ---- the tests ----

QUOTED = ExpectedTest(name="t", kind="should_panic", panic_text='a "b"')


def test_tests_are_named_by_their_modules():
    text = (
        "#[test] fn a() {} mod m { #[test] fn b() {} mod n { #[test] fn c() {} } #[test] fn d() {} } #[test] fn e() {}"
    )
    assert [test.name for test in rewritten(text).tests] == ["a", "m::b", "m::n::c", "m::d", "e"]


def test_an_empty_attribute_is_left_for_the_compiler_to_refuse():
    found = rewritten("#[] #[test] fn a() {}")
    assert [test.name for test in found.tests] == ["a"]


def test_helper_functions_are_not_tests():
    text = "fn helper() { fn inner() {} } #[test] fn a() { fn main() {} }"
    assert [test.name for test in rewritten(text).tests] == ["a"]


def test_main_is_a_test_if_there_is_no_other():
    assert rewritten("fn helper() {} fn main() {}").tests == (ExpectedTest(name="main"),)


def test_main_is_not_a_test_if_there_are_others():
    assert [test.name for test in rewritten("fn main() {} #[test] fn a() {}").tests] == ["a"]


def test_main_in_a_module_is_not_a_test():
    with pytest.raises(UserError, match="case: test_file has neither"):
        rewritten("mod m { fn main() {} }")


@pytest.mark.parametrize("text", ["", "fn helper() {}", "// #[test] fn a() {}", 'const S: &str = "#[test] fn a() {}";'])
def test_a_file_without_tests_is_an_error_in_the_case(text: str):
    with pytest.raises(UserError, match="neither a #\\[test\\] function nor a `fn main\\(\\)`"):
        rewritten(text)


@pytest.mark.parametrize(
    ("attributes", "test"),
    [
        ("#[test]", ExpectedTest(name="t")),
        ("#[test] #[ignore]", ExpectedTest(name="t", kind="ignored")),
        ('#[ignore = "slow"] #[test]', ExpectedTest(name="t", kind="ignored")),
        ("#[test] #[should_panic]", ExpectedTest(name="t", kind="should_panic")),
        ('#[should_panic = "why"] #[test]', ExpectedTest(name="t", kind="should_panic", panic_text="why")),
        ('#[test] #[should_panic(expected = "a \\"b\\"")]', QUOTED),
        ('#[test] #[should_panic(expected = r#"a "b""#)]', QUOTED),
        ("#[test] #[should_panic] #[ignore]", ExpectedTest(name="t", kind="ignored")),
        ("#[cfg(test)] #[test] #[allow(dead_code)]", ExpectedTest(name="t")),
        ("/// Docs.\n#[test]", ExpectedTest(name="t")),
    ],
)
def test_attributes_determine_the_kind_of_test(attributes: str, test: ExpectedTest):
    assert rewritten(f"{attributes} fn t() {{}}").tests == (test,)


@pytest.mark.parametrize("head", ["fn t()", "pub fn t()", "pub(crate) fn t()", "unsafe fn t()"])
def test_qualifiers_do_not_matter(head: str):
    assert [test.name for test in rewritten(f"#[test] {head} {{}}").tests] == ["t"]


def test_a_test_that_returns_a_value_is_recognised():
    plain, result = rewritten("#[test] fn a() {} #[test] fn b() -> Result<(), String> { Ok(()) }").tests
    assert (plain.returns, result.returns) == (False, True)


@pytest.mark.parametrize(
    ("attribute", "runtime"),
    [
        ("tokio::test", "new_current_thread().enable_all()"),
        ("::tokio::test", "new_current_thread().enable_all()"),
        ("tokio::test(start_paused = true)", "new_current_thread().enable_all().start_paused(true)"),
        ('tokio::test(flavor = "multi_thread")', "new_multi_thread().enable_all()"),
        ("tokio::test(worker_threads = 3)", "new_multi_thread().worker_threads(3).enable_all()"),
    ],
)
def test_an_async_test_has_its_runtime(attribute: str, runtime: str):
    (test,) = rewritten(f"#[{attribute}] async fn t() {{}}", "tokio").tests
    assert test.runtime == runtime


def test_another_runtime_is_refused_by_name():
    with pytest.raises(UserError, match=r"case: t: #\[actix_rt::test\] is not supported; use #\[tokio::test\]"):
        rewritten("#[actix_rt::test] async fn t() {}")


@pytest.mark.parametrize(
    "text",
    [
        "macro_rules! t { ($n:ident) => { #[test] fn $n() {} } } t!(a);",
        "macro_rules! t { ($n:ident) => { mod m { #[test] fn a() {} } } } t!(a);",
    ],
)
def test_tests_made_by_a_macro_are_refused(text: str):
    with pytest.raises(UserError, match="case: tests made by a macro are not supported"):
        rewritten(text)


# ---- the text ----


def test_test_attributes_are_removed_and_functions_become_visible():
    text = '#[test]\n#[should_panic(expected = "x")]\nfn t() {}\nmod m { #[ignore] #[test] async fn u() {} }'
    result = rewritten(text).body
    assert "#[" not in result
    assert "pub(crate) fn t()" in result
    assert "pub(crate) mod m" in result
    assert "pub(crate) async fn u()" in result


def test_public_items_keep_their_visibility():
    assert rewritten("#[test] pub fn t() {}").body.strip().startswith("pub fn t()")


def test_other_attributes_stay():
    result = rewritten("#[derive(Debug)] struct S; #[inline] #[test] fn t() {}").body
    assert "#[derive(Debug)] struct S;" in result
    assert "#[inline]" in result


def test_configuration_for_tests_reads_as_true():
    result = rewritten("#[cfg(test)] mod m { #[cfg(all(test, unix))] use x; #[test] fn t() {} }").body
    assert "#[cfg(all())]" in result
    assert "#[cfg(all(all(), unix))]" in result


def test_lines_keep_their_numbers():
    text = '#[test]\n#[should_panic(\n  expected = "x"\n)]\nfn t() {\n  assert!(\n false);\n}\n'
    result = rewritten(text).body
    lines = [line.strip() for line in result.splitlines()]
    end = f"; ::{SECRET}::end_unasked() }}"
    assert lines[4:] == [f"pub(crate) fn t() -> ::{SECRET}::End {{", f"::{SECRET}::assert!(", "false);", end]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("assert_eq!(a, b)", "::H::assert_eq!(a, b)"),
        ("vec![1]; vec! { 2 }", "::H::std::vec![1]; ::H::std::vec! { 2 }"),
        ("std::mem::swap(a, b)", "::H::std::mem::swap(a, b)"),
        ("::std::mem::swap(a, b)", "::H::std::mem::swap(a, b)"),
        ("use ::std::fmt;", "use ::H::std::fmt;"),
        ("a > ::std::f(); <T>::std::x", "a > ::H::std::f(); <T>::std::x"),
        ("return ::std::mem::take(x)", "return ::H::std::mem::take(x)"),
        ("x as ::std::primitive::u8", "x as ::H::std::primitive::u8"),
        ("impl ::core::fmt::Display for ::alloc::vec::V", "impl ::H::core::fmt::Display for ::H::alloc::vec::V"),
        ("super::std::x; self::std::y; Self::std::z", "super::std::x; self::std::y; Self::std::z"),
        ("core::cmp::max; alloc::vec::Vec", "::H::core::cmp::max; ::H::alloc::vec::Vec"),
        ("use std::{fmt, io};", "use ::H::std::{fmt, io};"),
        ("use {std::fmt, core::iter};", "use {::H::std::fmt, ::H::core::iter};"),
        ("std::assert_eq!(a, b); ::core::assert!(c)", "::H::assert_eq!(a, b); ::H::assert!(c)"),
        ("panic!(); std::todo!()", "::H::std::panic!(); ::H::std::todo!()"),
        ("<std::vec::Vec<u8> as std::ops::Deref>::deref", "<::H::std::vec::Vec<u8> as ::H::std::ops::Deref>::deref"),
        ("Vec::<std::string::String>::new()", "Vec::<::H::std::string::String>::new()"),
        ("tokio::join!(a)", "::H_tokio::join!(a)"),
        ("::tokio::spawn(a)", "::H_tokio::spawn(a)"),
        ("crate::triple(1)", "crate::H_tests::H_names::triple(1)"),
        ("$crate::x", "crate::H_tests::H_names::x"),
        ("super::triple(1)", "super::triple(1)"),
        ("my::std::x", "my::std::x"),
        ("x.std::y", "x.std::y"),
        ("self::vec!(1)", "self::vec!(1)"),
        ("assert_eq != b", "assert_eq != b"),
        ("let vec = 1; vec", "let vec = 1; vec"),
        ('"std::x assert!(y)" // std::z', '"std::x assert!(y)" // std::z'),
        ("twice!(1)", "twice!(1)"),
        ("macro_rules! vec { () => {} } vec!(); dbg!(a)", "macro_rules! vec { () => {} } vec!(); ::H::std::dbg!(a)"),
    ],
)
def test_paths_and_macros_of_std_go_through_the_secret_crate(text: str, result: str):
    assert body(text, "tokio") == result


WORDS = st.sampled_from(
    [
        "std",
        "::",
        "x",
        "assert!",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "#",
        "test",
        "fn",
        "mod",
        "\n",
        '"s"',
        "// c\n",
        "crate",
    ]
)


@given(st.lists(WORDS).map(" ".join))
def test_any_text_keeps_its_number_of_lines(text: str):
    whole = f"#[test] fn t() {{}}\n{text}"
    try:
        result = rewritten(whole, "tokio")
    except UserError:
        return
    assert result.body.count("\n") == whole.count("\n")
    assert result.tests[0].name == "t"


@given(st.lists(WORDS.filter(lambda word: word not in ("std", "assert!", "crate"))).map(" ".join))
def test_text_without_paths_of_std_is_unchanged(text: str):
    assert body(text) == text


@given(st.lists(WORDS).map(" ; ".join))
def test_rewriting_twice_changes_nothing_more(text: str):
    once = apply_edits(text, path_edits(tokens(text), ())).replace(SECRET, "secret")
    again = apply_edits(once, path_edits(tokens(once), ())).replace(SECRET, "secret")
    assert again.replace("crate::secret_tests::secret_names", "crate") == once.replace(
        "crate::secret_tests::secret_names", "crate"
    )


# ---- globs of the sample's modules ----


def test_a_glob_of_a_module_of_the_samples_does_not_replace_the_prelude():
    text = "mod tests { use super::geometry::*; #[test] fn t() { assert_eq!(f(), Some(Vec::new())); } }"
    assert f"use super::geometry::*; use ::{SECRET}::std::prelude::v1::{{Some, Vec}};" in rewritten(text).body


@pytest.mark.parametrize(
    "head",
    [
        "use super::*;",
        "use crate::*;",
        "use super::geometry::{area, volume};",
        "use std::collections::*;",
        "use super::geometry::*; use super::other::Some;",
    ],
)
def test_other_imports_stay_as_they_are(head: str):
    assert "prelude" not in rewritten(f"mod tests {{ {head} #[test] fn t() {{ Some(1); }} }}").body


def test_two_globs_of_one_module_import_a_name_once():
    result = rewritten("mod tests { use super::a::*; use super::b::*; #[test] fn t() { Some(1); } }").body
    assert result.count("prelude") == 1


# ---- what a macro of the sample's cannot do ----


def test_a_test_returns_what_no_macro_of_the_samples_can_make():
    assert (
        f"fn t() -> ::{SECRET}::End {{ m!(); ; ::{SECRET}::end_unasked() }}"
        in rewritten("#[test] fn t() { m!(); }").body
    )


@pytest.mark.parametrize(
    "function", ["fn t() { if x { return; } f(); }", "fn t() -> Result<(), String> { f()?; Ok(()) }"]
)
def test_a_test_that_returns_by_itself_keeps_its_result(function: str):
    assert "End" not in rewritten(f"#[test] {function}").body


def test_the_condition_of_an_assertion_is_shown_as_its_author_wrote_it():
    result = rewritten("#[test] fn t() { assert!(std::f(x)   == vec![1]); }").body
    assert f"::{SECRET}::assert!(# std::f(x) == vec![1]; ::{SECRET}::std::f(x)" in result


@pytest.mark.parametrize("word", ["catch_unwind", "spawn", "scope"])
def test_assertions_panic_where_tests_may_catch_them(word: str):
    assert rewritten(f"#[test] fn t() {{ {word}(|| assert!(x)); }}").assertions_panic
    assert not rewritten("#[test] fn t() { assert!(x); }").assertions_panic


@pytest.mark.parametrize("text", ["const fn f() { assert!(true); }", "const _: () = assert!(true);"])
def test_assertions_that_the_compiler_runs_are_those_of_std(text: str):
    assert f"::{SECRET}::std::assert!" in rewritten(f"{text} #[test] fn t() {{}}").body


def test_old_editions_keep_the_assertions_of_std():
    """Their messages need not be formats."""
    assert f"::{SECRET}::std::assert!" in rewrite("#[test] fn t() { assert!(a, b); }", (), "c", edition="2018").body


# ---- sites ----

SITES = WantedSites(secret=JudgeSecret(key=b"a secret"), most=4)
TESTS = """
#[test] fn a() { assert_eq!(f(1), 2); assert!(g(3) == 4); }
#[test] fn b() -> Result<(), String> { assert_ne!(f(1), 2); Ok(()) }
#[test] #[should_panic] fn c() { assert_eq!(f(1), 2); }
#[test] #[ignore] fn d() { assert_eq!(f(1), 2); }
#[test] fn e() { if x { return; } check(); }
"""


def test_plain_tests_have_sites_and_an_end():
    found = rewrite(TESTS, (), "case", wanted=SITES).sites
    kinds = [(site.test, site.kind, site.line) for site in found]
    assert sorted(kinds) == [
        *((0, "end", 2), (0, "literal", 2), (0, "literal", 2)),
        (1, "end", 3),
    ]


def test_the_truth_of_an_assertion_is_a_site_where_a_test_has_no_end():
    text = "#[test] fn a() { if x { return; } for y in z { assert!(y); } }"
    assert [site.kind for site in rewrite(text, (), "case", wanted=SITES).sites] == ["truth"]


def test_the_same_secret_gives_the_same_text_and_another_one_another():
    bodies = {
        rewrite(TESTS, (), "case", wanted=replace(SITES, secret=JudgeSecret(key=bytes([n])))).body for n in range(20)
    }
    assert len(bodies) > 10
    assert rewrite(TESTS, (), "case", wanted=SITES) == rewrite(TESTS, (), "case", wanted=SITES)


def test_sites_can_be_limited_to_some():
    everything = rewrite(TESTS, (), "case", wanted=SITES)
    only = frozenset((site.kind, site.position, site.asked[0]) for site in everything.sites[:2])
    found = rewrite(TESTS, (), "case", wanted=replace(SITES, only=only)).sites
    assert {(site.kind, site.position, value) for site in found for value in site.asked} == only


@given(st.binary(min_size=1, max_size=8))
def test_the_right_one_of_several_values_may_be_anywhere(key: bytes):
    wanted = replace(SITES, secret=JudgeSecret(key=key))
    found = rewrite("#[test] fn a() { assert_eq!(f(1), 200); }", (), "case", wanted=wanted)
    values = re.findall(r"pick\(0, &\[([\d, ]+)\]\)", found.body)[0].split(", ")
    assert (len(values), values[found.sites[0].right]) == (8, "200")


def test_a_variant_is_one_of_several_that_the_tests_name():
    text = "#[test] fn a() { assert_eq!(f(), Err(Error::One)); assert_eq!(g(), Err(Error::Two)); }"
    body = rewrite(text, (), "case", wanted=SITES).body
    assert sorted(re.findall(r"pick_owned\(\d, \[(.*?)\]\)", body)[0].split(", ")) == ["Error::One", "Error::Two"]
