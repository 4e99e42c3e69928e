"""Functions in Rust that are called with JSON values, compiled and run in a real sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.evalset import Case
from forgetest.evalset.io_tests import IoTest, IoTests
from forgetest.executors import JudgeTask
from forgetest.verdict import Verdict


@pytest.fixture(scope="module")
def judge(step_runner) -> Iterator[Judge]:
    return Judge(step_runner, PreparedCases(step_runner), "bubblewrap")


def judged(judge: Judge, call: str, code: str, *tests: tuple[str, str], edition: str = "2021") -> Verdict:
    io = IoTests(
        call=call,
        tests=tuple(IoTest(name=f"{n}", input=given, output=result) for n, (given, result) in enumerate(tests)),
    )
    case = Case(id="-", name="-", prompt="-", language="rust", timeout_secs=2.0, io=io, options={"edition": edition})
    [[result]] = judge.judge([JudgeTask(number=0, case=case, code=code)])
    assert result.verdict is not None, result.reason
    return result.verdict


def statuses(verdict: Verdict) -> list[str]:
    return [test.status for test in verdict.tests]


ALL_KINDS = """use std::collections::{BTreeMap, HashMap};

type Row = Vec<char>;

pub fn describe(
    words: &[&str],
    grid: &mut [Row],
    counts: HashMap<String, u64>,
    pair: (i8, Option<f64>),
    mut name: String,
    letters: [char; 2],
) -> (Vec<usize>, BTreeMap<i32, String>, Option<bool>, f64) {
    println!("this is not the result");
    grid[0][0] = letters[1];
    name.push(grid[0][0]);
    let lengths = words.iter().map(|word| word.len()).collect();
    let by_sign = BTreeMap::from([(i32::from(pair.0), name)]);
    (lengths, by_sign, None, counts.values().sum::<u64>() as f64 + pair.1.unwrap_or(0.5))
}
"""


def test_arguments_become_values_of_the_functions_own_types(judge):
    """References, texts with escapes, tables, tuples, and a result of several kinds; what it prints is dropped."""
    given = (
        r'[["a", "\u00e9\ud83d\ude00"], [["x"]], {"a": 18446744073709551614, "b": 1}, [-3, null], "q\"", ["a", "z"]]'
    )
    verdict = judged(
        judge,
        "describe",
        ALL_KINDS,
        (given, r'[[1, 6], {"-3": "q\"z"}, null, 18446744073709551615.5]'),
        (given.replace("-3", "300"), "0"),
        (given.replace("null", "0.25"), '[[1, 6], {"-3": "wrong"}, null, 1]'),
    )

    assert verdict.errors == ()
    assert statuses(verdict) == ["passed", "failed", "failed"]
    assert verdict.tests[1].message == "exit code 2\nargument 4: 300 does not fit i8"
    assert verdict.verified
    assert verdict.lints == verdict.warnings == ()


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["2015", "2018", "2024"])
def test_a_method_of_leetcodes_class_is_called_in_every_edition(judge, edition):
    """The class itself is not part of an answer there."""
    code = "impl Solution {\n    pub fn add_two(a: i32, b: i32) -> i32 {\n        a + b\n    }\n}\n"
    verdict = judged(judge, "Solution.addTwo", code, ("[2, 3]", "5"), ("[2, 3]", "6"), edition=edition)

    assert statuses(verdict) == ["passed", "failed"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("fn g() -> i32 { 1 }\n", "cannot find value `f` in this scope"),
        ("pub fn f(a: i32, b: i32) -> i32 { a + b }\n", "cannot be called with JSON values: "),
        ("pub struct S;\npub fn f(_a: S) -> i32 { 1 }\n", "cannot be called with JSON values: the trait bound"),
        ("pub fn f(a: i32) -> i32 { b }\n", "cannot find value `b` in this scope"),
    ],
)
def test_a_function_that_cannot_be_called_does_not_compile(judge, code, message):
    """The message is the compiler's."""
    verdict = judged(judge, "f", code, ("[1]", "1"))

    assert not verdict.compiled
    assert verdict.errors[0].message.startswith(message)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('panic!("no")', "exit code 101"),
        ("std::process::exit(0)", "no JSON"),
        ("std::process::abort()", "ended by a signal: aborted"),
        ('{ print!("1"); std::process::exit(0) }', "no JSON"),
    ],
)
def test_a_function_that_does_not_return_has_no_result(judge, body, message):
    """Whatever it prints, and with whatever code the process ends."""
    verdict = judged(judge, "f", f"pub fn f(_a: i32) -> i32 {{ {body} }}\n", ("[1]", "1"))

    assert statuses(verdict) == ["failed"]
    assert message in verdict.tests[0].message
