"""A sample that tries is found out: what is named, and what it costs."""

from __future__ import annotations

import platform
from dataclasses import replace

import pytest

from forgetest import plugins, scoring
from forgetest.engine.judging.step_runner import StepRunner
from grading import RIGHT, TRIPLE, JudgeGrader, case_of


@pytest.mark.parametrize("end", ["/// To be continued.", "#[cfg(any())]", "pub", "pub(crate)", "/** open end */"])
def test_a_dangling_end_is_an_error_although_our_text_follows_it(grade: JudgeGrader, end: str):
    graded = grade(RIGHT + end, TRIPLE)
    assert not graded.verdict.compiled
    assert graded.score.overall == 0
    assert graded.findings == {"dangling_end"}
    assert len(graded.failed) == 2


def test_a_correct_function_next_to_an_attempted_forgery_is_not_correct(grade: JudgeGrader):
    graded = grade(f'{RIGHT}pub const TEXT: &str = include_str!("/dev/null");', TRIPLE)
    assert graded.failed == []
    assert [shortcoming.split(": ")[1] for shortcoming in graded.shortcomings] == ["reads_tests"]


@pytest.mark.parametrize(
    ("kind", "resemblance"),
    [
        ("shadowed_std", "pub mod std { pub mod vec {} }"),
        ("shadowed_assertion", "macro_rules! assert_eq { ($($t:tt)*) => {} }"),
        ("equal_to_everything", "struct S; impl PartialEq<i64> for S { fn eq(&self, _: &i64) -> bool { true } }"),
        ("reaches_for_harness", 'pub fn look() -> bool { std::fs::exists("/proc/self/maps").is_ok() }'),
    ],
)
def test_what_only_resembles_an_attempt_is_noted(grade: JudgeGrader, kind: str, resemblance: str):
    graded = grade(f"{RIGHT}{resemblance}", TRIPLE)
    assert graded.correct
    assert graded.verdict.verified
    assert graded.findings == {kind}


@pytest.mark.parametrize(
    "code", ["#!/*\n" + RIGHT + "// */\n", RIGHT.replace("pub fn", "pub\u200efn"), "#! /bin/x 'y'\n" + RIGHT]
)
def test_text_that_the_compiler_may_read_differently_is_not_verified(grade: JudgeGrader, code: str):
    graded = grade(code, TRIPLE)
    assert graded.correct
    assert not graded.verdict.verified
    assert graded.findings == {"ambiguous_text"}


@pytest.mark.parametrize(
    "code", ["\ufeff" + RIGHT, "#!/usr/bin/env rust-script\n" + RIGHT, RIGHT.replace("\n", "\r\n")]
)
def test_honest_beginnings_and_line_ends_are_verified(grade: JudgeGrader, code: str):
    graded = grade(code, TRIPLE)
    assert graded.correct
    assert graded.verdict.verified
    assert graded.findings == set()


def test_a_trait_that_the_tests_import_must_not_add_methods_to_every_type(grade: JudgeGrader):
    tests = "#[test] fn t() { let v = 2i64.tripled(); assert_eq!(v.len(), 3); assert_eq!(v, vec![2, 2, 2]); }"
    case = case_of(f"#[cfg(test)] mod tests {{ use super::*; {tests} }}")
    honest = (
        "pub trait Tripled { fn tripled(&self) -> Vec<i64>; }"
        "impl Tripled for i64 { fn tripled(&self) -> Vec<i64> { vec![*self; 3] } }"
    )
    assert grade(honest, case).correct
    hijacking = (
        "pub trait Tripled: Sized { fn tripled(&self) -> Vec<i64> { vec![2, 2, 2] } fn len(self) -> usize { 3 } }"
        "impl<T> Tripled for T {}"
    )
    graded = grade(hijacking, case)
    assert not graded.correct
    assert graded.findings == {"shadowed_method"}


