"""Problems that the text of Rust tests shows, and what the prompt does not tell."""

from __future__ import annotations

import pytest

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.rust.audit import inspect_tests, untold


def a_case(tests: str, reference: str = "fn f() {}", prompt: str = "p") -> Case:
    return Case(
        id="c", name="c", prompt=prompt, reference_solution=reference, expectations=Expectations(test_file=tests)
    )


def remarks(tests: str) -> list[tuple[str, str, int]]:
    return [(each.test, each.problem, each.line) for each in inspect_tests(a_case(tests))]


@pytest.mark.parametrize(
    ("tests", "found"),
    [
        ("#[test]\nfn a() { f(1); }", ("a", "no_assertion", 2)),
        ("#[test]\nfn a() { assert!(f(1)); }\nfn b() { assert!(f(2)); }", ("b", "never_runs", 3)),
        ("#[test]\n#[ignore]\nfn a() { assert!(f(1)); }", ("a", "never_runs", 3)),
        ("#[test]\nfn a() { assert!(f(1)); }\n#[test]\nfn b() {\n    assert!(f(1)); }", ("b", "duplicate", 4)),
        ("mod t {\n    #[tokio::test]\n    async fn a() { f(1).await; }\n}", ("a", "no_assertion", 3)),
    ],
)
def test_a_problem_is_found(tests: str, found: tuple[str, str, int]):
    assert remarks(tests) == [found]


@pytest.mark.parametrize(
    "tests",
    [
        "#[test]\n#[should_panic]\nfn a() { f(1); }",
        "#[test]\nfn a() { f(1).unwrap(); }",
        "fn same(a: u8, b: u8) { assert_eq!(a, b); }\n#[test]\nfn a() { same(f(1), 2); }",
    ],
)
def test_sound_tests_have_none(tests: str):
    assert remarks(tests) == []


def test_names_that_only_the_reference_solution_tells_are_named():
    reference = "pub enum Half { Exactly(i32), NotWhole }\npub fn half(n: i32) -> Half { todo!() }"
    tests = '#[test]\n#[should_panic(expected = "too small")]\nfn a() { assert_eq!(half(3), Half::NotWhole); }'
    assert untold(a_case(tests, reference, "Write fn half(n: i32) -> Half.")) == [
        "the name NotWhole",
        "the message 'too small'",
    ]
