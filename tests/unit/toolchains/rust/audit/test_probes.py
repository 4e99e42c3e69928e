"""Probes of Rust programs, and the tests for what they find."""

from __future__ import annotations

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.rust.audit import probe_case, probes, with_test

REFERENCE = "fn f(a: &[i32], b: &str) -> Option<String> { None }\npub async fn g(a: i32) {}\n"


def a_case(tests: str) -> Case:
    return Case(id="c", name="c", prompt="p", reference_solution=REFERENCE, expectations=Expectations(test_file=tests))


def test_probes_are_like_the_calls_of_the_tests_without_names_of_their_own():
    found = probes(a_case('assert_eq!(f(&[1], "a"), None); f(&numbers, "a"); g(1);'), 50, 0)
    assert {'f(&[1], "a")', 'f(&[], "a")', 'f(&[1], "")'} <= set(found)
    assert not any("numbers" in call or "g(" in call for call in found)


def test_texts_may_be_owned():
    found = probes(a_case('f(&[1], String::from("a")); f(&[1], "b".to_string()); f(&[1], name.to_string());'), 300, 0)
    assert {'f(&[1], String::from(""))', 'f(&[1], "".to_string())'} <= set(found)
    assert not any("name" in call for call in found)


def test_a_probe_compares_with_the_reference_in_a_module():
    tests = probe_case(a_case(""), ['f(&[], "")']).expectations.test_file or ""
    assert "pub fn f(a: &[i32]" in tests
    assert 'forgetest_outcome(|| f(&[], "")), forgetest_outcome(|| forgetest_reference::f(&[], "")));' in tests


def test_a_test_is_written_into_the_module_of_tests():
    case = a_case("#[cfg(test)]\nmod tests {\n    use super::*;\n}\n")
    plain, owned = with_test(case, 'f(&[], "")', 'Some("x")', 2)
    assert plain == (
        "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn f_tells_mutants_apart_2() {\n"
        '        assert_eq!(f(&[], ""), Some("x"));\n    }\n}\n'
    )
    assert 'Some(String::from("x"))' in owned


def test_a_test_is_added_at_the_end_where_there_is_no_module():
    [written, *_] = with_test(a_case("#[test]\nfn a() {}\n"), "f(1)", "2", 1)
    assert written == "#[test]\nfn a() {}\n\n#[test]\nfn f_tells_mutants_apart_1() {\n    assert_eq!(f(1), 2);\n}\n"
