"""Functions that new tests seem to test, and that no test needs or looks at, by our own runs.

The tests may have a copy of the function or replace it, compare it with itself, or look at its type alone: what matters
is that the function can fail, or give something else, and every test still passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.unfinished.stubs import is_admitted
from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node


def unheld_functions(run: ReviewedRun) -> list[Finding]:
    """Find functions of the run that its tests call, copy or replace, and do not test."""
    verification = run.verification
    if verification is None or run.spec_keeps_behaviour:
        return []
    return [
        *_found(run, verification.unheld, "tests_assert_nothing", "and no test notices if it fails at once"),
        *_found(run, verification.unseen, "tests_assert_nothing", "and no test notices if it gives something else"),
        *_replaced(run, verification.replaced),
    ]


def _found(run: ReviewedRun, names: tuple[str, ...], kind: str, told: str) -> Iterator[Finding]:
    for name in names:
        calls = _calls(run, name)
        level: FindingLevel = "likely" if calls and not is_admitted(run) else "note"
        how = "New tests call" if calls else "The spec names"
        text = f"{how} {name}, {told}."
        yield finding(kind, level, text, lines=calls)


def _replaced(run: ReviewedRun, names: tuple[str, ...]) -> Iterator[Finding]:
    level: FindingLevel = "note" if is_admitted(run) else "likely"
    trees = [file.new_tree for file in run.files if file.is_test and file.new_tree is not None]
    for name in names:
        definitions = [(tree, node) for tree in trees for node in _definitions(tree, name)]
        for tree, node in definitions[:1]:
            text = f"{tree.source.path} has its own {name}, and no test notices if that of the code fails at once."
            yield finding("mocked_subject", level, text, where=tree.at(node), lines=text_of(node).split("\n")[:4])


def _definitions(tree: ParsedFile, name: str) -> Iterator[Node]:
    for node in tree.nodes:
        if node.type in tree.language.functions and name_of(node) == name and tree.own(node):
            yield node


def _calls(run: ReviewedRun, name: str) -> list[str]:
    """Return the lines of new and changed tests that call a function of this name."""
    called = re.compile(rf"(?<!\w){re.escape(name)}\(")
    tests = [test for file in run.files for test in file.new_tests if test.touched]
    return [line.strip() for test in tests for line in test.lines if called.search(line)]
