"""BigCodeBench: functions that use libraries, tested by `unittest`."""

from __future__ import annotations

import ast
import re
import sys

from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, Solution, Task, has_keys

_DISTRIBUTIONS = {
    "bs4": "beautifulsoup4",
    "Crypto": "pycryptodome",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "django": "Django",
    "docx": "python-docx",
    "faker": "Faker",
    "flask": "Flask",
    "flask_login": "Flask-Login",
    "flask_mail": "Flask-Mail",
    "flask_restful": "Flask-RESTful",
    "flask_wtf": "Flask-WTF",
    "mpl_toolkits": "matplotlib",
    "PIL": "Pillow",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "werkzeug": "Werkzeug",
    "wtforms": "WTForms",
    "yaml": "PyYAML",
}
"""Distributions that are named otherwise than the module they install."""
_NEEDED_BY_WORD = {
    "lxml": r"\bread_html\b|['\"]lxml(?:-xml)?['\"]",
    "openpyxl": r"\b(?:read|to)_excel\b",
}
"""Distributions that a program needs without importing them, and the words that say so."""
ANY_VERSION = "*"


def dependencies(*programs: str) -> list[dict[str, str]]:
    """Return the distributions that programs need, beyond the standard library."""
    modules = {module for program in programs for module in _imports(program)}
    third_party = modules - sys.stdlib_module_names
    implied = (name for name, words in _NEEDED_BY_WORD.items() if re.search(words, "\n".join(programs)))
    names = sorted({*(_DISTRIBUTIONS.get(module, module) for module in third_party), *implied})
    return [{"name": name, "version": ANY_VERSION} for name in names]


def _imports(program: str) -> set[str]:
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in found} - {""}


def _convert(row: Row) -> Task:
    task_id, prompt, tests = row.identifier("task_id"), row.text("complete_prompt"), row.text("test")
    solution = prompt + row.text("canonical_solution")
    needed = dependencies(solution, tests)
    case = {
        "id": task_id,
        "name": task_id,
        "prompt": prompt,
        "language": "python",
        "entry_point": row.text("entry_point"),
        **({"dependencies": needed} if needed else {}),
        "reference_solution": solution,
        "expectations": {"test_file": tests},
    }
    return Task(case=case, solutions=(Solution(model="canonical", text=solution),))


BIGCODEBENCH = Format(
    name="bigcodebench",
    title="BigCodeBench, whole or hard",
    convert=_convert,
    recognises=lambda row: has_keys(row, "task_id", "complete_prompt", "canonical_solution", "test", "entry_point"),
    timeout_secs=60.0,
)
