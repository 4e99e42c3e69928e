"""Test runs: their result, the files that they are limited to, and those that a hook made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv.location import Location, Moment
from nerv.readers import RunSource, read
from nerv.readers.claude_code.test_commands import is_test_run, targets_of
from nerv.readers.claude_code.test_runs import hook_run, suite_run

MOMENT = Moment(location=Location(file="s.jsonl", line=1))


def result(command: str, output: str, failed: bool | None = False, edited: tuple[str, ...] = ()) -> object:
    run = suite_run(command, output, failed=failed, moment=MOMENT, edited=edited)
    return None if run is None else (run.passed, run.failed, run.succeeded, run.ran)


@pytest.mark.parametrize(
    "command",
    [
        "python3 -W error -m pytest",
        "coverage run -m pytest tests",
        "python -m coverage run --branch -m unittest",
        "bundle exec rake test",
        "bin/rails test",
        "bazel test //...",
        "mix test",
        "make V=1 unit-tests",
        "make test_all",
        "make unittest",
        "cmake --build build --target test",
        "tsx --test src/cart.test.ts",
        "npx tap test/*.js",
        "django-admin test shop",
        "./runtests.sh",
        "python tests/runtests.py queries",
        "xvfb-run pytest",
        "timeout -k 5 60 pytest",
        "dune runtest",
        "(cd app && pytest)",
        "if pytest -q; then echo ok; fi",
        "for i in 1 2; do pytest; done",
        "! pytest",
        "'.venv/bin/pytest' -q",
        '"$VENV/bin/python" -m pytest',
        "$PYTHON -m pytest",
        "result=`pytest -q`",
        "env -u HOME FOO=1 pytest",
        "sudo -u app nohup pytest &",
        "uv run --with hypothesis pytest",
        "uvx pytest",
        "hatch run test",
        "docker compose exec -T web pytest -q",
        "docker run --rm -v .:/app -w /app image pytest",
        "kubectl exec pod -- pytest",
        "npm --prefix app test",
        "npm run -s test:unit",
        "npm -w pkg run unit-test",
        "yarn workspace web test",
        "pnpm --filter web test",
        "pnpm vitest run",
        "cross-env CI=1 jest",
        "./gradlew :app:test",
        "gradle testDebugUnitTest",
        "make -C build test",
        "cargo -q test",
        "cargo llvm-cov nextest",
        "go -C api test ./...",
        "gotestsum ./...",
        "php artisan test",
        "python setup.py test",
        "./bin/test",
        "node --import tsx --test x.ts",
    ],
)
def test_more_runners_are_known(command: str) -> None:
    assert is_test_run(command)


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("pytest", ()),
        ("pytest -q --tb short", ()),
        ("pytest tests/test_a.py::test_b -k 'x.y'", ("tests/test_a.py::test_b",)),
        ("cd app && pytest -p no:cacheprovider tests/unit", ("tests/unit",)),
        ("go test ./...", ()),
        ("go test -run TestX ./pkg/a", ("./pkg/a",)),
        ("python -m unittest tests.test_a", ("tests.test_a",)),
        ("npm test -- src/a.test.ts", ("src/a.test.ts",)),
        ("pytest tests/test_a.py; pytest", ()),
        ("pytest > out.txt 2>&1", ()),
    ],
)
def test_the_files_that_a_run_is_limited_to(command: str, targets: tuple[str, ...]) -> None:
    assert targets_of(command) == targets


@pytest.mark.parametrize(
    "command",
    [
        "npm run testimonials",
        "make -n test",
        "make testdata",
        "mvn -DskipTests verify",
        "gradle build -x test",
        "gradle testClasses",
        "cargo nextest list",
        "go test -c ./pkg",
        "docker run --rm image ls tests",
        "uv run python -c 'import pytest'",
        "xargs grep pytest",
        "npx tsc --noEmit",
        "git stash; pytest; git stash pop",
        "tox --notest",
    ],
)
def test_commands_that_only_mention_tests_run_none(command: str) -> None:
    assert not is_test_run(command)


@pytest.mark.parametrize(
    "command",
    [
        *("make test || true", "make test; echo done", "make test\ngit status", "! make test", "make test | cat"),
        *("! (make test)", "make -i test", "mvn -fn test"),
    ],
)
def test_an_exit_code_that_is_not_that_of_the_tests_shows_nothing(command: str) -> None:
    assert result(command, "compiling", failed=False) is None
    assert result(f"cd app; {command}", "2 passed in 0.1s", failed=False) == (2, 0, True, True)


@pytest.mark.parametrize("command", ["cd app; make test", "make test && git commit -m x", "(make test)"])
def test_an_exit_code_after_which_nothing_else_ran_is_that_of_the_tests(command: str) -> None:
    assert result(command, "compiling", failed=False) == (None, None, True, True)


def test_a_result_that_nothing_shows_is_no_run() -> None:
    assert result("make test", "compiling", failed=None) is None
    assert result("make test | tail -1", "done") is None
    assert result("make test", "compiling", failed=False) == (None, None, True, True)


UNITTEST = "...\n----\nRan 3 tests in 0.001s\n\nOK\n"


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("python tests/test_cart.py", UNITTEST, (3, 0, True, True)),
        ("python3 -W error test_cart.py -v", UNITTEST, (3, 0, True, True)),
        ("cd app && python -m tests.test_cart", UNITTEST, (3, 0, True, True)),
        ("python test_cart.py", "Ran 3 tests in 0.001s\n\nFAILED (failures=1)\n", (2, 1, False, True)),
        ("node test/cart.test.mjs", "# tests 2\n# pass 2\n# fail 0\n", (2, 0, True, True)),
        ("python test_cart.py", "", None),
        ("python test_cart.py", "all good", None),
        ("python cart.py", UNITTEST, None),
        ("cat test_cart.py", UNITTEST, None),
    ],
)
def test_a_test_file_that_is_started_as_a_program_is_a_run_if_a_runner_sums_it_up(
    command: str, output: str, expected: object
) -> None:
    assert result(command, output) == expected


def test_a_failure_shows_in_the_output_where_the_exit_code_does_not() -> None:
    assert result("make test", "x.c:1: FAILED", failed=None) == (None, None, False, True)
    assert result("cargo test | tail -5", "error[E0425]: cannot find value") == (None, None, False, True)


def test_a_run_without_any_test_is_neither_a_pass_nor_a_failure() -> None:
    assert result("pytest -k nothing", "===== 70 deselected in 0.34s =====", failed=True) == (0, 0, False, False)


@pytest.mark.parametrize(
    ("command", "output", "failed"),
    [
        ("pytest -q -k nothing", "\n4 deselected, no tests ran in 0.01s\n", True),
        ("pytest tests/gone.py", "ERROR: file or directory not found: tests/gone.py\n\nno tests ran in 0.00s\n", True),
        ("make test", "make: *** No rule to make target 'test'.  Stop.\n", True),
        ("cargo test", "error: could not find `Cargo.toml` in `/app` or any parent directory\n", True),
        ("go test ./...", "go: go.mod file not found in current directory or any parent directory\n", True),
        ("go test ./... -run Gone", "ok  \tshop\t0.002s [no tests to run]\n?   \tshop/cmd\t[no test files]\n", False),
        ("npx jest gone", "No tests found, exiting with code 1\n", True),
        ("npx vitest run gone", "No test files found, exiting with code 1\n", True),
    ],
)
def test_a_runner_that_found_nothing_to_run_neither_passed_nor_failed(command: str, output: str, failed: bool) -> None:
    assert result(command, output, failed) == (None, None, False, False)


def test_a_package_without_a_matching_test_does_not_hide_the_others() -> None:
    output = "ok  \tshop\t0.002s\nok  \tshop/cart\t0.001s [no tests to run]\n"
    assert result("go test ./... -run TestPrice", output) == (None, None, True, True)


def test_a_missing_module_of_others_could_not_be_run_and_one_of_the_agents_own_failed() -> None:
    output = "ERROR collecting tests/test_a.py\nE   ModuleNotFoundError: No module named 'numpy'\n1 error in 0.1s"

    assert result("pytest", output, failed=True) == (0, 1, False, False)
    assert result("pytest", output.replace("numpy", "app.login"), True, ("/r/app/login.py",)) == (0, 1, False, True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("\x1b[1mPostToolUse:Edit\x1b[22m [uv run pytest -q] completed successfully: 3 passed in 0.1s", (3, 0, True)),
        (
            "PostToolUse:Edit [make test] failed with non-blocking status code 2: 1 failed, 2 passed in 1s",
            (2, 1, False),
        ),
        ("Stop [./run_tests.sh] completed successfully", (None, None, True)),
    ],
)
def test_the_tests_of_a_hook_are_test_runs(content: str, expected: tuple[int | None, int | None, bool]) -> None:
    run = hook_run(content, MOMENT, None)

    assert run is not None
    assert (run.passed, run.failed, run.succeeded) == expected


def test_other_hooks_are_none() -> None:
    assert hook_run("PostToolUse:Edit [uv run ruff format] completed successfully: 1 file", MOMENT, None) is None
    assert hook_run("Running PostToolUse:Edit...", MOMENT, None) is None


def test_a_session_with_a_hook_that_runs_tests_has_a_test_run(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    lines = [
        {"type": "user", "sessionId": "s", "message": {"content": "Fix it."}},
        {
            "type": "system",
            "sessionId": "s",
            "content": "PostToolUse:Edit [pytest] completed successfully: 2 passed in 1s",
        },
    ]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    (run,) = read(RunSource(path=file)).activity.test_runs
    assert (run.passed, run.succeeded, run.moment.location.line) == (2, True, 2)


@pytest.mark.parametrize(
    ("command", "output", "succeeded"),
    [
        ("git add -A && git commit -qm 'Add it'", "ok  \texample.com/shop\t0.01s", True),
        ("git commit -m 'Add it'", "8 passed in 0.1s\n[main 1234567] Add it\n 1 file changed", True),
        ("git commit -m 'Add it'", "1 failed, 7 passed in 0.1s", False),
        ("git push", "8 passed in 0.1s", True),
        ("git commit -m 'Add it'", "[main 1234567] 8 passed in 0.1s", None),
        ("git commit -m 'Add it'", "[main 1234567] Add it\n 1 file changed", None),
        ("git commit --no-verify -m 'Add it'", "8 passed in 0.1s", None),
        ("echo '8 passed in 0.1s'; git commit -m 'Add it'", "8 passed in 0.1s", None),
        ("git log", "8 passed in 0.1s", None),
    ],
)
def test_a_hook_of_the_repository_runs_tests_for_a_commit(command: str, output: str, succeeded: bool | None) -> None:
    run = suite_run(command, output, failed=succeeded is False, moment=MOMENT)
    assert (run.succeeded if run is not None else None) is succeeded
