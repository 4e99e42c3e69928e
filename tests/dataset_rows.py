"""Rows of data sets in the forms in which they are published, with tasks of our own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_PROMPT = 'def double(n: int) -> int:\n    """Return twice n.\n    >>> double(2)\n    4\n    """\n'

HUMANEVAL: dict[str, Any] = {
    "task_id": "HumanEval/0",
    "prompt": _PROMPT,
    "entry_point": "double",
    "canonical_solution": "    return 2 * n\n",
    "test": "\nMETADATA = {}\n\ndef check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2\n",
}

HUMANEVALPACK: dict[str, Any] = {
    "task_id": "Python/0",
    "prompt": _PROMPT,
    "declaration": "def double(n: int) -> int:\n",
    "canonical_solution": "    return 2 * n\n",
    "buggy_solution": "    return 2 + n\n",
    "bug_type": "operator misuse",
    "failure_symptoms": "incorrect output",
    "entry_point": "double",
    "signature": "double(n: int) -> int",
    "docstring": "Return twice n.",
    "instruction": "Write a Python function `double(n: int) -> int` …",
    "test": "def check(double):\n    assert double(2) == 4\n    assert double(-1) == -2\n\ncheck(double)",
    "example_test": "def check(double):\n    assert double(2) == 4\ncheck(double)\n",
}

EVALPLUS: dict[str, Any] = {
    "task_id": "HumanEval/0",
    "prompt": _PROMPT,
    "contract": "    assert type(n) == int\n",
    "canonical_solution": "    return 2 * n\n",
    "entry_point": "double",
    "base_input": [[2], [-1]],
    "plus_input": [[0], [10**30]],
    "atol": 0,
}

MBPP: dict[str, Any] = {
    "task_id": 11,
    "text": "Write a function to double a number.",
    "code": "def double(n):\r\n    return 2 * n\r\n",
    "test_list": ["assert double(2) == 4", "assert double(-1) == -2"],
    "test_setup_code": "",
    "challenge_test_list": [],
}

SANITIZED_MBPP: dict[str, Any] = {
    "source_file": "Benchmark Questions Verification V2.ipynb",
    "task_id": 12,
    "prompt": "Write a function to double a number.",
    "code": "def double(n):\n    return 2 * n",
    "test_imports": ["import math"],
    "test_list": ["assert double(2) == 4", "assert math.isclose(double(0.5), 1.0)"],
}

MULTIPL_E: dict[str, Any] = {
    "name": "HumanEval_0_double",
    "language": "rs",
    "prompt": "/// Return twice n.\nfn double(n: isize) -> isize {\n",
    "doctests": "transform",
    "original": "HumanEval_0_double.py",
    "prompt_terminology": "reworded",
    "tests": "}\n\nfn main() {\n    let candidate = double;\n    assert_eq!(candidate(2), 4);\n}\n",
    "stop_tokens": ["\n}"],
}


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
