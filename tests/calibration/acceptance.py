"""Acceptance tests of a generated task: every second hidden test, as a team tests a part of what it wants."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from calibration.task import Task

_TESTS = {
    "python": re.compile(r"^ *def (?P<name>test\w*)\(", re.M),
    "javascript": re.compile(r"^ *(?:test|it)\((?P<quote>['\"`])(?P<name>.*?)(?P=quote)\s*,", re.M),
    "go": re.compile(r"^func (?P<name>Test\w*)\(", re.M),
    "rust": re.compile(r"#\[test\]\s+fn (?P<name>\w+)\(", re.M),
}


def acceptance_tests(task: Task) -> tuple[str, ...]:
    """Return the names of every second hidden test, from the first on."""
    found = (match for text in task.trees["hidden"].values() for match in _TESTS[task.language].finditer(text))
    return tuple(match["name"] for match in found)[::2]


def write_acceptance_tests(task: Task, folder: Path) -> Path:
    """Write the files of all hidden tests, of which the command selects some, into a folder of the task's own."""
    own = folder / task.name
    for path, text in task.trees["hidden"].items():
        (own / path).parent.mkdir(parents=True, exist_ok=True)
        (own / path).write_text(text, encoding="utf-8")
    return own


def acceptance_command(task: Task) -> str:
    """Return the command that runs these tests in a result; their files are at `/tests`."""
    names = acceptance_tests(task)
    either = f"^({'|'.join(re.escape(name) for name in names)})$"
    command = task.hidden_test
    if task.language == "go":
        command = f"{command.partition(' -run ')[0]} -run {shlex.quote(either)}"
    elif task.language == "rust":
        command = f"{command} -- --exact {' '.join(names)}"
    elif task.language == "javascript":
        command = command.replace("node --test", f"node --test --test-name-pattern={shlex.quote(either)}", 1)
    elif "pytest" in command:
        command = f"{command} -k {shlex.quote(' or '.join(names))}"
    else:
        command = " ".join([command, *(f"-k '*.{name}'" for name in names)])
    return f"cp -r /tests/. . && {command}"
