"""Preparing a case: what its texts tell needs no compiler, and its reference solution is built only if it must be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from external_data import external
from forgetest import config, evalset
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.sandboxes import Isolation, Sandbox
from forgetest.sandboxes.factory import open_sandbox
from forgetest.testing.fakes import FakePrepared
from forgetest.toolchains import Prepared, rust
from forgetest.toolchains.rust import RustPrepared, control_sites, preparation, reference_check
from forgetest.toolchains.rust.compile import free_names
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.twins.sites import Wanted
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step, Verdict
from grading import RIGHT, TRIPLE_TESTS, case_of, cases_with, judge_one

HUMANEVALPACK = "humanevalpack/humanevalpack_rust.jsonl"
OTHER_TESTS = "#[test] fn halves() { assert_eq!(half(4), 2); let odd = half(7); assert_eq!(odd, 3); }"
HONEST = case_of(TRIPLE_TESTS, reference_solution=RIGHT)
TROUBLE = {
    "does not parse": "fn triple(x: i64) -> i64 { x * }",
    "does not type": 'fn triple(x: i64) -> i64 { "x" }',
    "has no such function": "fn double(x: i64) -> i64 { x * 2 }",
}
FURTHER_TROUBLE = {
    "panics": "fn triple(_: i64) -> i64 { panic!() }",
    "does not borrow": "fn triple(x: i64) -> i64 { let y = vec![x]; drop(y); y[0] * 3 }",
    "replaces a macro": f"#[macro_export] macro_rules! assert_eq {{ ($($t:tt)*) => {{}} }}\n{RIGHT}",
    "aborts": "fn triple(_: i64) -> i64 { std::process::abort() }",
    "never ends": "fn triple(_: i64) -> i64 { loop {} }",
    "has an attribute of the crate": "#![deny(warnings)]\nfn unused() {}\nfn triple(x: i64) -> i64 { x * 3 }",
    "has another signature": "fn triple(x: i32) -> i32 { x * 3 }",
    "has a signature of its own types": "type Number = i64;\nfn triple(x: Number) -> Number { x * 3 }",
}
OTHER_SIGNATURE = "pub fn triple(x: i32) -> i32 { x * 3 }"
WRONG = "pub fn triple(x: i64) -> i64 { x + 3 }"
BROKEN = "pub fn triple(x: i64) -> i64 { x * }"


class Recording:
    """A sandbox that remembers the names of its steps."""

    configuration = "recording"

    def __init__(self, sandbox: Sandbox) -> None:
        self.names: list[str] = []
        self._sandbox = sandbox

    def run(self, step: Step) -> Execution:
        self.names.append(step.name)
        return self._sandbox.run(step)

    def probe(self) -> Isolation:
        return self._sandbox.probe()

    def close(self) -> None:
        self._sandbox.close()


class Equipping:
    """A toolchain that does what all cases have in common, and remembers its steps."""

    LANGUAGE = rust.LANGUAGE

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._scripts = Scripts()

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Prepared:
        answer = self._scripts.answer((case,), preparation.equip, executions)
        if isinstance(answer, Step):
            self.steps.append(answer)
            return answer
        return FakePrepared()

    def next(self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]) -> Step:
        raise AssertionError("nothing is judged here")


class ApartRunner(StepRunner):
    """Finds tools, launcher and crates where others do, but stores what it learns of cases in a folder of its own."""

    def __init__(self, sandbox: Sandbox, apart: Path, equipped: StepRunner) -> None:
        super().__init__(sandbox, config.cache_folder(), config.host_environment())
        self._apart = apart
        self._equipped = equipped
        equipping = Equipping()
        equipped.prepare(equipping, HONEST)
        self._common = equipping.steps

    def _once(self, step: Step) -> Execution:
        return self._equipped._once(step) if step.keep or step in self._common else super()._once(step)

    def _record(self, key: str) -> Path:
        return self._apart / key


class New:
    """Cases and a judge where only the tools, the launcher and the judge's secret are known."""

    def __init__(self, folder: Path, equipped: StepRunner) -> None:
        self.sandbox = Recording(open_sandbox("bubblewrap"))
        runner = ApartRunner(self.sandbox, folder, equipped)
        self.cases: PreparedCases = cases_with(runner)
        self._judge = Judge(runner, self.cases, "bubblewrap", audit_chance=0.0)

    def prepare(self, cases: Iterable[Case]) -> list[Prepared]:
        return [self.cases.prepare(case) for case in cases]

    def judge(self, code: str, case: Case) -> Verdict:
        verdict = judge_one(self._judge, code, case).verdict
        assert verdict is not None
        return verdict


