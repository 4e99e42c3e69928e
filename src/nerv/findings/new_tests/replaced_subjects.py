"""Tests that the run wrote and that are about mocks or copies of the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.undone_doubles import replaceable_names
from nerv.inspection.values import COMMENTS, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_PATCHED = re.compile(
    r"\bpatch\(\s*f?['\"](?P<path>[\w.]+)['\"]|\bpatch\.object\(\s*(?P<owner>[\w.]+)\s*,\s*['\"](?P<attribute>\w+)['\"]"
    r"|\bsetattr\(\s*(?P<where>[\w.]+)\s*,\s*['\"](?P<name>\w+)['\"]|\bsetattr\(\s*['\"](?P<dotted>[\w.]+)['\"]"
    r"|\b(?:(?:jest|vi|sinon)\.(?:spyOn|stub)|mock\.method)\(\s*[\w.]+\s*,\s*['\"](?P<spied>\w+)['\"]"
    r"|\b(?:when|doReturn\([^)]*\)\.when)\(\s*\w+\)?\.(?P<when>\w+)\("
)
_ASSIGNED = re.compile(
    r"^\s*(?:\w+\.)+(?P<name>\w+)\s*=\s*(?:lambda\b|(?:Magic)?Mock\(|jest\.fn|vi\.fn|sinon\.|function\b|\()"
    r"|^(?P<bare>\w+)\s*=\s*lambda\b|\bimport\s+(?:Magic|Async)?Mock\s+as\s+(?P<alias>\w+)",
    re.M,
)
_MOCK = re.compile(
    r"(?:\w+\.)*(?:(?:Magic|Async|NonCallable)?Mock|create_autospec|mock\.(?:fn|method)|(?:jest|vi)\.fn|sinon\.\w+|stub|fake)\("
)
_MODULE_MOCK = re.compile(
    r"\b(?:jest|vi)\.(?:mock|doMock)\(\s*['\"`](?P<relative>\.[^'\"`]+)['\"`]"
    r"|\bsys\.modules\[\s*['\"](?P<absolute>[\w.]+)['\"]\s*\]\s*=(?!=)"
)
ABOUT_CALLS = re.compile(r"called|Called|toHaveBeen|\bverify\b|mock_calls|call_count|call_args|calls\b")
"""Assertions about the calls of a mock are what mocks are for."""
_SPIES = re.compile(r"wraps\s*=|autospec|spyOn\([^)]*\)\s*;?\s*$|requireActual|importActual|callThrough|callsFake")
_ORDINARY = re.compile(r"_|test|setup|teardown|main$|run$|create|make|render|client$|app$|get$|set$", re.I)
"""Names that helpers of tests have by themselves."""
_OF_INTERFACES = frozenset({"method_elem", "method_spec"})
_SMALLEST_COPY = 12
"""Tokens of a function body that must be equal for it to be a copy."""


def replaced_subjects(run: ReviewedRun) -> list[Finding]:
    """Find new and changed tests of something else than the code."""
    return [*_mocked(run), *_copied(run)]


# --- mocks of the thing under test


def _mocked(run: ReviewedRun) -> Iterator[Finding]:
    """Find tests that replace the very function whose result they assert."""
    subjects = _subjects(run)
    for file in run.files:
        tree = file.new_tree
        if tree is None or not file.is_test:
            continue
        for test in file.new_tests:
            if not test.name or not test.touched:
                continue
            for name, line in replaced_names("\n".join(test.lines)):
                if name in subjects and _asserts_about(test, {name}) and not _is_of_another_type(run, line, name):
                    told = f"In {file.path}, the test {test.name} replaces {name} and then tests it."
                    shown = [line, *(each.shown for each in test.assertions)]
                    yield finding("mocked_subject", "likely", told, where=test.location, lines=shown)
                    break
        yield from _mocked_modules(file, tree, subjects)
        yield from _mocked_in_set_up(run, file, subjects)
        yield from _stand_ins(file, tree, subjects)


def _is_of_another_type(run: ReviewedRun, line: str, name: str) -> bool:
    """Return whether a test replaces the method of a type that had it before the run, and another type has it.

    What a new class asks for its answers is replaced, and the new class is tested.
    """
    match = _PATCHED.search(line)
    owner = (match["owner"] or match["where"] or "").rpartition(".")[2] if match is not None else ""
    if not owner:
        return False
    methods = [
        (name_of(around), tree.own(node))
        for tree in (file.new_tree for file in run.code_files if file.new_tree is not None)
        for node in tree.nodes
        if node.type in tree.language.functions and name_of(node) == name
        if (around := enclosing(node, tree.language.types)) is not None
    ]
    others = any(written and type_ != owner for type_, written in methods)
    return others and not any(written and type_ == owner for type_, written in methods)


def _asserts_about(test: TestCode, names: set[str]) -> bool:
    """Return whether an assertion calls one of these functions, or is about a variable that holds its result."""
    text = "\n".join(test.lines)
    return any(
        names & each.names or any(_returns(text, name, each.text) for name in names)
        for each in test.assertions
        if ABOUT_CALLS.search(each.text) is None
    )


def replaced_names(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a test replaces, each with its line; a spy that calls the real thing replaces nothing."""
    for line in text.split("\n"):
        if _SPIES.search(line):
            continue
        for match in _PATCHED.finditer(line):
            found = next((part for part in match.groups() if part and part not in (match["owner"], match["where"])), "")
            yield found.rpartition(".")[2], line
        for match in _ASSIGNED.finditer(line):
            yield match["name"] or match["bare"] or match["alias"], line


