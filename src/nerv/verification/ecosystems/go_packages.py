"""What a Go project imports: modules are downloaded on the host, and all is built once, in the sandbox."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from forgetest.verdict import Mount
from nerv.verification.ecosystems import WORK, Host, NotPrepared, Preparation, TestCommand, go_modules
from nerv.verification.ecosystems.built_once import build_once
from nerv.verification.trees import Tree, TreeFile

_MODULES, _BUILT, _IMPORTED = "/gomodules", "/gobuilt", "/goimported"
_COMMON = (
    *("bufio", "bytes", "context", "encoding/json", "errors", "fmt", "io", "math", "os", "path/filepath", "reflect"),
    *("regexp", "sort", "strconv", "strings", "sync", "testing", "time", "unicode"),
)
_ENVIRONMENT = {"GOTOOLCHAIN": "local", "GOTELEMETRY": "off", "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=mod"}
_OF_ONE_MODULE = {"GOFLAGS": _ENVIRONMENT["GOFLAGS"], "GOWORK": "off"}
_VENDORED = "vendor/modules.txt"
_CGO = re.compile(r"^(?:import\s+)?\s*\"C\"\s*$", re.M)
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
        **_modes(tree),
        "PATH": f"{root}/bin:/usr/local/bin:/usr/bin:/bin",
        "GOROOT": root,
        "GOPATH": "/w/go",
        "GOCACHE": _CACHE,
        "GOPROXY": "off",
        "GONOSUMDB": "*",
        "GOSUMDB": "off",
    }
    required = "" if _VENDORED in tree else go_modules.requirements(tree)
    if required:
        mounts.append(Mount(source=str(_download(required, go_modules.checksums(tree), go, host)), target=_MODULES))
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
    own = go_modules.own_modules(tree)
    if not own or _VENDORED in tree:
        return None
    found = {name for path in tree if path.endswith(".go") for name in _QUOTED.findall(_head(tree[path].text))}
    is_own = re.compile(rf"(?:{'|'.join(map(re.escape, sorted(own)))})(/|$)|\.|C$")
    imports = sorted(name for name in found - set(_COMMON) if not is_own.match(name))
    if not imports:
        return None
    texts = {
        "go.mod": go_modules.requirements(tree) or "module prepared\n\ngo 1.21\n",
        "go.sum": go_modules.checksums(tree),
    }
    modules = {name: TreeFile(content=text.encode()) for name, text in texts.items()}
    # each in a package of its own: one that cannot be built keeps no other from it
    sources = {f"p{index}/p.go": f'package p\n\nimport _ "{name}"\n' for index, name in enumerate(imports)}
    return build_once(
        host,
        "imported packages",
        [standard, _BUILD, preparation.environment.get("CGO_ENABLED", ""), *imports, *texts.values()],
        tree={**modules, **{path: TreeFile(content=text.encode()) for path, text in sources.items()}},
        command=TestCommand(argv=start(_BUILD), shown="go build"),
        preparation=replace(preparation, environment={**preparation.environment, **_OF_ONE_MODULE}),
        built=_CACHE,
    )


def _modes(tree: Tree) -> dict[str, str]:
    """Return how the project's modules are found: in a workspace, in its `vendor` folder, or by go.mod alone."""
    if go_modules.is_workspace(tree):
        found = {"GOFLAGS": "-buildvcs=false"}
    else:
        mode = "vendor" if _VENDORED in tree else "mod"
        found = {"GOFLAGS": f"-buildvcs=false -mod={mode}", "GOWORK": "off"}
    uses_c = any(path.endswith(".go") and _CGO.search(_head(file.text)) for path, file in tree.items())
    has_compiler = shutil.which("cc", path="/usr/local/bin:/usr/bin:/bin") is not None
    return {**found, "CGO_ENABLED": "1"} if uses_c and has_compiler else found


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

    def make(unfinished: Path) -> Path:
        host.say("verifying: building Go's standard library, once")
        project, cache = unfinished / "project", unfinished / "cache"
        project.mkdir()
        (project / "go.mod").write_text("module prepared\n")
        imports = "".join(f'\t_ "{name}"\n' for name in _COMMON if name != "testing")
        test = f'package prepared\n\nimport (\n{imports}\t"testing"\n)\n\nfunc TestNothing(t *testing.T) {{}}\n'
        (project / "prepared_test.go").write_text(test)
        _run(go, ["test", "./..."], project, {**_host_environment(host), "GOCACHE": str(cache)})
        return cache

    return host.keep("go", f"built-{version}", make)


def _download(required: str, checksums: str, go: str, host: Host) -> Path:
    """Return a folder with the modules as a registry serves them, fetched now unless they were before."""
    key = hashlib.sha256(f"{required}\0{checksums}".encode()).hexdigest()[:32]

    def make(unfinished: Path) -> Path:
        host.say("verifying: downloading Go modules")
        project, cache = unfinished / "project", unfinished / "modules"
        project.mkdir()
        (project / "go.mod").write_text(required)
        (project / "go.sum").write_text(checksums)
        environment = {
            **_host_environment(host),
            "GOMODCACHE": str(cache),
            "GOFLAGS": "-mod=mod -modcacherw",
            "GOPROXY": _registries(host.environment),
            "GOVCS": "*:off",  # no version control program on an address that the agent chose
        }
        _run(go, ["mod", "download", "all"], project, environment)
        return cache / "cache" / "download"

    return host.keep("go", key, make)


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
