"""Expectations that are found in a test's text."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.compile.twins.expectations import Expectation, in_test
from forgetest.toolchains.rust.source.lexer import closing_bracket, tokens


def found_in(body: str) -> list[tuple[str, bool]]:
    """The literals in a test's body, and `!` for the truth of an assertion; with whether each is certain."""
    text = f"fn t() {{ {body} }}"
    return [(text[each.start : each.end] or "!", each.certain) for each in expectations(text)]


def expectations(text: str) -> list[Expectation]:
    found = tokens(text)
    opening = next(index for index, token in enumerate(found) if token.text == "{")
    return list(in_test(found, (opening, closing_bracket(found, opening))))


def literals(body: str) -> list[str]:
    return [literal for literal, _ in found_in(body) if literal != "!"]


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ("assert_eq!(f(1), 2)", ["2"]),
        ("assert_eq!(2, f(1))", ["2"]),
        ("assert_eq!(f(-1), -2)", ["-2"]),
        ("assert_eq!(f(1) - 2, 3)", ["2", "3"]),
        ('assert_eq!(f(1), "a", "message {}", 5)', ['"a"']),
        ("assert_eq!(f(), vec![1, 2])", ["1", "2"]),
        ('assert_eq!(f(), Some("a".to_string()))', ['"a"']),
        ('assert_eq!(f(), Err(String::from("a")))', ['"a"']),
        ("assert_eq!(f(), [Token::Number(1), Token::Plus])", ["1"]),
        ("assert_eq!(f(), Point { x: 1, y: -2 })", ["1", "-2"]),
        ("assert_eq!(f(), (true, 'c'))", ["true", "'c'"]),
        ('assert_eq!(f(), HashMap::from([("a", 1)]))', ['"a"', "1"]),
        ("assert_eq!(f(), std::time::Duration::from_secs(3))", ["3"]),
        ("assert_eq!(f()?, 1)", ["1"]),
        ("assert_eq!(a * b, Matrix::new(2, vec![17, 39]))", ["2", "17", "39"]),
        ("assert!(f(1) == 2)", ["2"]),
        ("assert!(f(1) == 2 && g() == 3)", ["2", "3"]),
        ('assert!(matches!(f(1), Some(Word(w)) if w == "a"))', ['"a"']),
        ("assert!((f(1) - 2.5).abs() < 1e-9)", ["2.5"]),
        ("if x { assert_eq!(f(), 1); }", ["1"]),
        ("let expected = vec![1, 2]; assert_eq!(f(), expected);", ["1", "2"]),
        ("for (input, wanted) in [(1, 2), (3, 4)] { assert_eq!(f(input), wanted); }", ["2", "4"]),
        ('let cases = vec![(1, 2)]; for &(i, w) in &cases { assert_eq!(f(i), w, "{} {}", i, w); }', ["2"]),
    ],
)
def test_literals_on_the_expected_side_are_found(assertion: str, expected: list[str]):
    assert literals(f"{assertion};") == expected


@pytest.mark.parametrize(
    "statement",
    [
        'assert_eq!(f(1, "a"), g(2))',
        "assert_eq!(Point::new(1, 2), p)",
        "assert_eq!(x.scaled(2), y)",
        "assert_eq!(v[0], w)",
        "assert_eq!(p.0, q.1)",
        "assert_eq!(f(), x as u8 + 1 as u8)",
        "assert_eq!(f::<3>(), x)",
        "assert_eq!(f(), [x; 3])",
        "assert_eq!(f(), match x { 1 => y, _ => z })",
        "assert_eq!(f(), if x { 1 } else { 2 })",
        "assert_eq!(f(|x| x + 1), y)",
        'assert_eq!(format!("{}", 3), x)',
        "assert_eq!(f(), made!(1))",
        "assert_ne!(f(), 1)",
        "assert!(f() > 1)",
        "assert!(f() != 1)",
        "assert!(!(f() == 1))",
        "assert!(f() == 1 || g() == 2)",
        "assert!(matches!(f(), Some(1)))",
        "let input = vec![1]; assert_eq!(sorted(&input), input)",
        "let x = 1; assert_eq!(f(x), y)",
        "for (a, b) in [(1, 2)] { assert_eq!(f(a), g(b)); }",
        "const N: usize = 3; static M: i32 = 4",
        'println!("{}", 1); check(2)',
        "wrapped!(assert_eq!(f(), 1))",
        "macro_rules! m { () => { assert_eq!(f(), 1) } }",
    ],
)
def test_everything_else_is_left_alone(statement: str):
    assert literals(f"{statement};") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert!(x);", [("!", True)]),
        ("assert_ne!(a, b);", [("!", True)]),
        ("assert_eq!(f(), 1);", [("1", True)]),
        ('assert_eq!(f(), Some(vec!["a".to_string()]));', [('"a"', True)]),
        ("assert!(f() == 1);", [("!", True), ("1", True)]),
        ("assert!((f() - 1.5).abs() < 1e-6);", [("!", True), ("1.5", True)]),
        ("assert!((1.5 - f()).abs() < f64::EPSILON);", [("!", True), ("1.5", True)]),
        ("assert!(f64::abs(f() - 1.5) < 0.01);", [("!", True), ("1.5", True)]),
        ("assert!(f64::abs(f() + 1.5) < 0.01);", [("!", True), ("1.5", True)]),
        ("assert!(f64::abs(f() - 1.5 - x) < 0.01);", [("!", True), ("1.5", False)]),
        ("assert!(f64::abs(f() - 1.5) * x < 0.01);", [("!", True), ("1.5", False)]),
        ("assert!(Own::abs(f() - 1.5) < 0.01);", [("!", True)]),  # perhaps the sample's function
        ("let x = f()?; assert_eq!(x, 1);", [("1", True)]),
        # the sample's own type may have an equality of its own
        ("assert_eq!(f(), Token::Number(1));", [("1", False)]),
        # some of it may not matter: a key may come twice, a count may be 0
        ("assert_eq!(f(), HashMap::from([(1, x)]));", [("1", False)]),
        ("assert_eq!(f(), vec![1; n]);", [("1", False)]),
        ("assert_eq!(f() % 2, x);", [("2", False)]),
        # the altered number is further away than any tolerance that is a number
        ("assert!((f() - 1.5).abs() < 2.0);", [("!", True), ("1.5", True)]),
        ("assert!((f() - 1.5).abs() < TOLERANCE);", [("!", True), ("1.5", False)]),
        # a correct sample may get there or not
        ("if x { assert!(y); assert_eq!(f(), 1); }", [("!", False), ("1", False)]),
        ("for x in y { assert_eq!(x, 1); }", [("1", False)]),
        ("if x { return; } assert!(y);", [("!", False)]),
        ("spawn(|| { assert_eq!(f(), 1); });", [("1", False)]),
        ("let _ = x || { assert!(y); true };", [("!", False)]),
    ],
)
def test_only_what_every_passing_sample_meets_is_certain(body: str, expected: list[tuple[str, bool]]):
    assert found_in(body) == expected


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ("assert_eq!(f(), Token::Number(1));", True),
        ("for x in f() { for y in x { assert_eq!(y, 1); } }", True),
        ("let y = z; for x in f() { assert_eq!(x, 1); }", True),
        ("for x in f() { if x { assert_eq!(y, 1); } }", False),
        ("for x in f() { if x { continue; } assert_eq!(y, 1); }", False),
        ("while x { assert_eq!(y, 1); }", False),
        ("if x { assert_eq!(y, 1); }", False),
        ("match x { Some(y) => { assert_eq!(y, 1); } None => {} }", False),
        ("run(|| { assert_eq!(y, 1); });", False),
    ],
)
def test_what_the_reference_solution_reaches_others_reach_too_outside_of_branches(body: str, reached: bool):
    assert [each.reached for each in expectations(f"fn t() {{ {body} }}")] == [reached]


