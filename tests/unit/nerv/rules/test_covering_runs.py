"""The run that decides is the last one that covers the change, after its last edit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv.evidence import TestSuiteRun
from nerv.location import Location, Moment
from nerv.readers import RunSource, read
from nerv.rules import test_evidence
from nerv.rules.covering_runs import covers
from nerv.rules.run_facts import RunFacts

HEADER = {"format": "nerv-log", "format_version": 1}
ASK = {"type": "prompt", "text": "Add a login page."}
EDIT = {"type": "edit", "path": "app/login.py"}
PATCH = "diff --git a/app/login.py b/app/login.py\n--- a/app/login.py\n+++ b/app/login.py\n@@ -0,0 +1 @@\n+page = 1\n"
END = {"type": "end", "patch": PATCH}


def found_tests(folder: Path, *lines: object) -> test_evidence.TestEvidence:
    file = folder / "log.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (HEADER, ASK, *lines, END)))
    return RunFacts.derive(read(RunSource(path=file))).tests


def ran(command: str, output: str, exit_code: int = 0) -> dict[str, object]:
    return {"type": "command", "command": command, "output": output, "exit_code": exit_code}


def run(*targets: str) -> TestSuiteRun:
    moment = Moment(location=Location(file="log", line=1))
    return TestSuiteRun(moment=moment, command="pytest", passed=1, failed=0, succeeded=True, targets=targets)


@pytest.mark.parametrize(
    ("target", "changed"),
    [
        ("tests/test_login.py", "app/login.py"),
        ("tests/test_login.py::test_a[1]", "app/login.py"),
        ("src/login.test.ts", "src/login.ts"),
        ("app/tests/test_views.py", "app/login.py"),
        ("tests/", "app/login.py"),
        ("app.tests.test_login", "app/login.py"),
        ("./internal/...", "internal/auth/login.go"),
        ("/repo/tests/test_new.py", "tests/test_new.py"),
        ("tests/unit/app/test_x.py", "tests/unit/app/test_x.py"),
        ("login.tests", "login/models.py"),
    ],
)
def test_tests_of_the_changed_files_cover_them(target: str, changed: str) -> None:
    assert covers(run(target), {changed})


@pytest.mark.parametrize(
    ("target", "changed"),
    [
        ("tests/test_colours.py", "app/login.py"),
        ("other/tests/test_views.py", "app/login.py"),
        ("tests.test_colours", "app/login.py"),
        ("./internal/colours", "internal/auth/login.go"),
    ],
)
def test_tests_of_other_files_do_not(target: str, changed: str) -> None:
    assert not covers(run(target), {changed})


def test_the_whole_suite_covers_everything() -> None:
    assert covers(run(), {"app/login.py"})
    assert covers(run("tests/test_colours.py"), set())  # nothing is known of the change


def test_an_unrelated_file_of_tests_does_not_decide(tmp_path: Path) -> None:
    found = found_tests(
        tmp_path,
        EDIT,
        ran("pytest", "1 failed, 3 passed in 0.1s", 1),
        ran("pytest tests/test_colours.py", "9 passed in 0.1s"),
    )

    assert found.last is not None
    assert (found.last.failed, found.passed) == (1, False)


def test_without_a_run_that_covers_the_change_nothing_is_recorded_of_it(tmp_path: Path) -> None:
    found = found_tests(tmp_path, EDIT, ran("pytest tests/test_colours.py", "9 passed in 0.1s"))

    assert (found.last, found.pass_rate) == (None, None)
    assert found.unrelated is not None


def test_a_run_before_the_last_edit_of_the_code_does_not_prove_the_end(tmp_path: Path) -> None:
    passing = ran("pytest", "3 passed in 0.1s")
    before = found_tests(tmp_path, EDIT, passing, EDIT)
    after = found_tests(tmp_path, EDIT, EDIT, passing)

    assert (before.outdated, before.passed, before.pass_rate) == (True, False, 0.5)
    assert (after.outdated, after.passed, after.pass_rate) == (False, True, 1.0)


@pytest.mark.parametrize("path", ["README.md", "tests/test_login.py", "/tmp/scratch.py"])
def test_edits_of_documents_tests_and_other_folders_leave_a_run_valid(tmp_path: Path, path: str) -> None:
    found = found_tests(tmp_path, EDIT, ran("pytest", "3 passed in 0.1s"), {"type": "edit", "path": path})

    assert found.passed
