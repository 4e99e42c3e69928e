"""The suite of a base is kept on disk, by its content."""

from __future__ import annotations

from pathlib import Path

from nerv.verification.ecosystems import SuiteReport
from nerv.verification.stored_suites import StoredSuites
from nerv.verification.suite_memory import KnownSuite

PASSED = KnownSuite(
    report=SuiteReport(outcomes={"test_a": "passed", "test_b": "failed"}, unloadable=frozenset({"test_b"})),
    shown="pytest",
    seconds=1.5,
)


def test_a_suite_is_there_for_the_next_run(tmp_path: Path) -> None:
    StoredSuites(tmp_path / "suites", 300.0)["key"] = PASSED
    found = StoredSuites(tmp_path / "suites", 300.0)
    assert found["key"] == PASSED
    assert (len(found), found.get("another")) == (1, None)


def test_other_limits_make_it_another_suite(tmp_path: Path) -> None:
    StoredSuites(tmp_path, 300.0)["key"] = PASSED
    assert "key" not in StoredSuites(tmp_path, 10.0)


def test_a_suite_in_which_nothing_passed_is_run_again(tmp_path: Path) -> None:
    found = StoredSuites(tmp_path, 300.0)
    found["none"] = KnownSuite(report=SuiteReport(outcomes={"test_a": "failed"}), shown="pytest", seconds=1.0)
    found["broken"] = KnownSuite(report=SuiteReport(problem="it does not build"), shown="pytest", seconds=1.0)
    assert len(found) == 0


def test_a_suite_that_takes_too_long_is_not_tried_again(tmp_path: Path) -> None:
    late = KnownSuite(report=SuiteReport(problem="too late", timed_out=True), shown="pytest", seconds=400.0)
    StoredSuites(tmp_path, 300.0)["late"] = late
    assert StoredSuites(tmp_path, 300.0)["late"] == late
    assert "late" not in StoredSuites(tmp_path, 3600.0)


def test_a_damaged_file_is_no_suite(tmp_path: Path) -> None:
    found = StoredSuites(tmp_path, 300.0)
    found["key"] = PASSED
    next(tmp_path.glob("*.json")).write_bytes(b"{")
    assert "key" not in found
