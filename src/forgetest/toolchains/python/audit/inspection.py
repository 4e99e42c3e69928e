"""Problems that the text of Python tests shows: no assertion, never run, written twice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from forgetest.evalset import Case
from forgetest.toolchains.auditing import TestRemark

_CHECKING_CALL = re.compile(r"assert|raises|fail|check|verify|expect|warns", re.IGNORECASE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def inspect_tests(case: Case) -> list[TestRemark]:
    """Return the problems that the text of the tests shows; none for tests that are no Python."""
    try:
        tree = ast.parse(case.expectations.test_file or "")
    except (SyntaxError, ValueError):
        return []
    return [*_never_run(tree), *_without_assertion(tree), *_repeated(tree)]


def _scopes(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield the places in which tests are defined, with the prefix of their names."""
    yield "", tree.body
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield f"{node.name}.", node.body


def _tests(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for prefix, body in _scopes(tree):
        for node in body:
            if isinstance(node, _Function) and node.name.startswith("test"):
                yield prefix + node.name, node


def _never_run(tree: ast.Module) -> Iterator[TestRemark]:
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {each.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for each in node.args}  # fixtures
    for prefix, body in _scopes(tree):
        functions = [node for node in body if isinstance(node, _Function)]
        for index, node in enumerate(functions):
            name = prefix + node.name
            if any(later.name == node.name for later in functions[index + 1 :]):
                yield _remark(name, "never_runs", "a later definition has the same name and replaces it", node)
            elif node.name.startswith("test") and _is_skipped(node):
                yield _remark(name, "never_runs", "it is skipped", node)
            elif _has_assertion(node) and not _is_collected(prefix, node) and node.name not in used:
                yield _remark(
                    name, "never_runs", "it has assertions, but is no test by its name, and is not called", node
                )
    for name, test in _tests(tree):
        for statement in _unreachable(test.body):
            detail = f"its assertion in line {statement.lineno} follows a return, and never runs"
            yield _remark(name, "never_runs", detail, test)


def _unreachable(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for index, statement in enumerate(body):
        if isinstance(statement, (ast.Return, ast.Raise)):
            yield from (later for later in body[index + 1 :] if isinstance(later, ast.Assert))
            return


def _is_collected(prefix: str, node: _Function) -> bool:
    is_special = node.name in ("check", "setUp", "tearDown", "setUpClass", "tearDownClass", "setup_method")
    has_decorator = any("fixture" in ast.unparse(each) for each in node.decorator_list)
    return node.name.startswith("test") or is_special or has_decorator or (prefix != "" and node.name.startswith("_"))


def _is_skipped(node: _Function) -> bool:
    return any(re.search(r"\bskip\b", ast.unparse(each)) for each in node.decorator_list)


def _without_assertion(tree: ast.Module) -> Iterator[TestRemark]:
    helpers = {node.name for node in ast.walk(tree) if isinstance(node, _Function) and _has_assertion(node)}
    for name, test in _tests(tree):
        called = {_called_name(node) for node in ast.walk(test) if isinstance(node, ast.Call)}
        if not _has_assertion(test) and not called & helpers and not _is_skipped(test):
            yield _remark(name, "no_assertion", "no assertion: only a crash fails it", test)


def _has_assertion(node: ast.AST) -> bool:
    for each in ast.walk(node):
        if isinstance(each, (ast.Assert, ast.Raise)):
            return True
        if isinstance(each, ast.Call) and _CHECKING_CALL.search(_called_name(each)):
            return True
    return False


def _called_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _repeated(tree: ast.Module) -> Iterator[TestRemark]:
    seen: dict[str, str] = {}
    for name, test in _tests(tree):
        content = ast.dump(ast.Module(body=_without_docstring(test), type_ignores=[])) + "".join(
            map(ast.dump, test.decorator_list)
        )
        first = seen.setdefault(content, name)
        if first != name:
            yield _remark(name, "duplicate", f"the same as {first}", test)


def _without_docstring(test: _Function) -> list[ast.stmt]:
    return test.body[1:] if ast.get_docstring(test) is not None else test.body


def _remark(test: str, problem: str, detail: str, node: ast.stmt) -> TestRemark:
    return TestRemark(test=test, problem=problem, detail=detail, line=node.lineno)  # type: ignore[arg-type]
