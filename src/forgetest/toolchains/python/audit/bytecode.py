"""Fingerprints of Python programs: their bytecode, without positions and docstrings."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from types import CodeType

from forgetest.evalset import Case
from forgetest.toolchains import Prepared
from forgetest.verdict import Execution, Step


def fingerprints(
    _prepared: Prepared, _case: Case, code: str, _executions: Sequence[Execution]
) -> Step | Collection[str]:
    """Return the hash of a program's bytecode; nothing for a program that this interpreter does not compile."""
    try:
        compiled = compile(code, "solution", "exec", dont_inherit=True, optimize=2)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return (hashlib.sha256(repr(_content(compiled)).encode("utf-8", "surrogatepass")).hexdigest(),)


def _content(code: CodeType) -> tuple[object, ...]:
    """Return what a code object does: everything but lines, columns and the file's name."""
    # the type is part of it: 1, 1.0 and True are equal
    constants = [
        _content(each) if isinstance(each, CodeType) else (type(each).__name__, _ordered(each))
        for each in code.co_consts
    ]
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        getattr(code, "co_exceptiontable", b""),
    )


def _ordered(constant: object) -> object:
    """Return a constant whose text is the same in each process: sets have no order."""
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant
