"""Go tests."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from forgetest.files import locks
from forgetest.verdict import Execution, Mount
from nerv.verification.ecosystems import (
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    host_note,
    junit,
    needs_host,
    unreported,
)
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree, TreeFile

NAME = "go"
_MODULES, _BUILT = "/gomodules", "/gobuilt"
_CONTROL = """package {package}

import "testing"

func Test_{name}(t *testing.T) {{
	if {value} != 0 {{
		t.Fatal("control")
	}}
}}
"""
_OUTCOMES: dict[str, TestOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_COMMON = (
    *("bufio", "bytes", "context", "encoding/json", "errors", "fmt", "io", "math", "os", "path/filepath", "reflect"),
    *("regexp", "sort", "strconv", "strings", "sync", "testing", "time", "unicode"),
)
_ENVIRONMENT = {"GOTOOLCHAIN": "local", "GOTELEMETRY": "off", "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=mod"}


class _Event(msgspec.Struct):
    Action: str = ""
    Package: str = ""
    ImportPath: str = ""
    Test: str = ""
    Output: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether the project is a module with tests."""
    return "go.mod" in tree and any(path.endswith("_test.go") for path in tree)


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return path.endswith("_test.go") or "testdata" in PurePosixPath(path).parts


def prepare(tree: Tree, host: Host) -> Preparation:
    """Download the modules that it requires, and build the usual packages of the standard library once."""
    go = shutil.which("go", path=host.environment.get("PATH"))
    if go is None:
        raise NotPrepared("Go is not installed on this machine")
    root = _go_variable(go, "GOROOT", host)
    built = _build_standard_library(go, host)
    mounts = [Mount(source=str(built), target=_BUILT)]
    mounts += [] if root.startswith("/usr/") else [Mount(source=root, target=root)]
    environment = {
        **_ENVIRONMENT,
        "PATH": f"{root}/bin:/usr/local/bin:/usr/bin:/bin",
        "GOROOT": root,
        "GOPATH": "/w/go",
        "GOCACHE": "/w/gocache",
        "GOPROXY": "off",
        "GONOSUMDB": "*",
        "GOSUMDB": "off",
    }
    if re.search(r"^\s*(require\s)?\s*[\w.-]+\.[\w.-]+/\S+ v\d", tree["go.mod"].text if "go.mod" in tree else "", re.M):
        mounts.append(Mount(source=str(_download(tree, go, host)), target=_MODULES))
        environment["GOPROXY"] = f"file://{_MODULES}"
    return Preparation(mounts=tuple(mounts), environment=environment)


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Run all packages; the control is a test of the first package that has some."""
    beside = min((path for path in tree if path.endswith("_test.go")), default="")
    package = re.search(r"^package\s+(\w+)", tree[beside].text, re.M) if beside else None
    file = str(PurePosixPath(beside).parent / f"{control}_test.go") if beside else f"{control}_test.go"
    text = _CONTROL.format(package=package[1] if package else "control", name=control, value=int(control[-4:], 16) + 1)
    return TestCommand(
        argv=test_argv("-vet=off -json ./..."),  # what go vet says is no result of a test
        shown="go test ./...",
        added={file: TreeFile(content=text.encode())},
    )


def test_argv(arguments: str) -> tuple[str, ...]:
    """Return how `go test` is started in the sandbox with these arguments."""
    # links to built packages: go wants to write into its cache
    script = f'mkdir -p "$GOCACHE" && cp -rs {_BUILT}/. "$GOCACHE"/ 2>/dev/null; exec go test {arguments}'
    return ("/bin/sh", "-c", script)


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read the events of `go test -json`; a package that does not build is an entry of its own."""
    events = _events(execution.stdout)
    if not events:
        missing = re.search(
            rb"no required module|cannot find module|module lookup disabled|not in std", execution.stderr
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
    module = re.search(r"^module\s+(\S+)", tree["go.mod"].text, re.M) if "go.mod" in tree else None
    prefix = module[1] if module else ""
    defined: dict[str, str] = {}
    for path, file in tree.items():
        if path.endswith("_test.go"):
            folder = str(PurePosixPath(path).parent)
            package = prefix if folder == "." else f"{prefix}/{folder}"
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


def _go_variable(go: str, name: str, host: Host) -> str:
    done = subprocess.run(
        [go, "env", name], cwd="/", env=_host_environment(host), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotPrepared(f"go does not work on this machine: {done.stderr.strip()[:200]}")
    return done.stdout.strip()


def _host_environment(host: Host) -> dict[str, str]:
    return {**host.environment, **_ENVIRONMENT}


def _build_standard_library(go: str, host: Host) -> Path:
    """Return a build cache with the packages that most tests need, made once for each version of Go."""
    version = _go_variable(go, "GOVERSION", host)
    folder = host.cache_folder / "verification" / "go" / f"built-{version}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locks.exclusive(folder.parent / f"built-{version}.lock"):
        if folder.exists():
            return folder
        host.say("verifying: building Go's standard library, once")
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as unfinished:
            project, cache = Path(unfinished, "project"), Path(unfinished, "cache")
            project.mkdir()
            (project / "go.mod").write_text("module prepared\n")
            imports = "".join(f'\t_ "{name}"\n' for name in _COMMON if name != "testing")
            test = f'package prepared\n\nimport (\n{imports}\t"testing"\n)\n\nfunc TestNothing(t *testing.T) {{}}\n'
            (project / "prepared_test.go").write_text(test)
            _run(go, ["test", "./..."], project, {**_host_environment(host), "GOCACHE": str(cache)})
            cache.rename(folder)
    return folder


def _download(tree: Tree, go: str, host: Host) -> Path:
    """Return a folder with the modules as a registry serves them, fetched now unless they were before."""
    files = {name: tree[name].content for name in ("go.mod", "go.sum") if name in tree}
    key = hashlib.sha256(b"\0".join(files.values())).hexdigest()[:32]
    folder = host.cache_folder / "verification" / "go" / key
    with locks.exclusive(folder.parent / f"{key}.lock"):
        if folder.exists():
            return folder
        host.say("verifying: downloading Go modules")
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as unfinished:
            project, cache = Path(unfinished, "project"), Path(unfinished, "modules")
            project.mkdir()
            for name, content in files.items():
                (project / name).write_bytes(content)
            environment = {
                **_host_environment(host),
                "GOMODCACHE": str(cache),
                "GOFLAGS": "-mod=mod -modcacherw",
                "GOPROXY": _registries(host.environment),
                "GOVCS": "*:off",  # no version control program on an address that the agent chose
            }
            _run(go, ["mod", "download", "all"], project, environment)
            (cache / "cache" / "download").rename(folder)
    return folder


def _registries(environment: Mapping[str, str]) -> str:
    chosen = [each for each in re.split(r"[,|]", environment.get("GOPROXY", "")) if each.startswith(("http", "file"))]
    return ",".join(chosen) or "https://proxy.golang.org"


def _run(go: str, words: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(
            [go, *words],
            cwd=folder,
            env={**environment, "PWD": os.fspath(folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=900,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotPrepared(f"go {' '.join(words)} did not end within 15 minutes") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        raise NotPrepared(f"go {' '.join(words)} failed: {(lines or ['no output'])[-1][:200]}")
