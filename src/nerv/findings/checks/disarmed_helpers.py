"""Helpers of tests that could fail a test before the run, and cannot any more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.test_functions import find_test, is_assertion
from nerv.inspection.values import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDS = re.compile(r"\braise\b|\bthrow\b|\bpanic!?\(")
"""What may fail a test now; a helper that did nothing else before need not have been there to fail one."""
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*!?\(")


def disarmed_helpers(run: ReviewedRun) -> list[Finding]:
    """Find functions of test files that lost whatever could fail in them; what they call may do it in their place."""
    found = []
    failing = _that_can_fail([each for file in run.test_files for each in _functions(file.new_tree)])
    for file in run.test_files:
        before = {name: node for name, node in _functions(file.old_tree) if _asserts(node)}
        for name, node in _functions(file.new_tree):
            if name not in before or name in failing or file.new_tree is None:
                continue
            kept = {line.strip() for line in text_of(node).split("\n")}
            gone = [f"- {line.strip()}" for line in text_of(before[name]).split("\n") if line.strip() not in kept]
            text = f"The helper {name} of {file.path} failed tests before, and cannot fail any more."
            found.append(finding("tests_cannot_fail", "likely", text, where=file.new_tree.at(node), lines=gone))
    return found


def _functions(tree: ParsedFile | None) -> Iterator[tuple[str, Node]]:
    """Yield the functions of a side of a test file that are no tests; nothing of a fragment."""
    if tree is None or not tree.source.whole:
        return
    for node in tree.nodes:
        if node.type in tree.language.functions and name_of(node) and find_test(node, tree.language.name) is None:
            yield name_of(node), node


def _asserts(node: Node) -> bool:
    return any(is_assertion(each) for each in walk(node))


def _that_can_fail(helpers: Sequence[tuple[str, Node]]) -> frozenset[str]:
    """Return the names of helpers that can fail a test, by themselves or by others that they call."""
    found = {name for name, node in helpers if _asserts(node) or _ENDS.search(text_of(node))}
    calls = [(name, frozenset(_CALLED.findall(text_of(node)))) for name, node in helpers]
    while more := {name for name, called in calls if name not in found and called & found}:
        found |= more
    return frozenset(found)
