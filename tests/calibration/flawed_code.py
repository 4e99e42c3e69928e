"""Solutions with mistakes, and Python tests without some functions, for three of the later projects."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import put
from calibration.task import Replacements

Flaws = Mapping[str, tuple[str, Replacements]]
"""A file of the solution and what is replaced in it, by the name of the mistake."""


def solution(agent: Agent, path: str, flaws: Flaws, *names: str) -> str:
    """Return a file of the solution with these mistakes, as far as they are in it."""
    text = agent.task.trees["solution"][path]
    for name in names:
        where, replacements = flaws[name]
        for old, new in replacements if where == path else ():
            text = replaced(text, old, new)
    return text


def write_solution(
    agent: Agent, flaws: Flaws, *names: str, by_shell: bool = False, without: tuple[str, ...] = ()
) -> None:
    """Write all files of the solution but some, with these mistakes."""
    for path in agent.task.trees["solution"]:
        if path not in without:
            put(agent, path, solution(agent, path, flaws, *names), by_shell=by_shell)


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
    return text.replace(old, new)


def without_python(text: str, *names: str) -> str:
    """Return the text of a Python file without these functions."""
    lines = text.splitlines(keepends=True)
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name in names]
    assert len(found) == len(names), names
    for node in reversed(found):
        start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        assert node.end_lineno is not None
        del lines[start : node.end_lineno]
    return re.sub(r"\n{4,}", "\n\n\n", "".join(lines)).rstrip("\n") + "\n"


def without_braces(text: str, *names: str) -> str:
    """Return the text of a Rust or Go file without these functions."""
    for name in names:
        pattern = rf"(?m)\n(?:#\[.*\]\n)?(?:fn|func) {name}\(.*\{{\n(?s:.*?)^\}}\n"
        text, count = re.subn(pattern, "", text)
        assert count == 1, name
    return text
