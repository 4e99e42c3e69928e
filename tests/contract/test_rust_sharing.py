"""Samples that share a compiler call and a launch: each gets the verdict that it would get alone."""

from __future__ import annotations

import pytest

from company import BROKEN, HONEST, TROUBLE, WRONG, Table, comparable, numbered
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.toolchains.rust.compile import glue
from forgetest.toolchains.rust.run import launch, planning
from forgetest.toolchains.rust.run.launch import SampleTests
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.toolchains.rust.sharing import code_map, shared_judging
from forgetest.toolchains.rust.sharing.shared_judging import SharedSample
from forgetest.verdict import Verdict
from grading import RIGHT, TRIPLE, TRIPLE_TESTS, case_of

QUICK = case_of(TRIPLE_TESTS, timeout_secs=1.0)


@pytest.fixture(scope="module")
def table(step_runner: StepRunner) -> Table:
    return Table(step_runner)


def passed(verdict: Verdict | None) -> bool | None:
    """Return whether all tests passed; None if the sample was left to be judged alone."""
    return None if verdict is None else all(test.status == "passed" for test in verdict.tests)


def test_a_shared_verdict_is_the_verdict_that_the_sample_gets_alone(table: Table) -> None:
    verdicts, executions = table.together([(code, TRIPLE) for code in HONEST.values()])

    assert [execution.step for execution in executions] == ["shared build", "test"]
    for name, verdict in zip(HONEST, verdicts, strict=True):
        assert verdict is not None, name
        assert comparable(verdict) == comparable(table.alone(HONEST[name], TRIPLE)), name


def test_samples_that_do_not_compile_are_judged_alone_and_the_others_still_share(table: Table) -> None:
    honest = [numbered(RIGHT, number) for number in range(4)]
    verdicts, _ = table.together([(code, TRIPLE) for code in (*BROKEN.values(), *honest)])

    assert verdicts[: len(BROKEN)] == [None] * len(BROKEN)
    assert [passed(verdict) for verdict in verdicts[len(BROKEN) :]] == [True] * 4


HANGS_THE_COMPILER = (
    "const fn f(n: u64) -> u64 { let mut i = n; while i > 0 { i = i.wrapping_add(1) | 1; } i }"
    "\n#[allow(long_running_const_eval)] pub const N: u64 = f(1);\n" + WRONG
)


def neighbours(table: Table, trouble: str) -> tuple[list[bool | None], bool | None]:
    """Judge four honest samples together with one that makes trouble: which of them passed, and whether it did."""
    codes = [numbered(RIGHT, 1), numbered(WRONG, 1), trouble, numbered(RIGHT, 2), numbered(WRONG, 2)]
    verdicts, _ = table.together([(code, QUICK) for code in codes])
    return [passed(verdicts[index]) for index in (0, 1, 3, 4)], passed(verdicts[2])


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
def test_a_neighbour_that_makes_trouble_at_run_time_changes_nothing(table: Table, trouble: str) -> None:
    honest, troublemaker = neighbours(table, trouble)

    assert honest == [True, False, True, False]  # all four really shared
    assert troublemaker in (None, False)


LOOKS = """pub fn triple(x: i64) -> i64 {
    let seen = std::fs::read_dir("/tmp").unwrap().count() + std::fs::read_dir(["", "x"].join("/")).unwrap().count();
    std::fs::write("/tmp/mine", "3").unwrap();
    if seen == 0 { x * 3 } else { seen as i64 }
}
"""
"""Correct only if it is the first to use its folders."""
OUTWARD = {
    "files": LOOKS,
    "the time": "pub fn triple(x: i64) -> i64 { let _ = std::time::Instant::now(); x * 3 }\n",
    "the time of day": "pub fn triple(x: i64) -> i64 { let _ = std::time::SystemTime::now(); x * 3 }\n",
    "a pipe": "pub fn triple(x: i64) -> i64 { let _ = std::io::pipe(); x * 3 }\n",
    "processors": "pub fn triple(x: i64) -> i64 { let _ = std::thread::available_parallelism(); x * 3 }\n",
}


@pytest.mark.parametrize("code", OUTWARD.values(), ids=OUTWARD)
def test_a_sample_that_reaches_for_what_others_could_see_or_count_is_judged_alone(table: Table, code: str) -> None:
    verdicts, _ = table.together([(sample, QUICK) for sample in (RIGHT, code, WRONG)])

    assert [passed(verdict) for verdict in verdicts] == [True, None, False]
    assert passed(table.alone(code, QUICK))


