"""Comparison of the base's and the result's tests on both trees."""

from __future__ import annotations

from dataclasses import replace

from nerv.verification.comparison import (
    ProjectRuns,
    broken_tests,
    builds,
    failing_tests,
    is_forged,
    removed_tests,
    rewritten_tests,
    shown_and_idle_tests,
    unbuilt_tests,
)
from nerv.verification.ecosystems import SuiteReport


def suite(file="test_a.py", **outcomes):
    return SuiteReport(outcomes=outcomes, files=dict.fromkeys(outcomes, file))


def test_a_test_that_fails_is_skipped_or_is_gone_on_the_result_is_broken():
    runs = ProjectRuns(
        baseline=suite(kept="passed", fails="passed", skipped="passed", gone="passed", never="failed"),
        guarded=suite(kept="passed", fails="failed", skipped="skipped", never="failed"),
    )
    assert broken_tests(runs) == ("fails", "gone", "skipped")


def test_nothing_is_broken_where_the_machine_could_not_run_the_result():
    runs = ProjectRuns(baseline=suite(a="passed"), guarded=SuiteReport(problem="no network", unavailable=True))
    assert broken_tests(runs) == ()


def test_everything_is_broken_where_the_result_ends_without_a_report():
    runs = ProjectRuns(baseline=suite(a="passed"), guarded=SuiteReport(problem="no report"))
    assert broken_tests(runs) == ("a",)


def test_a_broken_test_that_the_run_rewrote_so_as_to_pass_is_told_apart():
    runs = ProjectRuns(
        baseline=suite(a="passed", b="passed"), guarded=suite(a="failed", b="failed"), own=suite(a="passed", b="failed")
    )
    assert rewritten_tests(runs, broken_tests(runs)) == ("a",)


def test_a_deleted_or_skipped_test_that_would_pass_is_removed_and_not_broken():
    runs = ProjectRuns(
        baseline=suite(a="passed", b="passed", c="passed"),
        guarded=suite(a="passed", b="passed", c="passed"),
        own=suite(a="passed", b="skipped"),
    )
    assert broken_tests(runs) == ()
    assert removed_tests(runs, ()) == ("b", "c")


def test_no_test_is_removed_by_tests_that_never_ended():
    kept, endless = suite(a="passed"), SuiteReport(problem="the tests did not end", timed_out=True)
    assert removed_tests(ProjectRuns(baseline=kept, guarded=kept, own=endless), ()) == ()
    assert removed_tests(ProjectRuns(baseline=kept, guarded=kept, own=SuiteReport()), ()) == ("a",)


def test_new_tests_are_evidence_only_if_they_fail_without_the_change():
    runs = ProjectRuns(
        baseline=suite(old="passed"),
        own=suite(old="passed", evidence="passed", idle="passed", unloadable="passed", wrong="failed"),
        transplanted=suite(old="passed", evidence="failed", idle="passed", wrong="failed"),
    )
    assert shown_and_idle_tests(runs) == (("evidence", "unloadable"), ("idle",))
    assert failing_tests(runs) == ("wrong",)


def test_a_changed_file_makes_its_old_tests_count_as_changed():
    runs = ProjectRuns(
        baseline=suite(old="passed"),
        own=suite(old="passed"),
        transplanted=suite(old="failed"),
        changed_files={"test_a.py"},
    )
    assert shown_and_idle_tests(runs) == (("old",), ())


def test_an_old_test_of_a_file_that_the_base_cannot_load_shows_nothing():
    runs = ProjectRuns(
        baseline=suite(old="passed"), own=suite(old="passed"), transplanted=suite(), changed_files={"test_a.py"}
    )
    assert shown_and_idle_tests(runs) == ((), ())


def test_new_tests_show_nothing_where_the_base_could_not_be_run():
    runs = ProjectRuns(
        baseline=suite(), own=suite(new="passed"), transplanted=SuiteReport(problem="no network", unavailable=True)
    )
    assert shown_and_idle_tests(runs) == ((), ())


def test_a_test_that_failed_on_the_base_already_is_not_held_against_the_run():
    runs = ProjectRuns(baseline=suite(old="failed"), own=suite(old="failed"), changed_files={"test_a.py"})
    assert failing_tests(runs) == ()


UNBUILT = SuiteReport(problem="error", broken_build=True)


def test_a_result_that_does_not_build_counts_only_if_the_base_did():
    assert builds(ProjectRuns(baseline=suite(a="passed"), guarded=UNBUILT, own=UNBUILT)) is False
    assert builds(ProjectRuns(own=UNBUILT)) is False
    assert builds(ProjectRuns(baseline=UNBUILT, guarded=UNBUILT, own=UNBUILT)) is None
    assert builds(ProjectRuns(baseline=suite(a="passed"), guarded=suite(a="failed"), own=UNBUILT)) is True
    assert builds(ProjectRuns(own=SuiteReport(problem="no network", unavailable=True))) is None


