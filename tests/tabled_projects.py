"""A project whose tests are a table: which test passes for which content of its files."""

from __future__ import annotations

from dataclasses import dataclass

from nerv.verification.ecosystems import SuiteReport
from nerv.verification.suite_memory import KnownSuite, suite_key
from nerv.verification.trees import Tree
from verified_projects import tree_of

BASE = tree_of({"shop.py": "old\n", "test_shop.py": "tests\n"})
RESULT = tree_of({"shop.py": "one\ntwo\n", "test_shop.py": "more tests\n"})


class Ecosystem:
    NAME = "table"


@dataclass
class Project:
    folder: str = ""
    ecosystem: type = Ecosystem

    def files(self, tree: Tree) -> Tree:
        return tree

    @staticmethod
    def is_test_file(path: str) -> bool:
        return path.startswith("test")


class Memory(dict[str, KnownSuite]):
    """Suites that were run before: every changed result that the tests of this file try."""

    def add(self, code: str, tests: str = "more tests\n", **outcomes: str) -> None:
        tree = {**RESULT, **tree_of({"shop.py": code, "test_shop.py": tests})}
        report = SuiteReport(outcomes=outcomes)  # type: ignore[arg-type]
        self[suite_key(Project(), tree, tree)] = KnownSuite(report=report, shown="", seconds=0)  # type: ignore[arg-type]

    def add_broken_build(self, code: str) -> None:
        tree = {**RESULT, **tree_of({"shop.py": code, "test_shop.py": "more tests\n"})}
        report = SuiteReport(problem="no such name", broken_build=True)
        self[suite_key(Project(), tree, tree)] = KnownSuite(report=report, shown="", seconds=0)  # type: ignore[arg-type]


class Host:
    @staticmethod
    def say(_message: str) -> None: ...
