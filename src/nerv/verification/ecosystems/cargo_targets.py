"""Targets of a Rust project's packages, as their manifests declare them: which have tests, and who runs these."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from nerv.documents import read_toml, table
from nerv.verification.trees import Tree


def tested_roots(tree: Tree) -> list[str]:
    """Return the files to which a test can be added that is certain to be run.

    Those of libraries, or else of programs, or else the first integration test of each package.
    """
    packages = list(_packages(tree))
    libraries = [path for folder, manifest in packages for path in _library(folder, manifest, tree)]
    programs = [path for folder, manifest in packages for path in _programs(folder, manifest, tree)]
    return libraries or programs or [path for folder, manifest in packages for path in _tests(folder, manifest, tree)]


def own_harnesses(tree: Tree) -> frozenset[str]:
    """Return the files of tests that are programs of their own (`harness = false`), which only an exit code ends."""
    found: set[str] = set()
    for folder, manifest in _packages(tree):
        for target in _listed(manifest, "test"):
            if target.get("harness") is False and target.get("test") is not False:
                named = str(target.get("path") or f"tests/{target.get('name')}.rs")
                paths = (named, f"tests/{target.get('name')}/main.rs")
                found.update(path for each in paths if (path := _joined(folder, each)) in tree)
    return frozenset(found)


def _packages(tree: Tree) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(tree):
        if path == "Cargo.toml" or path.endswith("/Cargo.toml"):
            manifest = read_toml(tree[path].text) or {}
            # one that cannot be read is cargo's to complain about
            if "package" in manifest or "workspace" not in manifest:
                yield posixpath.dirname(path), manifest


def _library(folder: str, manifest: dict[str, Any], tree: Tree) -> list[str]:
    library = table(manifest, "lib")
    path = _joined(folder, str(library.get("path") or "src/lib.rs"))
    return [path] if path in tree and library.get("test") is not False and library.get("harness") is not False else []


def _programs(folder: str, manifest: dict[str, Any], tree: Tree) -> list[str]:
    listed = {
        _joined(folder, str(each.get("path") or f"src/bin/{each.get('name')}.rs")): each.get("test") is not False
        for each in _listed(manifest, "bin")
    }
    paths = [_joined(folder, "src/main.rs"), *(path for path, is_tested in listed.items() if is_tested)]
    return [path for path in dict.fromkeys(paths) if path in tree and listed.get(path, True)]


def _tests(folder: str, manifest: dict[str, Any], tree: Tree) -> list[str]:
    own = own_harnesses(tree)
    pattern = re.compile(rf"{re.escape(_joined(folder, 'tests'))}/[^/]+\.rs")
    listed = [
        _joined(folder, str(each.get("path") or f"tests/{each.get('name')}.rs")) for each in _listed(manifest, "test")
    ]
    is_found = table(manifest, "package").get("autotests") is not False
    paths = [*listed, *(sorted(filter(pattern.fullmatch, tree)) if is_found else ())]
    return [path for path in paths if path in tree and path not in own][:1]


def _listed(manifest: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = manifest.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _joined(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))
