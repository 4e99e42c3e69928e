"""Samples of Rust to judge together and alone, and a table that does so by running the steps of the toolchain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from forgetest import plugins
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.toolchains import Prepared, PreparedSample
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.verdict import Execution, Step, Verdict
from grading import RIGHT

WRONG = "pub fn triple(x: i64) -> i64 { x * 2 }\n"

HONEST = {
    "right": RIGHT,
    "wrong": WRONG,
    "lints": "pub fn triple(x: i64) -> i64 { let unused = 1; return x * 3; }\n",
    "prints": 'pub fn triple(x: i64) -> i64 { println!("{x}"); x * 3 + 1 }\n',
    "panics": "pub fn triple(x: i64) -> i64 { let v: Vec<i64> = vec![]; v[x as usize] }\n",
    "a private function": "fn triple(x: i64) -> i64 { x * 3 }\n",
    "private types": "#[derive(Debug)] struct N(i64);\npub fn triple(x: i64) -> i64 { let n = N(x); n.0 * 3 }\n",
    "dead code": "fn dead() {}\npub fn alive() {}\npub fn triple(x: i64) -> i64 { x * 3 }\n",
    "docs and levels": "//! Docs.\n#![allow(dead_code)]\n/// T.\npub fn triple(x: i64) -> i64 { return x * 3; }\n",
    "own main": RIGHT + 'fn main() { println!("{}", triple(1)); }\n',
    "own tests": RIGHT + "#[cfg(test)] mod tests { use super::*; #[test] fn t() { assert!(triple(0) == 1); } }\n",
    "own macro": "macro_rules! by { ($x:expr) => { $x * 3 } }\npub fn triple(x: i64) -> i64 { by!(x) }\n",
    "own modules": "mod a { pub fn f(x: i64) -> i64 { super::g(x) } }\nfn g(x: i64) -> i64 { x * 3 }\n"
    "pub fn triple(x: i64) -> i64 { a::f(x) }\n",
    "operators for std's types": "pub struct M(i64);\nimpl std::ops::Mul<M> for i64 { type Output = i64; "
    "fn mul(self, m: M) -> i64 { self * m.0 } }\npub fn triple(x: i64) -> i64 { x * M(3) }\n",
    "a closure's type in a lint": "pub fn triple(x: i64) -> i64 { "
    "(0..3).map(|_| x).into_iter().map(|y| y).sum::<i64>() }\n",
    "dbg": "pub fn triple(x: i64) -> i64 { dbg!(x) * 4 }\n",
    "a thread": "pub fn triple(x: i64) -> i64 { std::thread::spawn(move || x * 3).join().unwrap() }\n",
    "Windows line ends": RIGHT.replace("\n", "\r\n"),
    "other scripts": "const ÜBER: i64 = 3; // 🦀\npub fn triple(x: i64) -> i64 { x * ÜBER }\n",
}
"""Samples of the case TRIPLE that share whatever they are with."""

BROKEN = {
    "no Rust": "this is no Rust",
    "an open bracket": "pub fn triple(x: i64) -> i64 { x * 3",
    "a name that there is not": "pub fn triple(x: i64) -> i64 { threefold(x) }",
    "a wrong type": 'pub fn triple(x: i64) -> i64 { "three" }',
    "a borrow that fails": "pub fn triple(x: i64) -> i64 { let v = vec![x]; drop(v); v[0] }",
    "another signature": "pub fn triple(x: i32) -> i32 { x * 3 }",
    "no such function": "pub fn thrice(x: i64) -> i64 { x * 3 }",
    "a trait that conflicts with std": "impl From<u8> for String { fn from(_: u8) -> String { String::new() } }"
    + RIGHT,
    "an overflow that the compiler sees": "pub fn triple(x: i64) -> i64 { [1, 2, 3][3] + x }",
}
"""Samples of the same case that do not compile."""

TROUBLE = {
    "a test that hangs": "pub fn triple(x: i64) -> i64 { loop { std::hint::black_box(x); } }\n",
    "a test that waits": "pub fn triple(x: i64) -> i64 { std::thread::sleep(std::time::Duration::from_secs(60)); x }\n",
    "a stack that overflows": "pub fn triple(x: i64) -> i64 { if x == 7 { x } else { triple(x) + 1 } }\n",
    "all the memory": "pub fn triple(x: i64) -> i64 { let v = vec![1u8; 900 << 20]; v.len() as i64 + x }\n",
    "files left behind": 'pub fn triple(x: i64) -> i64 { for n in 0..100 { std::fs::write(format!("/tmp/{n}"), "6")'
    '.unwrap(); } std::fs::create_dir_all("/tmp/a/b/c").unwrap(); x }\n',
    "a folder that nobody may enter": "use std::os::unix::fs::PermissionsExt;\npub fn triple(x: i64) -> i64 { "
    'std::fs::create_dir("/tmp/d").unwrap(); std::fs::write("/tmp/d/f", "6").unwrap(); '
    'std::fs::set_permissions("/tmp/d", std::fs::Permissions::from_mode(0)).unwrap(); x }\n',
    "rights taken from the folder": "use std::os::unix::fs::PermissionsExt;\npub fn triple(x: i64) -> i64 { "
    'std::fs::set_permissions("/tmp", std::fs::Permissions::from_mode(0)).unwrap(); x }\n',
    "threads left running": "pub fn triple(x: i64) -> i64 { std::thread::spawn(|| loop {}); x }\n",
    "an abort": "struct D; impl Drop for D { fn drop(&mut self) { panic!() } }\n"
    'pub fn triple(x: i64) -> i64 { let _d = D; panic!("{x}") }\n',
    "a flood": 'pub fn triple(x: i64) -> i64 { for _ in 0..100_000 { println!("test result: ok"); } x }\n',
}
"""Samples of the same case that fail and disturb others if they can."""


def numbered(code: str, number: int) -> str:
    """Return the same code as a distinct sample."""
    return f"{code}// {number}\n"


class Table:
    """Judges samples without the engine."""

    def __init__(self, step_runner: StepRunner, language: str = "rust") -> None:
        self._step_runner = step_runner
        self._toolchain = plugins.find("toolchains", language)
        self._prepared: dict[str, Prepared] = {}

    def together(self, asked: Sequence[tuple[str, Case]]) -> tuple[list[Verdict | None], list[Execution]]:
        """The verdicts on codes judged together, and the executions of their steps."""
        samples = self._prepared_samples(asked)
        return self._driven(lambda executions: self._toolchain.together(samples, executions))

    def first_step(self, asked: Sequence[tuple[str, Case]]) -> Step:
        """The step that builds those of the codes that may be judged together."""
        step: Step = self._toolchain.together(self._prepared_samples(asked), [])
        return step

    def alone(self, code: str, case: Case) -> Verdict:
        """The verdict on a code judged alone."""
        prepared = self._ready(case)
        verdict: Verdict = self._driven(lambda executions: self._toolchain.next(prepared, case, code, executions))[0]
        return verdict

    def case_build(self, case: Case) -> CaseBuild:
        """What is known of a case before there is a sample."""
        case_build: CaseBuild = self._ready(case).case_build  # type: ignore[attr-defined]
        return case_build

    def run(self, step: Step) -> Execution:
        """Run one step."""
        return self._step_runner.run(step)

    def _prepared_samples(self, asked: Sequence[tuple[str, Case]]) -> list[PreparedSample]:
        return [PreparedSample(prepared=self._ready(case), case=case, code=code) for code, case in asked]

    def _ready(self, case: Case) -> Prepared:
        if case.id not in self._prepared:
            self._prepared[case.id] = self._step_runner.prepare(self._toolchain, case)
        return self._prepared[case.id]

    def _driven(self, answer: Callable[[Sequence[Execution]], Any]) -> tuple[Any, list[Execution]]:
        executions: list[Execution] = []
        while isinstance(found := answer(executions), Step):
            executions.append(self._step_runner.run(found))
        return found, executions


def comparable(verdict: Verdict) -> Verdict:
    """The verdict without its durations, and without the hash of the object that it may share."""
    tests = tuple(replace(test, wall_ms=0.0, cpu_ms=0.0) for test in verdict.tests)
    provenance = replace(verdict.provenance, binary="")
    return replace(verdict, tests=tests, provenance=provenance, compile_ms=0.0, test_ms=0.0)
