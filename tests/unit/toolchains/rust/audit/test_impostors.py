"""Lazy answers and forgeries in Rust."""

from __future__ import annotations

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.rust.audit import impostors

REFERENCE = """
pub struct Counter { n: u32 }

impl Counter {
    pub fn next(&mut self) -> u32 { self.n += 1; self.n }
}

pub fn twice(x: i64) -> i64 { x * 2 }
"""


def a_case(reference: str = REFERENCE, tests: str = "", prompt: str = "Write it.") -> Case:
    return Case(
        id="c", name="c", prompt=prompt, reference_solution=reference, expectations=Expectations(test_file=tests)
    )


def lazy(case: Case) -> dict[str, str]:
    return {each.name: each.code for each in impostors(case) if each.kind == "lazy"}


def test_every_function_does_no_work():
    code = lazy(a_case())["panics"]
    assert code.count("{ panic!() }") == 2
    assert "pub struct Counter" in code


def test_constants_an_argument_and_the_first_expectation_are_returned():
    found = lazy(a_case(tests='#[test]\nfn t() { assert_eq!(twice(f(1, "a,")), 4, "msg"); }'))
    assert "-> i64 { -1 }" in next(code for name, code in found.items() if "-1" in name)
    assert "-> i64 { x }" in found["returns an argument"]
    assert "-> i64 { 4 }" in found["returns exactly what the first test expects"]


def test_the_examples_of_the_prompt_become_a_table():
    code = lazy(a_case(prompt="For example `twice(2) == 4`."))["the prompt's examples as a table"]
    assert 'if format!("{:?}", (x,)) == format!("{:?}", (2,)) { return (4).into(); } panic!()' in code


def test_forgeries_exit_and_shadow_the_assertions():
    forged = {each.name: each.code for each in impostors(a_case()) if each.kind == "forgery"}
    assert "std::process::exit(0)" in forged["ends the process with exit(0)"]
    assert "macro_rules! assert_eq" in forged["shadows the assertions"]
