"""Cases that are prepared together: each is prepared exactly as it would be alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from external_data import external, needs_external
from forgetest import config, evalset
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.sandboxes import Isolation, Sandbox
from forgetest.sandboxes.factory import open_sandbox
from forgetest.testing.fakes import FakePrepared
from forgetest.toolchains import Prepared, rust
from forgetest.toolchains.rust import RustPrepared, control_sites, preparation
from forgetest.toolchains.rust.compile import free_names
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.twins.sites import Wanted
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step
from grading import RIGHT, TOKIO, TRIPLE_TESTS, case_of, cases_with

HUMANEVALPACK = "humanevalpack/humanevalpack_rust.jsonl"
OTHER_TESTS = "#[test] fn halves() { assert_eq!(half(4), 2); let odd = half(7); assert_eq!(odd, 3); }"
HONEST = [
    case_of(TRIPLE_TESTS, reference_solution=RIGHT),
    case_of(OTHER_TESTS, reference_solution="fn half(x: u8) -> u8 { x / 2 }\nfn triple() {}"),
    case_of(
        TRIPLE_TESTS, reference_solution="fn triple(x: i64) -> i64 { helper(x) * 3 }\nfn helper(x: i64) -> i64 { x }"
    ),
]
TROUBLE = {
    "does not parse": "fn triple(x: i64) -> i64 { x * }",
    "panics": "fn triple(_: i64) -> i64 { panic!() }",
    "replaces a macro": f"#[macro_export] macro_rules! assert_eq {{ ($($t:tt)*) => {{}} }}\n{RIGHT}",
}
FURTHER_TROUBLE = {
    "does not type": 'fn triple(x: i64) -> i64 { "x" }',
    "does not borrow": "fn triple(x: i64) -> i64 { let y = vec![x]; drop(y); y[0] * 3 }",
    "has no such function": "fn double(x: i64) -> i64 { x * 2 }",
    "aborts": "fn triple(_: i64) -> i64 { std::process::abort() }",
    "never ends": "fn triple(_: i64) -> i64 { loop {} }",
    "has an attribute of the crate": "#![deny(warnings)]\nfn unused() {}\nfn triple(x: i64) -> i64 { x * 3 }",
    "has methods for everything": "trait All { fn abs(&self) -> i64 { 7 } }\nimpl<T> All for T {}\n"
    "fn triple(x: i64) -> i64 { x * 3 }",
    "is unsafe": "fn triple(x: i64) -> i64 { unsafe { std::mem::transmute::<i64, i64>(x) * 3 } }",
}

HANGS_THE_COMPILER = (
    "const fn f(n: u64) -> u64 { let mut i = n; while i > 0 { i |= 1; } i }\n"
    f"#[allow(long_running_const_eval)] pub const N: u64 = f(1);\n{RIGHT}"
)


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
    """A toolchain that does what all cases have in common; together, it answers with what it has done."""

    LANGUAGE = rust.LANGUAGE

    def __init__(self) -> None:
        self._scripts = Scripts()
        self._steps: list[Step] = []
        self._executions: Sequence[Execution] = ()

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Prepared:
        answer = self._scripts.answer((case,), preparation.equip, executions)
        self._executions = executions
        if isinstance(answer, Step):
            self._steps.append(answer)
            return answer
        return FakePrepared()

    def prepare_together(self, cases: Sequence[Case], executions: Sequence[Execution]) -> list[tuple[Step, Execution]]:
        return list(zip(self._steps, self._executions, strict=True))

    def next(self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]) -> Step:
        raise AssertionError("nothing is judged here")


class ApartRunner(StepRunner):
    """Finds tools, launcher and crates where others do, but stores what it learns of cases in a folder of its own."""

    def __init__(self, sandbox: Sandbox, apart: Path, equipped: StepRunner) -> None:
        super().__init__(sandbox, config.cache_folder(), config.host_environment())
        self._apart = apart
        self._equipped = equipped

    def _once(self, step: Step) -> Execution:
        return self._equipped._once(step) if step.keep else super()._once(step)

    def _stored(self, step: Step, key: str) -> Execution | None:
        return self._equipped._stored(step, key) if step.keep else super()._stored(step, key)

    def _record(self, key: str) -> Path:
        return self._apart / key


class New:
    """Prepared cases where only the tools, the launcher and the judge's secret are known."""

    def __init__(self, folder: Path, equipped: StepRunner) -> None:
        equipping = Equipping()
        equipped.prepare(equipping, HONEST[0])
        self.sandbox = Recording(open_sandbox("bubblewrap"))
        self.runner = ApartRunner(self.sandbox, folder, equipped)
        self.runner.prepare_together(equipping, [])
        self.cases: PreparedCases = cases_with(self.runner)

    def prepare(self, cases: Iterable[Case]) -> list[Prepared]:
        return [self.cases.prepare(case) for case in cases]


@pytest.fixture
def new(tmp_path: Path, step_runner: StepRunner) -> Callable[[str], New]:
    return lambda name: New(tmp_path / name, step_runner)


