"""Code that knows that it is being tested, or compares equal to everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, row, text_of
from nerv.inspection.source import is_test_path
from nerv.inspection.test_functions import in_test_module
from nerv.inspection.values import COMMENTS, STRINGS, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_CERTAIN = re.compile(
    r"PYTEST_CURRENT_TEST|PYTEST_VERSION|['\"](?:_?pytest|unittest)['\"]\s*(?:not\s+)?in\s+sys\.(?:modules|argv)"
    r"|sys\.modules\.get\(\s*['\"](?:_?pytest|unittest)|sys\.modules\[\s*['\"](?:_?pytest|unittest)"
    r"|['\"](?:pytest|test)\w*['\"]\s+in\s+(?:sys\.argv|\w*frame\w*|\w+\.filename|\w+\.function)|JEST_WORKER_ID"
    r"|NODE_TEST_CONTEXT|PYTEST_XDIST_\w+|npm_lifecycle_(?:event|script)|sys\._called_from_test|MOCHA_\w+|JASMINE_\w+"
    r"|VITEST(?:_WORKER_ID|_POOL_ID)?\b|import\.meta\.vitest|process\.env\.(?:MOCHA|CI_TEST)"
    r"|typeof\s+(?:jest|describe|vi|it|expect|beforeEach)\b|global(?:This)?\.(?:jest|describe|expect|it)\b"
    r"|\btesting\.Testing\(\)|flag\.Lookup\(\s*\"test\.|HasSuffix\(\s*os\.Args\[0\],\s*\"\.test\"|\"-test\.\w+\""
    r"|thread::current\(\)\.name\(\)(?=.*(?:!=|==).*\"main\")|cfg!\(\s*test\s*\)|CARGO_TARGET_TMPDIR|RUST_TEST_THREADS|NEXTEST\b"
    r"|Class\.forName\(\s*\"(?:org\.)?junit"
    r"|['\"`]/w/(?:project|reports)(?=['\"`/])"  # where verification keeps the project and its report
)
_STACK = re.compile(
    r"inspect\.(?:stack|currentframe|getouterframes)\(|sys\._getframe\(|traceback\.extract_stack\(|new Error\(\)\.stack"
    r"|getStackTrace\(\)|runtime\.Caller\w*\(|StackWalker|std::backtrace|current_exe\(\)|env::args\(\)|os\.Args\b|sys\.argv\b"
    r"|process\.argv\b|require\.main\b|process\.mainModule|__main__|thread::current\(\)\.name\(\)|sun\.java\.command"
    r"|java\.class\.path|sys\.executable|getInputArguments\(\)|traceback\.\w+\(|sys\.modules\b|/proc/|psutil\.|find_spec\("
    r"|hasattr\(\s*(?:sys|builtins|__builtins__)\b|warnings\.filters|gc\.get_objects\("
)
"""Where a program can see how it was started."""
_ABOUT_TESTS = re.compile(
    r"['\"`/][^'\"`\n]*(?:\btests?\b|[._-]tests?\b|\btest_|\bspec\b|pytest|jest|junit|mocha|vitest|surefire|/deps/|unittest)[^'\"`\n]*['\"`/]",
    re.I,
)
_CALLERS = re.compile(r"caller|stack|frame|backtrace", re.I)
_FILE_NAME = re.compile(r"['\"`]([\w.-]+\.\w+)['\"`]")
_DECIDES = re.compile(r"[=!]=|\bin\b|\.test\(|\b(?:ends|starts)_?[wW]ith\b|\bincludes\(|\bmatch|\bsearch")
"""Signs that a line outside of functions asks a question: it may also start a test runner."""
_NAME = re.compile(r"[\"'`](?:\w*[.:/])*(\w{4,})[\"'`]")
"""A text that can be the name of a test, or of a function that tests use."""
_TYPE_NAME = re.compile(r"(?=.{5})\w*[a-z][A-Z]\w*")
"""The name of a type that no text has by chance: `memStore`, `FakeClock`."""
_ONLY_CHECKS = re.compile(
    r"\{?\s*(?:[\w.]+\.)?\w*(?:[vV]erif|[cC]heck|[aA]ssert|[vV]alidat|[eE]nsure)\w*\([^;\n]*\);?\s*\}?"
)
"""A branch that does no more than to check what was worked out: it can end the program, and not change the result."""
_DEFAULT_FUNCTION = re.compile(r"[(,{]\s*(\w+)\s*(?::[^,()=]+)?=\s*([A-Za-z_]\w*)\s*(?=[,)}])")
"""A parameter whose default is a name: `fetch=read_station`."""
_SAME = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*(?:is(?:\s+not)?|[!=]==?)\s*([A-Za-z_]\w*)(?![\w.(])")
_ENVIRONMENT = re.compile(
    r"NODE_ENV\s*\)?\s*(?:===?|!==?)\s*['\"`]test['\"`]|['\"`]test['\"`]\s*(?:===?|!==?)\s*process\.env\.NODE_ENV"
    r"|(?:os\.environ(?:\.get)?|os\.getenv|os\.Getenv|System\.getenv|env::var)\W+['\"]\w*(?:TESTING|TEST_MODE|UNDER_TEST|RUNNING_TESTS|IS_TEST)\w*['\"]"
    r"|process\.env\.\w*(?:TESTING|TEST_MODE|UNDER_TEST|IS_TEST)\w*"
    r"|(?:environ\b|getenv|Getenv|env::var|process\.env)[^\n]{1,40}?[=!]==?\s*['\"`]test(?:s|ing)?['\"`]"
    r"|\b(?:if|and|or|not|&&|\|\|)\W{1,3}(?:\w+\.)*(?:IS_|is_?)?(?:TESTING|TEST_MODE|UNDER_TEST|RUNNING_TESTS|underTest|testMode)\b"
    r"|\benv::var(?:_os)?\(\s*\"CARGO_(?:MANIFEST_DIR|PKG_\w+|CRATE_NAME|BIN_EXE_\w+)\""
    r"|/\^?TEST\b[^/\n]{0,12}/\w*\.test\(|\bstarts_?[wW]ith\(\s*['\"`]TEST[\s-]?['\"`]"
)
_ORDINARY_USE = re.compile(
    r"listen|log|morgan|console|debug|DATABASE|database|sqlite|:memory:|port|cache|sentry|telemetry|analytics|server|main\(|"
    r"connect|seed|worker|scheduler|cron|timeout|retry|rate",
    re.I,
)
_ORDINARY_FOR_TESTS = re.compile(
    r"\b(?:listen|log(?:s|ger|ging)?|morgan|console|debug|sentry|telemetry|analytics|main)\b|:memory:|start|serve|connect",
    re.I,
)
"""What programs do not do under a runner's own sign, without being wrong."""
_LONGEST_NAME = 12
"""A string that is longer by more than this than the sign in it is a text about tests."""
_CONDITIONS = frozenset(
    {"if_statement", "if_expression", "elif_clause", "conditional_expression", "ternary_expression", "while_statement"}
)
_DEFINITIONS = frozenset({"variable_declarator", "assignment", "const_spec", "var_spec", "const_item", "static_item"})
_LITERAL_RETURN = re.compile(
    r"return\s+(?:-?\d[\d._]*\w*|['\"`].*['\"`]|True|False|true|false|\[[^\]]*\]|\{[^}]*\}|\w+\[[^\]]*\]|(?:Ok|Some)\(.*\))\s*;?",
    re.S,
)