INWARD = {
    "much memory, given back": """pub fn triple(x: i64) -> i64 {
    let blocks: Vec<Vec<u8>> = (0..40).map(|n| vec![n; 100_000]).collect();
    let grown = (0..100_000).fold(String::new(), |text, n| text + &n.to_string());
    assert!(blocks.len() == 40 && grown.len() > 400_000);
    drop((blocks, grown));
    x * 3
}
""",
    "a thread": "pub fn triple(x: i64) -> i64 { std::thread::spawn(move || x * 3).join().unwrap() }\n",
    "output": 'pub fn triple(x: i64) -> i64 { println!("{x}"); x * 3 }\n',
}


@pytest.mark.parametrize("code", INWARD.values(), ids=INWARD)
def test_a_sample_that_keeps_to_its_own_process_shares(table: Table, code: str) -> None:
    verdicts, _ = table.together([(sample, QUICK) for sample in (RIGHT, code, WRONG)])

    assert [passed(verdict) for verdict in verdicts] == [True, True, False]


@pytest.mark.slow
def test_a_neighbour_that_stops_the_compiler_sends_all_samples_to_be_judged_alone(table: Table) -> None:
    assert neighbours(table, HANGS_THE_COMPILER) == ([None] * 4, None)


PEEPING = {
    "up": "use super::*; pub fn triple(x: i64) -> i64 { x }",
    "from the crate": "use crate::*; pub fn triple(x: i64) -> i64 { x }",
    "up from a module": "mod m { pub use super::super::*; } pub fn triple(x: i64) -> i64 { x }",
    "a macro for everybody": "#[macro_export] macro_rules! assert_eq { ($($t:tt)*) => {} }\n" + WRONG,
    "the neighbours' files": 'const S: &str = include_str!("/w/sample.rs");\n' + WRONG,
}


@pytest.mark.parametrize("code", PEEPING.values(), ids=PEEPING)
def test_a_sample_that_refers_to_its_surroundings_is_judged_alone(table: Table, code: str) -> None:
    verdicts, executions = table.together(
        [(sample, TRIPLE) for sample in (code, numbered(RIGHT, 1), numbered(RIGHT, 2))]
    )

    assert [passed(verdict) for verdict in verdicts] == [None, True, True]
    assert [execution.step for execution in executions] == ["shared build", "test"]


def test_traits_and_names_of_one_sample_do_not_reach_the_others(table: Table) -> None:
    everything = (
        "pub trait Total { fn eq(&self, _: &i64) -> bool { true } }\nimpl Total for i64 {}\n"
        "pub struct Vec; pub struct String; pub enum Option { None }\nmacro_rules! panic { () => {} }\n"
        "impl PartialEq<Vec> for i64 { fn eq(&self, _: &Vec) -> bool { true } }\n"
        "pub fn assert_eq() {}\npub fn drop() { panic!() }\n"
    )
    codes = (everything + RIGHT, numbered(WRONG, 1), everything + WRONG, numbered(WRONG, 2))
    verdicts, executions = table.together([(code, TRIPLE) for code in codes])

    # the two that redefine everything have findings; the others share a call without them
    assert [passed(verdict) for verdict in verdicts] == [None, False, None, False]
    assert [execution.step for execution in executions] == ["shared build", "test"]


def test_of_two_equal_samples_only_one_shares(table: Table) -> None:
    verdicts, _ = table.together([(code, TRIPLE) for code in (RIGHT, WRONG, RIGHT)])

    assert [passed(verdict) for verdict in verdicts] == [True, False, None]


def test_a_single_eligible_sample_is_not_built_by_a_shared_call(table: Table) -> None:
    assert table.together([(RIGHT, TRIPLE)]) == ([None], [])
    assert table.together([(RIGHT, TRIPLE), ("unsafe fn f() {}", TRIPLE)]) == ([None, None], [])


def test_the_same_group_gives_the_same_object(table: Table) -> None:
    first, second = (table.together([(RIGHT, TRIPLE), (WRONG, TRIPLE)])[0] for _ in range(2))

    assert [verdict.provenance for verdict in first if verdict] == [verdict.provenance for verdict in second if verdict]
    assert first[0] is not None
    assert first[0].provenance.binary is not None


