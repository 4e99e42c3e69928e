"""JavaScript tests that end their process with success."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

PATH = "tests/shop.test.js"
TESTS = 'const { price } = require("../src/shop");\n\ntest("two", () => {\n  expect(price(2)).toBe(6);\n});\n'


@pytest.mark.parametrize(
    "added",
    [
        "process.exit(0);\n",
        "process.exit();\n",
        'process.on("exit", () => {\n  process.exitCode = 0;\n});\n',
        'process.once("beforeExit", () => process.exit(0));\n',
        "afterAll(() => {\n  process.exit(0);\n});\n",
        "setTimeout(() => process.exit(0), 0);\n",
    ],
)
def test_a_test_file_or_its_set_up_that_ends_the_process_is_found(added: str) -> None:
    assert kinds(a_run({PATH: TESTS}, {PATH: added + TESTS})) == {"tests_cannot_fail"}
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS, "tests/setup.js": added})) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "added",
    [
        'process.on("unhandledRejection", () => process.exit(1));\n',
        'test("help", () => {\n  expect(spawnSync("node", ["-e", "process.exit(0)"]).status).toBe(0);\n});\n',
        'if (process.platform === "win32") {\n  process.exit(0);\n}\n',
        "process.exitCode = 0;\n",
        "function stop() {\n  process.exit(0);\n}\n",
    ],
)
def test_what_only_resembles_it_is_not(added: str) -> None:
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS + added})) == set()


def test_a_program_that_a_test_starts_may_end_as_it_likes() -> None:
    program = "console.log('ok');\nprocess.exit(0);\n"
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS, "tests/fixtures/ok.js": program})) == set()
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS, "src/cli.js": program})) == set()
