"""Test runners' summaries."""

from __future__ import annotations

import time

import pytest

from nerv.readers.claude_code.test_commands import is_test_run
from nerv.readers.claude_code.test_output import could_not_run, count_tests


@pytest.mark.parametrize(
    ("output", "passed", "failed"),
    [
        ("collected 15 items\n\n======= 3 failed, 12 passed, 1 warning in 4.27s =======", 12, 3),
        ("====== 5 passed in 0.12s ======", 5, 0),
        ("===== 2 passed, 1 error in 0.5s =====", 2, 1),
        ("===== 70 deselected in 0.34s =====", 0, 0),
        ("12 passed in 3.4s", 12, 0),
        ("Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 5 passed, 7 total", 5, 2),
        (" Test Files  1 passed (1)\n      Tests  8 passed (8)\n", 8, 0),
        (" Test Files  1 failed (1)\n      Tests  1 failed | 7 passed (8)\n", 7, 1),
        (
            "test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored",
            4,
            2,
        ),
        ("Summary [   0.1s] 5 tests run: 4 passed, 1 failed, 0 skipped", 4, 1),
        ("  12 passing (40ms)\n  2 failing\n", 12, 2),
        ("Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)", 3, 2),
        ("Ran 5 tests in 0.1s\n\nOK", 5, 0),
        ("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\nTests run: 7, Failures: 1, Errors: 1, Skipped: 2", 3, 2),
        ("# tests 3\n# pass 2\n# fail 1\n", 2, 1),
        ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL", 1, 1),
        ("FAIL\texample.com/a\t0.002s\nok  \texample.com/b\t0.1s", None, 1),
        ("\x1b[32m5 passed\x1b[0m in 0.1s", 5, 0),
        ("Done in 3s.", None, None),
        ("5 examples, 1 failure\n", 4, 1),
        ("3 specs, 0 failures", 3, 0),
        ("8 runs, 9 assertions, 1 failures, 2 errors, 0 skips", 5, 3),
        ("OK (5 tests, 10 assertions)", 5, 0),
        ("FAILURES!\nTests: 5, Assertions: 10, Failures: 1.", 4, 1),
        ("\t Executed 5 tests, with 1 failure (0 unexpected) in 0.1 seconds", 4, 1),
        ("80% tests passed, 1 tests failed out of 5", 4, 1),
        ("Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5", 5, 0),
        ("FAILED | 5 passed (2 steps) | 1 failed (12ms)", 5, 1),
        (" 5 pass\n 0 fail\n Ran 5 tests across 1 files.", 5, 0),
        ("  1 failed\n    [chromium] > a.spec.ts:3\n  4 passed (5.1s)", 4, 1),
        ("[==========] 5 tests ran.\n[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:", 4, 1),
    ],
)
def test_a_summary_is_read(output, passed, failed):
    found = count_tests(output)
    assert (found.passed, found.failed) == (passed, failed)


@pytest.mark.parametrize("piece", ["\n", "1 failed\n", "Summary [ ", "1 passed, ", "=", "Tests: 1 passed, "])
def test_reading_a_long_output_takes_little_time(piece):
    begin = time.process_time()
    count_tests(piece * (200_000 // len(piece)))
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    "command",
    [
        *("pytest", "uv run pytest -x", "cd app && npm test", "npm run test:unit -- --run", "cargo test --workspace"),
        *(
            "yarn test",
            "yarn run test",
            "CI=1 npx jest",
            "timeout 60 bin/pytest -q",
            "go test ./...",
            "python -m unittest",
            "npx vitest run",
            "./gradlew test",
            "mvn -q test",
            "node --test",
            "make check",
            "make -C build/ test",
            "python tests/runtests.py",
            "./run_tests.sh",
            "bash scripts/test-all.sh -v",
            "bash -lc 'cd app && pytest -q'",
            "cat <<EOF > conftest.py\nx = 1\nEOF\npytest",
        ),
    ],
)
def test_runners_are_known(command):
    assert is_test_run(command)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'tests'",
        "pytest --collect-only",
        "cat test.py",
        "npm install jest",
        "pip install pytest-xdist",
        "ls tests",
        "test -f x",
        "cat > run.md <<'EOF'\npytest -q\nEOF",
        "echo 'run it with; pytest -q'",
        'git commit -m "Fix; pytest passes"',
        "RUNNER=/usr/bin/pytest",
        "cat run_tests.sh",
        "./latest.sh",
    ],
)
def test_other_commands_are_no_test_runs(command):
    assert not is_test_run(command)


def test_a_missing_runner_is_not_a_failing_test():
    assert could_not_run("bash: pytest: command not found")
    assert could_not_run("/usr/bin/python: No module named pytest")
    assert not could_not_run("E  assert 1 == 2")
