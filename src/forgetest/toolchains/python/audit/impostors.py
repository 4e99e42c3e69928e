"""Answers in Python that must not be believed: lazy ones, and forgeries."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import replaced, text_of
from forgetest.toolchains.auditing import Impostor, distinct
from forgetest.toolchains.prompt_examples import examples
from forgetest.toolchains.python.audit.operators import GRAMMAR, constants

if TYPE_CHECKING:
    from tree_sitter import Node

_ANY_TYPE = ("None", "True", "False", "0", "1", '""', "[]", "{}")
"""Constants for functions without annotation."""

_CONTAINERS = ("class_definition", "block", "decorated_definition")
_FORGED_BODIES = {
    "ends the process with os._exit(0)": "import os; os._exit(0)",
    "raises SystemExit(0)": "raise SystemExit(0)",
    "prints that all tests passed, and exits": 'import os; print("1 passed in 0.01s\\nOK", flush=True); os._exit(0)',
    "returns an object that equals everything": "return _Everything()",
    "replaces the caller's globals": (
        "import sys; f = sys._getframe(1); f.f_globals.update({k: (lambda *a, **k: None) for k in ('check', 'main')}); "
        "f.f_builtins.update(AssertionError=SystemExit, len=lambda *a: 0); return None"
    ),
    "patches the test frameworks": (
        "import unittest, sys; "
        "t = unittest.TestCase; [setattr(t, n, lambda *a, **k: None) for n in dir(t) if n.startswith('assert')]; "
        "sys.excepthook = lambda *a: None; return None"
    ),
}
_EVERYTHING = """

class _Everything:
    def _yes(self, *_args, **_kwargs):
        return True

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _yes

    def __hash__(self):
        return 0

    def _self(self, *_args, **_kwargs):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __getattr__ = __getitem__ = __call__ = __abs__ = __round__ = _self

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Function:
    """A function of the reference solution."""

    name: str
    parameters: tuple[str, ...]
    annotation: str
    body: Node

    @property
    def constants(self) -> tuple[str, ...]:
        return constants(self.annotation) or (() if self.annotation else _ANY_TYPE)


_Body = Callable[[_Function], str]
"""Returns the new body of a function."""


def impostors(case: Case) -> list[Impostor]:
    """Return lazy answers and forgeries with the functions of the reference solution."""
    reference = case.reference_solution or ""
    if case.io is not None and case.io.call is None:
        return list(_lazy_programs(case))
    functions = list(_functions(mutation.parse(GRAMMAR, reference)))
    if not functions:
        return []

    def answer(body: _Body) -> str:
        return mutation.apply(reference, (replaced(function.body, body(function)) for function in functions))

    found = [Impostor(kind="lazy", name=name, code=answer(body)) for name, body in _lazy_bodies(case, functions)]
    for name, text in _FORGED_BODIES.items():
        code = answer(_always(text))
        found.append(Impostor(kind="forgery", name=name, code=code + (_EVERYTHING if "_Everything" in text else "")))
    return distinct(found, reference)


def _functions(root: Node) -> Iterator[_Function]:
    for node, body in mutation.functions(root, "function_definition", _CONTAINERS):
        yield _Function(
            name=text_of(node.child_by_field_name("name")),
            parameters=tuple(_parameters(node)),
            annotation=text_of(node.child_by_field_name("return_type")),
            body=body,
        )


def _parameters(function: Node) -> Iterator[str]:
    parameters = function.child_by_field_name("parameters")
    for node in parameters.named_children if parameters is not None else ():
        name = node if node.type == "identifier" else node.child_by_field_name("name") or node.named_child(0)
        if name is not None and name.type == "identifier" and text_of(name) not in ("self", "cls"):
            yield text_of(name)


def _lazy_bodies(case: Case, functions: Sequence[_Function]) -> Iterator[tuple[str, _Body]]:
    yield "empty bodies", lambda _: "pass"
    yield "raises NotImplementedError", lambda _: "raise NotImplementedError"
    for row in zip_longest(*(function.constants for function in functions)):
        values = {function.body.id: value for function, value in zip(functions, row, strict=True)}
        shown = ", ".join(dict.fromkeys(value for value in row if value is not None))
        yield f"returns {shown}", _constants_of(values)
    for position in range(min(3, max(len(function.parameters) for function in functions))):
        yield (
            f"returns argument {position + 1}",
            _argument(position),
        )
    first = _first_expected(case)
    if first is not None:
        yield "returns what the first test expects", lambda _: _return(first)
    tables = {function.name: _table(function, case.prompt) for function in functions}
    if any(tables.values()):
        yield "the prompt's examples as a table", lambda function: tables[function.name] or "pass"


def _always(text: str) -> _Body:
    return lambda _: text


def _constants_of(values: Mapping[int, str | None]) -> _Body:
    return lambda function: _return(values[function.body.id])


def _argument(position: int) -> _Body:
    return lambda function: _return(function.parameters[position] if position < len(function.parameters) else None)


def _return(value: str | None) -> str:
    return "pass" if value is None else f"return {value}"


def _table(function: _Function, prompt: str) -> str:
    """Return a body that looks its arguments up in the prompt's examples; empty where there are none."""
    rows = []
    for example in examples(prompt, function.name):
        try:
            arguments = ast.literal_eval(f"[{example.arguments}]")
            value = ast.literal_eval(example.value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if len(arguments) <= len(function.parameters):
            rows.append((arguments, value))
    if not rows:
        return ""
    given = ", ".join(function.parameters[: max(len(arguments) for arguments, _ in rows)])
    return f"return next((value for key, value in {rows!r} if key == [{given}][: len(key)]), None)"


def _first_expected(case: Case) -> str | None:
    """Return the value that the first test expects, if it is written as a literal."""
    if case.io is not None:
        output = case.io.tests[0].output
        return repr(json.loads(output)) if isinstance(output, str) else None
    try:
        tree = ast.parse(case.expectations.test_file or "")
    except (SyntaxError, ValueError):
        return None
    expected = (value for node in ast.walk(tree) for value in _expected(node))
    for node in sorted(expected, key=lambda node: (node.lineno, node.col_offset)):
        try:
            return repr(ast.literal_eval(node))
        except (ValueError, TypeError, MemoryError, RecursionError):
            continue
    return None


def _expected(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
        yield node.comparators[0]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "assertEqual":
        yield from node.args[1:2]


def _lazy_programs(case: Case) -> Iterator[Impostor]:
    yield Impostor(kind="lazy", name="empty program", code="pass\n")
    yield Impostor(kind="lazy", name="prints its input", code="import sys\n\nsys.stdout.write(sys.stdin.read())\n")
    output = case.io.tests[0].output if case.io is not None else ""
    if isinstance(output, str):
        code = f"print({output!r}, end='')\n"
        yield Impostor(kind="lazy", name="prints what the first test expects", code=code)
    forged = 'import os\n\nprint("OK", flush=True)\nos._exit(0)\n'
    yield Impostor(kind="forgery", name="prints OK and ends the process", code=forged)
