"""The ecosystems that nerv knows, and the projects of a tree that declare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from nerv.verification.ecosystems import (
    Ecosystem,
    Host,
    Preparation,
    SuiteReport,
    cargo_suite,
    ctest_suite,
    go_suite,
    java_suite,
    make_suite,
    node_suite,
    pytest_suite,
    python_code,
    unittest_suite,
)
from nerv.verification.trees import Tree

ECOSYSTEMS: tuple[Ecosystem, ...] = (
    pytest_suite,
    unittest_suite,
    cargo_suite,
    go_suite,
    node_suite,
    java_suite,
    ctest_suite,
)
_PYTHON: tuple[Ecosystem, ...] = (pytest_suite, unittest_suite)
_WITHOUT_REPORT: Ecosystem = make_suite
"""Only where a folder declares nothing else: it would run the same tests, and tell less."""
_CONFIGURED = frozenset({pytest_suite.NAME, unittest_suite.NAME, node_suite.NAME})
"""Runners that find tests in any file that their configuration names."""
_MOST_PROJECTS = 6
_DEEPEST = 2
_ASIDE = frozenset(
    {"test", "tests", "testdata", "fixtures", "example", "examples", "vendor", "third_party", "node_modules"}
)
"""Folders whose projects are data of the root's, or the work of others."""
_MARKERS = frozenset(
    {
        *("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "pytest.ini"),
        *("package.json", "Cargo.toml", "go.mod", "go.work", "pom.xml", "build.gradle", "build.gradle.kts"),
        *("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A folder of the repository with tests of one kind."""

    folder: str
    """Relative to the repository; empty for its root."""
    ecosystem: Ecosystem
    not_tests: frozenset[str] = frozenset()
    """Code with the names of tests; relative to the folder."""
    reported: frozenset[str] = frozenset()
    """Test files that only the runner's configuration tells from others: it reports tests of them."""

    def is_test_file(self, path: str) -> bool:
        """Return whether a file, by its path in the project, belongs to the tests."""
        return path in self.reported or (path not in self.not_tests and self.ecosystem.is_test_file(path))

    def with_reported(self, report: SuiteReport, tree: Tree) -> Project:
        """Return the project with the files of a report among its tests; a file that others import is code."""
        if self.ecosystem.NAME not in _CONFIGURED:
            return self
        files = self.files(tree)
        named = {path for path in report.files.values() if path in files and not self.is_test_file(path)}
        return replace(self, reported=self.reported | {path for path in named if not _is_imported(path, files)})

    def files(self, tree: Tree) -> Tree:
        """Return the project's part of a tree, with paths relative to its folder."""
        return within(tree, self.folder)

    def prepare(self, tree: Tree, host: Host) -> Preparation:
        """Prepare what the tests need of a tree. Raises NotPrepared."""
        return self.ecosystem.prepare(self.files(tree), replace(host, repository=tree))

    def full_names(self, tests: Iterable[str]) -> tuple[str, ...]:
        """Return the names of tests with the project's folder, unless that is the root."""
        return tuple(f"{self.folder}: {name}" if self.folder else name for name in tests)


def find_projects(*trees: Tree) -> tuple[Project, ...]:
    """Return the projects that any of the trees declares: those of its root, or else of the folders below it.

    A folder in which the trees differ may also have tests of a kind that the root's do not include, such as the page
    of a server in another language.
    """
    found = _declared("", trees)
    if found and all(project.ecosystem is _WITHOUT_REPORT for project in found):
        return tuple(found)  # `make test` runs whatever there is
    of_root = {project.ecosystem.NAME for project in found}
    for folder in _candidates(trees):
        if of_root and (_ASIDE & set(folder.split("/")) or not _differs(folder, trees)):
            continue
        covered = _covered(of_root) - _not_covered(folder, trees)
        found += (project for project in _declared(folder, trees) if project.ecosystem.NAME not in covered)
    return tuple(found[:_MOST_PROJECTS])


def _is_imported(path: str, files: Tree) -> bool:
    name = re.escape(PurePosixPath(path).name.partition(".")[0])
    pattern = re.compile(rf"(?:\bimport\b|\bfrom\b|\brequire\b)[^\n]*\b{name}\b")
    return any(pattern.search(file.text) for each, file in files.items() if each != path)


def within(tree: Tree, folder: str) -> Tree:
    """Return the files below a folder, with paths relative to it."""
    if not folder:
        return tree
    return {path[len(folder) + 1 :]: file for path, file in tree.items() if path.startswith(f"{folder}/")}


def _differs(folder: str, trees: tuple[Tree, ...]) -> bool:
    first, *others = (within(tree, folder) for tree in trees)
    return not others or any(other != first for other in others)


def _covered(of_root: set[str]) -> set[str]:
    """Return the kinds of tests that those of the root include: pytest also runs tests of unittest."""
    if not of_root:
        return set()
    python = {pytest_suite.NAME, unittest_suite.NAME}
    return {*of_root, _WITHOUT_REPORT.NAME, *(python if python & of_root else ())}


def _not_covered(folder: str, trees: tuple[Tree, ...]) -> set[str]:
    """Return the kinds of tests that a folder has for itself: Go leaves out modules below another."""
    runs_all = any(go_suite.runs_tests_below(tree, folder) for tree in trees)
    return {go_suite.NAME} if not runs_all and any(f"{folder}/go.mod" in tree for tree in trees) else set()


def _declared(folder: str, trees: tuple[Tree, ...]) -> list[Project]:
    parts = [within(tree, folder) for tree in trees]
    found = [ecosystem for ecosystem in ECOSYSTEMS if any(ecosystem.is_declared(part) for part in parts)]
    if not found and any(_WITHOUT_REPORT.is_declared(part) for part in parts):
        found = [_WITHOUT_REPORT]
    code = python_code.code_named_as_tests(*parts) if any(each in _PYTHON for each in found) else frozenset()
    return [
        Project(folder=folder, ecosystem=ecosystem, not_tests=code if ecosystem in _PYTHON else frozenset())
        for ecosystem in found
    ]


def _candidates(trees: tuple[Tree, ...]) -> list[str]:
    found = {
        str(PurePosixPath(path).parent)
        for tree in trees
        for path in tree
        if PurePosixPath(path).name in _MARKERS and 1 <= path.count("/") <= _DEEPEST
    }
    return sorted(found, key=lambda folder: (folder.count("/"), folder))
