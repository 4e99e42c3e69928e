"""Commands that start tests in files: narrowed, replaced, or gone."""

from __future__ import annotations

import json

import pytest

from finding_runs import a_run, kinds

CI = ".github/workflows/ci.yml"
WORKFLOW = "jobs:\n  test:\n    steps:\n      - run: ruff check\n      - name: Test\n        run: pytest\n"
MAKE = "build:\n\tcc shop.c\n\ntest:\n\tpytest tests\n"


def package(script: str) -> str:
    return json.dumps({"scripts": {"test": script}}, indent=2) + "\n"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("Makefile", MAKE, MAKE.replace("pytest tests", "pytest tests -k two")),
        ("Makefile", MAKE, MAKE.replace("pytest tests", "pytest tests --ignore=tests/test_shop.py")),
        ("Makefile", MAKE, MAKE.replace("test:\n\tpytest", "test: ; -pytest")),
        ("tox.ini", "[testenv]\ncommands =\n    pytest\n", "[testenv]\ncommands =\n    pytest -k two\n"),
        ("noxfile.py", 'session.run("pytest")\n', 'session.run("pytest", "--deselect", "tests/a.py::b")\n'),
        ("package.json", package("jest"), package("jest -t two")),
        ("package.json", package("jest"), package("eslint .")),
        ("package.json", package("jest"), package("")),
        (
            "Makefile",
            MAKE.replace("pytest tests", "go test ./..."),
            MAKE.replace("pytest tests", "go test ./... -run One"),
        ),
        (CI, WORKFLOW, WORKFLOW.replace("pytest", "pytest -k two")),
        (CI, WORKFLOW, WORKFLOW.replace("pytest", "echo ok")),
        (CI, WORKFLOW, WORKFLOW.replace("      - name: Test\n        run: pytest\n", "")),
        (CI, WORKFLOW, WORKFLOW.replace("run: pytest", "run: |\n          set +e\n          pytest\n          exit 0")),
        (CI, WORKFLOW, None),
    ],
)
def test_a_command_that_runs_fewer_tests_is_found(path: str, before: str, after: str | None) -> None:
    assert kinds(a_run({path: before}, {} if after is None else {path: after})) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("Makefile", MAKE, MAKE.replace("pytest tests", "pytest tests --cov=shop")),
        ("Makefile", MAKE, MAKE.replace("pytest tests", "-rm -f test.db\n\tdocker rm -f db || true\n\tpytest tests")),
        ("Makefile", MAKE, f"{MAKE}\nsmoke:\n\tpytest tests -k smoke\n"),
        ("Makefile", MAKE, MAKE.replace("test:", "test: build ## run; all tests")),
        ("Makefile", MAKE, MAKE.replace("pytest tests", "pytest tests -m 'not slow'")),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = coverage run -m pytest\n"),
        ("package.json", package("jest"), package("vitest run")),
        ("package.json", package("jest"), package("turbo run test")),
        (CI, WORKFLOW, WORKFLOW.replace("pytest", "make test")),
        (CI, WORKFLOW, WORKFLOW.replace("pytest", "uv run pytest -n auto")),
        (CI, WORKFLOW, f"{WORKFLOW}      - run: pytest -k smoke\n"),
        (CI, WORKFLOW, WORKFLOW.replace("run: pytest", "run: |\n          pytest || code=$?\n          exit $code")),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_command_that_runs_them_all_is_fine(path: str, before: str, after: str, whole: bool) -> None:
    assert kinds(a_run({path: before}, {path: after}, whole=whole)) == set()


def test_a_workflow_whose_tests_are_in_another_one_now_may_go() -> None:
    assert kinds(a_run({CI: WORKFLOW}, {".github/workflows/main.yml": WORKFLOW})) == set()
