"""pytest: what declares it, how it is started, and how its report is read."""

from __future__ import annotations

import pytest

from forgetest.verdict import Execution
from nerv.verification.ecosystems import UntrustedReport, pytest_suite
from verified_projects import tree_of

CONTROL = "control_0123456789ab"
FAILED_CONTROL = f'<testcase classname="test_{CONTROL}" name="test_{CONTROL}" file="x.py"><failure/></testcase>'


def execution(*cases, control=FAILED_CONTROL):
    document = f"<testsuites><testsuite>{''.join(cases)}{control}</testsuite></testsuites>"
    return Execution(step="tests", ended="exited", exit_code=1, outputs={"reports/junit.xml": document.encode()})


@pytest.mark.parametrize(
    ("files", "declared"),
    [
        ({"test_a.py": "def test_a():\n    pass\n"}, True),
        ({"tests/test_a.py": "import unittest\n", "conftest.py": ""}, True),
        (
            {"tests/test_a.py": "import unittest\n", "pyproject.toml": "[tool.pytest.ini_options]\nminversion = '7'\n"},
            True,
        ),
        ({"tests/test_a.py": "import unittest\n", "requirements-dev.txt": "pytest>=7  # tests\n"}, True),
        ({"tests/test_a.py": "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): ...\n"}, False),
        ({"a.py": "import pytest\n"}, False),
    ],
)
def test_it_is_declared_by_configuration_requirements_or_plain_functions(files, declared):
    assert pytest_suite.is_declared(tree_of(files)) is declared


@pytest.mark.parametrize(
    ("path", "belongs"),
    [
        ("tests/data/a.json", True),
        ("pkg/test_a.py", True),
        ("pkg/a_test.py", True),
        ("conftest.py", True),
        ("sitecustomize.py", True),
        ("pkg/testing.py", False),
        ("pkg/contest.py", False),
        ("pyproject.toml", False),
    ],
)
def test_fixtures_and_machinery_belong_to_the_tests(path, belongs):
    assert pytest_suite.is_test_file(path) is belongs


def test_our_test_is_not_named_beside_the_folder_that_it_is_in():
    """Pytest 8 would run only the named one."""
    files = tree_of({"tests/test_a.py": "", "setup.cfg": "[tool:pytest]\ntestpaths = tests\n"})
    assert pytest_suite.command(files, files, CONTROL).argv[-2:] == ("tests", f"test_{CONTROL}.py")
    alone = tree_of({"test_a.py": ""})
    assert pytest_suite.command(alone, alone, CONTROL).argv[-2:] == ("--continue-on-collection-errors", ".")


@pytest.mark.parametrize(
    ("options", "file", "function"),
    [
        ("", f"test_{CONTROL}.py", f"test_{CONTROL}"),
        (
            "python_files = check_*.py test_*.py\npython_functions = check_*\n",
            f"check_{CONTROL}.py",
            f"check_{CONTROL}",
        ),
        ("python_files = *_spec.py\npython_functions = *_works it\n", f"{CONTROL}_spec.py", f"{CONTROL}_works"),
        ("python_files = tests.py *_tests.py\n", f"{CONTROL}_tests.py", f"test_{CONTROL}"),
        ("python_files = tests.py\n", f"{CONTROL}/tests.py", f"test_{CONTROL}"),
    ],
)
def test_our_test_has_a_name_that_the_project_s_configuration_finds(options, file, function):
    files = tree_of({"checks/a.py": "", "pytest.ini": f"[pytest]\n{options}"})
    added = pytest_suite.command(files, files, CONTROL).added
    assert f"def {function}():" in added[file].text


def test_names_that_only_the_configuration_gives_to_tests_declare_them():
    ini = "[tool:pytest]\ntestpaths = checks\npython_files = check_*.py\n"
    assert pytest_suite.is_declared(tree_of({"checks/check_a.py": "", "setup.cfg": ini}))
    assert not pytest_suite.is_declared(tree_of({"other/check_a.py": "", "setup.cfg": ini}))


def test_options_without_which_no_test_is_loaded_are_kept():
    addopts = "-x -p my.plugin -p no:randomly -pother --ds=site.settings --asyncio-mode auto --cov"
    files = tree_of({"test_a.py": "", "pytest.ini": f"[pytest]\naddopts = {addopts}\n"})
    argv = pytest_suite.command(files, files, CONTROL).argv
    kept = argv[argv.index("--junitxml=/w/reports/junit.xml") + 1 : argv.index("--continue-on-collection-errors")]
    assert kept == ("-p", "my.plugin", "-pother", "--ds=site.settings", "--asyncio-mode", "auto")


def test_the_project_s_own_options_are_dropped_except_for_the_import_mode():
    addopts = "addopts = ['-x', '--cov=src', '--import-mode=importlib']"
    ini = f"[tool.pytest.ini_options]\n{addopts}\ntestpaths = ['tests', 'gone']\n"
    files = tree_of({"pyproject.toml": ini, "tests/test_a.py": ""})
    command = pytest_suite.command(files, files, CONTROL)
    assert {"addopts=", "--import-mode=importlib"} <= set(command.argv)
    assert not {"-x", "--cov=src", "gone"} & set(command.argv)
    assert command.argv[-2:] == ("tests", f"test_{CONTROL}.py")
    assert f"test_{CONTROL}.py" in command.added


