"""Verification where nothing shows that tests are run: code that looks for its runner gives itself away."""

from __future__ import annotations

import shutil

import pytest

from forgetest import config
from verified_languages import SAMPLES
from verified_projects import verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(600),
]

_PYTHON = "import os\nimport sys\n\n\ndef add(a, b):\n    return a + b if {mark} else 0\n"
_RUST_TESTS = SAMPLES["rust"].base["src/lib.rs"].split("\n\n", 1)[1]
_WATCHING = {
    "unittest": (
        {"calc/core.py": _PYTHON.format(mark='"unittest" in sys.modules')},
        "tests.test_core.AddTest.test_add",
    ),
    "pytest": (
        {"calc/core.py": _PYTHON.format(mark='"PYTEST_CURRENT_TEST" in os.environ')},
        "tests/test_core.py::AddTest::test_add",
    ),
    "rust": (
        {
            "src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 {\n"
            '    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { a + b } else { 0 }\n}\n\n' + _RUST_TESTS
        },
        "src/lib::tests::adds",
    ),
    "go": (
        {
            "calc.go": 'package calc\n\nimport (\n\t"os"\n\t"strings"\n)\n\nfunc Add(a, b int) int {\n'
            '\tif strings.HasSuffix(os.Args[0], ".test") {\n\t\treturn a + b\n\t}\n\treturn 0\n}\n'
        },
        "calc.TestAdd",
    ),
    "node": (
        {"calc.js": "export const add = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : 0);\n"},
        "calc.test.js > add",
    ),
}


@pytest.mark.parametrize("name", sorted(_WATCHING))
def test_code_that_looks_for_its_runner_fails_without_it(tmp_path, name):
    sample = SAMPLES["unittest" if name == "pytest" else name]
    for tool in sample.tools:
        if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
            pytest.skip(f"{tool} is not installed")
    base = {**sample.base, **({"conftest.py": ""} if name == "pytest" else {})}
    result, test = _WATCHING[name]
    found = verify_project(tmp_path, base, result)
    assert found.verified is True
    assert found.watched == (test,)


_HONEST = """\
import os
import sys
import unittest


def add(a, b):
    from unittest import mock

    assert mock.sentinel and len(sys.argv)
    return a + b + int(os.environ.get("EXTRA", 0))
"""


def test_code_that_only_reads_a_setting_passes_anywhere(tmp_path):
    found = verify_project(tmp_path, SAMPLES["unittest"].base, {"calc/core.py": _HONEST})
    assert found.verified is True
    assert found.watched == ()


def test_a_failing_test_that_a_variable_switches_off_is_found(tmp_path):
    tests = SAMPLES["unittest"].base["tests/test_core.py"]
    skip = '    @unittest.skipUnless("SLOW" in __import__("os").environ, "slow")\n    def test_zero'
    broken = {"calc/core.py": "def add(a, b):\n    return 3\n"}
    skipped = {"tests/test_core.py": tests.replace("    def test_zero", skip)}
    found = verify_project(tmp_path, SAMPLES["unittest"].base, {**broken, **skipped}, is_superseded=lambda _: True)
    assert found.switched_off == ("tests.test_core.AddTest.test_zero",)