FORGED = SuiteReport(problem="the control passed", is_forged=True)


def test_a_report_is_forged_by_the_run_only_if_the_base_s_was_not():
    assert is_forged(ProjectRuns(baseline=suite(), guarded=suite(), own=FORGED))
    assert is_forged(ProjectRuns(own=FORGED))
    assert not is_forged(ProjectRuns(baseline=FORGED, guarded=FORGED, own=FORGED))
    assert not is_forged(ProjectRuns(baseline=suite(), guarded=SuiteReport(problem="no report")))


def test_broken_tests_are_unbuilt_if_the_base_s_do_not_build_and_the_result_s_do() -> None:
    partly = SuiteReport(outcomes={"a": "failed"}, problem="no such method", broken_build=True)
    runs = ProjectRuns(baseline=suite(a="passed", b="passed"), guarded=partly, own=suite(a="passed", b="passed"))
    assert unbuilt_tests(runs, broken_tests(runs)) == ("b",)
    assert unbuilt_tests(replace(runs, own=suite(a="passed", b="failed")), ("a", "b")) == ()
    assert unbuilt_tests(replace(runs, own=UNBUILT), ("a", "b")) == ()
    assert unbuilt_tests(replace(runs, guarded=suite(a="failed")), ("a", "b")) == ()


def test_tests_of_a_file_that_no_longer_loads_are_unbuilt() -> None:
    old = suite(**{"test_a.py::one": "passed", "test_b.py::two": "passed"})
    guarded = SuiteReport(
        outcomes={"test_a.py": "failed", "test_b.py::two": "failed"}, unloadable=frozenset({"test_a.py"})
    )
    runs = ProjectRuns(baseline=old, guarded=guarded, own=old)
    assert unbuilt_tests(runs, broken_tests(runs)) == ("test_a.py::one",)


def test_a_suite_that_could_not_be_run_has_no_failing_tests() -> None:
    missing = SuiteReport(outcomes={"test_a.py": "failed"}, problem="the tests need the module jaraco")
    assert failing_tests(ProjectRuns(baseline=suite(old="passed"), own=missing)) == ()
    assert failing_tests(ProjectRuns(baseline=suite(old="passed"), own=replace(missing, broken_build=True))) != ()


def test_a_part_of_a_test_that_passes_as_a_whole_may_have_another_name() -> None:
    old = suite(
        **{"TestTime": "passed", "TestTime/0;format=2": "passed", "TestDay": "passed", "TestDay/monday": "passed"}
    )
    now = suite(**{"TestTime": "passed", "TestTime/0;format=7": "passed", "TestDay": "failed"})
    runs = ProjectRuns(baseline=old, guarded=now, own=now)
    assert broken_tests(runs) == ("TestDay", "TestDay/monday")
    assert removed_tests(runs, broken_tests(runs)) == ()
    deleted = suite(TestTime="passed", TestDay="passed")
    assert removed_tests(ProjectRuns(baseline=old, guarded=old, own=deleted), ()) == (
        "TestDay/monday",
        "TestTime/0;format=2",
    )


def test_a_broken_test_that_has_parameters_now_is_rewritten_and_not_gone():
    own = SuiteReport(outcomes={"a[1]": "passed", "a[2]": "passed", "b[1]": "failed"})
    runs = ProjectRuns(baseline=suite(a="passed", b="passed"), guarded=suite(a="failed", b="failed"), own=own)
    assert rewritten_tests(runs, broken_tests(runs)) == ("a",)
    kept = ProjectRuns(baseline=suite(a="passed"), guarded=suite(a="passed"), own=own)
    assert removed_tests(kept, ()) == ()


def test_an_old_test_that_could_not_be_loaded_on_the_base_is_none_that_the_run_wrote():
    own = SuiteReport(
        outcomes={"old.py::a": "failed", "new.py::b": "failed"}, files={"old.py::a": "old.py", "new.py::b": "new.py"}
    )
    unloadable = SuiteReport(
        outcomes={"old.py": "failed"}, files={"old.py": "old.py"}, unloadable=frozenset({"old.py"})
    )
    runs = ProjectRuns(baseline=unloadable, own=own, changed_files={"new.py"})
    assert failing_tests(runs) == ("new.py::b",)
    unbuilt = SuiteReport(problem="it does not build", broken_build=True)
    assert failing_tests(ProjectRuns(baseline=unbuilt, own=own, changed_files={"new.py"})) == ("new.py::b",)


def test_whether_a_result_builds_is_not_known_where_the_machine_could_not_load_its_tests():
    lacking = SuiteReport(outcomes={"test_a.py": "failed"}, problem="no compiler", unavailable=True)
    assert builds(ProjectRuns(baseline=lacking, guarded=lacking, own=lacking)) is None
