"""What a Go project imports: modules are downloaded on the host, and all is built once, in the sandbox."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from forgetest.files import locks
from forgetest.verdict import Mount
from nerv.verification.ecosystems import WORK, Host, NotPrepared, Preparation, TestCommand
from nerv.verification.ecosystems.built_once import build_once
from nerv.verification.trees import Tree, TreeFile

_MODULES, _BUILT, _IMPORTED = "/gomodules", "/gobuilt", "/goimported"
_COMMON = (
    *("bufio", "bytes", "context", "encoding/json", "errors", "fmt", "io", "math", "os", "path/filepath", "reflect"),
    *("regexp", "sort", "strconv", "strings", "sync", "testing", "time", "unicode"),
)
_ENVIRONMENT = {"GOTOOLCHAIN": "local", "GOTELEMETRY": "off", "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=mod"}
_CACHE = f"{WORK}/gocache"
_BUILD = "build $(go list -e -f '{{if not (or .Error .DepsErrors)}}{{.ImportPath}}{{end}}' ./...)"
"""With a package that cannot even be found, such as one for another system, `go build ./...` builds nothing at all."""
_QUOTED = re.compile(r"\"([\w./~-]+)\"")


def prepare(tree: Tree, host: Host) -> Preparation:
    """Download the modules that a project requires, and build what it imports once."""
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
        "GOCACHE": _CACHE,
        "GOPROXY": "off",
        "GONOSUMDB": "*",
        "GOSUMDB": "off",
    }
    if re.search(r"^\s*(require\s)?\s*[\w.-]+\.[\w.-]+/\S+ v\d", tree["go.mod"].text if "go.mod" in tree else "", re.M):
        mounts.append(Mount(source=str(_download(tree, go, host)), target=_MODULES))
        environment["GOPROXY"] = f"file://{_MODULES}"
    preparation = Preparation(mounts=tuple(mounts), environment=environment)
    imported = _build_imports(tree, built.name, preparation, host)
    mounts += [] if imported is None else [Mount(source=str(imported), target=_IMPORTED)]
    return Preparation(mounts=tuple(mounts), environment=environment)


def start(arguments: str) -> tuple[str, ...]:
    """Return how `go` is started in the sandbox with these arguments, with links to what was built before."""
    # links, because go wants to write into its cache
    links = "".join(f'cp -rs {folder}/. "$GOCACHE"/ 2>/dev/null; ' for folder in (_BUILT, _IMPORTED))
    return ("/bin/sh", "-c", f'mkdir -p "$GOCACHE"; {links}exec go {arguments}')


def _build_imports(tree: Tree, standard: str, preparation: Preparation, host: Host) -> Path | None:
    """Return a build cache with everything that the project imports beyond `standard`, or None if that is nothing.

    It is compiled, and nothing of it is run.
    """
    own = re.search(r"^module\s+(\S+)", tree["go.mod"].text, re.M) if "go.mod" in tree else None
    if own is None:
        return None
    found = {name for path in tree if path.endswith(".go") for name in _QUOTED.findall(_head(tree[path].text))}
    is_own = re.compile(rf"{re.escape(own[1])}(/|$)|\.|C$")
    imports = sorted(name for name in found - set(_COMMON) if not is_own.match(name))
    if not imports:
        return None
    modules = {name: tree[name] for name in ("go.mod", "go.sum") if name in tree}
    # each in a package of its own: one that cannot be built keeps no other from it
    sources = {f"p{index}/p.go": f'package p\n\nimport _ "{name}"\n' for index, name in enumerate(imports)}
    return build_once(
        host,
        "imported packages",
        [standard, _BUILD, *imports, *(file.text for file in modules.values())],
        tree={**modules, **{path: TreeFile(content=text.encode()) for path, text in sources.items()}},
        command=TestCommand(argv=start(_BUILD), shown="go build"),
        preparation=preparation,
        built=_CACHE,
    )


def _head(source: str) -> str:
    """Return the part of a Go file that its imports stand in."""
    return re.split(r"^(?:func|type|var|const)\b", source, maxsplit=1, flags=re.M)[0]


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