def assert_equal(new: Callable[[str], New], cases: Sequence[Case]) -> New:
    """Prepare cases together and one by one, and compare; return those that were prepared together."""
    together, alone = new("together"), new("alone")
    together.cases.prepare_many(cases, slots=2)
    for case, one, other in zip(cases, together.prepare(cases), alone.prepare(cases), strict=True):
        assert one == other, case.id
    assert "shared check" not in alone.sandbox.names
    return together


def test_references_that_compile_are_checked_by_one_call(new: Callable[[str], New]) -> None:
    together = assert_equal(new, HONEST)
    assert together.sandbox.names == ["shared check"]


def test_a_reference_that_makes_trouble_changes_nothing_for_its_neighbours(new: Callable[[str], New]) -> None:
    troubled = [case_of(TRIPLE_TESTS, reference_solution=code) for code in TROUBLE.values()]
    together = assert_equal(new, [*HONEST[:2], *troubled])
    # one that does not compile costs the others a second call; none is checked again alone, except those in trouble
    assert together.sandbox.names.count("shared check") == 2
    assert together.sandbox.names.count("check of the reference") <= 2 * len(TROUBLE)


@pytest.mark.slow
@pytest.mark.parametrize("name", FURTHER_TROUBLE)
def test_no_kind_of_trouble_reaches_a_neighbour(new: Callable[[str], New], name: str) -> None:
    troubled = case_of(TRIPLE_TESTS, reference_solution=FURTHER_TROUBLE[name], timeout_secs=1.0)
    assert_equal(new, [HONEST[0], troubled, HONEST[1]])


@pytest.mark.slow
def test_a_reference_that_hangs_the_compiler_leaves_each_case_to_itself(new: Callable[[str], New]) -> None:
    together = new("together")
    hanging = case_of(TRIPLE_TESTS, reference_solution=HANGS_THE_COMPILER)
    together.runner.prepare_together(rust, [HONEST[0], hanging, HONEST[1]])

    assert together.prepare(HONEST[:2]) == new("alone").prepare(HONEST[:2])
    assert together.sandbox.names == ["shared check", *["check of the reference"] * 2]


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


@pytest.mark.slow
def test_all_built_in_cases_are_prepared_together_as_alone(new: Callable[[str], New]) -> None:
    assert_equal(new, built_in())


@pytest.mark.slow
@needs_external(HUMANEVALPACK)
def test_humanevalpack_is_prepared_together_as_alone(new: Callable[[str], New]) -> None:
    together = assert_equal(new, humanevalpack())
    assert len(together.sandbox.names) < len(humanevalpack()) / 3


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
        kept = yield from kept_by_reference(case_build, case, reference)
        found[case.id] = kept or frozenset()
        return kept

    monkeypatch.setattr(control_sites, "_kept_by_reference", recorded)
    monkeypatch.setattr(control_sites, "with_certain_sites", lambda *_: None)
    tried = new("tried")
    tried.prepare(cases)

    assert tried.sandbox.names.count("test") == len(cases)
    for case, prepared in zip(cases, unasked, strict=True):
        assert isinstance(prepared, RustPrepared)
        sites = prepared.case_build.test_file.sites
        assert {(site.kind, site.position, value) for site in sites for value in site.asked} <= found[case.id]


MIXED_TESTS = """#[test] fn adds() {
    assert_eq!(sums(2), (3, 2)); assert_eq!(sums(3), (6, 6)); assert_eq!(sums(4), (2 + 8, 24));
}"""
SUMS = "fn sums(n: u32) -> (u32, u32) { ((1..=n).sum(), (1..=n).product()) }"


def test_a_test_with_enough_certain_controls_needs_no_run_of_the_reference(new: Callable[[str], New]) -> None:
    together = assert_equal(new, [case_of(MIXED_TESTS, reference_solution=SUMS), HONEST[0]])
    assert together.sandbox.names == ["shared check"]


def test_a_test_with_too_few_certain_controls_is_tried_on_the_reference(new: Callable[[str], New]) -> None:
    few = case_of(
        "#[test] fn adds() { assert_eq!(sums(2), (3, 2)); assert_eq!(sums(4), (2 + 8, 2 * 12)); }",
        reference_solution=SUMS,
    )
    alone = new("alone")
    alone.prepare([few])
    assert "test" in alone.sandbox.names


def test_references_with_the_same_crates_are_checked_by_one_call(new: Callable[[str], New]) -> None:
    waiting = [
        case_of(
            OTHER_TESTS,
            reference_solution=f"use tokio::time::Duration;\nfn half(x: u8) -> u8 {{ {body} }}",
            dependencies=(TOKIO,),
        )
        for body in ("x / 2", "Duration::from_secs(x.into()).as_secs() as u8 / 2")
    ]
    together = assert_equal(new, [*waiting, *HONEST])
    assert together.sandbox.names.count("shared check") == 2
    assert "check of the reference" not in together.sandbox.names