def _returns(text: str, name: str, assertion: str) -> bool:
    """Return whether an assertion is about a variable that holds the result of a call of `name`."""
    held = re.findall(rf"(?:const |let |var )?(\w+)\s*:?=\s*(?:await )?(?:\w+\.)*{re.escape(name)}\(", text)
    return any(re.search(rf"\b{re.escape(variable)}\b", assertion) for variable in held)


def _mocked_modules(file: ChangedFile, tree: ParsedFile, subjects: dict[str, set[str]]) -> Iterator[Finding]:
    """Find `jest.mock("../src/price")` and the like where the assertions are about that module's functions."""
    for match in _MODULE_MOCK.finditer(tree.source.text):
        module = match["relative"] or match["absolute"].rpartition(".")[2]
        stem = _stem(module)
        line = tree.source.text.count("\n", 0, match.start())
        whole = tree.source.text[match.start() : match.start() + 600]
        if not _own_line(tree, line) or _SPIES.search(whole):
            continue
        names = {name for name, stems in subjects.items() if stem in stems}
        for test in file.new_tests:
            if _asserts_about(test, names):
                told = f"In {file.path}, the module {module} is replaced, and the test {test.name} tests it."
                yield finding(
                    "mocked_subject", "likely", told, where=tree.source.at(line), lines=[match[0], *test.lines]
                )
                break


def _mocked_in_set_up(run: ReviewedRun, file: ChangedFile, subjects: dict[str, set[str]]) -> Iterator[Finding]:
    """Find replacements outside the tests: in fixtures for all tests, `setUp`, `beforeEach`, or the module itself."""
    inside = {line for test in file.new_tests for line in test.lines}
    conftest = file.path.endswith("conftest.py")
    code = [each.new for each in run.code_files if each.new is not None] if conftest else []
    inner = replaceable_names((each.path, each.text, range(1, len(each.lines) + 1)) for each in code)
    for line, location in file.added_lines:
        if line.strip() in inside:
            continue
        for name, _ in replaced_names(line):
            asserted = (conftest and run.spec_names(name)) or any(
                _asserts_about(test, {name}) for test in file.new_tests
            )
            if (
                name in subjects
                and asserted
                and (name in inner or not conftest)
                and not _is_passed_on(name, file)
                and not _is_of_another_type(run, line, name)
            ):
                told = f"{file.path} replaces {name} for all of its tests, which test it."
                yield finding("mocked_subject", "likely", told, where=location, lines=[line])
                return


def _is_passed_on(name: str, file: ChangedFile) -> bool:
    """Return whether a file keeps the real function under another name and calls it: it only watches the calls."""
    text = "\n".join(line for line, _ in file.added_lines)
    kept = re.findall(rf"\b(\w+)\s*:?=\s*(?:\w+\.)*{re.escape(name)}\s*$", text, re.M)
    return any(re.search(rf"\breturn\s+{each}\(", text) for each in kept)


def _stand_ins(file: ChangedFile, tree: ParsedFile, subjects: dict[str, set[str]]) -> Iterator[Finding]:
    """Find variables of tests that have the name of what should be tested and hold a mock: `retry = mock.fn(…)`."""
    imported = _imported(tree)
    for node in tree.nodes:
        if node.type not in ("variable_declarator", "assignment", "short_var_declaration") or not tree.own(node):
            continue
        name = text_of(node.child_by_field_name("name") or node.child_by_field_name("left"))
        value = text_of(node.child_by_field_name("value") or node.child_by_field_name("right"))
        if name not in subjects or name in imported or not _MOCK.match(value) or _SPIES.search(value):
            continue
        if _is_only_called(name, node, tree) and any(name in test.names for test in file.new_tests):
            told = f"In {file.path}, {name} is a mock, and not the function that the tests are named after."
            yield finding("mocked_subject", "likely", told, where=tree.at(node), lines=text_of(node).split("\n")[:4])
            return


