"""pytest's configuration: what leaves out tests that a run found, and what does not."""

from __future__ import annotations

import pytest

from finding_runs import a_run, found_in, kinds
from nerv.evidence import Evidence

TESTS = "def test_two():\n    assert price(2) == 6\n\n\ndef test_many():\n    assert price(9) == 27\n"
FILES = {"tests/test_shop.py": TESTS, "tests/api/test_api.py": TESTS}
TOML = '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-q"\n'


def configured(path: str, before: str | None, after: str, *, whole: bool = True) -> Evidence:
    old = {} if before is None else {path: before}
    return a_run({**FILES, **old}, {**FILES, path: after}, whole=whole)


@pytest.mark.parametrize(
    "options",
    [
        '"-q --ignore=tests/test_shop.py"',
        "\"-q -k 'not many'\"",
        '"-q -k two"',
        '["-q", "-k", "two"]',
        '[\n    "-q",\n    "--deselect",\n    "tests/test_shop.py::test_many",\n]',
        '"-q -m smoke"',
        '"-q -p no:python"',
        '"-q --ignore-glob=tests/test_s*"',
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_options_that_leave_tests_out_are_found(options: str, whole: bool) -> None:
    run = configured("pyproject.toml", TOML, TOML.replace('"-q"', options), whole=whole)
    assert kinds(run) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "setting",
    [
        "testpaths = tests/api",
        "python_files = check_*.py",
        "python_functions = test_two",
        "norecursedirs = tests",
        "norecursedirs = .git api",
        "addopts = --ignore=tests/api",
    ],
)
def test_new_settings_that_lose_test_files_are_found(setting: str) -> None:
    assert kinds(configured("pytest.ini", None, f"[pytest]\n{setting}\n")) == {"tests_cannot_fail"}
    setup = "[metadata]\nname = shop\n\n[tool:pytest]\naddopts = -q\n"
    setting = setting.replace("addopts =", "addopts = -q")
    after = setup.replace("addopts = -q", setting) if "addopts" in setting else f"{setup}{setting}\n"
    assert kinds(configured("setup.cfg", setup, after)) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pytest.ini", None, "[pytest]\ntestpaths = tests\naddopts = -ra --strict-markers --ignore=build\n"),
        ("pytest.ini", None, "[pytest]\nnorecursedirs = .git build node_modules\n"),
        ("pytest.ini", None, "[pytest]\npython_files = test_*.py check_*.py\npython_functions = test check\n"),
        ("pyproject.toml", TOML, TOML.replace('["tests"]', '["tests", "more"]')),
        ("pyproject.toml", TOML, TOML.replace('"-q"', "\"-q -m 'not slow'\"")),
        ("pyproject.toml", TOML, TOML.replace('name = "shop"', 'name = "shop"\nversion = "2"')),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n    coverage run -m pytest\n"),
        ("pyproject.toml", TOML, TOML.replace("[project]", "[project")),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_settings_that_keep_all_tests_are_fine(path: str, before: str | None, after: str, whole: bool) -> None:
    assert kinds(configured(path, before, after, whole=whole)) == set()


def test_settings_that_moved_to_another_file_are_notes() -> None:
    before = {**FILES, "setup.cfg": "[tool:pytest]\naddopts = --ignore=tests/api\n"}
    after = {**FILES, "pytest.ini": "[pytest]\naddopts = --ignore=tests/api\n"}
    assert {found.level for found in found_in(a_run(before, after))} == {"note"}


def test_a_conftest_that_adds_to_what_is_ignored_is_found() -> None:
    after = 'import os\n\ncollect_ignore = []\ncollect_ignore.append("test_shop.py")\n'
    assert kinds(configured("tests/conftest.py", "import os\n", after)) == {"tests_cannot_fail"}
