"""The spec's own examples, run on the result: a call, and what the spec says of its value."""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec

from nerv.spec.examples import Example, Value
from nerv.verification import rust_examples
from nerv.verification.ecosystems import (
    REPORTS,
    WORK,
    Host,
    NotPrepared,
    Preparation,
    TestCommand,
    cargo_suite,
    go_packages,
    go_suite,
    node_suite,
    pytest_suite,
    python_packages,
    report_of,
    unittest_suite,
)
from nerv.verification.ecosystems.all import Project
from nerv.verification.ecosystems.in_sandbox import program
from nerv.verification.result import ExampleResult, ExampleStatus
from nerv.verification.sandboxed import TestSandbox
from nerv.verification.trees import Tree, TreeFile

_REPORT, _EXAMPLES = "examples-report.json", "examples.json"
_CONFUSED = frozenset({"TypeError", "AttributeError", "ReferenceError"})
"""Exceptions of a call that was not meant like this, such as a text where an object is wanted."""


def run(
    project: Project, tree: Tree, examples: Sequence[Example], sandbox: TestSandbox, host: Host
) -> tuple[ExampleResult, ...]:
    """Call the functions of a project as the examples do; without a result for what this language cannot run."""
    files = project.files(tree)
    examples = tuple(example for example in examples if _can_be_called(project, files, example))
    if not examples:
        return ()
    command = _command(project, files, examples)
    if command is None:
        return ()
    try:
        preparation = project.prepare(tree, host)
    except NotPrepared:
        return ()
    preparation = Preparation(mounts=preparation.mounts, environment=preparation.environment)
    content = report_of(sandbox.run(tree, project.folder, command, preparation), _REPORT)
    try:
        answers = msgspec.json.decode(content or b"[]", type=list[dict[str, Any]])
    except msgspec.MsgspecError:
        return ()
    return tuple(_result(example, answer) for example, answer in zip(examples, answers, strict=False))


def _can_be_called(project: Project, files: Tree, example: Example) -> bool:
    if project.ecosystem is cargo_suite:
        return rust_examples.can_be_called(files, example)
    return project.ecosystem is not go_suite or _go_file(files, example) is not None


def _command(project: Project, files: Tree, examples: Sequence[Example]) -> TestCommand | None:
    """Return how the examples are run: by a program of ours in the project's language."""
    calls = [
        {
            "function": example.function,
            "owner": example.owner,
            "arguments": list(example.arguments),
            "keywords": dict(example.keywords),
        }
        for example in examples
    ]
    given = {_EXAMPLES: json.dumps(calls).encode()}
    paths = (f"{REPORTS}/{_REPORT}", f"{WORK}/{_EXAMPLES}")
    if project.ecosystem in (pytest_suite, unittest_suite):
        name = "run_examples.py"
        return TestCommand(
            argv=(python_packages.interpreter(), "-P", f"{WORK}/{name}", *paths),
            shown="the spec's examples",
            files={name: program(name), **given},
            added=python_packages.metadata_files(files),
            environment=pytest_suite.environment(),
            reports=(_REPORT,),
        )
    if project.ecosystem is node_suite:
        name = "run_examples.mjs"
        return TestCommand(
            argv=("/bin/sh", "-c", node_suite.LINK_PACKAGES, "sh", "node", f"{WORK}/{name}", *paths),
            shown="the spec's examples",
            files={name: program(name), **given},
            reports=(_REPORT,),
        )
    if project.ecosystem is go_suite:
        return _go_command(files, examples)
    if project.ecosystem is cargo_suite:
        return rust_examples.command(files, examples, _REPORT)
    return None


