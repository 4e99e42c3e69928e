"""Java tests of JUnit 4 and 5, in the folders that Maven and Gradle use.

The build itself is not run, because its plugins are programs from the network: the sources are compiled by javac.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import msgspec

from forgetest.verdict import Execution, Mount
from nerv.verification.ecosystems import (
    REPORTS,
    WORK,
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    host_note,
    java_modules,
    java_packages,
    junit,
    needs_host,
    python_packages,
    report_of,
    unreported,
)
from nerv.verification.ecosystems.in_sandbox import program
from nerv.verification.trees import Tree, TreeFile

NAME = "java"
_PROGRAM, _JARS = "run_java.py", "/jars"
_REPORTS = ("java.json", "jupiter.xml", "vintage.xml")
_CONTROL = """import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class {name} {{
    @Test
    void {name}() {{
        Assertions.assertEquals({value}, 0);
    }}
}}
"""


class _Report(msgspec.Struct):
    errors: str
    output: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether Maven or Gradle build the project, and it has tests."""
    builds = {"pom.xml", "build.gradle", "build.gradle.kts"}
    return bool(builds & set(tree)) and bool(_tested(tree))


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return re.search(r"(^|/)src/test/", path) is not None


def _tested(tree: Tree) -> list[str]:
    """Return the folders of the modules that have tests."""
    below = ((folder, f"{folder}/src/test/java/".lstrip("/")) for folder in java_modules.folders(tree))
    return [folder for folder, tests in below if any(path.startswith(tests) for path in tree)]


def prepare(tree: Tree, host: Host) -> Preparation:
    """Fetch the libraries that it requires, and JUnit's launcher."""
    javac = shutil.which("javac", path=host.environment.get("PATH"))
    if javac is None:
        raise NotPrepared("a Java development kit is not installed on this machine")
    home = Path(os.path.realpath(javac)).parent.parent
    jars = java_packages.fetch(java_packages.libraries(tree), host)
    mounts = [*python_packages.interpreter_mounts(), Mount(source=str(jars), target=_JARS)]
    mounts += [] if home.is_relative_to("/usr") else [Mount(source=str(home), target=str(home))]
    mounts += [Mount(source=str(each), target=str(each)) for each in sorted(Path("/etc").glob("java-*"))]
    return Preparation(mounts=tuple(mounts), environment={"PATH": f"{home}/bin:/usr/bin:/bin"})


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Compile everything, and run all test classes."""
    text = _CONTROL.format(name=control, value=int(control[-4:], 16) + 1)
    beside = next(iter(_tested(tree)), "")
    return TestCommand(
        argv=(
            *(python_packages.interpreter(), "-I", f"{WORK}/{_PROGRAM}"),
            *(REPORTS, f"{_JARS}/{java_packages.CONSOLE}", _JARS),
            *(folder or "." for folder in java_modules.folders(tree)),
        ),
        shown="javac, and JUnit's console launcher",
        files={_PROGRAM: program(_PROGRAM)},
        added={f"{beside}/src/test/java/{control}.java".lstrip("/"): TreeFile(content=text.encode())},
        reports=_REPORTS,
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read JUnit's reports of both engines."""
    content = report_of(execution, "java.json")
    try:
        report = msgspec.json.decode(content, type=_Report) if content is not None else None
    except msgspec.MsgspecError:
        report = None
    if report is None:
        return SuiteReport(problem=unreported(execution))
    if report.errors:
        missing = re.search(r"package ([\w.]+) does not exist", report.errors)
        is_foreign = missing is not None and not _is_own_package(missing[1], tree)
        reason = error_lines(report.errors, r"\berror: ")
        return SuiteReport(problem=reason.removeprefix(f"{WORK}/project/"), broken_build=not is_foreign)
    documents = [document for name in _REPORTS[1:] if (document := report_of(execution, name)) is not None]
    parsed = [junit.parse(document) for document in documents]
    cases = [case for each in parsed for case in each or ()]
    if not cases:
        return SuiteReport(problem=f"JUnit wrote no report: {error_lines(report.output, 'Exception|Error')}")
    check_control(case.outcome for case in cases if case.classname == control)
    cases = [case for case in cases if case.classname != control]
    offline = {_name(case) for case in cases if case.outcome == "failed" and needs_host(case.details)}
    return SuiteReport(
        outcomes={
            **junit.worst_by_name((_name(case), case.outcome) for case in cases),
            **dict.fromkeys(offline, "skipped"),
        },
        notes=host_note(offline),
        files={_name(case): _file(case, tree) for case in cases},
    )


def _name(case: junit.JUnitCase) -> str:
    return f"{case.classname}.{case.name.removesuffix('()')}"


def _file(case: junit.JUnitCase, tree: Tree) -> str:
    below = f"src/test/java/{case.classname.split('$')[0].replace('.', '/')}.java"
    return next((path for path in tree if path.endswith(f"/{below}")), below)


def _is_own_package(package: str, tree: Tree) -> bool:
    folder = package.replace(".", "/")
    return any(f"/java/{folder}/" in f"/{path}" for path in tree)
