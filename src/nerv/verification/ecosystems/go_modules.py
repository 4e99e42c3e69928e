"""The modules of a Go project: those in its own folders, and what these require of the registry."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from nerv.verification.trees import Tree

_VERSION = re.compile(r"v\d[\w.+-]*")
_PATH = re.compile(r"[\w./~-]+")
_GO = re.compile(r"1\.\d+(\.\d+|rc\d+)?")


def is_workspace(tree: Tree) -> bool:
    """Return whether `go.work` lists the modules that are built together."""
    return "go.work" in tree


def tested_folders(tree: Tree) -> tuple[str, ...]:
    """Return the folders of the modules whose tests are run; empty for the project's own folder."""
    if not is_workspace(tree):
        return ("",) if "go.mod" in tree else ()
    named = (_inside("", words[0]) for key, words in _directives(tree["go.work"].text) if key == "use" and words)
    return tuple(dict.fromkeys(each for each in named if each is not None and _manifest_path(each) in tree))


def module_of(path: str, tree: Tree) -> tuple[str, str] | None:
    """Return the folder and the name of the module that a file belongs to."""
    for parent in PurePosixPath(path).parents:
        folder = "" if str(parent) == "." else str(parent)
        if _manifest_path(folder) in tree:
            return folder, _name(tree[_manifest_path(folder)].text)
    return None


def test_files(tree: Tree) -> list[str]:
    """Return the test files of the tested modules, as far as `./...` finds their packages."""
    tested = set(tested_folders(tree))
    found = []
    for path in sorted(tree):
        module = module_of(path, tree) if path.endswith("_test.go") else None
        if module is not None and module[0] in tested:
            parts = PurePosixPath(path).relative_to(module[0] or ".").parts
            if not any(part in ("testdata", "vendor") or part.startswith(("_", ".")) for part in parts):
                found.append(path)
    return found


def own_modules(tree: Tree) -> frozenset[str]:
    """Return the names of modules that folders provide: the tested ones, and those that stand for others."""
    return frozenset(name for folder in _local_folders(tree) if (name := _name(tree[_manifest_path(folder)].text)))


def requirements(tree: Tree) -> str:
    """Return a go.mod of ours, which requires what the project's modules take from the registry; empty if nothing."""
    required: dict[str, None] = {}
    exchanged: dict[str, None] = {}
    local: set[str] = set(own_modules(tree))
    versions = ["1.21"]
    for folder in _local_folders(tree):
        for key, words in _directives(tree[_manifest_path(folder)].text):
            if key == "go" and words and _GO.fullmatch(words[0]):
                versions.append(words[0])
            elif key == "require" and len(words) >= 2 and _PATH.fullmatch(words[0]) and _VERSION.fullmatch(words[1]):
                required[f"{words[0]} {words[1]}"] = None
            elif key == "replace":
                _read_replacement(words, exchanged, local)
    kept = [line for line in required if line.split()[0] not in local]
    if not kept:
        return ""
    lines = [f"require {line}" for line in kept] + [f"replace {line}" for line in exchanged]
    return "\n".join(("module prepared", f"go {max(versions, key=_order)}", *lines)) + "\n"


def checksums(tree: Tree) -> str:
    """Return the checksums that the project's modules know."""
    paths = [posixpath.join(folder, "go.sum") for folder in _local_folders(tree)]
    lines = (line for path in (*paths, "go.work.sum") if path in tree for line in tree[path].text.splitlines())
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))


def _read_replacement(words: list[str], exchanged: dict[str, None], local: set[str]) -> None:
    if "=>" not in words:
        return
    at = words.index("=>")
    replaced, by = words[:at], words[at + 1 :]
    if by and by[0].startswith((".", "/")):
        local.update(replaced[:1])
    elif len(by) == 2 and all(map(_PATH.fullmatch, (replaced[0], by[0]))) and _VERSION.fullmatch(by[1]):
        exchanged[" ".join(words)] = None


def _local_folders(tree: Tree) -> list[str]:
    """Return the folders of the tested modules, and of those in the project that they name in another's place."""
    found: dict[str, None] = {}
    left = list(tested_folders(tree))
    while left:
        folder = left.pop(0)
        if folder in found or _manifest_path(folder) not in tree:
            continue
        found[folder] = None
        for key, words in _directives(tree[_manifest_path(folder)].text):
            if key == "replace" and "=>" in words[:-1]:
                target = _inside(folder, words[words.index("=>") + 1])
                left += [] if target is None else [target]
    return list(found)


def _inside(folder: str, path: str) -> str | None:
    """Return the folder of the project that a relative path leads to; None if it leads out."""
    if not path.startswith(".") and not _PATH.fullmatch(path):
        return None
    joined = posixpath.normpath(posixpath.join(folder, path))
    return None if joined.startswith(("..", "/")) else "" if joined == "." else joined


def _manifest_path(folder: str) -> str:
    return posixpath.join(folder, "go.mod")


def _name(manifest: str) -> str:
    return next((words[0] for key, words in _directives(manifest) if key == "module" and words), "")


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.partition("rc")[0]))


def _directives(text: str) -> Iterator[tuple[str, list[str]]]:
    """Go through the directives of go.mod or go.work: the word that a line or its block begins with, and the others."""
    block = ""
    for line in text.splitlines():
        words = [word.strip('"`') for word in line.partition("//")[0].replace("(", " ( ").replace(")", " ) ").split()]
        if not words:
            continue
        if words[0] == ")":
            block = ""
        elif block:
            yield block, words
        elif words[1:2] == ["("]:
            block = words[0]
        else:
            yield words[0], words[1:]