def test_a_method_that_returns_impl_trait_must_hide_everything_else(grade: JudgeGrader):
    case = case_of(
        "#[test] fn t() { let s = Stack(vec![3, 2, 1]);"
        "assert_eq!(s.down().count(), 3); assert_eq!(s.down().max(), Some(3)); }",
        ["fn Stack::down(&self) -> impl Iterator<Item = u8>"],
    )
    stack = "pub struct Stack(pub Vec<u8>);"
    for result in ("impl Iterator<Item = u8> + '_", "Box<dyn Iterator<Item = u8> + '_>"):
        body = "self.0.iter().copied()" if result.startswith("impl") else "Box::new(self.0.iter().copied())"
        graded = grade(f"{stack} impl Stack {{ pub fn down(&self) -> {result} {{ {body} }} }}", case)
        assert graded.correct, (result, graded.shortcomings, graded.messages)
    imported = (
        "use std::vec::IntoIter; impl Stack { pub fn down(&self) -> IntoIter<u8> { self.0.clone().into_iter() } }"
    )
    graded = grade(stack + imported, case)
    assert graded.correct, graded.shortcomings
    forger = """
        pub struct Down;
        impl Iterator for Down { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
        impl Down { pub fn count(self) -> usize { 3 } pub fn max(self) -> Option<u8> { Some(3) } }
        impl Stack { pub fn down(&self) -> Down { Down } }
    """
    graded = grade(stack + forger, case)
    assert graded.failed == []
    assert graded.shortcomings == [
        "expected_functions: `fn Stack::down(&self) -> impl Iterator<Item = u8>`: its result is `Down`"
    ]
    renamed = forger.replace("Down { Down }", "Iter { Iter }") + "use self::Down as Iter;"
    assert not grade(stack + renamed, case).correct
    hidden = "macro_rules! made { () => { pub fn down(&self) -> Down { Down } }; }" + forger.replace(
        "pub fn down(&self) -> Down { Down }", "made!();"
    )
    assert not grade(stack + hidden, case).correct


@pytest.mark.skipif(platform.machine() != "x86_64", reason="assembly of x86")
@pytest.mark.parametrize(
    "assembly",
    [
        'core::arch::global_asm!(".globl own", ".hidden own", "own: ret");',
        'use core::arch::global_asm as text; text!("nop");',
        'macro_rules! of { ($n:ident) => { core::arch::$n!("nop", options(att_syntax)); } } of!(global_asm);',
        '#[unsafe(naked)] extern "C" fn f() { core::arch::naked_asm!(".cfi_startproc", "ret", ".cfi_endproc") }',
        'pub fn f() { unsafe { core::arch::asm!("nop") } }',
    ],
    ids=["labels", "another name", "macro", "naked", "inline"],
)
def test_machine_code_is_found_by_the_compiler_whatever_the_text_looks_like(grade: JudgeGrader, assembly: str):
    graded = grade(f"{RIGHT}{assembly}", TRIPLE)
    assert "assembly" in graded.findings
    assert not graded.correct
    assert not graded.verdict.verified
    assert graded.lints == [], "a lint that we ask for is not held against the sample"
    named = "fn asm() {} macro_rules! global_asm { () => { 3 } } pub fn naked_asm() -> i32 { global_asm!() }"
    assert "assembly" not in grade(f"{RIGHT}{named}", TRIPLE).findings


@pytest.mark.skipif(platform.machine() != "x86_64", reason="assembly of x86")
def test_a_hidden_function_of_the_runtime_is_found_in_the_object(grade: JudgeGrader):
    leave = 'core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", "memcmp: xor eax, eax", "ret")'
    code = f'#[unsafe(naked)] extern "C" fn leave() {{ {leave} }} pub fn triple(x: i64) -> i64 {{ leave(); x }}'
    graded = grade(code, TRIPLE)
    assert {"assembly", "replaced_runtime"} <= graded.findings
    allowed = replace(TRIPLE.expectations, unsafe_code="allowed")
    assert "replaced_runtime" in " ".join(scoring.shortcomings(graded.verdict, allowed))


def test_an_object_built_for_one_sample_cannot_run_for_another(step_runner: StepRunner):
    """The right sample's object in the place of the wrong one's: the launcher does not find the wrong one's entry."""
    rust = plugins.find("toolchains", "rust")
    prepared = step_runner.prepare(rust, TRIPLE)
    wrong = RIGHT.replace("3", "4")
    right_build = step_runner.run(rust.next(prepared, TRIPLE, RIGHT, []))
    wrong_build = step_runner.run(rust.next(prepared, TRIPLE, wrong, []))
    swapped = [replace(wrong_build, outputs=right_build.outputs)]
    swapped.append(step_runner.run(rust.next(prepared, TRIPLE, wrong, swapped)))
    verdict = rust.next(prepared, TRIPLE, wrong, swapped)
    assert {test.status for test in verdict.tests} == {"failed"}
    assert "export" in {finding.kind for finding in verdict.integrity}


