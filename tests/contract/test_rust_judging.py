"""Awkward samples, broken ones, and ones that misbehave while their tests run."""

from __future__ import annotations

import time

import pytest

from forgetest.verdict import Span
from grading import RIGHT, TOKIO, TRIPLE, TRIPLE_TESTS, JudgeGrader, case_of, codes, one_test

QUICK = case_of(TRIPLE_TESTS, timeout_secs=1.0)


# ---- samples in awkward dress ----

AWKWARD = {
    "own main": RIGHT + 'fn main() { println!("{}", triple(1)); }',
    "own main that is async-like": RIGHT + "pub async fn main() {}",
    "own main that is a module": RIGHT + "pub mod main {}",
    "own tests of the same names": RIGHT + TRIPLE_TESTS,
    "own tests that fail": RIGHT + "#[cfg(test)] mod tests { #[test] fn of_two() { panic!() } }",
    "own bare test": RIGHT + "#[test] fn of_two() { panic!() }",
    "inner attributes and docs": ("//! Docs.\n#![allow(dead_code)]\n#![warn(missing_docs)]\n/*! More. */\n/// T.\n")
    + RIGHT,
    "Windows line ends": RIGHT.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + RIGHT,
    "shebang": "#!/usr/bin/env run-cargo-script\n" + RIGHT,
    "other scripts": '// größer 🦀 日本\nconst ÜBER: &str = "日本 \\u{1F980}";\n'
    + RIGHT
    + "pub fn länge() -> usize { ÜBER.len() }",
    "no newline at the end": RIGHT.rstrip() + " // the end",
    "block comment at the end": RIGHT + "/* /* nested */ */",
    "no_std": "#![no_std]\nextern crate alloc;\n"
    + RIGHT
    + ("pub fn s() -> alloc::string::String { alloc::string::String::new() }"),
    "no implicit prelude": "#![no_implicit_prelude]\n" + RIGHT,
    "crate type": '#![crate_type = "lib"]\n' + RIGHT,
    "own names for std": RIGHT + ("pub struct Vec; pub enum Option { Some, None } pub fn drop() {}"),
    "own macros for std": RIGHT
    + (
        "macro_rules! assert_eq { ($($t:tt)*) => { () } }\nmacro_rules! vec { () => {} }\n"
        "pub fn f() { assert_eq!(mine); }"
    ),
    "own trait with hijacking methods": RIGHT
    + (
        "pub trait T { fn eq(self, _: &i64) -> bool; fn len(self) -> usize; } impl T for i64 { fn "
        "eq(self, _: &i64) -> bool { false } fn len(self) -> usize { 0 } }"
    ),
    "recursion limit": '#![recursion_limit = "512"]\n' + RIGHT,
    "raw identifiers": RIGHT + "pub fn r#match(r#in: u8) -> u8 { r#in }",
    "strings full of brackets": RIGHT
    + ('pub const S: &str = r#"}}}"/*"#; pub const C: char = \'"\'; pub const D: &str = "\\"{";'),
    "lifetimes that look like characters": RIGHT
    + ("pub struct A<'a>(pub &'a str); impl<'a> A<'a> { pub fn c(&self) -> char { 'a' } }"),
    "own module named like ours": RIGHT
    + ("mod tests { pub fn helper() {} } mod glue {} mod names {} mod sample {} pub use tests::helper;"),
    "an extern crate of std": "extern crate std as standard;\n"
    + RIGHT
    + ("pub fn v() -> standard::vec::Vec<u8> { standard::vec::Vec::new() }"),
    "a feature of cargo": RIGHT + '#[cfg(feature = "extra")] pub fn extra() {}',
    "a proc_macro-like derive": (
        "#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)] pub struct P(u8);\n"
    )
    + RIGHT,
    "printing": (
        'pub fn triple(x: i64) -> i64 { println!("test result: ok. 9 passed; 0 failed"); eprintln!("end"); x * 3 }'
    ),
    "a panic that is caught": (
        'pub fn triple(x: i64) -> i64 { std::panic::catch_unwind(|| panic!("no")).unwrap_err(); x * 3 }'
    ),
    "a thread left running": (
        "pub fn triple(x: i64) -> i64 { std::thread::spawn(|| loop { "
        "std::thread::sleep(std::time::Duration::from_secs(1)) }); x * 3 }"
    ),
    "threads that are joined": (
        "pub fn triple(x: i64) -> i64 { (0..20).map(|_| std::thread::spawn(move || x)).map(|t| "
        "t.join().unwrap()).take(3).sum() }"
    ),
    "deep recursion that fits": (
        "pub fn triple(x: i64) -> i64 { fn down(n: u32) -> u32 { if n == 0 { 0 } else { 1 + down(n - 1) } "
        "} down(10_000); x * 3 }"
    ),
    "files of its own": (
        'pub fn triple(x: i64) -> i64 { std::fs::write("/tmp/x", "3").unwrap(); '
        'std::fs::read_to_string("/tmp/x").unwrap().parse::<i64>().unwrap() * x }'
    ),
    "files copied from a pipe, though splice is refused": (
        "pub fn triple(x: i64) -> i64 { use std::io::Write; let (mut out, mut into) = std::io::pipe().unwrap(); "
        'into.write_all(b"3").unwrap(); drop(into); let mut file = std::fs::File::create("/tmp/from-pipe").unwrap(); '
        'std::io::copy(&mut out, &mut file).unwrap(); std::fs::copy("/tmp/from-pipe", "/tmp/copy").unwrap(); '
        'std::fs::read_to_string("/tmp/copy").unwrap().parse::<i64>().unwrap() * x }'
    ),
    "clocks": (
        "pub fn triple(x: i64) -> i64 { let t = std::time::Instant::now(); assert!(t.elapsed().as_secs() < 60); x * 3 }"
    ),
    "much memory, within limits": (
        "pub fn triple(x: i64) -> i64 { let v = vec![1u8; 200 << 20]; v[v.len() - 1] as i64 * 3 * x }"
    ),
    "thread locals with destructors": (
        "struct D; impl Drop for D { fn drop(&mut self) {} } thread_local! { static T: D = const { D }; } "
        "pub fn triple(x: i64) -> i64 { T.with(|_| x * 3) }"
    ),
}


