"""What clippy and unsafe code come to, whatever a sample says of lints."""

from __future__ import annotations

import re

import pytest

from grading import RIGHT, TRIPLE, JudgeGrader, codes, one_test

# ---- lints ----


@pytest.mark.parametrize(
    ("code", "lint"),
    [
        (RIGHT + "pub fn same(x: i64) -> bool {\n    x == x\n}\n", "clippy::eq_op"),
        (RIGHT + "pub fn once() {\n    loop {\n        break;\n    }\n}\n", "clippy::never_loop"),
        (RIGHT + "pub fn far() -> f32 {\n    3.14\n}\n", "clippy::approx_constant"),
    ],
)
def test_code_that_clippy_denies_by_default_still_builds(grade: JudgeGrader, code: str, lint: str):
    graded = grade(code, TRIPLE)
    assert graded.lints == [lint]
    assert graded.score.overall == 0.99
    assert graded.correct


LINTED = "pub fn triple(x: i64) -> i64 {\n    return x * 3;\n}\n"


@pytest.mark.parametrize(
    "attribute",
    [
        "#![deny(warnings)]",
        "#![deny(clippy::all)]",
        "#![forbid(warnings)]",
        "#![forbid(unused)]",
        "#![forbid(missing_docs)]",
        "#![forbid(unsafe_code)]",
        "#![forbid(clippy::all)]",
        "#![forbid(clippy::needless_return)]",
        "#![allow(clippy::all)]",
        "#![allow(clippy::needless_return)]",
        "#![allow(warnings)]",
        "#![expect(clippy::needless_return)]",
        "#![cfg_attr(all(), allow(clippy::all))]",
    ],
)
def test_lint_levels_in_the_sample_do_not_change_its_score(grade: JudgeGrader, attribute: str):
    graded = grade(f"//! Triples.\n{attribute}\n/// Triples.\n{LINTED}", TRIPLE)
    assert graded.lints == ["clippy::needless_return"], graded.shortcomings
    assert graded.score.overall == 0.99
    assert graded.correct


def test_allow_on_an_item_does_not_change_the_score(grade: JudgeGrader):
    assert grade("#[allow(clippy::needless_return)]\n" + LINTED, TRIPLE).lints == ["clippy::needless_return"]
    assert grade("#[expect(clippy::all)]\n" + LINTED, TRIPLE).lints == ["clippy::needless_return"]


def test_ten_lints_cost_all_ten_points_and_no_more(grade: JudgeGrader):
    more = "".join(f"pub fn f{n}() -> u8 {{\n    return {n};\n}}\n" for n in range(12))
    assert grade(RIGHT + more, TRIPLE).score.overall == 0.9


def test_plain_warnings_of_the_compiler_cost_nothing(grade: JudgeGrader):
    graded = grade(RIGHT + "pub fn idle(unused: u8) { let mut x = 1; }\n", TRIPLE)
    assert "unused_variables" in codes(graded.verdict.warnings)
    assert graded.verdict.lints == ()
    assert graded.score.overall == 1.0


def test_lints_in_the_tests_cost_nothing(grade: JudgeGrader):
    case = one_test("let v = vec![1]; if v.len() == 0 { return; } assert_eq!(triple(v[0]), 3); return;")
    assert grade(RIGHT, case).lints == []


def test_a_private_function_that_only_the_tests_use_is_not_dead(grade: JudgeGrader):
    graded = grade("fn triple(x: i64) -> i64 { x * 3 }", TRIPLE)
    assert graded.verdict.warnings == ()


@pytest.mark.parametrize(
    ("level", "code"),
    [
        ("#![deny(warnings)]", "pub fn idle() { let unused = 1; }"),
        ("#![forbid(unsafe_code)]", "pub fn f() { unsafe {} }"),
    ],
)
def test_a_compiler_warning_that_the_sample_denies_is_its_error(grade: JudgeGrader, level: str, code: str):
    graded = grade(f"{level}\n{RIGHT}{code}\n", TRIPLE)
    assert not graded.verdict.compiled
    assert graded.verdict.errors[0].spans[0].line_start == 5


# ---- unsafe code ----


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (
            (
                "let bytes = [0u8; 16]; unsafe { *(bytes.as_ptr().add(1 - bytes.as_ptr() as usize % 2) as *const "
                "u32) as i64 + x * 3 }"
            ),
            "misaligned",
        ),
        (
            "let p: *const i64 = std::hint::black_box(std::ptr::null()); unsafe { *p + x * 3 }",
            "null pointer|segmentation fault",
        ),  # the check came with 1.86
    ],
)
def test_the_checked_build_catches_what_the_clippy_build_misses(grade: JudgeGrader, code: str, why: str):
    graded = grade(f"pub fn triple(x: i64) -> i64 {{ {code} }}", TRIPLE)
    assert graded.failed == ["tests::of_two", "tests::of_minus_one"]
    assert re.search(why, "".join(test.message + test.stdout for test in graded.verdict.tests))


def test_sound_unsafe_code_is_correct_and_reported_as_unsafe(grade: JudgeGrader):
    graded = grade("pub fn triple(x: i64) -> i64 { let p = &x as *const i64; unsafe { *p * 3 } }", TRIPLE)
    assert graded.correct
    assert graded.findings == {"unsafe"}


def test_the_linted_code_is_the_code_that_runs(grade: JudgeGrader):
    code = """
        #[cfg(clippy)] pub fn triple(x: i64) -> i64 { unsafe { std::mem::transmute::<u64, i64>(x as u64) } }
        #[cfg(not(clippy))] pub fn triple(x: i64) -> i64 { return x * 3; }
    """
    assert grade(code, TRIPLE).failed == ["tests::of_two", "tests::of_minus_one"]
