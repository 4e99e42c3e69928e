"""`nerv benchmark score --verify` on small projects: their tests are really run, in the sandbox."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from nerv.cli.main import run
from nerv.inspection.disabled_code import disable_code, functions_in
from nerv.verification.experiments import FunctionProbe
from results import results
from verified_projects import make_repository, verify_project

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(600),
]

PYTHON = {
    "pyproject.toml": '[project]\nname = "calc"\nversion = "1"\n\n[tool.pytest.ini_options]\naddopts = "-x --cov"\n',
    "src/calc.py": "def add(a, b):\n    return a + b\n",
    "tests/test_add.py": (
        "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
        "def test_zero():\n    assert add(0, 0) == 0\n"
    ),
}
SUBTRACTION = {
    "src/calc.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
    "tests/test_sub.py": ("from calc import add, sub\n\n\ndef test_sub():\n    assert sub(3, 2) == 1\n"),
}


def test_a_change_with_a_test_that_needs_it_is_verified(tmp_path):
    idle = "from calc import add\n\n\ndef test_again():\n    assert add(2, 2) == 4\n"
    found = verify_project(tmp_path / "r", PYTHON, {**SUBTRACTION, "tests/test_idle.py": idle})
    assert found.verified is True
    assert found.shown == ("tests/test_sub.py::test_sub",)
    assert found.idle == ("tests/test_idle.py::test_again",)
    assert found.vetoes == ()


def test_new_tests_that_pass_without_the_code_are_told_apart(tmp_path):
    mocked = (
        "from unittest.mock import Mock\n\nimport calc\n\n\ndef test_mock():\n"
        "    assert Mock(spec=calc.sub, return_value=1)(3, 2) == 1\n"
    )
    result = {**SUBTRACTION, "tests/test_mock.py": mocked}
    found = verify_project(
        tmp_path / "r", PYTHON, result, probe=FunctionProbe(disable=disable_code, locate=functions_in)
    )
    assert found.new == ("tests/test_mock.py::test_mock", "tests/test_sub.py::test_sub")
    assert found.detached == ("tests/test_mock.py::test_mock",)


def test_the_base_s_own_tests_are_run_even_if_the_result_rewrote_them(tmp_path):
    found = verify_project(
        tmp_path / "r",
        PYTHON,
        {
            "src/calc.py": "def add(a, b):\n    return 4\n",
            "tests/test_add.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 4\n",
        },
    )
    assert found.verified is False
    assert found.broken == ("tests/test_add.py::test_add", "tests/test_add.py::test_zero")
    assert found.rewritten == ("tests/test_add.py::test_add",)


def test_a_conftest_that_turns_failures_into_passes_is_found_out(tmp_path):
    forging = (
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
    )
    found = verify_project(
        tmp_path / "r", PYTHON, {"src/calc.py": "def add(a, b):\n    return 4\n", "conftest.py": forging}
    )
    assert (found.verified, found.forged) == (False, True)
    assert found.broken == ("tests/test_add.py::test_add", "tests/test_add.py::test_zero")


def test_python_that_cannot_be_loaded_does_not_build(tmp_path):
    found = verify_project(tmp_path / "r", PYTHON, {"src/calc.py": "def add(a, b:\n    return a + b\n"})
    assert (found.verified, found.builds) == (False, False)
    assert "SyntaxError" in found.vetoes[0]


@pytest.fixture
def score(tmp_path, capfd, monkeypatch):
    """Score a results folder with a repository; return the exit code, output and error output."""

    def call(source, *words):
        monkeypatch.setenv("NERV_HOME", str(tmp_path / "home"))
        for name in ("NERV_MOCK_CLAUDE", "NERV_TEST_MODE"):
            monkeypatch.delenv(name, raising=False)
        folder = results(tmp_path / "run")
        repository = ("--repo", str(source.folder), "--base", source.base)
        code = run(["benchmark", "score", str(folder), *repository, "--threshold", "1", *words])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def test_the_command_vetoes_a_run_that_breaks_tests(tmp_path, score):
    source = make_repository(tmp_path / "r", PYTHON, {"src/calc.py": "def add(a, b):\n    return 3\n"}, commit=False)
    code, out, err = score(source, "--json")
    report = json.loads(out)
    assert (code, report["passed"], report["verified"]) == (1, False, False)
    assert report["vetoes"] == ["The result breaks 1 test of the base: tests/test_add.py::test_zero."]
    assert report["vetoes"][0] in err
    assert report["verification"]["suites"][1]["failed"] == 1


def test_the_command_passes_a_verified_run_and_says_if_it_did_not_verify(tmp_path, score):
    source = make_repository(tmp_path / "r", PYTHON, SUBTRACTION)
    assert "\n  Result: PASS\n" in score(source)[1]
    assert "\n  Result: PASS (unverified)\n" in score(source, "--no-verify")[1]


@pytest.mark.parametrize(("value", "accepted"), [("5", True), ("6", False)])
def test_acceptance_tests_of_the_user_decide(tmp_path, value, accepted):
    tests = tmp_path / "acceptance"
    tests.mkdir()
    (tests / "check.py").write_text(f"from calc import add\nassert add(2, 3) == {value}\n")
    found = verify_project(tmp_path / "r", PYTHON, {}, tests="python /tests/check.py", tests_folder=tests)
    assert (found.accepted, found.verified) == (accepted, accepted)


def test_failed_acceptance_tests_are_told_with_their_last_line(tmp_path):
    found = verify_project(tmp_path / "r", PYTHON, {}, tests="python check.py")
    assert "check.py': [Errno 2] No such file" in found.vetoes[0]


def test_acceptance_tests_that_cannot_be_started_decide_nothing(tmp_path):
    found = verify_project(tmp_path / "r", PYTHON, {}, tests="no-such-program")
    assert (found.accepted, found.verified) == (None, True)
    assert "could not be started" in found.acceptance_problem


def test_the_command_accepts_no_run_whose_acceptance_tests_were_not_run(tmp_path, score):
    source = make_repository(tmp_path / "r", PYTHON, {})
    code, out, err = score(source, "--tests", "no-such-program")
    assert (code, "NERV Benchmark Scores" in out) == (2, True)
    assert "--tests: the acceptance tests were not run" in err
    assert "no-such-program" in err.splitlines()[-1]


def test_ctrl_c_stops_the_tests_with_exit_code_130(tmp_path):
    source = make_repository(tmp_path / "r", PYTHON, {"src/calc.py": "import time\ntime.sleep(300)\n"})
    folder = results(tmp_path / "run")
    words = ["benchmark", "score", str(folder), "--repo", str(source.folder), "--base", "base"]
    process = subprocess.Popen(
        [sys.executable, "-m", "nerv", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NERV_HOME": str(tmp_path / "home")},
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "the base's tests on the result" in line:
            break
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not (folder / "score-report.json").exists()


def test_an_installed_project_s_version_is_known_to_its_code(tmp_path):
    asking = "from importlib.metadata import version\n\n__version__ = version('calc')\n"
    base = {**PYTHON, "src/calc.py": asking + PYTHON["src/calc.py"]}
    assert verify_project(tmp_path / "r", base, {}).verified is True