@pytest.fixture
def new(tmp_path: Path, step_runner: StepRunner) -> Callable[[str], New]:
    return lambda name: New(tmp_path / name, step_runner)


def known(verdict: Verdict) -> object:
    """All of a verdict but times, and hashes of what was built."""
    tests = [(test.name, test.status, test.message) for test in verdict.tests]
    told = (verdict.compiled, verdict.errors, verdict.warnings, verdict.lints, verdict.conditions)
    return (*told, verdict.integrity, verdict.controls, tests)


def statuses(verdict: Verdict) -> set[str]:
    return {test.status for test in verdict.tests}


def test_a_case_whose_texts_tell_everything_is_prepared_without_the_compiler(new: Callable[[str], New]) -> None:
    alone = new("alone")
    alone.prepare([HONEST, case_of(OTHER_TESTS, reference_solution="fn half(x: u8) -> u8 { x / 2 }")])
    assert alone.sandbox.names == []


def test_the_reference_is_checked_once_and_only_for_samples_that_our_text_does_not_fit(
    new: Callable[[str], New],
) -> None:
    first = new("folder")
    assert statuses(first.judge(RIGHT, HONEST)) == {"passed"}
    assert statuses(first.judge(WRONG, HONEST)) == {"failed"}
    assert not first.judge(BROKEN, HONEST).compiled
    assert "check of the reference" not in first.sandbox.names

    other = first.judge(OTHER_SIGNATURE, HONEST)
    assert [finding.kind for finding in other.integrity] == ["unlike_reference"]
    assert statuses(other) == {"passed"}
    assert known(first.judge(f"{OTHER_SIGNATURE} // again", HONEST)) == known(other)
    later = new("folder")
    assert known(later.judge(OTHER_SIGNATURE, HONEST)) == known(other)
    assert [*first.sandbox.names, *later.sandbox.names].count("check of the reference") == 1