def test_the_configuration_comes_from_the_tree_of_the_tests():
    base = tree_of({"pytest.ini": "[pytest]\ntestpaths = old\n", "old/test_a.py": "", "new/test_a.py": ""})
    result = tree_of({"pytest.ini": "[pytest]\ntestpaths = new\n", "old/test_a.py": "", "new/test_a.py": ""})
    assert "old" in pytest_suite.command(result, base, CONTROL).argv


def test_names_are_pytest_s_own():
    report = pytest_suite.read_report(
        {},
        execution(
            '<testcase classname="tests.test_a" name="test_b[1]" file="tests/test_a.py"/>',
            '<testcase classname="tests.test_a.TestC" name="test_d" file="tests/test_a.py"><skipped/></testcase>',
        ),
        CONTROL,
    )
    assert report.outcomes == {"tests/test_a.py::test_b[1]": "passed", "tests/test_a.py::TestC::test_d": "skipped"}
    assert set(report.files.values()) == {"tests/test_a.py"}


UNLOADABLE = (
    '<testcase classname="" name="tests.test_a" file="tests/test_a.py"><error message="m">{}</error></testcase>'
)


def test_code_of_which_no_test_file_loads_does_not_build():
    report = pytest_suite.read_report({}, execution(UNLOADABLE.format("E   SyntaxError: invalid syntax")), CONTROL)
    assert report.broken_build
    assert report.problem == "no test file can be loaded: SyntaxError: invalid syntax"
    assert report.unloadable == {"tests/test_a.py"}


def test_a_syntax_error_is_told_with_its_place():
    details = 'E     File "src/calc.py", line 7\nE       def x(:\nE   SyntaxError: invalid syntax'
    report = pytest_suite.read_report({}, execution(UNLOADABLE.format(details)), CONTROL)
    assert report.problem == "no test file can be loaded: src/calc.py:7: SyntaxError: invalid syntax"


def test_an_undeclared_package_is_not_a_broken_build():
    details = "E   ModuleNotFoundError: No module named 'numpy.linalg'"
    report = pytest_suite.read_report(tree_of({"calc.py": ""}), execution(UNLOADABLE.format(details)), CONTROL)
    assert not report.broken_build
    assert "numpy" in report.problem


def test_a_missing_module_of_the_project_is_a_broken_build():
    details = "E   ModuleNotFoundError: No module named 'calc.gone'"
    report = pytest_suite.read_report(tree_of({"calc/__init__.py": ""}), execution(UNLOADABLE.format(details)), CONTROL)
    assert report.broken_build


def test_a_test_that_needs_a_network_counts_as_skipped_with_a_note():
    failure = "<failure>E   socket.gaierror: [Errno -3] Temporary failure in name resolution</failure>"
    case = f'<testcase classname="test_a" name="test_b" file="test_a.py">{failure}</testcase>'
    report = pytest_suite.read_report({}, execution(case), CONTROL)
    assert report.outcomes == {"test_a.py::test_b": "skipped"}
    assert "test_a.py::test_b" in report.notes[0]


@pytest.mark.parametrize("control", ["", FAILED_CONTROL.replace("<failure/>", "")])
def test_a_report_without_the_control_s_failure_is_forged(control):
    with pytest.raises(UntrustedReport):
        pytest_suite.read_report({}, execution(control=control), CONTROL)


@pytest.mark.parametrize(
    ("ended", "problem"), [("cpu_limit", "time limit"), ("memory_limit", "memory limit"), ("exited", "boom")]
)
def test_a_run_without_a_report_says_why(ended, problem):
    ran = Execution(step="tests", ended=ended, exit_code=1, stderr=b"first\nboom\n")
    assert problem in pytest_suite.read_report({}, ran, CONTROL).problem


@pytest.mark.parametrize(
    ("files", "is_unbuilt"),
    [
        ({"setup.py": "Extension('calc._fast', ['src/_fast.c'])", "src/_fast.c": ""}, True),
        ({"pyproject.toml": "build-backend = 'maturin'\nmodule-name = 'calc._fast'\n"}, True),
        ({"setup.py": "setup()", "src/_fast.c": ""}, False),
        ({"setup.py": "Extension('calc._other', [])"}, False),
        ({"setup.py": "Extension('calc._fast', [])", "calc/_fast.py": ""}, False),
    ],
)
def test_a_module_that_only_a_build_makes_is_nobody_s_failure(files, is_unbuilt):
    error = "<error>E   ModuleNotFoundError: No module named 'calc._fast'</error>"
    case = f'<testcase classname="" name="tests.test_a" file="tests/test_a.py">{error}</testcase>'
    report = pytest_suite.read_report(tree_of({"calc/__init__.py": "", **files}), execution(case), CONTROL)
    assert (report.unavailable, report.broken_build) == (is_unbuilt, not is_unbuilt)
    assert ("builds are not run" in report.problem) is is_unbuilt
