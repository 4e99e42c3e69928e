"""C and C++ tests that CMake builds and ctest runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from forgetest.verdict import Execution
from nerv.verification.ecosystems import (
    REPORTS,
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    junit,
    report_of,
    unreported,
)
from nerv.verification.trees import Tree, TreeFile

NAME = "ctest"
_REPORT, _STAGE = "ctest.xml", "stage"
_GOOGLETEST = "/usr/src/googletest"
"""Where systems keep its sources, for projects that would download it."""
_SCRIPT = (
    f"echo configure > {REPORTS}/{_STAGE}"
    ' && cmake -S . -B /w/build -DCMAKE_BUILD_TYPE=Debug -DFETCHCONTENT_FULLY_DISCONNECTED=ON "$@"'
    f" && echo build > {REPORTS}/{_STAGE} && cmake --build /w/build -j2"
    f" && echo test > {REPORTS}/{_STAGE} && ctest --test-dir /w/build --output-junit {REPORTS}/{_REPORT} --timeout 120"
    " --test-output-size-passed 1000000"
)
_TEST_OPTION = re.compile(
    r"^\s*option\s*\(\s*(\w*TESTS?(?:ING)?(?:_\w+)?|\w*BUILD_TESTS?\w*)\s[^)]*\bOFF\s*\)", re.M | re.I
)
_LACKS = re.compile(
    r"Could NOT find (?:\w+)|Could not find a package configuration file provided by\s+\"\w+\"|No package '[^']+' found"
    r"|CMake \d[\d.]* or higher is required|could not be found|No package .* found|No CMAKE_\w+_COMPILER could be found"
)
_DOWNLOADS = re.compile(
    r"\b(?:FetchContent_Declare|ExternalProject_Add|CPMAddPackage|CPMFindPackage)\s*\(\s*(?:NAME\s+)?\"?([\w-]+)", re.I
)
_STARTED, _FINISHED = "[==========] Running ", re.compile(r"\[  (?:PASSED|FAILED)  \]")
"""What GoogleTest prints before the first test, and after the last."""


def is_declared(tree: Tree) -> bool:
    """Return whether CMake builds the project, and it has tests."""
    pattern = re.compile(r"\b(enable_testing|add_test|include\s*\(\s*CTest)\b", re.I)
    return "CMakeLists.txt" in tree and any(
        path.endswith("CMakeLists.txt") and pattern.search(file.text) for path, file in tree.items()
    )


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return re.search(r"(^|/)tests?/|(^|/)test_[^/]*\.(c|cc|cpp|h|hpp)$|_test\.(c|cc|cpp)$", path) is not None


def prepare(tree: Tree, host: Host) -> Preparation:
    """Check that the tools are there; libraries are the system's."""
    for tool in ("cmake", "ctest", "cc"):
        if shutil.which(tool, path="/usr/local/bin:/usr/bin:/bin") is None:
            raise NotPrepared(f"{tool} is not installed in the system's folders")
    return Preparation()


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Configure, build and test; the control is a command that always fails."""
    lists = tree["CMakeLists.txt"].content if "CMakeLists.txt" in tree else b""
    added = f"\nenable_testing()\nadd_test(NAME {control} COMMAND ${{CMAKE_COMMAND}} -E false)\n"
    return TestCommand(
        argv=("/bin/sh", "-c", _SCRIPT, "sh", *_settings(tests)),
        shown="ctest",
        added={"CMakeLists.txt": TreeFile(content=lists + added.encode())},
        reports=(_REPORT, _STAGE),
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read ctest's JUnit file."""
    stage = (report_of(execution, _STAGE) or b"").strip()
    document = report_of(execution, _REPORT)
    cases = junit.parse(document) if document is not None else None
    if cases is None:
        output = (execution.stdout + b"\n" + execution.stderr).decode("utf-8", "replace")
        if stage == b"build" and execution.ended == "exited":
            return SuiteReport(problem=error_lines(output, r"\berror\b"), broken_build=True)
        if stage == b"configure" and execution.ended == "exited":
            lacks = _lacks(tree, output)
            reason = lacks or error_lines(output, r"CMake Error|Could NOT find|not found")
            return SuiteReport(problem=reason, broken_build=not lacks, unavailable=bool(lacks))
        return SuiteReport(problem=unreported(execution))
    check_control(case.outcome for case in cases if case.name == control)
    ended = {case.name for case in cases if case.outcome == "passed" and _ended_early(case.output)}
    kept = {case.name: case.outcome for case in cases if case.name != control and case.name not in ended}
    note = f"counted as failed, because they ended before their last test did: {', '.join(sorted(ended))}"[:300]
    return SuiteReport(
        outcomes={**junit.worst_by_name(iter(kept.items())), **dict.fromkeys(ended, "failed")},
        notes=(note,) if ended else (),
    )


def _ended_early(output: str) -> bool:
    """Return whether tests of GoogleTest began and never came to their end, whatever the exit code says."""
    return _STARTED in output and _FINISHED.search(output) is None


def _settings(tree: Tree) -> list[str]:
    """Return options of cmake: tests that are off by default are built, and GoogleTest is the system's."""
    lists = [file.text for path, file in tree.items() if path.endswith(("CMakeLists.txt", ".cmake"))]
    names = dict.fromkeys(name for text in lists for name in _TEST_OPTION.findall(text))
    found = [f"-D{name}=ON" for name in names]
    return [*found, f"-DFETCHCONTENT_SOURCE_DIR_GOOGLETEST={_GOOGLETEST}"] if Path(_GOOGLETEST).is_dir() else found


def _lacks(tree: Tree, output: str) -> str:
    """Return what the machine lacks for a build, in one sentence; empty if the project itself is wrong."""
    lacking = _LACKS.search(output)
    if lacking is not None:
        return " ".join(lacking[0].split())
    lists = (file.text for path, file in tree.items() if path.endswith(("CMakeLists.txt", ".cmake")))
    fetched = [name for text in lists for name in _DOWNLOADS.findall(text) if name.lower() != "googletest"]
    if not Path(_GOOGLETEST).is_dir():
        fetched += [name for file in tree.values() for name in _DOWNLOADS.findall(file.text)][:1]
    return f"its build downloads {fetched[0]}, and there is no network" if fetched else ""
