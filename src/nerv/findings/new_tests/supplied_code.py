"""Tests that bring the decisive code themselves: a function handed in, a method of a subclass of theirs, a copy."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFAULT = re.compile(r"(?<![\w.])(?P<parameter>\w+)\s*=\s*(?P<function>[A-Za-z_]\w*)\s*(?=[,)}])")
"""A parameter whose default is a function: `find = findSwarms`."""
_HANDED_IN = (
    r"(?<![\w.]){parameter}\s*[:=]\s*(?:\(?[\w, {{}}\[\]]*\)?\s*=>|lambda\b|function\b|\w+)|[{{,]\s*{parameter}\s*[,}}]"
)
_PARENTS = ("superclasses", "superclass")
_IMPORTED = re.compile(
    r"(?:from\s+['\"](?P<js>[^'\"]+)['\"]|from\s+(?P<python>[\w.]+)\s+import|require\(['\"](?P<cjs>[^'\"]+)['\"]\))"
)


def supplied_code(run: ReviewedRun) -> list[Finding]:
    """Find tests that pass because of code of their own, of which the project has nothing, or something else."""
    return [*_handed_in(run), *_methods_of_tests(run), *_imported_copies(run)]


def _handed_in(run: ReviewedRun) -> Iterator[Finding]:
    """Find a function of the run that the spec names, that the code takes as a parameter, and that tests only replace.

    A parameter that the spec itself names is there to hand something in.
    """
    tests = [file for file in run.files if file.is_test and file.new is not None]
    for file in run.code_files:
        tree = file.new_tree
        written = (
            {name_of(node) for node in tree.nodes if node.type in tree.language.functions and tree.own(node)}
            if tree is not None
            else set()
        )
        for line, _ in file.added_lines:
            for match in _DEFAULT.finditer(line):
                name, parameter = match["function"], match["parameter"]
                if name not in written or name == parameter or not run.spec_names(name):
                    continue
                if re.search(rf"`[^`\n]*(?<!\w){re.escape(parameter)}(?!\w)[^`\n]*`", run.spec_text):
                    continue
                called = re.compile(rf"(?<!\w){re.escape(name)}\(")
                handed = re.compile(_HANDED_IN.format(parameter=re.escape(parameter)))
                lines = [(each, where) for test in tests for each, where in test.added_lines if handed.search(each)]
                direct = any(called.search(test.new.text) for test in tests if test.new is not None)
                if lines and not direct:
                    text = f"Tests hand in a function in the place of {name}, which the spec names, and none calls it."
                    shown = [line.strip(), *(each.strip() for each, _ in lines)]
                    yield finding("mocked_subject", "likely", text, where=lines[0][1], lines=shown)
                    return


def _methods_of_tests(run: ReviewedRun) -> Iterator[Finding]:
    """Find methods that the run's code calls, and that only a subclass in its tests has."""
    code = [file.new_tree for file in run.code_files if file.new_tree is not None]
    repository = run.evidence.changes.repository
    texts = [each.text for each in repository.files] if repository is not None else []
    defined = _defined(code)
    types = {name_of(node) for tree in code for node in tree.nodes if node.type in tree.language.types}
    for file in run.files:
        tree = file.new_tree if file.is_test else None
        for node in tree.nodes if tree is not None else ():
            assert tree is not None
            around = enclosing(node, tree.language.types) if node.type in tree.language.functions else None
            name = name_of(node)
            if around is None or not tree.own(node) or _parent(around) not in types or name in defined:
                continue
            used = [
                each
                for each in run.code_files
                for line, _ in each.added_lines
                if re.search(rf"\.{name}(?:\?\.)?\(", line)
            ]
            base = _parent(around)
            definition = re.compile(rf"(?<![\w.]){name}\s*\([^)\n]*\)\s*(?:\{{|:|->)")
            known = any(definition.search(text) and re.search(rf"\bclass {base}\b", text) for text in texts)
            if used and base and not known:
                text = (
                    f"{used[0].path} calls {name}, which {base} does not have: only a subclass in {file.path} has it."
                )
                yield finding(
                    "mocked_subject", "likely", text, where=tree.at(node), lines=text_of(node).split("\n")[:4]
                )
                return


def _parent(type_: Node) -> str:
    """Return the last word of what a class extends."""
    parts = [type_.child_by_field_name(field) for field in _PARENTS]
    parts += [each for each in type_.children if each.type == "class_heritage"]
    text = " ".join(text_of(each) for each in parts if each is not None)
    words = re.findall(r"\w+", text)
    return words[-1] if words else ""


def _defined(code: list[ParsedFile]) -> set[str]:
    return {name_of(node) for tree in code for node in tree.nodes if node.type in tree.language.functions}


def _imported_copies(run: ReviewedRun) -> Iterator[Finding]:
    """Find helper files of tests with a function that the spec names and the code has, and tests that import theirs."""
    subjects = _defined([file.new_tree for file in run.code_files if file.new_tree is not None])
    for helper in run.files:
        tree = helper.new_tree if helper.is_test and helper.kind == "added" else None
        for node in tree.nodes if tree is not None else ():
            assert tree is not None
            name = name_of(node) if node.type in tree.language.functions else ""
            if not name or name not in subjects or not run.spec_names(name) or _calls(node, name):
                continue
            users = [
                file for file in run.files if file is not helper and _imports(file, name, helper.path, run.code_files)
            ]
            if users:
                text = f"{users[0].path} tests the {name} of {helper.path} instead of the code's."
                yield finding(
                    "copied_subject", "likely", text, where=tree.at(node), lines=text_of(node).split("\n")[:6]
                )
                return


def _calls(function: Node, name: str) -> bool:
    """Return whether a function calls one of its own name, as one that passes on to the code does: `real.name()`."""
    body = function.child_by_field_name("body")
    return body is not None and any(
        each.type in ("identifier", "property_identifier") and text_of(each) == name for each in walk(body)
    )


def _imports(file: ChangedFile, name: str, helper: str, code: Sequence[ChangedFile]) -> bool:
    """Return whether a test file imports a name from a helper file, and not from code that is called the same."""
    if not file.is_test or file.new is None:
        return False
    for line in file.new.text.split("\n"):
        match = _IMPORTED.search(line)
        module = next((part for part in match.groups() if part), "") if match is not None else ""
        if not module or not re.search(rf"\b{re.escape(name)}\b", line):
            continue
        if module.startswith(".") and "/" in module:
            module = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module))
        if _is_module(module, helper) and not any(_is_module(module, each.path) for each in code):
            return True
    return False


def _is_module(module: str, path: str) -> bool:
    """Return whether a file is the module of this name: `tests/romans.py` is `tests.romans`, and `romans` as well."""
    stem = posixpath.splitext(path)[0]
    name = (posixpath.splitext(module)[0] if "/" in module else module.replace(".", "/")).lstrip("/")
    return f"/{stem}".endswith(f"/{name}")
