"""Rows of data sets in the forms in which they are published, with tasks of our own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from forgetest.datasets import imports

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


def read_task(row: Mapping[str, Any], folder: Path, format_name: str = imports.AUTO, **options: Any) -> imports.Task:
    """Import a data set of one row."""
    [task] = imports.read(write_rows(folder / "rows.jsonl", [row]), format_name, **options).tasks
    return task


DOUBLING = "print(2 * int(input()))\n"
"""Solves the contest problems below."""
_PAIRS = {"input": ["2\n", "-1\n"], "output": ["4\n", "-2\n"]}

LIVECODEBENCH: dict[str, Any] = {
    "question_title": "Double",
    "question_content": "Print twice the number.",
    "platform": "atcoder",
    "question_id": "abc301_a",
    "contest_id": "abc301",
    "contest_date": "2023-05-13T00:00:00",
    "starter_code": "",
    "difficulty": "easy",
    "public_test_cases": json.dumps([{"input": "2\n", "output": "4\n", "testtype": "stdin"}]),
    "private_test_cases": json.dumps([{"input": "-1\n", "output": "-2\n", "testtype": "stdin"}]),
    "metadata": "{}",
}

CODE_CONTESTS: dict[str, Any] = {
    "name": "1_A. Double",
    "description": "Print twice the number.",
    "public_tests": {"input": ["2\n"], "output": ["4\n"]},
    "private_tests": {"input": ["-1\n"], "output": ["-2\n"]},
    "generated_tests": {"input": [], "output": []},
    "source": 2,
    "difficulty": 7,
    "solutions": {"language": [2, 1, 3], "solution": ["int main() {}", "print 2 * input()", DOUBLING]},
    "incorrect_solutions": {"language": [3], "solution": ["print(4)\n"]},
    "cf_contest_id": 1,
    "cf_index": "A",
    "cf_tags": ["math"],
    "is_description_translated": False,
    "time_limit": {"seconds": 2, "nanos": 500000000},
    "memory_limit_bytes": 256 << 20,
    "input_file": "",
    "output_file": "",
}

APPS: dict[str, Any] = {
    "problem_id": 0,
    "question": "Print twice the number.",
    "solutions": json.dumps(["print 2 * input()", DOUBLING]),
    "input_output": json.dumps({"inputs": _PAIRS["input"], "outputs": _PAIRS["output"]}),
    "difficulty": "interview",
    "url": "https://codeforces.com/problemset/problem/1/A",
    "starter_code": "",
}

TACO: dict[str, Any] = {
    "question": "Double the number.",
    "solutions": json.dumps(["def double(n):\n    return 2 * n"]),
    "starter_code": "def double(n):\n\t",
    "input_output": json.dumps({"fn_name": "double", "inputs": [[2], [-1]], "outputs": [[4], [-2]]}),
    "difficulty": "EASY",
    "raw_tags": "['Math']",
    "name": "Double",
    "source": "codewars",
    "url": "https://www.codewars.com/kata/1",
    "date": "2019-12-31",
    "time_limit": "2.0 seconds",
    "memory_limit": "256.0 megabytes",
}

PRIME: dict[str, Any] = {
    "data_source": "taco",
    "prompt": [{"role": "system", "content": "Think."}, {"role": "user", "content": "Print twice the number."}],
    "ability": "code",
    "reward_model": {
        "style": "rule",
        "ground_truth": json.dumps({"inputs": _PAIRS["input"], "outputs": _PAIRS["output"]}),
    },
    "extra_info": {"split": "train", "index": 7},
}

BIGCODEBENCH: dict[str, Any] = {
    "task_id": "BigCodeBench/0",
    "complete_prompt": f"import itertools\n\n{_PROMPT}",
    "instruct_prompt": "Return twice n.",
    "canonical_solution": "    return 2 * n\n",
    "code_prompt": "import itertools\ndef double(n):\n",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n    def test_two(self):\n"
    "        self.assertEqual(double(2), 4)\n",
    "entry_point": "double",
    "doc_struct": "{}",
    "libs": "['itertools']",
}


def write_exercise(folder: Path, files: Mapping[str, str], **named: list[str]) -> Path:
    """Write an exercise as Exercism's tracks have it; `named` is the `files` of its configuration."""
    for name, text in {**files, ".meta/config.json": json.dumps({"files": named})}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def write_tracks(folder: Path) -> Path:
    """Write a Python and a Rust track with an exercise each, and one in Go, which has no toolchain."""
    write_exercise(
        folder / "python/exercises/practice/double-it",
        {
            ".docs/instructions.md": "# Instructions\n\nDouble.\n",
            "double_it.py": "def double(n):\n    pass\n",
            "double_it_test.py": "import unittest\nfrom double_it import double\n\n\n"
            "class DoubleItTest(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(double(2), 4)\n",
            ".meta/example.py": "def double(n):\n    return 2 * n\n",
        },
        solution=["double_it.py"],
        test=["double_it_test.py"],
        example=[".meta/example.py"],
    )
    write_exercise(
        folder / "rust/exercises/practice/double-it",
        {
            ".docs/instructions.md": "# Instructions\n\nDouble.\n",
            ".docs/instructions.append.md": "# Append\n\nWith `i64`.\n",
            "src/lib.rs": "pub fn double(n: i64) -> i64 {\n    todo!()\n}\n",
            "tests/double_it.rs": "use double_it::*;\n\n#[test]\nfn two() {\n    assert_eq!(double(2), 4);\n}\n\n"
            "#[test]\n#[ignore]\nfn three() {\n    assert_eq!(double_it::double(3), 6);\n}\n",
            "Cargo.toml": '[package]\nname = "double_it"\nedition = "2024"\n\n[dependencies]\n',
            ".meta/example.rs": "pub fn double(n: i64) -> i64 {\n    2 * n\n}\n",
        },
        solution=["src/lib.rs", "Cargo.toml"],
        test=["tests/double_it.rs"],
        example=[".meta/example.rs"],
    )
    write_exercise(
        folder / "go/exercises/practice/double-it",
        {".docs/instructions.md": "Double.\n", "double_it.go": "", "double_it_test.go": "package doubleit\n"},
        solution=["double_it.go"],
        test=["double_it_test.go"],
    )
    return folder
