"""Functions that the spec names, that no test needs, and whose own code says that they are not what was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.unfinished.ignored_input import parameters_of
from nerv.findings.unfinished.stubs import is_admitted
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import COMMENTS, ParsedFile

_PROVISIONAL = re.compile(
    r"(?:#|//|\*)\s*todo\b|\b(?:for now|for the moment|(?-i:TODO)|FIXME|XXX|placeholder|stub|simplified"
    r"|good enough|not (?:yet|really))\b",
    re.I,
)


def unheld_stubs(run: ReviewedRun) -> list[Finding]:
    """Find stubs that have a body, by the tests: these do not notice if such a function fails or gives nothing."""
    unheld = frozenset(run.verification.unheld) if run.verification is not None else frozenset()
    trees = [file.new_tree for file in run.code_files if file.new_tree is not None]
    return [each for tree in trees for each in _found(run, tree, unheld)] if unheld else []


def _found(run: ReviewedRun, tree: ParsedFile, unheld: frozenset[str]) -> Iterator[Finding]:
    for node in tree.nodes:
        if node.type not in tree.language.functions or name_of(node) not in unheld or not tree.own(node):
            continue
        comments = [text_of(each) for each in walk(node) if each.type in COMMENTS]
        signs = [text for text in comments if _PROVISIONAL.search(text)]
        body = text_of(node.child_by_field_name("body"))
        signs += [f"_ = {name}" for name in parameters_of(node) if re.search(rf"(?m)^\s*_ = {name};?\s*$", body)]
        if signs:
            level: FindingLevel = "note" if is_admitted(run) else "likely"
            text = f"No test needs {name_of(node)} of {tree.source.path}, and its code is provisional."
            yield finding("stub", level, text, where=tree.at(node), lines=signs, criterion="requirements")
