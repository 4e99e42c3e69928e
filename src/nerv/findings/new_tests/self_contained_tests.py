"""New test files that use nothing of the project: what they assert about is defined in them."""

from __future__ import annotations

import re

from nerv.finding import Finding
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import ParsedFile

_FEWEST_TESTS = 2
_STARTS_SOMETHING = re.compile(
    r"\b(?:Command::|subprocess|spawn|exec\w*\(|system\(|popen|importlib|__import__|runpy|include!|include_str!|urlopen|fetch\()"
)
_PYTHON_IMPORT = re.compile(r"^\s*(?:from\s+(?P<source>[\w.]+)\s+import|import\s+(?P<module>[\w.]+))", re.M)
_NODE_IMPORT = re.compile(
    r"\bfrom\s+['\"](?P<source>[^'\"]+)['\"]|\b(?:require|import)\(\s*['\"](?P<module>[^'\"]+)['\"]"
)
_RUST_ROOT = re.compile(r"(?:\buse\s+|(?<![\w:>]))(?P<root>[a-z_]\w*)::")
_RUST_STANDARD = frozenset(
    {"std", "core", "alloc", "self", "usize", "isize", "char", "str", "f32", "f64", "bool"}
    | {f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64, 128)}
)


def self_contained_tests(run: ReviewedRun) -> list[Finding]:
    """Find added test files whose assertions are about functions of their own, named like what was to be built."""
    found = []
    for file in run.files:
        tree = file.new_tree
        if not file.is_test or file.kind != "added" or tree is None or _uses_the_project(run, file, tree):
            continue
        tests = [test for test in file.new_tests if test.name]
        own = {name_of(node): node for node in tree.nodes if node.type in tree.language.functions and name_of(node)}
        for test in tests:
            own.pop(test.name, None)
        subjects = {name for test in tests for each in test.assertions for name in each.names if name in own}
        known = {definition.name for definition in run.inspection.definitions}
        copied = sorted(name for name in subjects if name in known or _is_asked_for(run, name))
        if len(tests) >= _FEWEST_TESTS and copied:
            text = f"{file.path} uses nothing of the project: it tests a {copied[0]} of its own."
            lines = text_of(own[copied[0]]).split("\n")[:6]
            found.append(finding("copied_subject", "likely", text, where=tree.at(own[copied[0]]), lines=lines))
    return found


def _is_asked_for(run: ReviewedRun, name: str) -> bool:
    """Return whether the spec speaks of what a function is called."""
    return len(name) > 3 and re.search(rf"\b{re.escape(name)}", run.spec_text, re.I) is not None


def _uses_the_project(run: ReviewedRun, file: ChangedFile, tree: ParsedFile) -> bool:
    """Return whether a test file may use code outside of it; where that cannot be told, it does."""
    text = tree.source.text
    if _STARTS_SOMETHING.search(text):
        return True
    name = tree.language.name
    if name == "Python":
        repository = run.evidence.changes.repository
        paths = repository.paths if repository is not None else tuple(each.path for each in run.files)
        modules = {part.removesuffix(".py") for path in paths if path.endswith(".py") for part in path.split("/")}
        roots = {(match["source"] or match["module"]) for match in _PYTHON_IMPORT.finditer(text)}
        return any(root.startswith(".") or root.partition(".")[0] in modules for root in roots)
    if name in ("JavaScript", "TypeScript"):
        sources = [match["source"] or match["module"] for match in _NODE_IMPORT.finditer(text)]
        return any(
            not source.startswith("node:") and ("/" in source or source.startswith((".", "#", "@")))
            for source in sources
        )
    if name == "Rust" and re.search(r"(?:^|/)tests/", file.path):
        return bool({match["root"] for match in _RUST_ROOT.finditer(text)} - _RUST_STANDARD) or "extern crate" in text
    return True
