"""Expected functions and types, as the compiler sees them: however a sample brings them about, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forgetest.loading import load_case
from grading import TRIPLE, JudgeGrader, case_of

STACK_TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_it_took() {
        let mut stack = Stack::new();
        stack.push(3);
        assert_eq!(stack.pop(), Some(3));
        assert_eq!(stack.pop(), None);
    }
}
"""
STACK = case_of(STACK_TESTS, ["push", "fn pop(&mut self) -> Option<i64>"], expected_types=("struct Stack",))
METHODS = "pub fn new() -> Self { Stack(Vec::new()) } pub fn push(&mut self, x: i64) { self.0.push(x) }"
POP = "pub fn pop(&mut self) -> Option<i64> { self.0.pop() }"


IMPLEMENTATION = f"impl Stack {{ {METHODS} {POP} }}"
RAW = IMPLEMENTATION.replace("fn pop", "fn r#pop")
PLAIN, GENERIC = "pub struct Stack(Vec<i64>);", "pub struct Stack<T>(Vec<T>);"
MADE = "macro_rules! made { ($($t:tt)*) => { $($t)* } }"
OTHER = f"pub struct Other(Vec<i64>); {IMPLEMENTATION.replace('Stack', 'Other')}"


@pytest.mark.parametrize(
    "code",
    [
        PLAIN + IMPLEMENTATION,
        f"{MADE} made! {{ {PLAIN} }} {IMPLEMENTATION}",
        f"{MADE} made! {{ {IMPLEMENTATION} }} {PLAIN}",
        f"{GENERIC} {IMPLEMENTATION.replace('impl Stack', 'impl Stack<i64>')}",
        f"{MADE} made! {{ {GENERIC} }} {IMPLEMENTATION.replace('impl Stack', 'impl Stack<i64>')}",
        f"mod inner {{ {PLAIN} {IMPLEMENTATION} }} pub use inner::*;",
        PLAIN.replace("Stack", "r#Stack") + RAW,
        f"pub struct Stack<T = i64, const N: usize = 0>(Vec<T>); {IMPLEMENTATION}",
    ],
    ids=["plain", "type by macro", "methods by macro", "generic", "generic by macro", "re-export", "raw", "defaults"],
)
def test_an_item_counts_however_it_came_about(grade: JudgeGrader, code: str):
    graded = grade(code, STACK)
    assert graded.correct, (graded.shortcomings, graded.messages)


def test_a_module_is_not_the_expected_type(grade: JudgeGrader):
    module = "mod real { pub struct Stack; } pub mod Stack { pub fn new() -> super::Other { super::Other::new() } }"
    graded = grade(module + OTHER, STACK)
    assert graded.failed == []
    [shortcoming] = graded.shortcomings
    assert shortcoming.startswith("expected_types: `struct Stack`: expected type, found module")


def test_another_kind_of_type_is_not_the_expected_type(grade: JudgeGrader):
    graded = grade(f"pub enum Stack {{}} impl Stack {{ pub fn new() -> Other {{ Other::new() }} }} {OTHER}", STACK)
    assert graded.failed == []
    assert graded.shortcomings == ["expected_types: `struct Stack` is not defined"]


def test_a_trait_may_be_an_expected_type(grade: JudgeGrader):
    tests = "use super::*; #[test] fn t() { assert_eq!(Shape::area(&Square(2)), 4); }"
    square = "pub struct Square(pub u32);"
    shape = (
        "pub trait Shape { fn area(&self) -> u32; } impl Shape for Square { fn area(&self) -> u32 { self.0 * self.0 } }"
    )
    made = f"macro_rules! made {{ ($($t:tt)*) => {{ $($t)* }} }} {square} made! {{ {shape} }}"
    for entry in ("trait Shape", "Shape"):
        case = case_of(f"mod tests {{ {tests} }}", expected_types=(entry,))
        assert grade(square + shape, case).correct
        assert grade(made, case).correct


def test_an_unmet_type_is_a_failed_condition_and_the_rest_is_still_tested(grade: JudgeGrader):
    tests = "use super::*; #[test] fn t() { assert_eq!(triple(1), 3); let _ = |e: Failure| e; }"
    case = case_of(f"mod tests {{ {tests} }} fn sum() {{}}", expected_types=("Failure",))
    graded = grade("pub fn triple(x: i64) -> i64 { x * 3 } pub mod Failure {}", case)
    assert [condition.holds for condition in graded.verdict.conditions] == [False]


def test_a_function_made_by_a_macro_must_still_have_the_right_type(grade: JudgeGrader):
    made = "macro_rules! made {{ ($n:ident) => {{ pub fn $n(x: {0}) -> {0} {{ x * 3 }} }} }} made!(triple);"
    assert grade(made.format("i64"), TRIPLE).correct
    wrong = grade(made.format("i32"), TRIPLE)
    assert [condition.holds for condition in wrong.verdict.conditions] == [False]
    assert "mismatched types" in wrong.verdict.conditions[0].detail


BUFFER = load_case("rust-basics/ring-buffer")