def assert_as_checked(new: Callable[[str], New], reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge samples with a reference that is checked when it must be, and with one that is checked before."""
    case = case_of(TRIPLE_TESTS, reference_solution=reference, timeout_secs=1.0)
    samples = (RIGHT, WRONG, BROKEN, OTHER_SIGNATURE)
    late = new("late")
    verdicts = [late.judge(code, case) for code in samples]
    assert [statuses(verdict) for verdict in verdicts] == [{"passed"}, {"failed"}, {"failed"}, {"passed"}]
    monkeypatch.setattr(reference_check, "is_needed", lambda case_build, _: case_build.unchecked)
    early = new("early")
    for code, verdict in zip(samples, verdicts, strict=True):
        expected = early.judge(code, case)
        # which twins a sample was asked may differ, where the reference does not compile: all are certain
        assert known(replace(verdict, controls=None)) == known(replace(expected, controls=None))


@pytest.mark.parametrize("name", TROUBLE)
def test_a_reference_that_does_not_compile_is_held_against_no_sample(
    new: Callable[[str], New], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert_as_checked(new, TROUBLE[name], monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", FURTHER_TROUBLE)
def test_no_kind_of_reference_is_held_against_a_sample(
    new: Callable[[str], New], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert_as_checked(new, FURTHER_TROUBLE[name], monkeypatch)


def built_in() -> list[Case]:
    sets = [eval_set for name in sorted(evalset.built_in()) for eval_set in evalset.load(name)]
    cases = [case for eval_set in sets for case in eval_set.cases]
    return [case for case in cases if case.language == "rust" and not case.dependencies and case.io is None]


def humanevalpack() -> list[Case]:
    cases = []
    for line in external(HUMANEVALPACK).read_text().splitlines():
        row = json.loads(line)
        texts = [row[key] for key in ("declaration", "canonical_solution", "test")]
        head = "".join(
            line for line in texts[0].splitlines(keepends=True) if not re.match(r"use (rand|regex|md5)\b", line)
        )
        if not re.search(r"\b(rand|regex|md5)\b", head + texts[1] + texts[2]):
            cases.append(replace(case_of(texts[2], reference_solution=head + texts[1]), id=row["task_id"]))
    return cases


def checked(new: New, case: Case) -> CaseBuild:
    """Return a case after the check of its reference, which the engine makes only if it must."""
    prepared = new.cases.prepare(case)
    assert isinstance(prepared, RustPrepared)
    runner, scripts, executions = new.cases._runner, Scripts(), list[Execution]()
    while isinstance(
        answer := scripts.answer((), lambda: reference_check.check(prepared.case_build, case), executions), Step
    ):
        executions.append(runner.run(answer))
    return answer


@pytest.mark.slow
def test_references_compile_with_what_was_read_off_their_texts(new: Callable[[str], New]) -> None:
    cases = [*built_in(), *(humanevalpack()[::4] if external(HUMANEVALPACK).exists() else [])]
    fresh = new("fresh")
    unchecked = []
    for case, prepared in zip(cases, fresh.prepare(cases), strict=True):
        assert isinstance(prepared, RustPrepared)
        if prepared.case_build.unchecked:
            unchecked.append(case.id)
            assert checked(fresh, case) == replace(prepared.case_build, unchecked=False), case.id
    assert len(unchecked) > len(cases) / 2


@pytest.mark.slow
def test_the_compiler_finds_the_names_that_are_read_off_the_text(
    new: Callable[[str], New], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [
        case
        for case in [*built_in(), *(humanevalpack()[::4] if external(HUMANEVALPACK).exists() else [])]
        if free_names.free_names(case.expectations.test_file or "", "2021") is not None
    ]
    read_off = new("read-off").prepare(replace(case, reference_solution=None) for case in cases)
    monkeypatch.setattr(preparation, "free_names", lambda *_: None)
    found = new("found").prepare(replace(case, reference_solution=None) for case in cases)
    assert read_off == found
    assert len(cases) > 10


@pytest.mark.slow
def test_a_reference_fails_all_controls_that_are_certain(
    new: Callable[[str], New], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = built_in()[::4]
    unasked = new("unasked").prepare(cases)
    kept_by_reference = control_sites._kept_by_reference
    found: dict[str, frozenset[Wanted]] = {}

    def recorded(case_build: CaseBuild, case: Case, reference: str) -> Generator[Step, Execution, object]:
        kept, met = yield from kept_by_reference(case_build, case, reference)
        found[case.id] = kept or frozenset()
        return kept, met

    monkeypatch.setattr(control_sites, "_kept_by_reference", recorded)
    monkeypatch.setattr(control_sites, "with_certain_sites", lambda *_: None)
    tried = new("tried")
    built = tried.prepare(cases)

    assert tried.sandbox.names.count("test") == len(cases)
    assert "check of the reference" not in tried.sandbox.names
    for case, prepared, other in zip(cases, unasked, built, strict=True):
        assert isinstance(prepared, RustPrepared)
        assert isinstance(other, RustPrepared)
        assert other.case_build.derived == prepared.case_build.derived
        sites = prepared.case_build.test_file.sites
        assert {(site.kind, site.position, value) for site in sites for value in site.asked} <= found[case.id]


MIXED_TESTS = """#[test] fn adds() {
    assert_eq!(sums(2), (3, 2)); assert_eq!(sums(3), (6, 6)); assert_eq!(sums(4), (2 + 8, 24));
}"""
SUMS = "fn sums(n: u32) -> (u32, u32) { ((1..=n).sum(), (1..=n).product()) }"


def test_a_test_with_enough_certain_controls_needs_no_run_of_the_reference(new: Callable[[str], New]) -> None:
    alone = new("alone")
    alone.prepare([case_of(MIXED_TESTS, reference_solution=SUMS)])
    assert alone.sandbox.names == []


def test_a_test_with_too_few_certain_controls_is_tried_on_the_reference(new: Callable[[str], New]) -> None:
    few = case_of(
        "#[test] fn adds() { assert_eq!(sums(2), (3, 2)); assert_eq!(sums(4), (2 + 8, 2 * 12)); }",
        reference_solution=SUMS,
    )
    alone = new("alone")
    alone.prepare([few])
    assert "test" in alone.sandbox.names
