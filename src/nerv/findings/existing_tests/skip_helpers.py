"""Existing tests that now call something which skips them, or carry a mark under a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reachability import is_unconditional_skip
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, walk
from nerv.inspection.test_functions import PYTHON_SKIP, find_test

if TYPE_CHECKING:
    from tree_sitter import Node

_MARK = re.compile(
    rf"^(?P<name>\w+)\s*=\s*(?:(?:\w+\.)*mark\.{PYTHON_SKIP}|unittest\.(?:skip\b|skipIf\(\s*True|expectedFailure))"
)
_CALL = re.compile(r"(?:await\s+)?(?:\w+\.)*(?P<name>\w+)!?\([^()]*\);?")


def skip_helpers(run: ReviewedRun) -> list[Finding]:
    """Find tests that were there before and that a helper or a mark of the tests' own skips now."""
    helpers = {name for file in run.test_files for name in _helpers(file)}
    marks = {match["name"] for file in run.test_files for line in _lines(file) if (match := _MARK.match(line))}
    if not helpers and not marks:
        return []
    found = []
    for file in run.test_files:
        earlier = {test.name: test for test in file.old_tests}
        for test in file.new_tests:
            before = earlier.get(test.name)
            if before is None or not test.touched or test.skip:
                continue
            added = [line for line in test.lines if line not in before.lines]
            off = [line for line in added if _is_off(line, helpers, marks)]
            if off:
                outcome = run.outcome_on_result(test.name)
                asked = run.asks_for_change_of(test.name)
                level: FindingLevel = (
                    "proven" if outcome == "broken" else "note" if asked or outcome == "passed" else "likely"
                )
                text = f"The existing test {test.name} was switched off by {off[0][:60]}."
                found.append(finding("skipped_tests", level, text, where=test.location, lines=off))
    return found


def _is_off(line: str, helpers: set[str], marks: set[str]) -> bool:
    call = _CALL.fullmatch(line)
    if call is not None and call["name"] in helpers:
        return True
    return line.startswith("@") and line[1:].rpartition(".")[2] in marks


def _helpers(file: ChangedFile) -> Iterator[str]:
    """Yield the names of functions, other than tests, that skip whoever calls them."""
    tree = file.new_tree
    if tree is None:
        return
    for node in tree.nodes:
        body = node.child_by_field_name("body") if node.type in tree.language.functions else None
        if body is None or not name_of(node) or find_test(node, tree.language.name) is not None:
            continue
        if any(_skips(each, body) for each in walk(body)):
            yield name_of(node)


def _skips(node: Node, body: Node) -> bool:
    return is_unconditional_skip(node, body)


def _lines(file: ChangedFile) -> list[str]:
    return file.new.text.split("\n") if file.new is not None and file.path.endswith(".py") else []
