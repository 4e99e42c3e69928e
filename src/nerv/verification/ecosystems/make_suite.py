"""Tests behind `make test` or `make check`: one test, whose outcome is make's exit code."""

from __future__ import annotations

import re
import shutil

from forgetest.verdict import Execution
from nerv.verification.ecosystems import (
    Host,
    NotPrepared,
    Preparation,
    SuiteReport,
    TestCommand,
    error_lines,
    python_packages,
)
from nerv.verification.trees import Tree, TreeFile

NAME = "make"
_FILES = ("GNUmakefile", "makefile", "Makefile")
_ERROR = r"(?i)\b(error|failed|failure|assertion)\b(?!s?: 0)"
_NO_RULE = re.compile(
    rb"No rule to make target '(?:test|check)'|: command not found|: not found|^make: \S+: No such file or directory",
    re.M,
)
_RULE = r"^(?:{target})[ \t]*::?(?!=)([^\n;#]*).*\n(?:\t.*\n|[ \t]*(?:#.*)?\n(?=\t))*"
_OF_TESTS = re.compile(r"[\w-]*(?:test|check)[\w-]*", re.I)


def is_declared(tree: Tree) -> bool:
    """Return whether the makefile has a target for tests."""
    return _target(tree) != ""


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return re.search(r"(^|/)tests?/|(^|/)test_[^/]*$|_test\.\w+$|(^|/)tests?\.(c|cc|cpp|sh|py)$", path) is not None


def prepare(tree: Tree, host: Host) -> Preparation:
    """Check that make is there; everything else is the system's."""
    if shutil.which("make", path="/usr/local/bin:/usr/bin:/bin") is None:
        raise NotPrepared("make is not installed in the system's folders")
    return Preparation(mounts=python_packages.interpreter_mounts())


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Make the target, by the rules of the tree that the tests come from."""
    target = _target(tests) or "test"
    shown = f"make {target}"
    if tests is tree or _makefile(tree) == _makefile(tests):
        return TestCommand(argv=("make", target), shown=shown)
    # the last recipe of a target counts, and what it depends on is added up
    text = f"{_makefile(tree)}\n{''.join(_rules(_makefile(tests), target))}"
    name = next((name for name in _FILES if name in tree), _FILES[-1])
    return TestCommand(argv=("make", target), shown=shown, added={name: TreeFile(content=text.encode())})


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Take the exit code for the outcome; there is no report that could be forged, and none to be read."""
    target = f"make {_target(tree) or 'test'}"
    if execution.succeeded:
        return SuiteReport(outcomes={target: "passed"})
    text = (execution.stdout + b"\n" + execution.stderr).decode("utf-8", "replace")
    if _NO_RULE.search(execution.stderr):
        reason = error_lines(text, r"No rule|not found|No such file")
        return SuiteReport(problem=reason, unavailable=b"No rule" not in execution.stderr)
    return SuiteReport(outcomes={target: "failed"}, notes=(f"{target} fails: {error_lines(text, _ERROR)}",))


def _makefile(tree: Tree) -> str:
    return next((tree[name].text for name in _FILES if name in tree), "")


def _target(tree: Tree) -> str:
    makefile = _makefile(tree)
    return next((name for name in ("test", "check") if re.search(rf"^{name}\s*:(?!=)", makefile, re.M)), "")


def _rules(makefile: str, target: str) -> list[str]:
    """Return the rules of a target, and of what it depends on as far as that is about tests, too."""
    found: list[str] = []
    left, seen = [target], set[str]()
    while left:
        name = left.pop(0)
        if name in seen:
            continue
        seen.add(name)
        for rule in re.finditer(_RULE.format(target=re.escape(name)), f"{makefile}\n", re.M):
            found.append(rule[0])
            left += [word for word in rule[1].split() if _OF_TESTS.fullmatch(word)]
    return found
