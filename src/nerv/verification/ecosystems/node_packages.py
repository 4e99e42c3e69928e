"""Packages that a Node project requires: installed once beforehand, without running any of their scripts."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec

from forgetest.verdict import Mount
from nerv.documents import read_json
from nerv.verification.ecosystems import Host, NotPrepared, Preparation, node_workspaces
from nerv.verification.trees import Tree

MODULES = "/node_modules"
"""Node looks for packages in the folders above a file, so that this one serves every project."""
LOCAL_PACKAGES = "NERV_LOCAL_PACKAGES"
"""Variable with the repository's own packages, `name=folder`, which take the place of installed ones."""
_LOCK = "package-lock.json"
_VERSION = re.compile(r"[\w.*^~<>=|\s+-]*")
_RESOLVED = re.compile(r'"resolved"\s*:\s*"([^"]*)"')
_NPM_ERROR = re.compile(r"npm (?:error|ERR!)(.*)")
_REGISTRY = "https://registry.npmjs.org/"


def manifest(tree: Tree) -> dict[str, Any]:
    """Return package.json; empty if there is none, or it is invalid."""
    found = read_json(tree["package.json"].text) if "package.json" in tree else {}
    return found if isinstance(found, dict) else {}


def requires(tree: Tree, package: str) -> bool:
    """Return whether the project requires a package."""
    return package in _required(manifest(tree))[0]


def prepare(tree: Tree, host: Host) -> Preparation:
    """Install the packages; raises NotPrepared."""
    if shutil.which("node", path=host.environment.get("PATH")) is None:
        raise NotPrepared("Node.js is not installed on this machine")
    own = node_workspaces.packages(host.repository)
    documents = [manifest(tree), *(node_workspaces.manifests(host.repository) if own else ())]
    packages: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    for found, refused in map(_required, documents):
        packages = {**{name: version for name, version in found.items() if name not in own}, **packages}
        notes = (*notes, *(note for note in refused if note.rpartition(" ")[2] not in own))
    environment = {LOCAL_PACKAGES: " ".join(f"{name}={folder}" for name, folder in own.items())} if own else {}
    if not packages:
        return Preparation(notes=notes, environment=environment)
    folder = _install(packages, _usable_lock(host.repository if own else tree), host)
    mounts = (Mount(source=str(folder), target=MODULES),)
    return Preparation(mounts=mounts, notes=tuple(dict.fromkeys(notes)), environment=environment)


def _required(document: dict[str, Any]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return packages of the registry by name, and a note for each other one: the agent chose its address."""
    found: dict[str, str] = {}
    refused = []
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        table = document.get(key)
        for name, version in table.items() if isinstance(table, dict) else ():
            if isinstance(version, str) and _VERSION.fullmatch(version) and re.fullmatch(r"(@[\w.-]+/)?[\w.-]+", name):
                found[name] = version
            else:
                refused.append(f"not installed, because only packages of the registry are: {name}"[:120])
    return found, tuple(refused)


def _usable_lock(tree: Tree) -> bytes | None:
    """Return the lock file, if all of its addresses are the registry's."""
    if _LOCK not in tree:
        return None
    lock = node_workspaces.lock_without_links(tree[_LOCK].content)
    addresses = _RESOLVED.findall(lock.decode("utf-8", "replace"))
    return lock if all(each.startswith(_REGISTRY) for each in addresses) else None


def _install(packages: dict[str, str], lock: bytes | None, host: Host) -> Path:
    npm = shutil.which("npm", path=host.environment.get("PATH"))
    if npm is None:
        raise NotPrepared("npm is not installed on this machine")
    ours = msgspec.json.encode({"name": "prepared", "version": "0.0.0", "private": True, "dependencies": packages})
    key = hashlib.sha256(ours + (lock or b"")).hexdigest()[:32]

    def make(project: Path) -> Path:
        host.say(f"verifying: installing {len(packages)} package{'s' * (len(packages) != 1)} of Node")
        (project / "package.json").write_bytes(ours)
        if lock is not None:
            (project / _LOCK).write_bytes(lock)
        words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--no-workspaces"]
        try:
            done = subprocess.run(
                [npm, *words],
                cwd=project,
                env=dict(host.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=600,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotPrepared("the packages that it requires could not be installed within 10 minutes") from None
        installed = project / "node_modules"
        if done.returncode or not installed.is_dir():
            reason = npm_reason(done.stderr.decode("utf-8", "replace"))
            raise NotPrepared(f"the packages that it requires could not be installed: {reason}")
        return installed

    return host.keep("node", key, make)


def npm_reason(stderr: str) -> str:
    """Return what npm says went wrong: the first line after the code of the error."""
    lines = [match[1].strip() for line in stderr.splitlines() if (match := _NPM_ERROR.match(line))]
    told = [line for line in lines if line and not line.startswith("code ")]
    return (told or lines or ["npm failed; is there a network?"])[0][:200]
