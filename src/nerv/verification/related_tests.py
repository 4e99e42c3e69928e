"""The tests that a change is about, for projects whose tests take longer than they may.

All others are taken out of both trees, so that whatever runs the tests of these trees later does not run them, either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from nerv.verification.ecosystems import go_suite, java_suite, node_suite, pytest_suite, unittest_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.repository import Trees
from nerv.verification.trees import Tree

_PYTHON_TESTS = re.compile(r"(^|/)(test_[^/]*|[^/]*_tests?|tests?)\.py$")
_TESTS = {
    pytest_suite.NAME: _PYTHON_TESTS,
    unittest_suite.NAME: _PYTHON_TESTS,
    go_suite.NAME: re.compile(r"_test\.go$"),
    node_suite.NAME: re.compile(r"[._-](test|spec)\.[cm]?[jt]sx?$|(^|/)(tests?|__tests__)/.*\.[cm]?[jt]sx?$"),
    java_suite.NAME: re.compile(r"(^|/)src/test/.*\.(java|kt)$"),
}
"""Files of which each holds tests, or helps others that do. Rust and C build their tests as a whole."""
_SOURCE = re.compile(r"\.(py|go|[cm]?[jt]sx?|java|kt)$")
_FEWEST = 10
"""With fewer files, tests that do not end are stuck rather than many."""
SHARES = (4, 32)
"""At most one in so many files is kept, unless the run changed more: first the one, then the other."""
_COMMON = 4
"""What more than one in so many test files imports tells nothing, such as the whole package."""
_FAR = 3
_INDEX_FILES = frozenset({"__init__", "__main__", "index", "main", "mod", "lib"})
"""Files that others name by their folders."""
_AFFIXES = re.compile(r"^tests?[_-]|[._-](tests?|spec)$|(?<=[a-z0-9])(Tests?|IT)$|^Test(?=[A-Z])")
_IMPORT = re.compile(r"^[ \t]*from\b[^\n(]*\([^)]*\)|^.*\b(?:import|from|require|mock|patch)\b.*$", re.M)
_GO_IMPORT = re.compile(r"^[ \t]*(?:import\s+)?(?:[\w.]+\s+)?\"[^\"\n]+\"$", re.M)
_DEFINED = re.compile(r"\b(?:def|class|func(?:\s*\([^)]*\))?|function|interface|const|let)\s+(\w{4,})")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedTests:
    """Both trees with no other tests than those that a change is about."""

    trees: Trees
    kept: int
    """Number of files with tests that are left."""
    whole: int


def related_tests(project: Project, trees: Trees, share: int = SHARES[0]) -> RelatedTests | None:
    """Return the trees with the tests that a change is about; None if these are all or none, or it cannot be told.

    At most one in `share` test files is kept, besides those that changed and what these need.
    """
    pattern = _TESTS.get(project.ecosystem.NAME)
    if pattern is None or trees.base is None:
        return None
    base, result = project.files(trees.base), project.files(trees.result)
    texts = {path: file.text for path, file in {**base, **result}.items() if _SOURCE.search(path)}
    tests = {path: text for path, text in texts.items() if pattern.search(path) and project.is_test_file(path)}
    changed = {path for path in {*base, *result} if base.get(path) != result.get(path)}
    code = {path: text for path, text in texts.items() if path in changed and path not in tests}
    if len(tests) < _FEWEST or not code:
        return None
    is_go = project.ecosystem.NAME == go_suite.NAME
    kept = _nearest(tests, changed, _distance_in_go(code) if is_go else _distance(code, tests), share)
    others = [text for path, text in texts.items() if path not in tests]
    kept = _whole_folders(kept, tests) if is_go else _with_needed(kept, tests, others)
    if not kept or len(kept) == len(tests):
        return None
    below = f"{project.folder}/" if project.folder else ""
    left_out = {f"{below}{path}" for path in tests.keys() - kept}
    return RelatedTests(
        trees=replace(trees, base=_without(trees.base, left_out), result=_without(trees.result, left_out)),
        kept=len(kept),
        whole=len(tests),
    )


_Distance = Callable[[str, str], tuple[int, int] | None]
"""Tells how far a test file, by its path and text, is from a change; None: it has nothing to do with it."""


def _nearest(tests: Mapping[str, str], changed: Collection[str], distance: _Distance, share: int) -> set[str]:
    """Return the test files that the run changed, and the nearest others; those that are far only if none is near."""
    own = {path for path in tests if path in changed}
    ranked = sorted((rank, path) for path in tests.keys() - own if (rank := distance(path, tests[path])) is not None)
    near = [path for rank, path in ranked if rank[0] < _FAR] or ([] if own else [path for _, path in ranked])
    return own | set(near[: max(len(tests) // share - len(own), 0)])


def _distance(code: Mapping[str, str], tests: Mapping[str, str]) -> _Distance:
    """Order test files: those with a changed file's name, those that import one, those that name what one defines.

    What few others import tells more than what most of them do, such as the whole package.
    """
    names = {_module(path) for path in code}
    packages = {
        str(PurePosixPath(path).parent).replace("src/main/", "src/test/") for path in code if "src/main/" in path
    }
    imports = {path: _imported_words(text) & names for path, text in tests.items()}
    counts = Counter(name for found in imports.values() for name in found)
    defined = _any_word({name for text in code.values() for name in _DEFINED.findall(text)})

    def distance(path: str, text: str) -> tuple[int, int] | None:
        if _AFFIXES.sub("", PurePosixPath(path).stem) in names:
            return 1, 0
        if imports[path]:
            rarest = min(counts[name] for name in imports[path])
            return (2 if rarest * _COMMON <= len(tests) else _FAR), rarest
        if str(PurePosixPath(path).parent) in packages:
            return 2, len(tests)
        return (_FAR, len(tests)) if defined.search(text) else None

    return distance


def _imported_words(text: str) -> set[str]:
    return {word for line in _IMPORT.finditer(text) for word in re.findall(r"[\w-]+", line[0])}


def _distance_in_go(code: Mapping[str, str]) -> _Distance:
    """Order test files of Go: those of a changed package, and those that import one."""
    packages = {PurePosixPath(path).parent for path in code}
    imported = _any_word({package.name for package in packages if package.name})

    def distance(path: str, text: str) -> tuple[int, int] | None:
        if PurePosixPath(path).parent in packages:
            return 1, 0
        return (2, 0) if any(imported.search(line[0]) for line in _GO_IMPORT.finditer(text)) else None

    return distance


def _with_needed(kept: set[str], tests: Mapping[str, str], others: Iterable[str]) -> set[str]:
    """Add the files that those name, such as the module of a base class, and those that anything else imports."""
    texts = [line[0] for text in others for line in _IMPORT.finditer(text)] + [tests[path] for path in kept]
    found = set(kept)
    while texts:
        words = set(re.findall(r"[\w.-]+", "\n".join(texts)))
        words |= {part for word in words for part in word.split(".")}
        needed = {path for path in tests.keys() - found if words & {PurePosixPath(path).name, PurePosixPath(path).stem}}
        found |= needed
        texts = [tests[path] for path in needed]
    return found


def _whole_folders(kept: set[str], tests: Mapping[str, str]) -> set[str]:
    """Add what lies beside: in Go, the tests of a folder are one package."""
    folders = {PurePosixPath(path).parent for path in kept}
    return {path for path in tests if PurePosixPath(path).parent in folders}


def _module(path: str) -> str:
    """Return the name by which other files know a file."""
    file = PurePosixPath(path)
    return file.parent.name if file.stem in _INDEX_FILES and file.parent.name else file.stem


def _any_word(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names))) or '(?!)'})(?![\w-])")


def _without(tree: Tree, paths: Collection[str]) -> Tree:
    return {path: file for path, file in tree.items() if path not in paths}
