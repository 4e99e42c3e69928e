"""Rust tests that cargo builds: unit and integration tests; documentation tests are not run."""

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
    cargo_crates,
    cargo_targets,
    check_control,
    host_note,
    junit,
    needs_host,
    python_packages,
    report_of,
    unreported,
)
from nerv.verification.ecosystems.in_sandbox import program
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree, TreeFile

NAME = "cargo"
_PROGRAM, _REPORT = "run_cargo.py", "cargo.json"
_CONTROL = """
#[cfg(test)]
mod {name} {{
    #[test]
    fn {name}() {{
        assert_eq!({value}, 0);
    }}
}}
"""
_MACHINE = re.compile(r"failed to (get|load source)|unable to update|No space left on device")
"""What cargo and the compiler say where the machine lacks something."""
_OUTCOMES: dict[str, TestOutcome] = {"ok": "passed", "failed": "failed", "ignored": "skipped", "timeout": "failed"}


class _Binary(msgspec.Struct):
    target: str
    kind: list[str]
    source: str
    exit_code: int
    output: str


class _Report(msgspec.Struct):
    built: bool
    errors: list[str]
    stderr: str
    binaries: list[_Binary]


class _Event(msgspec.Struct):
    type: str = ""
    event: str = ""
    name: str = ""
    stdout: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether cargo builds the project."""
    return "Cargo.toml" in tree


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests; unit tests are part of the sources."""
    return re.search(r"(^|/)tests/|(^|/)src/(.*/)?tests?\.rs$|_tests?\.rs$|\.snap$|(^|/)\.cargo/", path) is not None


def prepare(tree: Tree, host: Host) -> Preparation:
    """Fetch the crates that the project requires, as sources, and build them in the sandbox."""
    return cargo_crates.prepare(tree, host)


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Build everything, then run each test binary; the control is a unit test of every library."""
    value = int(control[-4:], 16) + 1
    text = _CONTROL.format(name=control, value=value).encode()
    chosen = cargo_targets.tested_roots(tree)
    return TestCommand(
        argv=(
            *(python_packages.interpreter(), "-I", f"{WORK}/{_PROGRAM}", f"{REPORTS}/{_REPORT}", cargo_crates.BUILT),
            *cargo_crates.options(tree),
        ),
        environment={"OWN_HARNESSES": "\n".join(sorted(cargo_targets.own_harnesses(tree)))},
        shown="cargo test",
        files={_PROGRAM: program(_PROGRAM)},
        added={path: TreeFile(content=tree[path].content + text) for path in chosen},
        reports=(_REPORT,),
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read libtest's events; a binary's counts must agree with its exit code."""
    content = report_of(execution, _REPORT)
    try:
        report = msgspec.json.decode(content, type=_Report) if content is not None else None
    except msgspec.MsgspecError:
        report = None
    if report is None:
        return SuiteReport(problem=unreported(execution))
    if not report.built:
        return _unbuilt(report)
    named: list[tuple[str, TestOutcome]] = []
    files: dict[str, str] = {}
    offline: set[str] = set()
    own = cargo_targets.own_harnesses(tree)
    for binary in report.binaries:
        source = binary.source.removeprefix(f"{PROJECT}/")
        if source in own:
            named.append((_where(source), "passed" if binary.exit_code == 0 else "failed"))
            files[_where(source)] = source
            continue
        for event in _events(binary.output):
            if event.type == "test" and event.event in _OUTCOMES:
                name = f"{_where(source)}::{event.name}"
                named.append((name, _OUTCOMES[event.event]))
                files[name] = _file(source, event.name, tree)
                if event.event == "failed" and needs_host(event.stdout):
                    offline.add(name)
    check_control(outcome for name, outcome in named if control in name)
    kept = ((name, outcome) for name, outcome in named if control not in name)
    outcomes = junit.worst_by_name(kept)
    outcomes.update(dict.fromkeys(offline, "skipped"))
    return SuiteReport(outcomes=outcomes, files=files, notes=host_note(offline))


def _unbuilt(report: _Report) -> SuiteReport:
    said = "\n".join((report.stderr, *report.errors))
    missing = cargo_crates.MISSING_CRATE.search(said) or _MACHINE.search(said)
    lines = [line for line in report.stderr.splitlines() if line.startswith("error")]
    reason = (report.errors or lines or ["cargo failed"])[0].removeprefix("error: ")[:200]
    return SuiteReport(problem=reason, broken_build=not missing, unavailable=bool(missing))


def _file(source: str, name: str, tree: Tree) -> str:
    """Return the file of a test: that of the innermost module in its path that has one, or else the binary's."""
    folder = source.rpartition("/")[0]
    modules = name.split("::")[:-1]
    for length in range(len(modules), 0, -1):
        path = "/".join((folder, *modules[:length]))
        for file in (f"{path}.rs", f"{path}/mod.rs"):
            if file in tree:
                return file
    return source


def _where(source: str) -> str:
    """Return the file of a test binary, without the part that is always the same."""
    return source.removesuffix(".rs")


def _events(output: str) -> list[_Event]:
    found = []
    decoder = msgspec.json.Decoder(_Event)
    for line in output.splitlines():
        try:
            found.append(decoder.decode(line))
        except msgspec.MsgspecError:
            continue  # printed by a test past libtest's capture
    return found
