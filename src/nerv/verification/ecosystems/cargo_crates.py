"""Crates that a Rust project requires: fetched as sources on the host, and built once, in the sandbox."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from forgetest.verdict import Mount
from nerv.documents import read_toml, table
from nerv.verification.ecosystems import PROJECT, Host, NotPrepared, Preparation, TestCommand, python_packages
from nerv.verification.ecosystems.built_once import build_once
from nerv.verification.trees import Tree, TreeFile, write_tree

BUILT = "/built"
"""Where runs find what was built of the crates."""
TEST = ("cargo", "test", "--offline", "--no-run", "--workspace", "--no-fail-fast")
MISSING_CRATE = re.compile(r"no matching package|failed to select a version")
_MANIFEST = re.compile(r"(?:^|/)Cargo\.(?:toml|lock)$")
_CARGO_FOLDER = re.compile(r"(?:^|/)\.cargo/")
_VENDOR = "/vendor"
_TARGET = "target"
_STUB = "stub"
"""Folder of the project without code, with which crates are built."""
_BUILD = f"""
cd {_STUB}
"$@"
# of the project's own packages nothing is kept, or cargo would take what it built without code for them
for name in $OWN_PACKAGES; do
    rm -rf ../target/*/.fingerprint/"$name"-* ../target/*/*/.fingerprint/"$name"-*
done
rm -rf ../target/*/incremental ../target/*/examples
"""
_DESCRIBING = frozenset(
    (
        *("version", "description", "authors", "license", "license-file", "readme", "homepage", "repository"),
        *("documentation", "keywords", "categories", "include", "exclude", "metadata", "publish"),
    )
)
"""Keys of a package that change nothing about what it requires."""


def prepare(tree: Tree, host: Host) -> Preparation:
    """Return the compiler and the crates; of what the host does, nothing is built there."""
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
        preparation = Preparation(mounts=tuple(mounts), environment=environment)
        built = _build(tree, sysroot, preparation, host)
        mounts += [] if built is None else [Mount(source=str(built), target=BUILT)]
    return Preparation(mounts=tuple(mounts), environment=environment)


def options(tree: Tree) -> tuple[str, ...]:
    """Return the options by which cargo finds the crates."""
    if not _requires_crates(tree):
        return ()
    where = ('source.crates-io.replace-with="vendored"', f'source.vendored.directory="{_VENDOR}"')
    return tuple(word for setting in where for word in ("--config", setting))


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
    document = read_toml(manifest)
    found = []
    for each in (document, table(document, "workspace"), *table(document, "target").values()):
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for value in table(each, key).values():
                is_local = isinstance(value, dict) and ("path" in value or value.get("workspace"))
                found += [] if is_local else [value]
    return found


def _key(tree: Tree) -> str:
    """Return a hash of everything that says which crates are required, and how they are built."""
    found: list[Any] = []
    for path in _manifests(tree):
        document = read_toml(tree[path].text) or {"text": tree[path].text}
        package = {key: value for key, value in table(document, "package").items() if key not in _DESCRIBING}
        found.append((path, {**document, "package": package} if package else document))
    if "Cargo.lock" in tree:
        packages = (read_toml(tree["Cargo.lock"].text) or {}).get("package")
        found.append(
            [package for package in packages if "source" in package]
            if isinstance(packages, list) and all(isinstance(each, dict) for each in packages)
            else tree["Cargo.lock"].text
        )
    return hashlib.sha256(json.dumps(found, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _build(tree: Tree, sysroot: str, preparation: Preparation, host: Host) -> Path | None:
    """Return a folder with what cargo builds of the crates; None if that cannot be known beforehand."""
    settings = [tree[path].text for path in tree if re.search(r"(^|/)\.cargo/config(\.toml)?$", path)]
    # crates from a folder of the repository would be built without their code
    if any(re.search(r"^\s*(\[source|paths\b|directory\b)", text, re.M) for text in settings):
        return None
    return build_once(
        host,
        "crates",
        [_key(tree), sysroot, str(Path(sysroot, "bin", "rustc").stat().st_mtime_ns), *_settings_of_cargo(tree)],
        tree=_stub(tree),
        command=TestCommand(
            argv=("/bin/sh", "-c", _BUILD, "sh", *TEST, "--target-dir", f"../{_TARGET}", *options(tree)),
            shown="cargo test",
            environment={"OWN_PACKAGES": " ".join(_own_packages(tree))},
        ),
        preparation=preparation,
        built=f"{PROJECT}/{_TARGET}",
    )


def _settings_of_cargo(tree: Tree) -> list[str]:
    """Return everything below `.cargo`: settings, and programs that they may name in the place of the compiler."""
    files = sorted((path, file) for path, file in tree.items() if _CARGO_FOLDER.search(path))
    return [f"{path} {file.executable} {file.link} {hashlib.sha256(file.content).hexdigest()}" for path, file in files]


def _own_packages(tree: Tree) -> list[str]:
    names = [table(read_toml(tree[path].text), "package").get("name") for path in _manifests(tree)]
    return sorted({name for name in names if isinstance(name, str) and re.fullmatch(r"[\w-]+", name)})


def _stub(tree: Tree) -> Tree:
    """Return the project with the same manifests and no code."""
    nothing = TreeFile(content=b"fn main() {}\n")
    kept = {path: file for path, file in tree.items() if _MANIFEST.search(path) or _CARGO_FOLDER.search(path)}
    sources = {path: nothing for path, file in tree.items() if path.endswith(".rs") and file.link is None}
    return {f"{_STUB}/{path}": file for path, file in {**kept, **sources}.items()}


def _vendor(tree: Tree, cargo: str, host: Host) -> Path:
    """Return a folder with the crates' sources, fetched now unless they were before."""
    manifests = [path for path in (*_manifests(tree), "Cargo.lock") if path in tree]
    if any(re.search(r"\bgit\s*=|\"git\+", tree[path].text) for path in manifests):
        raise NotPrepared("it requires crates from git repositories, and only those of the registry are fetched")
    key = _key(tree)

    def make(unfinished: Path) -> Path:
        host.say("verifying: fetching crates")
        project, target = unfinished / "project", unfinished / "vendor"
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
        return target

    return host.keep("cargo", key, make)


def cargo_reason(stderr: str) -> str:
    """Return what cargo says went wrong: the crate that is missing, or else the last cause that it gives."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    missing = [line for line in lines if MISSING_CRATE.search(line)]
    causes = [after for before, after in itertools.pairwise(lines) if before == "Caused by:"]
    return (missing or causes[-1:] or lines or ["cargo failed; is there a network?"])[0].removeprefix("error: ")[:200]
