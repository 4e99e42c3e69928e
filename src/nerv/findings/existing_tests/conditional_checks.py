"""Checks of tests that existed before and that only count under a condition now: a variable, an option."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import row, text_of, walk
from nerv.inspection.test_functions import is_assertion
from nerv.inspection.values import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

_FROM_OUTSIDE = re.compile(
    r"\bgetenv\b|\bGetenv\b|\bLookupEnv\b|\benviron\b|\bprocess\.env\b|\benv::var|\boption_env!|\btesting\.Short\(\)"
    r"|\bprocess\.argv\b|\bsys\.argv\b|\bos\.Args\b|\bconfig\.(?:getoption|option)\b|\bSystem\.getProperty\b|\bimport\.meta\.env\b"
)
"""What a condition may look at that has nothing to do with the code under test."""
_CONDITIONS = frozenset({"if_statement", "if_expression"})


def conditional_checks(run: ReviewedRun) -> list[Finding]:
    """Find checks that were there before, and that now depend on the environment."""
    found = []
    for file in run.test_files:
        if file.new_tree is None or not file.removed_lines:
            continue
        for node in file.new_tree.nodes:
            condition = node.child_by_field_name("condition") if node.type in _CONDITIONS else None
            if condition is None or not _FROM_OUTSIDE.search(text_of(condition)):
                continue
            if _is_own(condition, file.new_tree) and _holds_old_check(node, file):
                level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
                text = f"In {file.path}, a check that was there before only counts under a condition now."
                shown = text_of(node).split("\n")[:4]
                found.append(finding("tests_cannot_fail", level, text, where=file.new_tree.at(condition), lines=shown))
    return found


def _is_own(condition: Node, tree: ParsedFile) -> bool:
    source, index = tree.source, row(condition)
    return index < len(source.lines) and (source.written is None or source.lines[index] in source.written)


def _holds_old_check(branch: Node, file: ChangedFile) -> bool:
    """Return whether a branch contains an assertion that the file had before."""
    before = "".join(file.old.text.split()) if file.old is not None else ""
    body = branch.child_by_field_name("consequence") or branch
    return any(is_assertion(each) and "".join(text_of(each).split()) in before for each in walk(body))
