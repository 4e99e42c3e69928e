"""Packages of one repository that need each other: npm's, Yarn's and pnpm's workspaces."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

import msgspec

from nerv.documents import read_json
from nerv.verification.trees import Tree

_NAME = re.compile(r"(@[\w.-]+/)?[\w.-]+")
_FOLDER = re.compile(r"[\w.@/-]+")


def packages(repository: Tree) -> dict[str, str]:
    """Return the folders of the repository's packages by their names; empty if it is no workspace."""
    if "pnpm-workspace.yaml" not in repository and "workspaces" not in _manifest(repository, "package.json"):
        return {}
    found: dict[str, str] = {}
    for path in sorted(repository):
        folder = str(PurePosixPath(path).parent)
        name = _manifest(repository, path).get("name") if path.endswith("/package.json") else None
        if isinstance(name, str) and _NAME.fullmatch(name) and _FOLDER.fullmatch(folder):
            found.setdefault(name, folder)
    return found


def manifests(repository: Tree) -> list[dict[str, Any]]:
    """Return package.json of the root, whose packages serve all others, and of all packages of the workspace."""
    paths = ["package.json", *(f"{folder}/package.json" for folder in packages(repository).values())]
    return [_manifest(repository, path) for path in paths]


def lock_without_links(lock: bytes) -> bytes:
    """Return a lock file with the packages of the registry alone; the repository's own are links in it."""
    document = read_json(lock.decode("utf-8", "replace"))
    entries = document.get("packages") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(entries, dict):
        return lock
    if not any(isinstance(entry, dict) and entry.get("link") for entry in entries.values()):
        return lock
    kept = {
        path: entry
        for path, entry in entries.items()
        if path.startswith("node_modules/") and isinstance(entry, dict) and not entry.get("link")
    }
    return msgspec.json.encode({**document, "packages": kept})


def _manifest(repository: Tree, path: str) -> dict[str, Any]:
    found = read_json(repository[path].text) if path in repository else {}
    return found if isinstance(found, dict) else {}