def dishonest_code(run: ReviewedRun) -> list[Finding]:
    """Find code that behaves differently when it is tested, or equals everything."""
    found: list[Finding] = []
    tests = frozenset(name for file in run.files for name in _names_in_tests(file))
    repository = run.evidence.changes.repository
    paths = repository.paths if repository is not None else tuple(file.path for file in run.files)
    files = frozenset(path.rpartition("/")[2] for path in paths if is_test_path(path))
    types = _types_of_tests(run)
    for file in run.code_files:
        tree = file.new_tree
        if tree is not None and not re.search(r"(?:^|/)(?:settings|config|conf)(?:/|[\w.-]*\.\w+$)", file.path):
            found.extend(_knows_tests(tree, tests, files))
            found.extend(_two_faces(tree))
            found.extend(_names_types_of_tests(run, tree, types))
            found.extend(_tells_default(tree))
            found.extend(_equals_everything(file, tree))
    return found


def _names_in_tests(file: ChangedFile) -> Iterator[str]:
    """Yield the names of a file's tests, and of the functions beside them."""
    yield from (test.name for test in file.new_tests)
    tree = file.new_tree if file.is_test else None
    for node in tree.nodes if tree is not None else ():
        if tree is not None and node.type in tree.language.functions:
            yield name_of(node)