def _is_only_called(name: str, definition: Node, tree: ParsedFile) -> bool:
    """Return whether tests call a variable, and never give it to something else, as they do with a dependency."""
    called = False
    for node in tree.nodes:
        if node.type not in ("identifier", "shorthand_property_identifier") or text_of(node) != name:
            continue
        around = node.parent
        if around is None or definition.start_byte <= node.start_byte < definition.end_byte:
            continue
        if around.type in ("call", "call_expression") and around.child_by_field_name("function") == node:
            called = True
        elif around.type not in ("member_expression", "attribute", "selector_expression"):
            return False
    return called


def _own_line(tree: ParsedFile, index: int) -> bool:
    source = tree.source
    return index < len(source.lines) and (source.written is None or source.lines[index] in source.written)


def _subjects(run: ReviewedRun, *, methods: bool = True) -> dict[str, set[str]]:
    """Return the functions of the changed code, each with the stems of the files that define it."""
    found: dict[str, set[str]] = {}
    for file in run.code_files:
        tree = file.new_tree
        if tree is not None:
            for node in tree.nodes:
                if node.type not in tree.language.functions or not (name := name_of(node)):
                    continue
                if methods or tree.language.name == "Java" or enclosing(node, tree.language.types) is None:
                    found.setdefault(name, set()).add(_stem(file.path))
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


# --- copies of the thing under test


def _copied(run: ReviewedRun) -> Iterator[Finding]:
    """Find test files that define what they should import."""
    bodies = _bodies(run)
    subjects = _subjects(run, methods=False)
    trees = [file.new_tree for file in run.code_files if file.new_tree is not None]
    asked_for = {name_of(node) for tree in trees for node in tree.nodes if node.type in _OF_INTERFACES}
    for file in run.files:
        tree = file.new_tree
        if tree is None or not file.is_test:
            continue
        imported = _imported(tree)
        for node in tree.nodes:
            if node.type not in tree.language.functions or not tree.own(node) or not (name := name_of(node)):
                continue
            if node.parent is not None and node.parent.type == "decorated_definition":
                continue  # a fixture
            if node.type == "method_declaration" and name in asked_for:
                continue  # a type of the test's own that has what an interface of the code asks for
            original = bodies.get(_tokens(node))
            uses = {text_of(each) for each in walk(node) if each.type.endswith("identifier")}
            if original is not None or uses & imported:
                pass  # a copy to the letter, or a helper that calls the code or returns a type of it
            elif name in subjects and name not in imported and not _ORDINARY.match(name):
                original = None if subjects[name] & imported else name
            elif name not in imported | set(subjects) and _is_asked_for(run, name):
                original = name  # what the spec asks for is only in the test
            if original and any(_asserts_about(test, {name}) for test in file.new_tests):
                told = f"{file.path} tests its own copy of {original} instead of the code."
                lines = text_of(node).split("\n")[:6]
                yield finding("copied_subject", "likely", told, where=tree.at(node), lines=lines)


def _is_asked_for(run: ReviewedRun, name: str) -> bool:
    """Return whether an item of the spec begins with this name, and the code has nothing of that name.

    An item may also begin with what a function is given, such as a callback, which tests have to define.
    """
    if not any(re.match(rf"`{re.escape(name)}\b", item.text) for item in run.evidence.spec.items):
        return False
    trees = [file.new_tree for file in run.code_files if file.new_tree is not None]
    # methods have identifiers of kinds of their own
    return not any(node.type.endswith("identifier") and text_of(node) == name for tree in trees for node in tree.nodes)


def _bodies(run: ReviewedRun) -> dict[str, str]:
    """Return the bodies of the changed code's functions, without layout, with the functions' names."""
    found: dict[str, str] = {}
    for file in run.code_files:
        tree = file.new_tree
        if tree is None:
            continue
        for node in tree.nodes:
            if node.type in tree.language.functions and name_of(node):
                tokens = _tokens(node)
                if tokens.count(" ") >= _SMALLEST_COPY:
                    found.setdefault(tokens, name_of(node))
    return found


def _tokens(function: Node) -> str:
    body = function.child_by_field_name("body")
    if body is None or body.end_byte - body.start_byte > 20_000:
        return ""
    return " ".join(text_of(each) for each in walk(body) if not each.children and each.type not in COMMENTS)


def _imported(tree: ParsedFile) -> set[str]:
    """Return the names and the modules that a file imports."""
    found: set[str] = set()
    for node in tree.nodes:
        if node.type in ("import_statement", "import_from_statement", "use_declaration", "import_declaration") or (
            node.type in ("lexical_declaration", "variable_declaration") and "require(" in text_of(node)
        ):
            found.update(re.findall(r"\w+", text_of(node)))
    return found
