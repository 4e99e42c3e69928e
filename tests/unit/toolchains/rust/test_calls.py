"""The function that a call names, as a sample defines it."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.calls import Target, find_target

METHOD = "impl Solution {{\n    {more}pub fn two_sum({given}) -> i32 {{ 0 }}\n}}\n"


@pytest.mark.parametrize(
    ("call", "code", "target"),
    [
        ("two_sum", "fn two_sum(a: i32) {}", Target(path="two_sum")),
        ("twoSum", "fn two_sum(a: i32) {}", Target(path="two_sum")),
        ("twoSum", "fn twoSum(a: i32) {}\nfn two_sum() {}", Target(path="twoSum")),
        ("two_sum", "fn other() {}", Target(path="two_sum")),
        (
            "Solution.twoSum",
            METHOD.format(more="", given="a: i32"),
            Target(path="Solution::two_sum", missing="struct Solution;\n"),
        ),
        (
            "Solution.two_sum",
            "struct Solution;\n" + METHOD.format(more="", given="&self, a: i32"),
            Target(path="Solution::two_sum", object="Solution"),
        ),
        (
            "Solution.two_sum",
            "struct Solution { a: i32 }\n" + METHOD.format(more="fn new() -> Self { todo!() }\n", given="&mut self"),
            Target(path="Solution::two_sum", object="Solution::new()"),
        ),
        (
            "Solution.two_sum",
            "#[derive(Default)]\nstruct Solution { a: i32 }\n" + METHOD.format(more="", given="self"),
            Target(path="Solution::two_sum", object="<Solution as ::std::default::Default>::default()"),
        ),
    ],
)
def test_a_call_is_found_in_the_sample(call: str, code: str, target: Target):
    assert find_target(call, code) == target


@pytest.mark.parametrize("code", ["", "impl", "fn", "impl Solution { fn", 'r#"', "struct Solution"])
def test_text_that_is_no_program_is_left_to_the_compiler(code: str):
    assert find_target("Solution.two_sum", code).path == "Solution::two_sum"