def test_samples_of_several_cases_share_and_face_their_own_tests(table: Table) -> None:
    double = case_of("#[test] fn of_two() { assert_eq!(crate::triple(2), 4); }", ["fn triple(x: i64) -> i64"])
    thrown = case_of('#[test] #[should_panic(expected = "no")] fn thrown() { triple(1); }')
    panics = 'pub fn triple(_: i64) -> i64 { panic!("no") }'
    asked = [(numbered(RIGHT, 1), TRIPLE), (numbered(RIGHT, 2), double), (WRONG, double), (panics, thrown)]
    verdicts, executions = table.together([*asked, (numbered(panics, 1), TRIPLE)])

    assert [execution.step for execution in executions] == ["shared build", "test"]
    assert [passed(verdict) for verdict in verdicts] == [True, False, True, True, False]


def test_samples_of_a_case_without_tests_share_too(table: Table) -> None:
    bare = case_of(None, ["fn triple(x: i64) -> i64"])
    verdicts, executions = table.together([(RIGHT, bare), (WRONG, bare)])

    assert [execution.step for execution in executions] == ["shared build"]
    assert [verdict is not None and verdict.compiled for verdict in verdicts] == [True, True]


LATE_FINDING = """#[derive(Debug)] pub struct Same(i64);
impl PartialEq for Same { fn eq(&self, _: &Same) -> bool { true } }
pub fn triple(x: i64) -> i64 { assert_eq!(Same(x), Same(0)); x * 3 }
"""
"""Its finding shows only when it has compiled."""


def test_a_sample_with_a_finding_is_out_of_the_object_before_anything_runs(table: Table) -> None:
    codes = (LATE_FINDING, numbered(RIGHT, 1), numbered(WRONG, 1))
    verdicts, executions = table.together([(code, TRIPLE) for code in codes])

    assert table.alone(LATE_FINDING, TRIPLE).integrity
    assert [execution.step for execution in executions] == ["shared build", "shared build", "test"]
    assert [passed(verdict) for verdict in verdicts] == [None, True, False]


def test_the_tests_of_a_sample_run_without_the_code_of_the_others(table: Table) -> None:
    mine, other = (a_shared_sample(table, numbered(RIGHT, number)) for number in (1, 2))
    object_ = table.run(shared_judging.shared_step([mine, other])).outputs["sample.so"]
    code = code_map.read(object_, [mine.secret, other.secret])

    def ends(entry: SharedSample, owner: SharedSample) -> list[str]:
        """How the tests end that are called through one sample's entry, where only the owner's code is left."""
        parts = [
            SampleTests(
                tests=TESTS,
                entry=glue.entry_symbol(called.secret),
                cpu_s=1.0,
                runs=RUNS if kept is owner else [],
                code=code.own[kept.secret],
            )
            for called, kept in ((entry, owner), (other, other if owner is mine else mine))
        ]
        step = launch.run_step(parts, code.object, run_mounts(mine.case_build))
        return [test.message for test in launch.read_reports(table.run(step), parts)[0].outcomes]

    TESTS = mine.case_build.tests
    RUNS = [run for run in planning.first_runs(mine.case_build, mine.code) if run.twin is None]
    assert ends(mine, mine) == ["", ""]
    assert all("signal" in message for message in ends(mine, other))


def test_of_a_test_that_failed_no_twin_is_run(table: Table) -> None:
    """Twins only count for tests that passed."""
    right, wrong = (a_shared_sample(table, numbered(code, 1)) for code in (RIGHT, WRONG))
    object_ = table.run(shared_judging.shared_step([right, wrong])).outputs["sample.so"]
    code = code_map.read(object_, [right.secret, wrong.secret])
    parts = [
        SampleTests(
            tests=sample.case_build.tests,
            entry=glue.entry_symbol(sample.secret),
            cpu_s=1.0,
            runs=sorted(planning.first_runs(sample.case_build, sample.code), key=lambda run: run.twin is not None),
            code=code.own[sample.secret],
        )
        for sample in (right, wrong)
    ]
    results = launch.read_runs(table.run(launch.run_step(parts, code.object, run_mounts(right.case_build))), parts)

    endings = [
        [(run.twin is None, result and result.ending) for run, result in zip(part.runs, made, strict=True)]
        for part, made in zip(parts, results, strict=True)
    ]
    assert {(True, "returned"), (False, "assertion_failed")} == set(endings[0])
    assert {(True, "assertion_failed"), (False, None)} == set(endings[1])


def a_shared_sample(table: Table, code: str) -> SharedSample:
    case_build = table.case_build(TRIPLE)
    return SharedSample(case_build=case_build, case=TRIPLE, code=code, secret=case_build.secret_name(code))