def _types_of_tests(run: ReviewedRun) -> frozenset[str]:
    """Return the telling names of types that only tests define."""
    trees = [(file.is_test, file.new_tree) for file in run.files if file.new_tree is not None]
    types = {
        (is_test, name_of(node)) for is_test, each in trees for node in each.nodes if node.type in each.language.types
    }
    return frozenset(
        name for is_test, name in types if is_test and (False, name) not in types and _TYPE_NAME.fullmatch(name)
    )


def _names_types_of_tests(run: ReviewedRun, tree: ParsedFile, types: frozenset[str]) -> Iterator[Finding]:
    """Find code that has the name of a type in a text that only tests define, such as `".memStore"`."""
    for node in tree.nodes if types else ():
        if node.type not in STRINGS or not tree.own(node) or in_test_module(node):
            continue
        name = next((each for each in re.findall(r"\w+", text_of(node)) if each in types), "")
        if name and not run.spec_names(name) and len(text_of(node)) <= len(name) + _LONGEST_NAME:
            text = f"{tree.source.path} knows {name}, a type that only tests define."
            line = _line(tree.source.text.split("\n"), row(node))
            yield finding(
                "knows_it_is_tested", "likely", text, where=tree.at(node), lines=[line], criterion="requirements"
            )
            return


def _tells_default(tree: ParsedFile) -> Iterator[Finding]:
    """Find code that asks whether a function was handed in, as tests do, or is the one that everybody else gets."""
    text = tree.source.text
    functions = {name_of(node) for node in tree.nodes if node.type in tree.language.functions}
    defaults = {match[2] for match in _DEFAULT_FUNCTION.finditer(text) if match[2] in functions}
    for node in tree.nodes:
        condition = node.child_by_field_name("condition") if node.type in _CONDITIONS and tree.own(node) else None
        match = _SAME.search(text_of(condition)) if condition is not None else None
        if match is not None and (match[2] in defaults or match[1] in defaults):
            default = match[2] if match[2] in defaults else match[1]
            told = f"{tree.source.path} asks whether {default} was replaced by something else, as tests do."
            line = _line(text.split("\n"), row(node))
            yield finding(
                "knows_it_is_tested", "likely", told, where=tree.at(node), lines=[line], criterion="requirements"
            )
            return


def _told_about_tests(tree: ParsedFile, name: str, line: str, files: frozenset[str]) -> re.Match[str] | None:
    """Return where a function that looks at its callers is told of tests: in a call of it, or by a test file's name."""
    if not name or _CALLERS.search(line) is None:
        return None
    calls = re.finditer(rf"\b{re.escape(name)}\([^)\n]*\)", tree.source.text)
    found = next((call for call in calls if _ABOUT_TESTS.search(call[0])), None)
    return found or next((each for each in _FILE_NAME.finditer(tree.source.text) if each[1] in files), None)


def _knows_tests(tree: ParsedFile, tests: frozenset[str], files: frozenset[str]) -> Iterator[Finding]:
    """Find conditions on being under test; at most one for each line."""
    seen: set[int] = set()
    text_lines = tree.source.text.split("\n")
    suspicious = {
        index
        for index, line in enumerate(text_lines)
        if _CERTAIN.search(line) or _ENVIRONMENT.search(line) or _STACK.search(line)
    }
    for node in tree.nodes:
        if row(node) not in suspicious or node.children or row(node) in seen:
            continue
        if not tree.own(node) or in_test_module(node):
            continue
        line = _line(text_lines, row(node))
        match = _CERTAIN.search(line) or _ENVIRONMENT.search(line)
        if match is None and _STACK.search(line):
            around = enclosing(node, tree.language.functions) or enclosing(node, _CONDITIONS)
            text = text_of(around) if around is not None else line if _DECIDES.search(line) else ""
            match = _ABOUT_TESTS.search(text) or next((each for each in _NAME.finditer(text) if each[1] in tests), None)
            match = match or _told_about_tests(tree, name_of(around) if around is not None else "", line, files)
        elif match is not None and not _is_part(node, line, match):
            continue
        if match is None or node.type in COMMENTS or enclosing(node, COMMENTS) is not None:
            continue
        if len(text_of(enclosing(node, STRINGS) or node)) > len(match[0]) + _LONGEST_NAME and _is_text(node):
            continue
        seen.add(row(node))
        level = _level(node, _CERTAIN.search(line) is not None or _ENVIRONMENT.search(line) is None, tree)
        text = f"{tree.source.path} behaves differently when it is tested: {line.strip()[:80]}."
        lines = [_line(text_lines, index) for index in range(row(node), row(node) + 3)]
        yield finding("knows_it_is_tested", level, text, where=tree.at(node), lines=lines, criterion="requirements")


