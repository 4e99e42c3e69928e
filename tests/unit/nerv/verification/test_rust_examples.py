"""Examples in Rust are written out by the signatures of what they call."""

from __future__ import annotations

import pytest

from nerv.spec.examples import Example
from nerv.verification.rust_examples import can_be_called, command, value_of
from nerv.verification.trees import TreeFile

LIBRARY = """
#[derive(Default)]
pub struct Set { parts: Vec<i64> }
impl Set {
    pub fn insert(&mut self, start: i64, end: i64) {}
}
pub fn half(number: u32) -> Result<u32, String> { Ok(number / 2) }
pub fn join(parts: &[&str], by: String) -> String { parts.join(&by) }
fn hidden(number: u32) {}
"""
FILES = {"Cargo.toml": TreeFile(content=b""), "src/lib.rs": TreeFile(content=LIBRARY.encode())}


def example(function: str, *arguments: object, owner: str = "") -> Example:
    return Example(item=1, function=function, owner=owner, arguments=arguments)


@pytest.mark.parametrize(
    ("call", "possible"),
    [
        (example("half", 4), True),
        (example("half", -4), False),
        (example("half", "4"), False),
        (example("half", 1, 2), False),
        (example("join", ["a", "b"], "-"), True),
        (example("insert", 4, 3, owner="Set"), True),
        (example("insert", 4, 3), False),
        (example("hidden", 4), False),
    ],
)
def test_only_values_that_the_parameters_take_can_be_given(call, possible):
    assert can_be_called(FILES, call) is possible


def test_each_call_is_written_out():
    made = command(FILES, [example("join", ["a"], "-"), example("insert", 4, 3, owner="Set")], "report.json")
    assert made is not None
    text = made.added["src/lib.rs"].content.decode()
    assert 'join(&vec!["a"], String::from("-"))' in text
    assert "let mut made = Set::default(); made.insert(4, 3)" in text
    assert "report.json" in made.reports


@pytest.mark.parametrize(
    ("debug", "value"),
    [
        ('"a"', "a"),
        ("Some(3)", 3),
        ("None", None),
        ("[1, 2]", [1, 2]),
        ("Set { parts: [] }", {"other": "Set { parts: [] }"}),
    ],
)
def test_what_rust_shows_is_read_as_a_value(debug, value):
    assert value_of(debug) == value
