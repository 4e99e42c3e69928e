"""C and C++ tests that CMake builds and ctest runs."""

from __future__ import annotations

import re
import shutil

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
_SCRIPT = (
    f"echo configure > {REPORTS}/{_STAGE}"
    " && cmake -S . -B /w/build -DCMAKE_BUILD_TYPE=Debug -DFETCHCONTENT_FULLY_DISCONNECTED=ON"
    f" && echo build > {REPORTS}/{_STAGE} && cmake --build /w/build -j2"
    f" && echo test > {REPORTS}/{_STAGE} && ctest --test-dir /w/build --output-junit {REPORTS}/{_REPORT} --timeout 120"
)


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
    added = f"\nadd_test(NAME {control} COMMAND ${{CMAKE_COMMAND}} -E false)\n"
    return TestCommand(
        argv=("/bin/sh", "-c", _SCRIPT),
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
            lacks_package = re.search(r"Could NOT find|could not be found|No package .* found", output)
            reason = error_lines(output, r"CMake Error|Could NOT find|not found")
            return SuiteReport(problem=reason, broken_build=not lacks_package, unavailable=bool(lacks_package))
        return SuiteReport(problem=unreported(execution))
    check_control(case.outcome for case in cases if case.name == control)
    kept = ((case.name, case.outcome) for case in cases if case.name != control)
    return SuiteReport(outcomes=junit.worst_by_name(kept))
