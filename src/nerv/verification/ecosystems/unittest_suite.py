"""Python tests that only need the standard library's unittest."""

from __future__ import annotations

import re

import msgspec

from forgetest.verdict import Execution
from nerv.verification.ecosystems import (
    PROJECT,
    REPORTS,
    WORK,
    Host,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    host_note,
    needs_host,
    pytest_suite,
    python_packages,
    report_of,
    unreported,
)
from nerv.verification.ecosystems.in_sandbox import program
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree

NAME = "unittest"
is_test_file = pytest_suite.is_test_file
_PROGRAM, _REPORT = "run_unittest.py", "unittest.json"
_UNLOADABLE = "unittest.loader._FailedTest."


class _Entry(msgspec.Struct):
    outcome: TestOutcome
    file: str = ""
    text: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether there are tests of unittest, and nothing that needs pytest."""
    imported = re.compile(r"^\s*(import|from) unittest\b", re.M)
    has_tests = any(is_test_file(path) and path.endswith(".py") and imported.search(tree[path].text) for path in tree)
    return has_tests and not pytest_suite.is_declared(tree)


def prepare(tree: Tree, host: Host) -> Preparation:
    """Install what the project requires."""
    return python_packages.prepare(tree, host, ())


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Run a program of ours, which adds the control by itself."""
    return TestCommand(
        argv=(python_packages.interpreter(), "-P", f"{WORK}/{_PROGRAM}", f"{REPORTS}/{_REPORT}", control),
        shown="python -m unittest",
        files={_PROGRAM: program(_PROGRAM)},
        added=python_packages.metadata_files(tree),
        environment=pytest_suite.environment(),
        reports=(_REPORT,),
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read what the program wrote; a module that could not be loaded is an entry of its own."""
    content = report_of(execution, _REPORT)
    try:
        entries = msgspec.json.decode(content, type=dict[str, _Entry]) if content is not None else None
    except msgspec.MsgspecError:
        entries = None
    if entries is None:
        return SuiteReport(problem=unreported(execution))
    check_control(entry.outcome for name, entry in entries.items() if control in name)
    entries = {name: entry for name, entry in entries.items() if control not in name}
    offline = {name for name, entry in entries.items() if entry.outcome == "failed" and needs_host(entry.text)}
    unloadable = frozenset(name for name in entries if name.startswith(_UNLOADABLE))
    nothing_loads = bool(entries) and len(unloadable) == len(entries)
    reason = (
        error_lines(next(iter(entries.values())).text, r"^(?!ImportError: Failed)\w*(Error|Exception)\b")
        if nothing_loads
        else ""
    )
    return SuiteReport(
        outcomes={name: "skipped" if name in offline else entry.outcome for name, entry in entries.items()},
        notes=host_note(offline),
        files={name: _file(name, entry) for name, entry in entries.items()},
        problem=f"no test file can be loaded: {reason}" if nothing_loads else "",
        broken_build=nothing_loads,
        unloadable=unloadable,
    )


def _file(name: str, entry: _Entry) -> str:
    if name.startswith(_UNLOADABLE):
        return f"{name.removeprefix(_UNLOADABLE).replace('.', '/')}.py"
    return entry.file.removeprefix(f"{PROJECT}/")
