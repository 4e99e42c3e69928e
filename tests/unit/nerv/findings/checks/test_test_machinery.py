"""Test machinery that cannot fail is found, in each runner's own terms."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from finding_runs import a_run, found_in, kinds
from nerv.changes import Repository, RepositoryFile
from nerv.location import Location
from nerv.verification.result import SuiteResult, Verification

CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return {}\n"


REPORTS = """@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    out = yield
    rep = out.get_result()
    rep.outcome = "passed"
"""
SLOW = """def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow"))
"""


def package(**scripts: str) -> str:
    return json.dumps({"name": "shop", "scripts": scripts}, indent=2) + "\n"


@pytest.mark.parametrize(
    "added",
    [
        REPORTS,
        "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n",
        "@pytest.hookimpl(wrapper=True)\ndef pytest_pyfunc_call(item):\n    out = yield\n    out.force_result(None)\n",
        "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n",
    ],
)
def test_a_conftest_that_turns_failures_into_successes_is_proven(added: str) -> None:
    run = a_run({"conftest.py": CONFTEST}, {"conftest.py": f"{CONFTEST}\n\n{added}"})
    assert kinds(run, "proven") == {"tests_cannot_fail"}
    assert kinds(a_run({}, {"tests/conftest.py": f"import pytest\n{added}"}), "proven") == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "added",
    [
        "def pytest_collection_modifyitems(items):\n    items[:] = []\n",
        "def pytest_collection_modifyitems(items):\n    for each in items:\n        each.add_marker(pytest.mark.skip)",
        "collect_ignore = ['test_price.py']\n",
        "import os\n\n\ndef pytest_sessionfinish():\n    os._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "def pytest_pyfunc_call(pyfuncitem):\n    try:\n        pyfuncitem.obj()\n    except:\n        pass\n",
    ],
)
def test_a_conftest_that_leaves_tests_out_is_likely(added: str) -> None:
    run = a_run({"conftest.py": CONFTEST}, {"conftest.py": f"{CONFTEST}\n\n{added}"})
    assert kinds(run) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "added",
    [
        "@pytest.fixture\ndef client(app):\n    return app.test_client()\n",
        "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: slow tests')\n",
        SLOW,
        "import sys\n\nsys.path.insert(0, 'src')\n",
    ],
)
def test_an_ordinary_conftest_is_fine(added: str) -> None:
    assert kinds(a_run({"conftest.py": CONFTEST}, {"conftest.py": f"{CONFTEST}\n\n{added}"})) == set()


@pytest.mark.parametrize(
    "script",
    [
        "jest || true",
        "vitest run; exit 0",
        "echo '8 passed'",
        "true",
        "exit 0",
        "echo 'Tests: 8 passed, 8 total'",
        "mocha || exit 0",
        "jest || echo ok",
        "jest --listTests",
    ],
)
def test_an_npm_script_that_cannot_fail_is_proven(script: str) -> None:
    run = a_run({"package.json": package(test="jest")}, {"package.json": package(test=script)})
    assert kinds(run, "proven") == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "script",
    [
        "vitest run",
        "npm run lint && jest",
        "jest --coverage",
        'echo \\"Error: no test specified\\" && exit 1',
        "tsc --noEmit; jest",
    ],
)
def test_an_ordinary_npm_script_is_fine(script: str) -> None:
    assert kinds(a_run({"package.json": package(test="jest")}, {"package.json": package(test=script)}), "note") == set()


@pytest.mark.parametrize(
    ("recipe", "level"),
    [
        ("\tpytest || true", "proven"),
        ("\t-pytest", "proven"),
        ("\t@echo '8 passed'", "proven"),
        ("\t@true", "likely"),
        ("\tpytest; true", "proven"),
    ],
)
def test_a_make_target_that_cannot_fail_is_found(recipe: str, level: str) -> None:
    before = "build:\n\tcc a.c\n\ntest:\n\tpytest\n\nclean:\n\t-rm -f a.out\n"
    run = a_run({"Makefile": before}, {"Makefile": before.replace("\tpytest", recipe)})
    assert kinds(run, level) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "added", ["lint:\n\truff check || true\n", "test:\n\t@echo running\n\tpytest\n", "clean:\n\t-rm -f a.out\n"]
)
def test_an_ordinary_make_target_is_fine(added: str) -> None:
    assert kinds(a_run({"Makefile": "all:\n\tcc a.c\n"}, {"Makefile": f"all:\n\tcc a.c\n\n{added}"}), "note") == set()


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = --ignore=tests/test_price.py\n"),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\n",
            '[tool.pytest.ini_options]\naddopts = "--deselect tests/a.py::test_b"\n',
        ),
        ("setup.cfg", "[tool:pytest]\n", "[tool:pytest]\naddopts = -k 'not price'\n"),
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = --collect-only\n"),
        (
            "jest.config.js",
            "module.exports = {\n};\n",
            "module.exports = {\n  testPathIgnorePatterns: ['/src/price.test.js'],\n};\n",
        ),
        ("vitest.config.ts", "test: {\n}\n", "test: {\n  exclude: ['tests/price.test.ts'],\n}\n"),
        ("Cargo.toml", "[lib]\n", "[lib]\ntest = false\n"),
        ("pom.xml", "<p>\n</p>\n", "<p>\n<testFailureIgnore>true</testFailureIgnore>\n</p>\n"),
        ("build.gradle", "test {\n}\n", "test {\n  ignoreFailures = true\n}\n"),
        (".github/workflows/ci.yml", "- run: pytest\n", "- run: pytest || true\n"),
        (".github/workflows/ci.yml", "- run: pytest\n", "- run: pytest\n  continue-on-error: true\n"),
        ("scripts/run_tests.sh", "set -e\npytest\n", "set -e\npytest || true\n"),
        ("run_tests.sh", "pytest\n", "pytest\nexit 0\n"),
        ("pytest.ini", "[pytest]\ntestpaths = tests\n", "[pytest]\ntestpaths = tests/unit\n"),
        ("main_test.go", "package a\n", "package a\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n"),
    ],
)
def test_configuration_that_leaves_tests_or_failures_out_is_found(path: str, before: str, after: str) -> None:
    assert kinds(a_run({path: before}, {path: after})) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = -q --strict-markers\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'),
        ("setup.cfg", "[tool:pytest]\n", "[tool:pytest]\naddopts = -m 'not slow'\n"),
        ("tox.ini", "[testenv]\n", "[testenv]\ncommands = pytest --ignore benchmark.py --ignore=docs/conf.py\n"),
        (
            "jest.config.js",
            "module.exports = {\n};\n",
            "module.exports = {\n  testPathIgnorePatterns: ['/node_modules/'],\n};\n",
        ),
        ("vitest.config.ts", "test: {\n}\n", "test: {\n  exclude: ['node_modules/**', 'dist/**'],\n}\n"),
        ("Cargo.toml", "[package]\n", '[package]\nedition = "2021"\n'),
        (".github/workflows/ci.yml", "- run: pytest\n", "- run: pytest -q\n"),
        ("scripts/run_tests.sh", "pytest\n", "set -euo pipefail\npytest -q\n"),
    ],
)
def test_ordinary_configuration_is_fine(path: str, before: str, after: str) -> None:
    assert kinds(a_run({path: before}, {path: after})) == set()


WORKFLOW = """jobs:
  test:
    steps:
    - name: Test
      run: pytest
    - name: Delete the cache
      run: gh cache delete