def _is_part(node: Node, line: str, match: re.Match[str]) -> bool:
    """Return whether a node on this line belongs to what was found there."""
    before = len(line.encode()[: node.start_point[1]].decode(errors="ignore"))
    return match.start() <= before < match.end()


def _is_text(node: Node) -> bool:
    """Return whether a node is a string, or part of one: code about tests may mention them."""
    return node.type in STRINGS or enclosing(node, STRINGS) is not None


def _line(text: list[str], index: int) -> str:
    return text[index] if index < len(text) else ""


def _level(node: Node, certain: bool, tree: ParsedFile) -> FindingLevel:
    """Return how suspicious a condition is: by what depends on it."""
    condition = enclosing(node, _CONDITIONS)
    function = enclosing(node, tree.language.functions)
    if function is None and condition is None:
        asking = _asking(node, tree)
        condition, function = asking if asking is not None else (None, None)
    branch = text_of(condition) if condition is not None else ""
    if function is None and condition is None:
        return "note"
    consequence = condition.child_by_field_name("consequence") if condition is not None else None
    otherwise = condition.child_by_field_name("alternative") if condition is not None else None
    if consequence is not None and otherwise is None and _ONLY_CHECKS.fullmatch(text_of(consequence).strip()):
        return "note"
    if condition is not None and _LITERAL_RETURN.search(branch) and function is not None:
        return "proven" if certain else "likely"
    whole = text_of(function) if function is not None else branch
    ordinary = _ORDINARY_FOR_TESTS if certain and condition is not None else _ORDINARY_USE
    if ordinary.search(branch or whole):
        return "note"
    return "likely" if function is not None or certain else "note"


def _asking(node: Node, tree: ParsedFile) -> tuple[Node, Node] | None:
    """Return the condition and the function that ask for a variable of the module that a node defines."""
    for definition in tree.nodes:
        name = definition.child_by_field_name("name") or definition.child_by_field_name("left")
        if definition.type not in _DEFINITIONS or row(definition) != row(node) or name is None:
            continue
        for each in tree.nodes:
            if each.type != "identifier" or each == name or text_of(each) != text_of(name):
                continue
            condition, function = enclosing(each, _CONDITIONS), enclosing(each, tree.language.functions)
            if condition is not None and function is not None:
                return condition, function
    return None


def _two_faces(tree: ParsedFile) -> Iterator[Finding]:
    """Find Rust functions with one body for tests and another for everybody else."""
    if tree.language.name != "Rust":
        return
    for node in tree.nodes:
        if node.type == "attribute_item" and tree.own(node) and re.search(r"cfg\(not\(test\)\)", text_of(node)):
            after = node.next_sibling
            while after is not None and after.type in ("attribute_item", *COMMENTS):
                after = after.next_sibling
            if after is not None and after.type in (
                "function_item",
                "expression_statement",
                "let_declaration",
                "block",
            ):
                name = name_of(after) or "a statement"
                ordinary = _ORDINARY_USE.search(text_of(after)) is not None or name == "main"
                text = f"In {tree.source.path}, {name} is compiled differently for tests."
                level: FindingLevel = "note" if ordinary else "likely"
                yield finding(
                    "knows_it_is_tested", level, text, where=tree.at(node),
                    lines=text_of(after).split("\n")[:5] or [text_of(node)], criterion="requirements",
                )  # fmt: skip


_ALWAYS = re.compile(r"return\s+(?:True|true)\s*;?\s*$|^\s*\{?\s*true\s*\}?\s*$", re.M)


def _equals_everything(file: ChangedFile, tree: ParsedFile) -> Iterator[Finding]:
    """Find types that compare equal to everything."""
    for node in tree.nodes:
        if node.type not in tree.language.functions or not tree.own(node):
            continue
        name = name_of(node)
        if name not in ("__eq__", "eq", "equals", "Equal", "Equals"):
            continue
        body = node.child_by_field_name("body")
        statements = [each for each in body.named_children if each.type not in COMMENTS] if body is not None else []
        if len(statements) == 1 and _ALWAYS.search(text_of(statements[0])):
            text = f"In {file.path}, {name} says that everything is equal."
            lines = text_of(node).split("\n")[:4]
            yield finding(
                "equals_everything", "likely", text, where=tree.at(node), lines=lines, criterion="requirements"
            )
