"""Go tests."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import PurePosixPath

import msgspec

from forgetest.verdict import Execution
from nerv.verification.ecosystems import (
    Host,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    go_modules,
    go_packages,
    host_note,
    junit,
    needs_host,
    unreported,
)
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree, TreeFile

NAME = "go"
_CONTROL = """package {package}

import "testing"

func Test_{name}(t *testing.T) {{
	if {value} != 0 {{
		t.Fatal("control")
	}}
}}
"""
_OUTCOMES: dict[str, TestOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


class _Event(msgspec.Struct):
    Action: str = ""
    Package: str = ""
    ImportPath: str = ""
    Test: str = ""
    Output: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether the project is a module or a workspace with tests."""
    return bool(go_modules.test_files(tree))


def runs_tests_below(tree: Tree, folder: str) -> bool:
    """Return whether the project's tests include those of a module in a folder below it."""
    return folder in go_modules.tested_folders(tree)


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return path.endswith("_test.go") or "testdata" in PurePosixPath(path).parts


def prepare(tree: Tree, host: Host) -> Preparation:
    """Download the modules that it requires, and build what it imports once."""
    return go_packages.prepare(tree, host)


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Run all packages; the control is a test of the first package that has some."""
    beside = min(go_modules.test_files(tree), default="")
    package = re.search(r"^package\s+(\w+)", tree[beside].text, re.M) if beside else None
    file = str(PurePosixPath(beside).parent / f"{control}_test.go") if beside else f"{control}_test.go"
    text = _CONTROL.format(package=package[1] if package else "control", name=control, value=int(control[-4:], 16) + 1)
    folders = go_modules.tested_folders(tree) or ("",)
    packages = " ".join(shlex.quote(f"./{folder}/...".replace("//", "/")) for folder in folders)
    return TestCommand(
        argv=go_packages.start(f"test -vet=off -json {packages}"),  # what go vet says is no result of a test
        shown=f"go test {packages}",
        added={file: TreeFile(content=text.encode())},
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read the events of `go test -json`; a package that does not build is an entry of its own."""
    events = _events(execution.stdout)
    if not events:
        missing = re.search(
            rb"no required module|cannot find module|module lookup disabled|not in std|requires go >= ",
            execution.stderr,
        )
        text = execution.stderr.decode("utf-8", "replace")
        if missing:
            return SuiteReport(problem=error_lines(text, r"\.go:\d+|go: "), unavailable=True)
        return SuiteReport(problem=unreported(execution))
    named: list[tuple[str, TestOutcome]] = []
    unbuilt: dict[str, None] = {}
    output: list[str] = []
    offline: set[str] = set()
    for event in events:
        if event.Action == "output" and event.Test and needs_host(event.Output):
            offline.add(f"{event.Package}.{event.Test}")
        if event.Action in _OUTCOMES and event.Test:
            named.append((f"{event.Package}.{event.Test}", _OUTCOMES[event.Action]))
        elif event.Action == "build-fail":
            unbuilt[event.ImportPath] = None
        elif event.Action == "build-output":
            output.append(event.Output)
        elif event.Action == "output" and re.search(r"\[(build|setup) failed\]", event.Output):
            unbuilt[event.Package] = None
    problem = ""
    if unbuilt:
        text = "".join(output) or execution.stderr.decode("utf-8", "replace")
        problem = error_lines(text, r"\.go:\d+")
    controls = [outcome for name, outcome in named if control in name]
    if controls or not unbuilt:  # its package may be the one that does not build
        check_control(controls)
    outcomes = junit.worst_by_name((name, outcome) for name, outcome in named if control not in name)
    offline = {name for name in offline if outcomes.get(name) == "failed"}
    outcomes.update(dict.fromkeys(offline, "skipped"))
    return SuiteReport(
        outcomes=outcomes,
        files=_files(tree, outcomes),
        notes=host_note(offline),
        problem=problem,
        broken_build=bool(unbuilt),
    )


def _files(tree: Tree, outcomes: Iterable[str]) -> dict[str, str]:
    """Return the file of each test: the one of its package that defines the function."""
    defined: dict[str, str] = {}
    for path, file in tree.items():
        module = go_modules.module_of(path, tree) if path.endswith("_test.go") else None
        if module is not None:
            folder = str(PurePosixPath(path).parent.relative_to(module[0] or "."))
            package = module[1] if folder == "." else f"{module[1]}/{folder}"
            for name in re.findall(r"^func (Test\w*|Example\w*|Fuzz\w*)\(", file.text, re.M):
                defined[f"{package}.{name}"] = path
    return {name: defined[whole] for name in outcomes if (whole := _whole(name)) in defined}


def _whole(name: str) -> str:
    """Return the name of the test that a subtest belongs to: `module/package.TestA/case` is a case of TestA."""
    match = re.match(r"(.*?\.(?:Test|Example|Fuzz)\w*)(/|$)", name)
    return match[1] if match else name


def _events(output: bytes) -> list[_Event]:
    decoder = msgspec.json.Decoder(_Event)
    found = []
    for line in output.splitlines():
        try:
            found.append(decoder.decode(line))
        except msgspec.MsgspecError:
            continue
    return found
