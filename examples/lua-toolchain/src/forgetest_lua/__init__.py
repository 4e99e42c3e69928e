"""Lua for forgetest: a complete toolchain as a plugin.

The functions of the seam are written as generators, in the order in which things happen, and replayed from the
executions so far. `prepare` and `next` are all that a language needs; the other two are for programs (`[cases.io]`).
"""

from __future__ import annotations

from collections.abc import Sequence

from forgetest.evalset import Case
from forgetest.language import Language
from forgetest.toolchains.programs import ProgramResult, ProgramRun
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step, Verdict
from forgetest_lua import judging, programs, tools
from forgetest_lua.programs import LuaProgram
from forgetest_lua.tools import Tools

__all__ = ["LANGUAGE", "build_program", "next", "prepare", "run_program"]

LANGUAGE = Language(
    name="lua",
    title="Lua",
    extension="lua",
    ready="run",
    lint_url=tools.lint_url,
    io_forms=frozenset({"program"}),
)


def prepare(case: Case, executions: Sequence[Execution]) -> Step | Tools:
    """Find the interpreter and the linter."""
    return _scripts.answer((case,), tools.locate, executions)


def next(  # noqa: A001  (the seam's name; a module is an object here)
    prepared: Tools, case: Case, code: str, executions: Sequence[Execution]
) -> Step | Verdict:
    """Parse the sample, lint it, run each test in a process of its own."""
    return _scripts.answer((prepared, case, code), lambda: judging.judge(prepared, case, code), executions)


def build_program(prepared: Tools, case: Case, code: str, executions: Sequence[Execution]) -> Step | LuaProgram:
    """Parse and lint a program."""
    return _scripts.answer((prepared, case, code), lambda: programs.build(prepared, case, code), executions)


def run_program(
    program: LuaProgram, runs: Sequence[ProgramRun], executions: Sequence[Execution]
) -> Step | Sequence[ProgramResult]:
    """Run a program once for each input."""
    return _scripts.answer((program, runs), lambda: programs.run(program, runs), executions)


_scripts = Scripts()
