"""Rust tests that cargo builds: unit and integration tests; documentation tests are not run."""

from __future__ import annotations

import hashlib
import itertools
import re
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from forgetest.files import locks
from forgetest.verdict import Execution, Mount
from nerv.verification.ecosystems import (
    PROJECT,
    REPORTS,
    WORK,
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    TestCommand,
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
from nerv.verification.trees import Tree, TreeFile, write_tree

NAME = "cargo"
_PROGRAM, _REPORT = "run_cargo.py", "cargo.json"
_VENDOR = "/vendor"
_MISSING_CRATE = re.compile(r"no matching package|failed to select a version")
_CONTROL = """
#[cfg(test)]
mod {name} {{
    #[test]
    fn {name}() {{
        assert_eq!({value}, 0);
    }}
}}
"""
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
    """Fetch the crates that the project requires, as sources; nothing is built on the host."""
    rustc = shutil.which("rustc", path=host.environment.get("PATH"))
    if rustc is None:
        raise NotPrepared("Rust is not installed on this machine")
    sysroot = _sysroot(rustc, host)
    mounts = [*python_packages.interpreter_mounts(), Mount(source=sysroot, target=sysroot)]
    environment = {
        "PATH": f"{sysroot}/bin:/usr/local/bin:/usr/bin:/bin",
        "CARGO_HOME": "/w/home/cargo",
        "CARGO_PROFILE_DEV_DEBUG": "0",  # half of what a build takes in memory, and a tenth of its time
        "CARGO_INCREMENTAL": "0",
    }
    if _requires_crates(tree):
        mounts.append(Mount(source=str(_vendor(tree, f"{sysroot}/bin/cargo", host)), target=_VENDOR))
    return Preparation(mounts=tuple(mounts), environment=environment)


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Build everything, then run each test binary; the control is a unit test of every library."""
    value = int(control[-4:], 16) + 1
    text = _CONTROL.format(name=control, value=value).encode()
    libraries = [path for path in tree if re.search(r"(^|/)src/lib\.rs$", path)]
    chosen = libraries or [path for path in tree if re.search(r"(^|/)src/main\.rs$", path)]
    options = (
        ["--config", 'source.crates-io.replace-with="vendored"', "--config", f'source.vendored.directory="{_VENDOR}"']
        if _requires_crates(tree)
        else []
    )
    return TestCommand(
        argv=(python_packages.interpreter(), "-I", f"{WORK}/{_PROGRAM}", f"{REPORTS}/{_REPORT}", *options),
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
    for binary in report.binaries:
        source = binary.source.removeprefix(f"{PROJECT}/")
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
    missing = _MISSING_CRATE.search(report.stderr) or re.search(
        r"failed to (get|load source)|unable to update", report.stderr
    )
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


def _sysroot(rustc: str, host: Host) -> str:
    done = subprocess.run(
        [rustc, "--print", "sysroot"],
        cwd="/",
        env=dict(host.environment),
        capture_output=True,
        text=True,
        check=False,
    )
    sysroot = done.stdout.strip()
    if done.returncode or not sysroot:
        raise NotPrepared(f"rustc does not work on this machine: {done.stderr.strip()[:200]}")
    return sysroot


def _requires_crates(tree: Tree) -> bool:
    return any(_dependencies(tree[path].text) for path in _manifests(tree))


def _manifests(tree: Tree) -> list[str]:
    return sorted(path for path in tree if path == "Cargo.toml" or path.endswith("/Cargo.toml"))


def _dependencies(manifest: str) -> list[Any]:
    """Return the dependencies of a manifest that are not part of the repository."""
    try:
        document: Any = tomllib.loads(manifest)
    except tomllib.TOMLDecodeError:
        return []
    tables = [document, document.get("workspace", {}), *document.get("target", {}).values()]
    found = []
    for table in tables:
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for value in (table.get(key) or {}).values() if isinstance(table, dict) else ():
                is_local = isinstance(value, dict) and ("path" in value or value.get("workspace"))
                found += [] if is_local else [value]
    return found


def _vendor(tree: Tree, cargo: str, host: Host) -> Path:
    """Return a folder with the crates' sources, fetched now unless they were before."""
    manifests = [path for path in (*_manifests(tree), "Cargo.lock") if path in tree]
    if any(re.search(r"\bgit\s*=|\"git\+", tree[path].text) for path in manifests):
        raise NotPrepared("it requires crates from git repositories, and only those of the registry are fetched")
    content = "\0".join(f"{path}\0{tree[path].text}" for path in manifests)
    key = hashlib.sha256(content.encode()).hexdigest()[:32]
    folder = host.cache_folder / "verification" / "cargo" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locks.exclusive(folder.parent / f"{key}.lock"):
        if folder.exists():
            return folder
        host.say("verifying: fetching crates")
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as unfinished:
            project, target = Path(unfinished, "project"), Path(unfinished, "vendor")
            # the configuration of the repository could name programs for cargo to start
            wanted = (".rs", "Cargo.toml", "Cargo.lock")
            write_tree({p: f for p, f in tree.items() if p.endswith(wanted) and ".cargo/" not in p}, project)
            try:
                done = subprocess.run(
                    [cargo, "vendor", "--quiet", str(target)],
                    cwd=project,
                    env=dict(host.environment),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=600,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise NotPrepared("the crates that it requires could not be fetched within 10 minutes") from None
            if done.returncode:
                reason = cargo_reason(done.stderr.decode("utf-8", "replace"))
                raise NotPrepared(f"the crates that it requires could not be fetched: {reason}")
            target.mkdir(exist_ok=True)
            target.rename(folder)
    return folder


def cargo_reason(stderr: str) -> str:
    """Return what cargo says went wrong: the crate that is missing, or else the last cause that it gives."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    missing = [line for line in lines if _MISSING_CRATE.search(line)]
    causes = [after for before, after in itertools.pairwise(lines) if before == "Caused by:"]
    return (missing or causes[-1:] or lines or ["cargo failed; is there a network?"])[0].removeprefix("error: ")[:200]
