"""JavaScript tests, and their set-up, that end the process with success before or after the tests have failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.test_scripts import cannot_fail
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection.languages import text_of
from nerv.inspection.values import ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

_EXIT = re.compile(r"(?:process|Deno|globalThis\.process)\.(?:exit|reallyExit)\(\s*0?\s*\)")
_LONGEST = 100
"""Bytes of the call or the assignment that ends a process."""
_EXIT_CODE = re.compile(r"process\.exitCode\s*=\s*0")
_AT_THE_END = re.compile(
    r"process\.(?:on|once|addListener|prependListener)\(\s*['\"`](?:exit|beforeExit)['\"`]"
    r"|(?:\w+\.)?(?:after|afterAll|teardown|suiteTeardown)\(|(?:globalThis\.)?(?:setTimeout|setImmediate|queueMicrotask)\("
    r"|process\.nextTick\("
)
"""Calls whose functions run at the end of the tests, or while they run."""
_SET_UP = re.compile(r"(?:setup|teardown|global)[\w.-]*\.[cm]?[jt]sx?$", re.I)
_FUNCTIONS = ("function_declaration", "function_expression", "arrow_function", "method_definition")
_CHOICES = ("if_statement", "ternary_expression", "switch_statement", "catch_clause")
_LANGUAGES = ("JavaScript", "TypeScript")


def ended_processes(run: ReviewedRun) -> list[Finding]:
    """Find ends of the process with success that no condition of the tests decides."""
    found = []
    for file in run.files:
        tree = file.new_tree
        if tree is None or tree.language.name not in _LANGUAGES or not _runs_with_tests(file):
            continue
        for node in tree.nodes:
            if tree.own(node) and _ends_well(node) and not _is_decided(node):
                line = text_of(node).split("\n")[0]
                level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
                text = f"{file.path} ends the test run with success, whatever the tests say."
                found.append(cannot_fail(level, text, tree.at(node), line))
                break
    return found


def _runs_with_tests(file: ChangedFile) -> bool:
    """Return whether a file has tests, or is loaded before or after them; not one that a test starts by itself."""
    return bool(file.new_tests or file.old_tests) or (_SET_UP.search(file.path) is not None)


def _ends_well(node: Node) -> bool:
    if node.end_byte - node.start_byte > _LONGEST:
        return False
    if node.type == "call_expression":
        return _EXIT.fullmatch(text_of(node)) is not None
    return node.type == "assignment_expression" and _EXIT_CODE.fullmatch(text_of(node)) is not None


def _is_decided(node: Node) -> bool:
    """Return whether a condition decides on it, or a function that is not run for all tests."""
    is_late = False
    for around in ancestors(node):
        if around.type in _CHOICES:
            return True
        if around.type in _FUNCTIONS:
            call = around.parent.parent if around.parent is not None else None
            if call is None or call.type != "call_expression" or _AT_THE_END.match(text_of(call)) is None:
                return True
            is_late = True
    # before the tests, the code is that of success; only at the end it hides what they said
    return node.type == "assignment_expression" and not is_late