@pytest.mark.parametrize("dress", AWKWARD)
def test_correct_code_is_correct_with(grade: JudgeGrader, dress: str):
    graded = grade(AWKWARD[dress], TRIPLE)
    assert graded.correct, [*graded.shortcomings, graded.messages]


@pytest.mark.parametrize(
    "dress",
    [
        "own tests of the same names",
        "inner attributes and docs",
        "own main",
        "no_std",
        "Windows line ends",
        "byte order mark",
        "shebang",
    ],
)
def test_incorrect_code_is_incorrect_with(grade: JudgeGrader, dress: str):
    assert grade(AWKWARD[dress].replace("x * 3", "x * 4"), TRIPLE).failed == ["tests::of_two", "tests::of_minus_one"]


def test_a_derive_under_cfg_test_is_available_to_the_tests(grade: JudgeGrader):
    case = one_test("assert_eq!(point(), P(1));")
    assert grade(
        "#[cfg_attr(test, derive(Debug, PartialEq))] pub struct P(pub u8); pub fn point() -> P { P(1) }", case
    ).correct


@pytest.mark.parametrize("edition", ["2015", "2018", "2024"])
def test_a_case_is_compiled_in_its_own_edition(grade: JudgeGrader, edition: str):
    new = "pub fn f() -> u8 { let gen = 1; gen }"
    graded = grade(RIGHT + new, case_of(TRIPLE_TESTS, ["fn triple(x: i64) -> i64"], options={"edition": edition}))
    assert graded.verdict.compiled == (edition != "2024")
    assert graded.correct == (edition != "2024")


