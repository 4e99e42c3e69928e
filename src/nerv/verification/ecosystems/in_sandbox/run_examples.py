"""Call functions with the arguments of a spec's examples: `run_examples.py REPORT EXAMPLES`. Started in the project."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

_TESTS = re.compile(
    r"(^|/)(tests?|\.[^/]+|node_modules|venv|build|dist)/|(^|/)(test_[^/]*|[^/]*_test|conftest|setup)\.py$"
)


def _main(report: str, examples: str) -> None:
    wanted = json.loads(Path(examples).read_text(encoding="utf-8"))
    defined = _definitions({each["owner"] or each["function"] for each in wanted})
    found = [_call(defined.get(each["owner"] or each["function"], []), each) for each in wanted]
    Path(report).write_text(json.dumps(found), encoding="utf-8")


def _definitions(names: set[str]) -> dict[str, list[Path]]:
    """Return the files that define each function or class at their top level."""
    found: dict[str, list[Path]] = {}
    for file in sorted(Path().rglob("*.py")):
        if _TESTS.search(file.as_posix()):
            continue
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
                found.setdefault(node.name, []).append(file)
    return found


def _call(files: list[Path], wanted: dict[str, Any]) -> dict[str, Any]:
    name, owner, arguments, keywords = (wanted[key] for key in ("function", "owner", "arguments", "keywords"))
    if len(files) != 1:
        return {"unknown": "no function has this name" if not files else "several functions have this name"}
    parts = list(files[0].with_suffix("").parts)
    module = ".".join(parts[1:] if parts[0] == "src" else parts).removesuffix(".__init__")
    try:
        found = importlib.import_module(module)
        function = getattr(getattr(found, owner)(), name) if owner else getattr(found, name)
        inspect.signature(function).bind(*arguments, **keywords)
    except BaseException as error:  # whatever the module does while it is imported
        return {"unknown": f"it cannot be called like this: {error}"[:300]}
    try:
        value = function(*arguments, **keywords)
        if inspect.iscoroutine(value):
            value = asyncio.run(value)
        return {"returned": _plain(list(value) if inspect.isgenerator(value) else value)}
    except BaseException as error:
        return {"raised": type(error).__name__, "text": str(error)[:300]}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, str | int | float) else {"other": repr(value)[:300]}


if __name__ == "__main__":
    sys.path[:0] = ["", "src"]
    _main(*sys.argv[1:3])
