"""Tests that compare a Python program with the reference solution, and tests for what they find."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains import probing
from forgetest.toolchains.probing import DIFFERS, INSTEAD
from forgetest.toolchains.python.audit.operators import GRAMMAR
from forgetest.toolchains.python.language import LANGUAGE

_CANDIDATE = "candidate"
_VALUES = {
    "int": ("0", "1", "2", "3", "10", "17"),
    "float": ("0.0", "0.5", "1.0", "2.5", "10.0"),
    "bool": ("True", "False"),
    "str": ("''", "'a'", "'ab'", "'abc'", "'Hello, World'", "'x1 y2'"),
    "list": ("[]", "[1]", "[2, 1]", "[1, 2, 3, 4]"),
}
_VALUES |= {f"{name}[int]": _VALUES["list"] for name in ("list", "List")}
_VALUES |= {f"{name}[float]": ("[]", "[0.5]", "[1.0, 2.5, -1.0]") for name in ("list", "List")}
_VALUES |= {f"{name}[str]": ("[]", "['a']", "['ab', 'b', 'Abc']") for name in ("list", "List")}
"""Values of declared types, for functions that no test calls with plain data."""

_MOST_LINES = 5_000
"""Lines that the reference solution may execute for one call: one that never ends would cost all calls."""

_PROBE = """
import ast
import sys

import {module}

_reference = {{}}
exec(compile({reference!r}, "reference", "exec"), _reference)
_calls = {calls!r}


def _outcome(function, arguments):
    try:
        return True, function(*ast.literal_eval(arguments))
    except Exception as error:
        return False, type(error).__name__


def _expected(function, arguments):
    lines = 0

    def count(frame, event, argument):
        nonlocal lines
        lines += 1
        if lines > {most_lines}:
            raise KeyboardInterrupt
        return count

    sys.settrace(count)
    try:
        is_value, expected = _outcome(function, arguments)
    except KeyboardInterrupt:
        return False, None
    finally:
        sys.settrace(None)
    return is_value and lines <= {most_lines}, expected


def test_probe():
    for index, (name, arguments) in enumerate(_calls):
        is_value, expected = _expected(_reference[name], arguments)
        try:
            is_plain = is_value and ast.literal_eval(repr(expected)) == expected
        except Exception:
            is_plain = False
        if not is_plain:
            continue
        returned, actual = _outcome(getattr({module}, name), arguments)
        if not returned or actual != expected:
            shown = repr(actual) if returned else actual
            raise AssertionError(f"{differs} {{index}} {{expected!r}} {instead} {{shown}}")
"""


def probes(case: Case, most: int, seed: int) -> list[str]:
    """Return calls of the reference's functions with plain arguments, like those of the tests, the shortest first."""
    names = _functions(case)
    entry = _entry(case)
    calls = probing.calls_in(case.expectations.test_file or "", [*names, *([_CANDIDATE] if entry else [])])
    calls = [f"{entry}{call.removeprefix(_CANDIDATE)}" if call.startswith(f"{_CANDIDATE}(") else call for call in calls]
    plain = [call for call in calls if _split(call) is not None] or _calls_by_type(case)
    code = case.reference_solution or ""
    return [call for call in probing.variations(plain, GRAMMAR, most, seed, code) if _split(call) is not None]


def probe_case(case: Case, calls: Sequence[str]) -> Case:
    """Return a case whose test fails for the first call that differs from the reference solution."""
    tests = _PROBE.format(
        module=str(LANGUAGE.option(case.options, "module")),
        reference=case.reference_solution or "",
        calls=[pair for call in calls if (pair := _split(call)) is not None],
        differs=DIFFERS,
        instead=INSTEAD,
        most_lines=_MOST_LINES,
    )
    return replace(case, expectations=replace(case.expectations, test_file=tests))


def with_test(case: Case, call: str, expected: str, number: int) -> list[str]:
    """Return test files with a further test, in the style of the others."""
    tests = (case.expectations.test_file or "").rstrip("\n")
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError):
        return []
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines = tests.splitlines()
    check = next((node for node in functions if node.name == "check"), None)
    if check is not None and isinstance(check.body[-1], ast.Assert):
        last = check.body[-1]
        # HumanEval calls the function `candidate` there, HumanEvalPack by its own name
        name = check.args.args[0].arg if check.args.args else call.partition("(")[0]
        written = f"{' ' * last.col_offset}assert {name}{call[call.index('(') :]} == {expected}"
        return ["\n".join([*lines[: last.end_lineno], written, *lines[last.end_lineno or 0 :]]) + "\n"]
    statement = f"assert {call} == {expected}"
    if not functions and not any(isinstance(node, ast.ClassDef) for node in tree.body):
        return [f"{tests}\n{statement}\n"]
    name = call.partition("(")[0]
    return [f"{tests}\n\n\ndef test_{name}_tells_mutants_apart_{number}():\n    {statement}\n"]


def _calls_by_type(case: Case) -> list[str]:
    """Return calls with values of the types that the reference solution's functions declare, if these are plain."""
    found = []
    for node in _definitions(case):
        if node.args.posonlyargs or node.args.kwonlyargs:
            continue
        values = [_VALUES.get(ast.unparse(each.annotation) if each.annotation else "") for each in node.args.args]
        known = [of_one for of_one in values if of_one is not None]
        if known and len(known) == len(values):
            count = max(map(len, known))
            found += [
                f"{node.name}({', '.join(of_one[index % len(of_one)] for of_one in known)})" for index in range(count)
            ]
    return found


def _functions(case: Case) -> list[str]:
    return [node.name for node in _definitions(case)]


def _definitions(case: Case) -> list[ast.FunctionDef]:
    try:
        tree = ast.parse(case.reference_solution or "")
    except (SyntaxError, ValueError):
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _entry(case: Case) -> str:
    entry = str(LANGUAGE.option(case.options, "entry_point"))
    functions = _functions(case)
    return entry or (functions[-1] if functions else "")


def _split(call: str) -> tuple[str, str] | None:
    """Return a call's function and its arguments as the text of a tuple; None where they are not plain data."""
    name, _, arguments = call.partition("(")
    text = f"({arguments[:-1]},)" if arguments[:-1].strip() else "()"
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return name, text