def test_edition_2018_has_no_try_into_in_its_prelude(grade: JudgeGrader):
    code = RIGHT + "pub fn f(x: i64) -> u8 { x.try_into().unwrap() }"
    assert codes(grade(code, case_of(TRIPLE_TESTS, options={"edition": "2018"})).verdict.errors) == ["E0599"]
    assert grade(code, case_of(TRIPLE_TESTS, options={})).correct


# ---- where it does not compile ----


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("pub fn triple(x: i64) -> i64 {\n    x * 3\n", 2),
        ("pub fn triple(x: i64) -> i64 {\n    (x * 3\n}\n", 2),
        ("pub fn triple(x: i64) -> i64 {\n    x * 3\n}\n}\n", 4),
        ("pub fn triple(x: i64) -> i64 {\n    x * 3\n}\n/* open", 4),
        ('pub fn triple(x: i64) -> i64 {\n    x * 3\n}\nconst S: &str = "open', 4),
        ("pub fn triple(x: i64) -> i64 {\n    x * 3\n}\nimpl Foo", 4),
        ("//! a\r\npub fn triple(x: i64) -> i64 {\r\n    x * y\r\n}\r\n", 3),
        ("// größer\n/* 🦀 */ pub fn triple(x: i64) -> i64 { x * y }\n", 2),
    ],
)
def test_an_error_is_placed_within_the_samples_own_lines(grade: JudgeGrader, code: str, line: int):
    graded = grade(code, TRIPLE)
    assert not graded.verdict.compiled
    spans = [span for error in graded.verdict.errors for span in error.spans]
    assert line in {span.line_start for span in spans}
    assert all(1 <= span.line_start <= span.line_end <= code.count("\n") + 1 for span in spans)


def test_columns_count_characters(grade: JudgeGrader):
    error = grade("/* 日本🦀 */ pub fn triple(x: i64) -> i64 { x * y }\n", TRIPLE).verdict.errors[0]
    assert error.spans == (Span(line_start=1, line_end=1, column_start=46, column_end=47),)


def test_every_error_of_a_sample_is_reported_once(grade: JudgeGrader):
    graded = grade("pub fn triple(x: i64) -> i64 { a + b + x }\n", TRIPLE)
    assert codes(graded.verdict.errors) == ["E0425", "E0425"]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "macro_rules! bomb { ($($t:tt)*) => { bomb!($($t)* $($t)* x) } } bomb!(x);", marks=pytest.mark.slow
        ),
        pytest.param(
            "const N: u64 = { let mut n = 0u64; loop { n = n.wrapping_add(1); if n == u64::MAX { break } } n };",
            marks=pytest.mark.slow,
        ),
        "struct W<T>(T); fn g<T>(t: T, n: u32) -> i64 { if n > 0 { g(W(t), n - 1) } else { 0 } }",
        'pub const ALL: &[u8] = include_bytes!("/dev/zero");',
    ],
    ids=["macro", "const", "types", "include"],
)
def test_code_that_overwhelms_the_compiler_does_not_compile(grade: JudgeGrader, code: str):
    right = RIGHT.replace("x * 3", "x * 3 + g(0u8, 1)") if "fn g" in code else RIGHT
    graded = grade(right + code, case_of(TRIPLE_TESTS, timeout_secs=3.0))
    assert not graded.correct
    assert graded.verdict.errors


@pytest.mark.parametrize(
    "code",
    [
        RIGHT + 'r#"' * 30_000,
        RIGHT + '\\"' * 30_000,
        "// cfg_attr(" * 10_000,
        "(" * 30_000,
        "{" * 30_000,
        "#[" * 30_000,
        "<" * 30_000,
        "fn f(){" * 10_000,
    ],
    ids=["raw strings", "escapes", "attributes", "brackets", "braces", "open attributes", "angles", "functions"],
)
def test_text_written_to_be_slow_to_read_is_judged_quickly(grade: JudgeGrader, code: str):
    started = time.process_time()
    assert not grade(code, TRIPLE).correct
    assert time.process_time() - started < 5


