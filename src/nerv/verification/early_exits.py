"""New code that ends its process with success: a test whose outcome is the exit code then passes without a comparison.

Where a runner reports each test, such a run has no report. Here it has one, and looks like any other.
"""

from __future__ import annotations

import re

from nerv.verification import mutants
from nerv.verification.ecosystems import cargo_suite, cargo_targets, ctest_suite, make_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.repository import Trees

_BY_EXIT_CODE = frozenset({ctest_suite.NAME, make_suite.NAME})
_SOURCE = re.compile(r"\.(rs|c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|ipp|m|mm|s|S|asm)$")
_ENDS = re.compile(
    r"(?<!fn )\b(?:_?exit|_Exit|quick_exit|exit_group)\s*\(\s*(?:0\w*|EXIT_SUCCESS)?\s*\)"
    r"|\bsyscall\s*\(|\b(?:__)?asm(?:__)?\b|\bexec[lv]\w*\s*\("
)
_COMMENT = re.compile(r"//.*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"")
_PROGRAM = re.compile(r"^\s*(?:int|auto|void|(?:pub )?(?:async )?fn)\s+main\s*\(", re.M)


def find_early_exits(project: Project, trees: Trees) -> tuple[str, ...]:
    """Return the places (`file:line`) at which new code of a library ends the process; none if nothing hangs on it."""
    if not _is_by_exit_code(project, trees):
        return ()
    below = f"{project.folder}/" if project.folder else ""

    def is_left_alone(path: str) -> bool:
        is_code = path.startswith(below) and _SOURCE.search(path) is not None
        return not is_code or project.is_test_file(path[len(below) :])

    found = []
    for path, text, written in mutants.written_code(trees.base, trees.result, is_left_alone):
        lines = [] if _PROGRAM.search(text) else text.splitlines()  # a program may end itself
        found += [
            f"{path}:{number}"
            for number, line in enumerate(lines, 1)
            if number in written and _ENDS.search(_COMMENT.sub("", line))
        ]
    return tuple(found)


def _is_by_exit_code(project: Project, trees: Trees) -> bool:
    if project.ecosystem.NAME == cargo_suite.NAME:
        return bool(cargo_targets.own_harnesses(project.files(trees.result)))
    return project.ecosystem.NAME in _BY_EXIT_CODE
