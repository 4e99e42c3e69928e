"""Lints with ruff: a fixed selection of rules, whatever the sample or the machine configures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from forgetest.errors import MachineryError
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Diagnostic, Execution, Limits, Span, Step

RULES = ("B", "C4", "E4", "E7", "E9", "F", "PIE", "PLE")
"""Probable bugs (B), needless comprehensions (C4), imports, statements and run-time errors (E), Pyflakes (F), needless
code (PIE), errors that Pylint knows (PLE). Nothing about layout, names or annotations."""

_OPTIONS = ("check", "--isolated", "--ignore-noqa", "--no-cache", "--exit-zero", "--output-format=json", "--quiet")


def lint_step(tools: Tools, codes: Sequence[str]) -> Step:
    """Return the step that lints these samples."""
    major, minor = tools.release
    return Step(
        name="lint",
        argv=("/py/ruff", *_OPTIONS, f"--select={','.join(RULES)}", f"--target-version=py{major}{minor}", "."),
        files={_file(index): code.encode(errors="replace") for index, code in enumerate(codes)},
        mounts=tools.lint_mounts,
        env={"LD_LIBRARY_PATH": "/lib", "HOME": "/w", "RAYON_NUM_THREADS": "1"},
        limits=Limits(cpu_s=20 + len(codes), wall_s=60 + 3 * len(codes), memory_bytes=1 << 30),
    )


def read_lints(execution: Execution, count: int) -> list[tuple[Diagnostic, ...]]:
    """Return the lints of each sample, in the order of the step."""
    try:
        found = json.loads(execution.stdout) if execution.succeeded else None
    except ValueError:
        found = None
    if not isinstance(found, list):
        lines = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(f"ruff did not finish ({execution.ended}): {lines[-1] if lines else 'no reason given'}")
    lints: dict[str, list[Diagnostic]] = {}
    for each in found:
        lints.setdefault(str(each["filename"]).rpartition("/")[2], []).append(_diagnostic(each))
    return [tuple(lints.get(_file(index), ())) for index in range(count)]


def _file(index: int) -> str:
    return f"sample{index}.py"


def _diagnostic(found: Mapping[str, Mapping[str, int]]) -> Diagnostic:
    start, end = found["location"], found["end_location"]
    span = Span(line_start=start["row"], line_end=end["row"], column_start=start["column"], column_end=end["column"])
    return Diagnostic(level="warning", code=str(found["code"]), message=str(found["message"]), spans=(span,))