def test_methods_of_generic_types_and_of_traits_are_checked(grade: JudgeGrader):
    assert BUFFER.reference_solution is not None
    lying = """
        #[derive(Debug)] pub struct Any;
        impl<T> PartialEq<T> for Any { fn eq(&self, other: &T) -> bool { std::mem::size_of_val(other) < 1000 } }
        pub struct Cache;
        impl Cache { pub fn new(_: usize) -> Self { Cache } pub fn put<K, V>(&mut self, _: K, _: V) -> Any { Any } }
    """
    case = case_of(
        "mod tests { use super::*; #[test] fn t() { let mut c = Cache::new(2); assert_eq!(c.put(1, 2), None); } }",
        ["fn Cache<K, V>::put(&mut self, key: K, value: V) -> Option<(K, V)> where K: Eq"],
        expected_types=("Cache",),
    )
    assert [condition.holds for condition in grade(lying, case).verdict.conditions] == [False, True]
    honest = """
        pub struct Cache<K, V>(Vec<(K, V)>);
        impl<K, V> Cache<K, V> {
            pub fn new(_: usize) -> Self { Cache(Vec::new()) }
            pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> { self.0.push((key, value)); None }
        }
    """
    graded = grade(honest, case)
    assert graded.correct, graded.shortcomings
    parsed = case_of(
        'mod tests { use super::*; #[test] fn t() { assert_eq!("3".parse::<Id>().map(|id| id.0), Ok(3)); } }',
        ["fn <Id as std::str::FromStr>::from_str(text: &str) -> Result<Id, Bad>", "fn Id(u8) -> Id"],
        expected_types=("Id", "Bad"),
    )
    from_str = "fn from_str(t: &str) -> Result<Id, Bad> { t.parse().map(Id).map_err(|_| Bad) }"
    right = "#[derive(Debug, PartialEq)] pub struct Bad; pub struct Id(pub u8);"
    graded = grade(f"{right} impl std::str::FromStr for Id {{ type Err = Bad; {from_str} }}", parsed)
    assert graded.correct, graded.shortcomings


@pytest.mark.parametrize(
    "result",
    [
        "impl Iterator<Item = &T> + '_",
        "std::collections::vec_deque::Iter<'_, T>",
        "Iter<'_, T>",
        "Box<dyn Iterator<Item = &T> + '_>",
    ],
)
def test_a_right_answer_may_state_its_iterator_in_other_words(grade: JudgeGrader, result: str):
    assert BUFFER.reference_solution is not None
    code = BUFFER.reference_solution.replace("-> impl Iterator<Item = &T>", f"-> {result}")
    code = code.replace("use std::collections::VecDeque;", "use std::collections::{vec_deque::Iter, VecDeque};")
    code = code.replace("self.items.iter()\n", "Box::new(self.items.iter())\n") if "Box" in result else code
    graded = grade(code, BUFFER)
    assert graded.correct, graded.shortcomings


COLOUR_TESTS = """
mod tests {
    use super::*;

    #[test]
    fn names_a_colour() {
        assert_eq!(name(0), "red");
        assert_eq!(name(1), "blue");
        assert!(is_red(0));
        assert!(!is_red(1));
    }
}
"""
COLOUR_REFERENCE = """
pub fn name(number: u8) -> String { if is_red(number) { "red".into() } else { "blue".into() } }
pub fn is_red(number: u8) -> bool { number == 0 }
"""
COLOUR = case_of(COLOUR_TESTS, reference_solution=COLOUR_REFERENCE)


def test_what_the_reference_solution_has_is_expected_of_nobody_but_noted(grade: JudgeGrader):
    plain = grade(COLOUR_REFERENCE, COLOUR)
    assert plain.correct
    assert plain.findings == set()
    generic = COLOUR_REFERENCE.replace("is_red(number: u8)", "is_red<N: Into<u32>>(number: N)")
    general = grade(generic.replace("number == 0", "number.into() == 0"), COLOUR)
    assert general.correct, general.shortcomings
    assert general.findings == set(), "a function that does more than it must does not differ"
    code = COLOUR_REFERENCE.replace("String", "&'static str").replace(".into()", "")
    other = grade(code, COLOUR)
    assert other.correct, other.shortcomings
    assert other.findings == {"unlike_reference"}
    assert other.verdict.verified
    assert other.verdict.conditions == ()
    assert not grade(code.replace("number == 0", "number == 1"), COLOUR).correct


def test_a_type_of_its_own_does_not_pass_for_the_references(grade: JudgeGrader):
    lying = """
        #[derive(Debug)] pub struct Any;
        impl<T: ?Sized> PartialEq<T> for Any { fn eq(&self, _: &T) -> bool { let _ = self; true } }
        pub fn name(_: u8) -> Any { Any }
        pub fn is_red(number: u8) -> bool { number == 0 }
    """
    graded = grade(lying, COLOUR)
    assert {"unlike_reference", "passed_a_control"} <= graded.findings
    assert not graded.correct


def test_tests_that_do_not_compile_with_the_references_signature_are_built_without_it(grade: JudgeGrader):
    tests = "mod tests { use super::*; #[test] fn t() { let all = [adder(1), adder(2)]; assert_eq!(all[1](3), 5); } }"
    case = case_of(tests, reference_solution="pub fn adder(n: i32) -> impl Fn(i32) -> i32 { move |x| x + n }")
    take = "pub fn take(f: Box<dyn Fn(i32) -> i32>) -> i32 { f(1) }"
    boxed = f"pub fn adder(n: i32) -> Box<dyn Fn(i32) -> i32> {{ Box::new(move |x| x + n) }} {take}"
    taken = case_of(tests.replace("5);", "5); let _ = |f| take(f);"), reference_solution=case.reference_solution)
    for each in (case, replace(taken, reference_solution=f"{case.reference_solution} {take}")):
        graded = grade(boxed, each)
        assert graded.correct, (graded.shortcomings, graded.messages)
