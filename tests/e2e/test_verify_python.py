"""Verification of Python projects as their tools lay them out, with packages from the registry."""

from __future__ import annotations

import shutil

import pytest

from verified_projects import Files, verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(1800),
]

ADD = "def add(a, b):\n    return a + b\n"
BOTH = f"{ADD}\n\ndef sub(a, b):\n    return a - b\n"
TEST = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
NEW_TEST = "from calc import sub\n\n\ndef test_sub():\n    assert sub(3, 2) == 1\n"
PROJECTS: dict[str, dict[str, str]] = {
    "an older pytest": {"requirements-dev.txt": "pytest==8.3.4\n", "calc.py": ADD, "tests/test_add.py": TEST},
    "groups": {
        "pyproject.toml": (
            '[project]\nname = "calc"\nversion = "1"\n[dependency-groups]\ndev = [{include-group = "unit"}]\n'
            'unit = ["pytest", "pytest-mock"]\n'
        ),
        "calc.py": ADD,
        "tests/test_add.py": TEST.replace("test_add()", "test_add(mocker)"),
    },
    "poetry": {
        "pyproject.toml": (
            '[tool.poetry]\nname = "calc"\nversion = "1.2"\n[tool.poetry.dependencies]\npython = "^3.9"\n'
            'iniconfig = "^1.1"\n[tool.poetry.group.test.dependencies]\npytest = "*"\n'
        ),
        "calc.py": ADD,
        "tests/test_add.py": (
            f"from importlib.metadata import version\n\n{TEST}"
            '    assert version("iniconfig").startswith("1.1")\n    assert version("calc") == "1.2"\n'
        ),
    },
    "tox": {
        "tox.ini": "[testenv]\ndeps =\n    pytest\n    pytest-mock\ncommands = pytest\n",
        "calc.py": ADD,
        "tests/test_add.py": TEST.replace("test_add()", "test_add(mocker)"),
    },
}


@pytest.fixture(params=sorted(PROJECTS))
def base(request) -> Files:
    return PROJECTS[request.param]


def test_a_change_with_a_test_that_needs_it_is_verified(tmp_path, base):
    found = verify_project(tmp_path / "r", base, {"calc.py": BOTH, "tests/test_sub.py": NEW_TEST})
    assert (found.verified, found.shown) == (True, ("tests/test_sub.py::test_sub",)), found


def test_a_change_that_breaks_a_test_is_not(tmp_path, base):
    found = verify_project(tmp_path / "r", base, {"calc.py": ADD.replace("+", "-")})
    assert (found.verified, found.broken) == (False, ("tests/test_add.py::test_add",)), found