# ---- what goes wrong while tests run ----


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("std::process::exit(0)", "exited with code 0"),
        ("std::process::exit(101)", "exited with code 101"),
        ("std::process::abort()", "aborted"),
        ("fn down(n: u64) -> u64 { std::hint::black_box(n) + down(n + 1) } down(0) as i64 + x", "overflow"),
        ("let mut v = vec![0u8; 1]; loop { v.extend_from_within(..); if v.len() == 0 { return x; } }", "aborted"),
        ("[1, 2][std::hint::black_box(x + 9) as usize]", "index out of bounds"),
        ("i64::MAX - std::hint::black_box(-x * x)", "overflow"),
        ('panic!("of {x}")', "of 2"),
        ("std::panic::panic_any(7u8)", ""),
    ],
)
def test_a_test_whose_process_ends_early_has_failed(grade: JudgeGrader, body: str, message: str):
    graded = grade(f"pub fn triple(x: i64) -> i64 {{ {body} }}", TRIPLE)
    assert graded.failed == ["tests::of_two", "tests::of_minus_one"]
    assert message in graded.messages + "".join(test.stdout for test in graded.verdict.tests)


def test_an_early_exit_is_a_finding(grade: JudgeGrader):
    assert grade("pub fn triple(_: i64) -> i64 { std::process::exit(0) }", TRIPLE).findings == {"early_exit"}


def test_a_crash_in_one_test_does_not_affect_the_others(grade: JudgeGrader):
    graded = grade("pub fn triple(x: i64) -> i64 { if x < 0 { std::process::abort() } x * 3 }", TRIPLE)
    assert graded.failed == ["tests::of_minus_one"]


def test_an_endless_loop_is_stopped(grade: JudgeGrader):
    graded = grade("pub fn triple(x: i64) -> i64 { if x < 0 { loop {} } x * 3 }", QUICK)
    assert graded.failed == ["tests::of_minus_one"]
    assert "CPU time" in graded.messages


def test_an_endless_loop_in_many_threads_is_stopped(grade: JudgeGrader):
    loops = "for _ in 0..3 { std::thread::spawn(|| loop {}); } loop {}"
    graded = grade(f"pub fn triple(x: i64) -> i64 {{ if x < 0 {{ {loops} }} x * 3 }}", QUICK)
    assert graded.failed == ["tests::of_minus_one"]


@pytest.mark.slow
def test_a_test_that_sleeps_is_stopped(grade: JudgeGrader):
    sleep = "std::thread::sleep(std::time::Duration::from_secs(9999))"
    graded = grade(f"pub fn triple(x: i64) -> i64 {{ if x < 0 {{ {sleep} }} x * 3 }}", QUICK)
    assert graded.failed == ["tests::of_minus_one"]
    assert "computed nothing" in graded.messages


def test_a_flood_of_output_is_cut_and_does_not_hang(grade: JudgeGrader):
    flood = 'for n in 0..50_000 { println!("line {n}"); }'
    graded = grade(f"pub fn triple(x: i64) -> i64 {{ {flood} x * 4 }}", TRIPLE)
    assert graded.failed == ["tests::of_two", "tests::of_minus_one"]
    assert "left: 8" in graded.verdict.tests[0].message
    assert graded.verdict.tests[0].stdout.startswith("line 0\n")
    assert len(graded.verdict.tests[0].stdout) < 10_000


def test_a_test_that_prints_endlessly_is_stopped_long_before_its_time_limit(grade: JudgeGrader):
    endless = "use std::io::Write; let line = [b'x'; 65536]; loop { std::io::stdout().write_all(&line).unwrap(); }"
    graded = grade(f"pub fn triple(_: i64) -> i64 {{ {endless} }}", TRIPLE)
    assert [test.message for test in graded.verdict.tests] == ["stopped: it printed more than 256 MiB"] * 2
    assert not any(test.timed_out for test in graded.verdict.tests)


