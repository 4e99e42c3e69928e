"""A suite is known by everything that decides how it ends."""

from __future__ import annotations

from nerv.verification.ecosystems import pytest_suite, unittest_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.suite_memory import suite_key
from nerv.verification.trees import TreeFile

PROJECT = Project(folder="", ecosystem=pytest_suite)
TREE = {"a.py": TreeFile(content=b"1"), "b.py": TreeFile(content=b"2")}


def test_equal_files_are_the_same_suite_in_any_order():
    assert suite_key(PROJECT, TREE, TREE) == suite_key(PROJECT, dict(reversed(TREE.items())), TREE)


def test_every_difference_makes_another_suite():
    others = [
        (PROJECT, {**TREE, "b.py": TreeFile(content=b"3")}, TREE),
        (PROJECT, {**TREE, "b.py": TreeFile(content=b"2", executable=True)}, TREE),
        (PROJECT, {"a.py": TREE["a.py"], "c.py": TREE["b.py"]}, TREE),
        (PROJECT, TREE, {"a.py": TREE["a.py"]}),
        (Project(folder="", ecosystem=unittest_suite), TREE, TREE),
        (Project(folder="x", ecosystem=pytest_suite), TREE, TREE),
    ]
    assert len({suite_key(*each) for each in [(PROJECT, TREE, TREE), *others]}) == 7
