"""Modules of a Maven or Gradle build: folders with sources of their own, which are compiled together."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from nerv.verification.trees import Tree

_SOURCES = re.compile(r"^(?:(.+?)/)?src/(?:main|test)/java/")
_BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts")
_SETTINGS = ("settings.gradle", "settings.gradle.kts")


def folders(tree: Tree) -> tuple[str, ...]:
    """Return the folders of the modules that have sources; empty for the project's own folder."""
    found = {match[1] or "" for path in tree if (match := _SOURCES.match(path))}
    if not _has_modules(tree):
        return ("",) if "" in found else ()
    return tuple(sorted(folder for folder in found if not folder or _is_module(folder, tree)))


def build_files(tree: Tree) -> list[str]:
    """Return the build files of the project and of all its modules."""
    below = [folder for folder in folders(tree) if folder]
    paths = [*_BUILD_FILES, *(f"{folder}/{name}" for folder in below for name in _BUILD_FILES)]
    return [path for path in paths if path in tree]


def _has_modules(tree: Tree) -> bool:
    maven = "pom.xml" in tree and re.search(r"<module>", tree["pom.xml"].text) is not None
    return maven or any(name in tree and re.search(r"\binclude\b", tree[name].text) for name in _SETTINGS)


def _is_module(folder: str, tree: Tree) -> bool:
    """Return whether the build has a module here: it has a build file, or the settings name it."""
    if any(f"{folder}/{name}" in tree for name in _BUILD_FILES):
        return True
    named = re.compile(rf"['\":]{re.escape(PurePosixPath(folder).name)}['\"]")
    return any(name in tree and named.search(tree[name].text) for name in _SETTINGS)