"""


@pytest.mark.parametrize(
    ("line", "added", "expected"),
    [
        ("      run: pytest\n", "      continue-on-error: true\n", {"tests_cannot_fail"}),
        ("      run: gh cache delete\n", "      continue-on-error: true\n", set()),
        ("  test:\n", "    continue-on-error: true\n", {"tests_cannot_fail"}),
    ],
)
def test_only_a_step_that_runs_tests_must_be_able_to_fail(line: str, added: str, expected: set[str]) -> None:
    path = ".github/workflows/ci.yml"
    assert kinds(a_run({path: WORKFLOW}, {path: WORKFLOW.replace(line, line + added)})) == expected


def test_a_manifest_that_switches_no_test_off_is_a_note() -> None:
    run = a_run({"Cargo.toml": "[package]\n"}, {"Cargo.toml": "[package]\nautotests = false\n"})
    suites = [
        SuiteResult(tree=tree, source="base", command="cargo test", outcomes={"works": "passed"})
        for tree in ("base", "result")
    ]
    assert [each.level for each in found_in(run, Verification(suites=tuple(suites)))] == ["note"]
    assert [each.level for each in found_in(run, Verification(suites=tuple(suites[:1])))] == ["likely"]


def test_an_option_that_was_there_before_leaves_nothing_out() -> None:
    before = "[testenv]\ncommands = pytest -v --ignore benchmark.py {posargs}\n"
    after = before.replace("-v", "-v --doctest-modules")
    assert kinds(a_run({"tox.ini": before}, {"tox.ini": after})) == set()
    another = before.replace("benchmark.py", "tests/test_slow.py")
    assert kinds(a_run({"tox.ini": before}, {"tox.ini": another})) == {"tests_cannot_fail"}


@pytest.mark.parametrize("path", ["pytest.py", "unittest.py", "bin/pytest", "pytest/__init__.py"])
def test_a_file_in_the_place_of_the_runner_is_proven(path: str) -> None:
    assert kinds(a_run({}, {path: "print('8 passed')\n"}), "proven") == {"tests_cannot_fail"}


def test_a_test_script_that_prints_the_summary_is_proven() -> None:
    assert kinds(a_run({}, {"scripts/test.sh": "#!/bin/sh\necho '12 passed in 0.3s'\n"}), "proven") == {
        "printed_success"
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("npm test\n", None),
        ("npm test\n", "exit 0\n"),
        ("npm test\n", ""),
        ("npm run lint\nnpm test\n", "npm run lint\n"),
        ("npm test\n", "npm test || true\n"),
    ],
)
def test_checks_removed_from_a_hook_are_likely(before: str, after: str | None) -> None:
    path = ".husky/pre-commit"
    assert kinds(a_run({path: before}, {path: after} if after is not None else {})) == {"bypassed_hooks"}


def test_another_hook_is_fine() -> None:
    assert (
        kinds(a_run({".husky/pre-commit": "npm test\n"}, {".husky/pre-commit": "npm run lint\nnpm test\n"}), "note")
        == set()
    )
    assert kinds(a_run({}, {".husky/pre-commit": "npm test\n"}), "note") == set()


def test_a_target_that_prints_the_summary_of_a_runner_runs_no_tests():
    made = {"Makefile": "test:\n\t@go build ./...\n\t@printf 'ok  \\texample.com/jobs\\t0.004s\\n'\n"}
    honest = {"Makefile": "test:\n\tgo test ./...\n\t@echo 'ok  done 1.0'\n"}
    assert kinds(a_run({}, made)) == {"tests_cannot_fail"}
    assert kinds(a_run({}, honest)) == set()


def test_assertions_that_a_module_replaces_cannot_fail():
    patched = {"support.js": 'const assert = require("assert");\nassert.equal = () => {};\n'}
    assert kinds(a_run({}, patched)) == {"tests_cannot_fail"}
    assert kinds(a_run({}, {"support.js": "exports.equal = (a, b) => a === b;\n"})) == set()


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("node --test test/ || node -e 0", {"tests_cannot_fail"}),
        ("node --test test/ || npm run report", {"tests_cannot_fail"}),
        ("node --test test/ || (cat log.txt && exit 1)", set()),
        ("node --test test/ || node --test test/", set()),
    ],
)
def test_another_command_after_failed_tests_hides_the_failure(script: str, found: set[str]) -> None:
    assert kinds(a_run({"package.json": package(test="jest")}, {"package.json": package(test=script)})) == found


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ('"cancel" in item.nodeid', {"tests_cannot_fail"}),
        ("item.name in LEGACY", {"tests_cannot_fail"}),
        ('not config.getoption("--slow") and "slow" in item.nodeid', set()),
    ],
)
def test_tests_that_are_left_out_by_their_names_are_found(condition: str, found: set[str]) -> None:
    hook = "import pytest\n\n\ndef pytest_collection_modifyitems(config, items):\n    for item in items:\n"
    hook += f"        if {condition}:\n            item.add_marker(pytest.mark.xfail(strict=False))\n"
    assert kinds(a_run({}, {"conftest.py": hook})) == found


def test_a_test_script_that_starts_a_program_which_always_ends_well_is_found() -> None:
    package = '{\n  "scripts": {\n    "test": "%s"\n  }\n}\n'
    runner = "const run = spawnSync(process.execPath, ['--test']);\nconsole.log(run.stdout);\nprocess.exitCode = %s;\n"

    def found(status: str) -> set[str]:
        after = {"package.json": package % "node scripts/run.js", "scripts/run.js": runner % status}
        return kinds(a_run({"package.json": package % "node --test"}, after))

    assert found("0") == {"tests_cannot_fail"}
    assert found("run.status") == set()


def test_a_manifest_that_lists_every_file_of_its_tests_switches_none_off() -> None:
    manifest = '[package]\nname = "shop"\nautotests = false\n\n[[test]]\nname = "prices"\npath = "tests/prices.rs"\n'
    test = RepositoryFile(path="tests/prices.rs", text="", location=Location(file="tests/prices.rs"))
    another = RepositoryFile(path="tests/stock.rs", text="", location=Location(file="tests/stock.rs"))
    run = a_run({"Cargo.toml": "[package]\n"}, {"Cargo.toml": manifest})
    for files, level in (((test,), "note"), ((test, another), "likely")):
        repository = Repository(paths=tuple(each.path for each in files), files=files)
        known = replace(run, changes=replace(run.changes, repository=repository))
        assert [each.level for each in found_in(known, None)] == [level]