def _go_command(files: Tree, examples: Sequence[Example]) -> TestCommand | None:
    """Return a test of ours in the package of the functions; all must be of one package."""
    places = {path for example in examples if (path := _go_file(files, example)) is not None}
    folders = {PurePosixPath(path).parent for path in places}
    package = re.search(r"^package\s+(\w+)", files[min(places)].text, re.M) if places else None
    if len(folders) != 1 or package is None:
        return None
    folder, control = folders.pop(), f"Control{secrets.token_hex(6)}"
    calls = "".join(
        f"\t\t{{{_go_function(files, example)}, []any{{{', '.join(map(_go_literal, example.arguments))}}}}},\n"
        for example in examples
    )
    text = program("run_examples.go.txt").decode()
    for name, value in (
        ("PACKAGE", package[1]),
        ("CONTROL", control),
        ("CALLS", calls),
        ("REPORT", f"{REPORTS}/{_REPORT}"),
    ):
        text = text.replace(f"%{name}%", value)
    return TestCommand(
        argv=go_packages.start(f"test -run ^Test{control}$ ./{folder}"),
        shown="the spec's examples",
        added={str(folder / f"{control.lower()}_test.go"): TreeFile(content=text.encode())},
        reports=(_REPORT,),
    )


def _go_file(files: Tree, example: Example) -> str | None:
    """Return the only file that defines a function, or a method of the example's type."""
    receiver = rf"\(\w+\s+\*?{re.escape(example.owner)}\) " if example.owner else ""
    return _only_go_file(files, rf"^func {receiver}{re.escape(example.function)}\(")


def _only_go_file(files: Tree, pattern: str) -> str | None:
    found = [
        path
        for path, file in files.items()
        if path.endswith(".go") and not go_suite.is_test_file(path) and re.search(pattern, file.text, re.M)
    ]
    return found[0] if len(found) == 1 else None


def _go_function(files: Tree, example: Example) -> str:
    """Return the expression of a function: a method is that of a new value, by its constructor if it has one."""
    if not example.owner:
        return example.function
    made = (
        _only_go_file(files, rf"^func New{re.escape(example.owner)}\(\) \*?{re.escape(example.owner)} {{") is not None
    )
    return f"{f'New{example.owner}()' if made else f'(&{example.owner}{{}})'}.{example.function}"


def _go_literal(value: Value) -> str:
    if value is None or isinstance(value, list | dict):
        return "struct{}{}"  # converts to nothing
    return json.dumps(value, ensure_ascii=False)


def _result(example: Example, answer: dict[str, Any]) -> ExampleResult:
    status, got = _status(example, answer)
    expected = "an error" if example.fails else "that it works" if example.succeeds else repr(example.expected)
    return ExampleResult(item=example.item, call=str(example), expected=expected, got=got[:200], status=status)


def _status(example: Example, answer: dict[str, Any]) -> tuple[ExampleStatus, str]:
    if "debug" in answer:
        answer = {"returned": rust_examples.value_of(str(answer["debug"]))}
    if "raised" in answer:
        got = f"{answer['raised']}: {answer.get('text', '')}".rstrip(": ")
        if example.fails:
            return "holds", got
        return ("unknown" if answer["raised"] in _CONFUSED else "wrong"), got
    if "returned" not in answer:
        return "unknown", str(answer.get("unknown", "it was not called"))
    value = answer["returned"]
    if example.succeeds:
        return "holds", repr(value)
    if example.fails:  # some return nothing where others raise
        accepted = example.raises or (value is not None and value is not False)
        return ("wrong" if accepted else "unknown"), repr(value)
    if isinstance(value, dict) or _kind(value) != _kind(example.expected):
        same = str(value.get("other") if isinstance(value, dict) else value) == str(example.expected)
        return ("holds" if same else "unknown"), repr(value)
    return ("holds" if _equal(value, example.expected) else "wrong"), repr(value)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__


def _equal(value: Any, expected: Value) -> bool:
    if isinstance(value, float) or isinstance(expected, float):
        return isinstance(expected, int | float) and math.isclose(value, expected, rel_tol=1e-9)
    return bool(value == expected)