def test_a_verdict_carries_its_provenance(grade: JudgeGrader):
    base = grade(RIGHT, TRIPLE).verdict.provenance
    assert base == grade(RIGHT, TRIPLE).verdict.provenance
    assert all((base.source, base.tests, base.toolchain, base.flags, base.binary, base.sandbox))
    other_code = grade(RIGHT + "// more\n", TRIPLE).verdict.provenance
    assert other_code == replace(base, source=other_code.source, binary=other_code.binary)
    assert (other_code.source, other_code.binary) != (base.source, base.binary)
    unsafe = grade(RIGHT + "pub fn u(p: *const u8) -> u8 { unsafe { *p } }", TRIPLE).verdict.provenance
    assert unsafe.flags != base.flags, "it was built by another compiler"
    other_tests = grade(RIGHT, case_of("#[test] fn t() { assert_eq!(triple(1), 3); }")).verdict.provenance
    assert other_tests.tests != base.tests
    assert (other_tests.source, other_tests.flags) == (base.source, base.flags)


@pytest.mark.parametrize(
    ("code", "correct_in"),
    [
        ("pub fn triple(x: i64) -> i64 { x * 3 }", {"forbidden", "checked", "allowed"}),
        ("pub fn triple(x: i64) -> i64 { unsafe { *(&x as *const i64) * 3 } }", {"checked", "allowed"}),
        (
            (
                'extern "C" { fn labs(x: std::ffi::c_long) -> std::ffi::c_long; }\n'
                "pub fn triple(x: i64) -> i64 { x.signum() * unsafe { labs(x) } * 3 }"
            ),
            {"allowed"},
        ),
        ('pub fn triple(x: i64) -> i64 { unsafe { std::arch::asm!("nop") }; x * 3 }', {"allowed"}),
        ('#[no_mangle] pub extern "C" fn triple_for_c(x: i64) -> i64 { triple(x) }\n' + RIGHT, {"allowed"}),
    ],
    ids=["safe", "unsafe", "foreign function", "assembly", "export"],
)
def test_a_case_decides_whether_unsafe_and_foreign_code_are_allowed(
    grade: JudgeGrader, code: str, correct_in: set[str]
):
    graded = grade(code, TRIPLE)
    assert graded.failed == []
    for unsafe_code in ("forbidden", "checked", "allowed"):
        asked = replace(TRIPLE.expectations, unsafe_code=unsafe_code)
        assert (not scoring.shortcomings(graded.verdict, asked)) == (unsafe_code in correct_in), unsafe_code
    assert graded.verdict.verified == ("forbidden" in correct_in)


SEARCHES_ITS_MEMORY = r"""
use std::io::Write;

/// Returns whether the text is in memory: around the thread's name, which is on the launcher's heap, and around std,
/// near which everything is that the launcher mapped. The text is given with every bit inverted, so that it does not
/// find itself.
fn is_there(inverted: &[u8]) -> bool {
    let thread = std::thread::current();
    let (_reader, mut writer) = std::io::pipe().unwrap();
    let mut readable = |page: usize| writer.write(unsafe { std::slice::from_raw_parts(page as *const u8, 1) }).is_ok();
    let mut run = 0;
    for start in [thread.name().unwrap().as_ptr() as usize, std::thread::park as usize] {
        for page in (0..8192).map(|number| (start & !4095) - (16 << 20) + number * 4096) {
            run = if readable(page) { run + 4096 } else { 0 };
            // with the end of the page before
            let length = run.min(4096 + inverted.len());
            if length > inverted.len() && search(page + 4096 - length, page + 4096 - inverted.len(), inverted) {
                return true;
            }
        }
    }
    false
}

fn search(mut at: usize, end: usize, inverted: &[u8]) -> bool {
    let byte = |at: usize| unsafe { *(at as *const u8) };
    let first = !inverted[0];
    while at <= end {
        if byte(at) == first && (0..inverted.len()).all(|index| byte(at + index) == !inverted[index]) {
            return true;
        }
        at += 1;
    }
    false
}

fn inverted(text: &str) -> Vec<u8> { text.bytes().map(|byte| !byte).collect() }

pub fn triple(x: i64) -> i64 {
    let name = std::thread::current().name().unwrap().to_owned();
    assert!(is_there(&inverted(&name)), "the search finds what is there");
    let of_the_plan = inverted(&name.bytes().map(|byte| format!("{byte:02x}")).collect::<String>());
    let of_a_report = inverted(&"ASSERTION `LEFT == RIGHT` FAILED".to_lowercase());
    if is_there(&of_the_plan) { return 1000 + x; }
    if is_there(&of_a_report) { return 2000 + x; }
    x * 3
}
"""


def test_a_sample_that_reads_its_memory_finds_neither_the_plan_nor_reports_of_other_runs(grade: JudgeGrader):
    graded = grade(SEARCHES_ITS_MEMORY, TRIPLE)
    assert graded.failed == [], [test.message for test in graded.verdict.tests]
    assert graded.findings == {"unsafe"}