@pytest.mark.parametrize(
    ("body", "exact", "allowed"),
    [
        ("assert_eq!(f(), 1);", True, 0),
        ("assert_eq!(f(), Some(Token::Number(1)));", True, 0),
        ("assert_eq!(f(), Point { x: 1, y });", False, 0),
        ("assert_eq!(f() * 10, x);", False, 0),
        ("assert_eq!(f(), Money::new(1));", False, 0),
        ("let expected = 1; assert_eq!(f(), expected);", True, 0),
        ("assert!((f() - 1.0).abs() < 1e-9);", True, 1e-9),
        ("assert!((f() - 1.0).abs() < 0.5f64);", True, 0.5),
        ("assert!((f() - 1.0).abs() < f64::EPSILON);", True, 1e-6),
        ("assert!((f() - 1.0).abs() < x);", False, 0),
    ],
)
def test_a_close_value_is_another_one_where_nothing_is_computed_from_it(body: str, exact: bool, allowed: float):
    found = [each for each in expectations(f"fn t() {{ {body} }}") if each.kind == "literal"]
    assert [(each.exact, each.allowed_difference) for each in found] == [(exact, allowed)]


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ("let expected = 1; assert_eq!(f(), expected);", True),
        ("for (input, expected) in [(x, 1)] { assert_eq!(f(input), expected); }", True),
        ("for (input, expected) in [(x, 1)] { if y { continue; } assert_eq!(f(input), expected); }", False),
        ("let expected = 1; if x { assert_eq!(f(), expected); }", False),
    ],
)
def test_a_value_behind_a_name_is_reached_where_its_assertion_is(body: str, reached: bool):
    assert [each.reached for each in expectations(f"fn t() {{ {body} }}")] == [reached]


@pytest.mark.parametrize(
    ("body", "others"),
    [
        ("assert_eq!(f(), Err(Error::Empty)); assert_eq!(g(), Error::Full);", [("Error::Full",), ("Error::Empty",)]),
        ("assert_eq!(f(), Some(Kind::A1)); let x = Kind::Bee;", []),
        ("assert_eq!(f(), Err(Error::Empty)); assert_eq!(g(), Err(Error::Unknown(x)));", []),
        ("assert_eq!(f(), Ordering::Less); matches!(x, Ordering::Greater | Ordering::Equal);", [
            ("Ordering::Equal", "Ordering::Greater"),
        ]),
        ("assert_eq!(f(), Err(Error::Empty.into())); let x = Error::Full;", []),
        ("assert_eq!(f(), a::Error::Empty); let x = a::Error::Full;", []),
        ("assert_eq!(f(), Circle::UNIT); let x = Circle::Round;", []),
    ],
)  # fmt: skip
def test_a_variant_can_be_replaced_by_others_that_the_tests_name(body: str, others: list[tuple[str, ...]]):
    found = [each for each in expectations(f"fn t() {{ {body} }}") if each.kind == "variant"]
    assert [each.others for each in found] == others
    assert not any(each.certain for each in found)
