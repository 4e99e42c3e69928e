"""Finds the tests in a test file, and the names that it takes from a sample, without running anything."""

from __future__ import annotations

import ast
import builtins
import doctest
import itertools
import re
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.toolchains.python.language import LANGUAGE
from forgetest.toolchains.python.stateless_tests import is_stateless

Kind = Literal["load", "module", "check", "function", "method", "unittest", "doctest", "text"]
"""How a test is run; see `runtime/run_test.py`."""

_EXPECTED = re.compile(r"\s*(?:async\s+)?(?:def\s+|class\s+)?([A-Za-z_]\w*)")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_TEST_CASE = re.compile(r"TestCase$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTest:
    """A test of a case."""

    name: str
    kind: Kind
    target: str = ""
    """The function, `Class.method`, or the object that has the docstring."""
    parameters: tuple[int, ...] | None = None
    """Which set of parameters, by index, of each `parametrize`; None for all sets."""
    is_ignored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFile:
    """A test file that was read."""

    __test__ = False

    source: str
    tests: tuple[ExpectedTest, ...]
    names: tuple[str, ...] = ()
    """Names that it uses and does not define: the sample's."""
    imports: tuple[str, ...] = ()
    """Modules that it imports."""
    comparable: tuple[str, ...] = ()
    """Classes of the sample whose objects are compared with values of the tests."""
    entry: str = ""
    """The function that `check` is called with."""
    is_python: bool = True
    """False for a text with examples."""
    is_stateless: bool = False
    """Running it leaves nothing behind in its interpreter."""


LOADING = ExpectedTest(name="import", kind="load")
"""Stands for the tests of a case that has none: the sample is only imported."""


def read(case: Case) -> TestFile:
    """Read the tests of a case; those that cannot be read are the user's error."""
    expectations = case.expectations
    source = expectations.test_file or ""
    if not (expectations.should_compile and expectations.should_pass_tests):
        source = ""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return _read_text(case, source, error)
    names = tuple(sorted({*_free_names(source), *_free_names(_documented_program(tree))}))
    tests = tuple(_number_repeated(_tests(tree)))
    entry = str(LANGUAGE.option(case.options, "entry_point")) or next(iter(expected_names(case)), "")
    if any(test.kind == "check" for test in tests):
        if not entry:
            raise UserError(
                f"case {case.id}: the tests define check(candidate): name the function that it is given by entry_point"
            )
        names = tuple(sorted({*names, entry}))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    classes = {name for name in (*names, *imported) if name[:1].isupper()}
    return TestFile(
        source=source,
        tests=tests,
        names=names,
        imports=tuple(sorted(set(_imports(tree)) - {_module(case), "pytest"})),
        comparable=tuple(sorted(classes | {_identifier(entry) for entry in expectations.expected_types})),
        entry=entry,
        is_stateless=is_stateless(tree, source, _module(case)),
    )


def expected_names(case: Case) -> list[str]:
    """Return the names in `expected_functions` and `expected_types`."""
    return [_identifier(entry) for entry in (*case.expectations.expected_functions, *case.expectations.expected_types)]


def _identifier(entry: str) -> str:
    found = _EXPECTED.match(entry)
    return found[1] if found else entry


def _module(case: Case) -> str:
    return str(LANGUAGE.option(case.options, "module"))


def _read_text(case: Case, source: str, error: SyntaxError | ValueError) -> TestFile:
    """Read a test file that is no Python: a text with examples, as doctest reads it."""
    try:
        examples = doctest.DocTestParser().get_examples(source)
    except ValueError:
        examples = []
    if not examples:
        line = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        raise UserError(f"case {case.id}: test_file: {line}") from error
    program = "\n".join(example.source for example in examples)
    return TestFile(
        source=source,
        tests=(ExpectedTest(name="doctest", kind="text"),),
        names=_free_names(program),
        is_python=False,
    )


def _tests(tree: ast.Module) -> Iterator[ExpectedTest]:
    found = False
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            found = True
            yield from _with_parameters(node, "function", node.name)
        elif isinstance(node, ast.ClassDef):
            for test in _tests_of_class(node):
                found = True
                yield test
    for test in _documented(tree):
        found = True
        yield test
    if not found:
        yield from _bare_tests(tree)


def _tests_of_class(node: ast.ClassDef) -> Iterator[ExpectedTest]:
    is_unittest = any(_TEST_CASE.search(ast.unparse(base)) for base in node.bases)
    if not is_unittest and not node.name.startswith("Test"):
        return
    for method in node.body:
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.name.startswith("test"):
            target = f"{node.name}.{method.name}"
            if is_unittest:
                ignored = _is_skipped(method) or _is_skipped(node)
                yield ExpectedTest(name=target, kind="unittest", target=target, is_ignored=ignored)
            else:
                yield from _with_parameters(method, "method", target, is_ignored=_is_skipped(node))


def _documented(tree: ast.Module) -> Iterator[ExpectedTest]:
    """Yield a test for each docstring with examples."""
    for node in (tree, *tree.body):
        if isinstance(node, _DOCUMENTED):
            name = "" if isinstance(node, ast.Module) else node.name
            if ">>>" in (ast.get_docstring(node) or ""):
                yield ExpectedTest(name=f"doctest {name}".strip(), kind="doctest", target=name)


def _documented_program(tree: ast.Module) -> str:
    """Return the examples of all docstrings as one program; an empty one if they cannot be read."""
    nodes = [node for node in (tree, *tree.body) if isinstance(node, _DOCUMENTED)]
    try:
        examples = [doctest.DocTestParser().get_examples(ast.get_docstring(node) or "") for node in nodes]
        program = "\n".join(example.source for each in examples for example in each)
        compile(program, "examples", "exec", ast.PyCF_ONLY_AST)
    except (ValueError, SyntaxError):
        return ""
    return program


def _bare_tests(tree: ast.Module) -> Iterator[ExpectedTest]:
    """Yield the module itself as a test: its assertions, or HumanEval's `check`."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    called = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    if "check" in functions:
        yield ExpectedTest(name="check", kind="module" if "check" in called else "check")
    elif calls or any(
        isinstance(node, (ast.Assert, ast.For, ast.With, ast.Try, ast.If, ast.While)) for node in tree.body
    ):
        yield ExpectedTest(name="assertions", kind="module")


def _with_parameters(
    node: ast.FunctionDef | ast.AsyncFunctionDef, kind: Kind, target: str, *, is_ignored: bool = False
) -> Iterator[ExpectedTest]:
    """Yield a test for each set of parameters, if their number can be read."""
    is_ignored = is_ignored or _is_skipped(node)
    tables = [_parameter_ids(each) for each in node.decorator_list if _decorator(each).endswith("mark.parametrize")]
    if not tables or any(table is None for table in tables):
        yield ExpectedTest(name=target, kind=kind, target=target, is_ignored=is_ignored)
        return
    rows = [list(enumerate(table)) for table in tables if table is not None]
    for row in itertools.product(*rows):
        name = f"{target}[{'-'.join(each for _, each in row)}]"
        indices = tuple(index for index, _ in row)
        yield ExpectedTest(name=name, kind=kind, target=target, parameters=indices, is_ignored=is_ignored)


def _parameter_ids(decorator: ast.expr) -> list[str] | None:
    """Return a short name for each set of parameters; None if they are not written out."""
    if not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
        return None
    rows = decorator.args[1]
    if not isinstance(rows, (ast.List, ast.Tuple)) or any(isinstance(row, ast.Starred) for row in rows.elts):
        return None
    return [_row_id(row, index) for index, row in enumerate(rows.elts)]


def _row_id(row: ast.expr, index: int) -> str:
    if isinstance(row, ast.Call):  # pytest.param
        given = [each.value for each in row.keywords if each.arg == "id"]
        if given and isinstance(given[0], ast.Constant):
            return str(given[0].value)
        items: Sequence[ast.expr] = row.args
    else:
        items = row.elts if isinstance(row, ast.Tuple) else [row]
    values = [item.value if isinstance(item, ast.Constant) else None for item in items]
    is_short = all(isinstance(value, (int, float, str)) and len(str(value)) <= 20 for value in values)
    return "-".join(str(value) for value in values) if is_short and values else str(index)


def _number_repeated(tests: Iterator[ExpectedTest]) -> Iterator[ExpectedTest]:
    """Give tests of the same name different ones. Of functions with the same name, only the last exists."""
    seen: dict[str, int] = {}
    for test in tests:
        count = seen[test.name] = seen.get(test.name, 0) + 1
        name = test.name if count == 1 else f"{test.name}#{count}"
        yield ExpectedTest(
            name=name, kind=test.kind, target=test.target, parameters=test.parameters, is_ignored=test.is_ignored
        )


def _is_skipped(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(_decorator(each) in ("pytest.mark.skip", "unittest.skip", "skip") for each in node.decorator_list)


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _free_names(source: str) -> tuple[str, ...]:
    """Return the names that a program uses as globals and does not define."""
    defined, used = {*dir(builtins), "__name__", "__file__"}, set()
    tables = [symtable.symtable(source, "tests", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        is_module = table.get_type() == "module"
        for symbol in table.get_symbols():
            is_bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
            if is_bound and (is_module or symbol.is_declared_global()):
                defined.add(symbol.get_name())
            elif symbol.is_referenced() and (is_module or symbol.is_global()):
                used.add(symbol.get_name())
    return tuple(sorted(used - defined))
