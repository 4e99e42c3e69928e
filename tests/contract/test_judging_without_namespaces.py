"""Judging Rust without namespaces: paths are translated, and the launcher is not process 1."""

from __future__ import annotations

import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forgetest import config
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import UserError
from forgetest.sandboxes.factory import open_sandbox
from grading import RIGHT, TRIPLE, Graded, JudgeGrader, judge_with

MAKES_REFUSED_CALLS = """
use std::ffi::c_long;
extern "C" { fn syscall(number: c_long, ...) -> c_long; }

/// sync syncfs statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules open_tree_attr io_setup
/// io_pgetevents splice tee vmsplice, numbers that no call has, numbers that no call has yet
const REFUSED: &[c_long] = &[162, 306, 457, 458, 459, 460, 461, 467, 206, 333, 275, 276, 278, 340, 423, 470, 1000];
const CLOCK_GETTIME: c_long = 228;

fn is_refused(number: c_long, first: c_long) -> bool {
    let mut room = [0u8; 64];
    let failed = unsafe { syscall(number, first, room.as_mut_ptr(), -1, -1, -1, -1) } < 0;
    failed && matches!(std::io::Error::last_os_error().raw_os_error(), Some(1 | 38))
}

pub fn triple(x: i64) -> i64 {
    assert!(!is_refused(CLOCK_GETTIME, 2), "a process may read its own clock");
    let clock_of_process_1 = !1 << 3 | 2;
    assert!(is_refused(CLOCK_GETTIME, clock_of_process_1), "the clock of another process");
    for &number in REFUSED {
        assert!(is_refused(number, -1), "{number}");
    }
    x * 3
}
"""

WRONG = RIGHT.replace("* 3", "* 2")
SAMPLES = Path(__file__).parents[1] / "hostile" / "cases" / "triple" / "samples"


@pytest.fixture
def grade_in() -> Iterator[Callable[[str, str], Graded]]:
    environment = config.host_environment()
    if shutil.which("rustc", path=environment["PATH"]) is None:
        pytest.skip("rustc is not installed: run scripts/setup")
    made = {}

    def grade(kind: str, code: str) -> Graded:
        if kind not in made:
            try:
                made[kind] = open_sandbox(kind)
            except UserError as error:
                pytest.skip(str(error))
        step_runner = StepRunner(made[kind], config.cache_folder(), environment)
        return JudgeGrader(judge_with(step_runner, kind))(code, TRIPLE)

    yield grade
    for sandbox in made.values():
        sandbox.close()


@pytest.mark.parametrize("kind", ["landlock", "none"])
def test_right_is_right_and_wrong_is_wrong(kind, grade_in):
    assert grade_in(kind, RIGHT).correct
    assert grade_in(kind, WRONG).failed == ["tests::of_two", "tests::of_minus_one"]
    assert grade_in(kind, "fn triple(x: i64) -> i64 { y }").verdict.errors[0].code == "E0425"
    assert grade_in(kind, "fn triple(_: i64) -> i64 { std::process::exit(0) }").findings == {"early_exit"}


@pytest.mark.parametrize(
    "name",
    ["network-unix", "read-other-samples", "write-outside", "leave-a-daemon", "new-namespaces", "signal-everybody"],
)
def test_landlock_holds_back_what_samples_try(name, grade_in, tmp_path):
    """`signal-everybody` above all: a sample that could kill the launcher would be unjudged rather than wrong."""
    code = (SAMPLES / f"{name}.rs").read_text()
    for mark, place in {"@UNIX@": tmp_path / "socket", "@HOME@": Path.home(), "@TMP@": tmp_path}.items():
        code = code.replace(mark, str(place))
    assert not grade_in("landlock", code).correct


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86_64")
def test_the_launchers_own_filter_refuses_calls_where_no_other_does(grade_in):
    graded = grade_in("none", MAKES_REFUSED_CALLS)
    assert graded.failed == [], [test.message for test in graded.verdict.tests]


def test_nothing_in_the_hosts_tmp_is_cleared(grade_in):
    """The launcher clears `/tmp` between tests; without namespaces that must not be the host's."""
    with tempfile.TemporaryDirectory(prefix="everybodys-") as folder:
        Path(folder).chmod(0o777)
        bystander = Path(folder, "bystander")
        bystander.write_text("as it was")
        bystander.chmod(0o666)
        assert grade_in("none", RIGHT + "// another\n").correct
        assert bystander.read_text() == "as it was"
        assert Path(folder).stat().st_mode & 0o777 == 0o777