def test_output_that_looks_like_a_result_decides_nothing(grade: JudgeGrader):
    lines = r"ready\n0 passed 1 1 0 0 0\n1 passed 1 1 0 0 0\nend\ntest tests::of_two ... ok\ntest result: ok. 2 passed"
    graded = grade(f'pub fn triple(_: i64) -> i64 {{ print!("{lines}"); eprint!("{lines}"); 0 }}', TRIPLE)
    assert graded.failed == ["tests::of_two", "tests::of_minus_one"]


def test_the_output_of_a_failed_test_is_kept(grade: JudgeGrader):
    graded = grade('pub fn triple(x: i64) -> i64 { println!("in: {x}"); eprintln!("err"); x }', TRIPLE)
    assert graded.verdict.tests[0].stdout == "in: 2\nerr\n"


def test_a_panic_is_placed_in_the_tests_or_in_the_sample(grade: JudgeGrader):
    assert "tests.rs:8:9" in grade("pub fn triple(x: i64) -> i64 { x }", TRIPLE).messages
    assert "sample.rs:2:5" in grade("pub fn triple(_: i64) -> i64 {\n    todo!()\n}", TRIPLE).messages


# ---- dependencies ----

ASYNC = case_of(
    """
    #[cfg(test)]
    mod tests {
        use super::*;
        use tokio::time::{sleep, Duration, Instant};

        #[tokio::test]
        async fn adds() { assert_eq!(add(1, 2).await, 3); }

        #[tokio::test(start_paused = true)]
        async fn at_the_same_time() {
            let start = Instant::now();
            let (a, b) = tokio::join!(add(1, 1), add(2, 2));
            sleep(Duration::from_secs(5)).await;
            assert_eq!((a, b), (2, 4));
            assert!(start.elapsed() < Duration::from_secs(16));
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn in_a_task() -> Result<(), tokio::task::JoinError> {
            assert_eq!(tokio::spawn(add(2, 3)).await?, 5);
            Ok(())
        }

        #[test]
        fn without_a_runtime() { let _ = add(1, 1); }
    }
    """,
    ["async fn add(a: u32, b: u32) -> u32"],
    dependencies=(TOKIO,),
)
ADD = "pub async fn add(a: u32, b: u32) -> u32 { tokio::task::yield_now().await; a + b }\n"


@pytest.mark.parametrize(
    "code",
    [
        ADD,
        pytest.param(
            "use std::time::Duration; " + ADD.replace("task::yield_now()", "time::sleep(Duration::from_millis(1))"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ADD + '#[tokio::main] async fn main() { println!("{}", add(1, 2).await); }', marks=pytest.mark.slow
        ),
        ADD + "#[cfg(test)] mod tests { #[tokio::test] async fn adds() { panic!() } }",
        (
            "#![forbid(unsafe_code)]\nuse tokio::sync::oneshot; pub async fn add(a: u32, b: u32) -> u32 { let "
            "(s, r) = oneshot::channel(); tokio::spawn(async move { s.send(a + b) }); r.await.unwrap() }"
        ),
    ],
)
def test_async_tests_run_on_tokio(grade: JudgeGrader, code: str):
    graded = grade(code, ASYNC)
    assert graded.correct, [*graded.shortcomings, graded.messages]


def test_incorrect_async_code_fails_the_named_test(grade: JudgeGrader):
    graded = grade(ADD.replace("a + b", "a * b"), ASYNC)
    assert graded.failed == ["tests::adds", "tests::at_the_same_time", "tests::in_a_task"]


@pytest.mark.parametrize("crate", ["tokio", "std", pytest.param("core", marks=pytest.mark.slow)])
def test_a_sample_that_poses_as_a_crate_does_not_affect_the_tests(grade: JudgeGrader, crate: str):
    fake = """
        #[macro_export] macro_rules! join { ($($t:tt)*) => { (2, 4) } }
        pub mod time { pub struct Duration; pub struct Instant; pub async fn sleep(_: Duration) {} }
        pub mod task { pub struct JoinError; }
        pub async fn add(_: u32, _: u32) -> u32 { 3 }
    """
    graded = grade(f"extern crate self as {crate};\n{fake}", ASYNC)
    assert "tests::at_the_same_time" in graded.failed
    assert not graded.correct
