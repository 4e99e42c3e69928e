"""Each operator for Rust makes the changes that it is named after."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.audit.operators import mutations
from forgetest.toolchains.rust.audit.values import of_type


def changed(body: str, operator: str) -> set[str]:
    """The changes of a statement in a function, without the function."""
    start, end = "fn f() { ", " }"
    found = {each.code for each in mutations(f"{start}{body}{end}") if each.operator == operator}
    return {code.removeprefix(start).removesuffix(end) for code in found}


@pytest.mark.parametrize(
    ("operator", "body", "mutants"),
    [
        ("comparison", "a == b;", {"a != b;"}),
        ("boundary", "a < b;", {"a <= b;"}),
        ("arithmetic", "a + b;", {"a - b;", "a * b;"}),
        ("arithmetic", "a -= b;", {"a += b;", "a /= b;"}),
        ("arithmetic", "g(-a);", {"g((a));"}),
        ("constant", "g(1_000);", {"g(1001);", "g(999);"}),
        ("constant", "g(2u8);", {"g(3u8);", "g(1u8);"}),
        ("constant", "g(true);", {"g(false);"}),
        ("constant", 'g("x");', {'g("");'}),
        ("boolean", "a && b;", {"a || b;", "(a);", "(b);"}),
        ("boolean", "g(!a);", {"g((a));"}),
        ("condition", "if a() {}", {"if false {}", "if true {}", "if !(a()) {}"}),
        ("condition", "match a { x if 1 < y => 2 };", {"match a { x if false => 2 };", "match a { x if true => 2 };"}),
        ("deleted statement", "g(1);", {""}),
        ("deleted statement", "match a { 1 => 2, _ => 3 };", {"match a {  _ => 3 };"}),
        ("deleted call", "x = a.iter().rev();", {"x = a.iter();"}),
        ("early return", "for x in y { g(); }", {
            "for x in y { g();  break; }", "for x in y { break;  g(); }", "for x in y { return ();  g(); }"
        }),
        ("swapped arguments", "g(a, b);", {"g(b, a);"}),
        ("swapped arguments", "x = a.cmp(&b.c);", {"x = b.c.cmp(&a);"}),
        ("swapped arguments", "x = a.cmp(b);", {"x = b.cmp(a);"}),
        ("swapped arguments", "a.swap(i, j);", set()),
        ("loop bound", "g(a..b);", {"g(a..=b);", "g((a + 1)..b);", "g(a..(b - 1));"}),
        ("loop bound", "g(..b);", {"g(..=b);", "g(1..b);", "g(..(b - 1));"}),
        ("error kind", "g(Some(1));", {"g(None);"}),
        ("twin", "x = a.min(b);", {"x = a.max(b);"}),
    ],
)  # fmt: skip
def test_an_operator_makes_these_changes(operator: str, body: str, mutants: set[str]):
    assert changed(body, operator) == mutants


def test_a_function_returns_constants_of_its_type():
    found = {each.code for each in mutations("fn f(a: u8) -> Option<bool> { g(a) }") if each.operator == "return value"}
    assert found == {
        "fn f(a: u8) -> Option<bool> { None }",
        "fn f(a: u8) -> Option<bool> { Some(true) }",
        "fn f(a: u8) -> Option<bool> { Some(false) }",
    }


def test_branches_at_the_end_of_a_function_return_constants_but_panics_stay():
    code = "fn f(a: u8) -> u8 { g(); match a { 0 => h(), 1 => { if b { 7 } else { return 8; } } _ => unreachable!() } }"
    found = {(each.before, each.after) for each in mutations(code) if each.operator == "return value"}
    assert {pair for pair in found if len(pair[0]) < 5} == {
        ("h()", "0"), ("h()", "1"), ("7", "0"), ("7", "1"), ("8", "0"), ("8", "1"),
    }  # fmt: skip


def test_a_variant_of_an_enum_becomes_another_one_where_it_is_a_value():
    code = "enum E { A, B, C(u8) }\nfn f(x: E) -> Result<u8, E> { match x { E::A => Ok(1), _ => Err(E::B) } }"
    [found] = [each for each in mutations(code) if each.operator == "error kind"]
    assert (found.before, found.after) == ("E::B", "E::A")


@pytest.mark.parametrize(
    "code",
    [
        "#[derive(Debug)]\nstruct S { a: [u8; 3] }",
        'fn f() -> ! { panic!("1 + 1 < 3") }',
        "#[cfg(test)]\nmod tests { fn f() -> u8 { 1 + 1 } }",
        "fn f() { std::cmp::max(a, b) }",
    ],
)
def test_what_changes_nothing_is_left_alone(code: str):
    assert [each for each in mutations(code) if each.operator not in ("return value", "twin")] == []


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("u8", ("0", "1")),
        ("Result<(), Error>", ("Ok(())",)),
        ("Option<Vec<u8>>", ("None", "Some(Default::default())")),
        ("(usize, String)", ("(0, String::new())",)),
        ("std::collections::HashMap<String, Vec<u8>>", ("Default::default()",)),
        ("impl Iterator<Item = u8>", ()),
        ("", ("()",)),
    ],
)
def test_constants_of_a_type(kind: str, values: tuple[str, ...]):
    assert of_type(kind) == values
