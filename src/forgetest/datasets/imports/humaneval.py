"""HumanEval, HumanEvalPack and MultiPL-E: a prompt that a completion continues, and tests after it."""

from __future__ import annotations

import re
from typing import Any

from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, LeftOutError, Solution, Task, has_keys, judged_language

_CRATES = {"rand": "0.7", "regex": "1", "md5": "0.7"}
"""Crates that the prompts of HumanEvalPack import; its tests call `gen_range` as rand had it before 0.8."""


def _convert_humaneval(row: Row) -> Task:
    prompt, task_id = row.text("prompt"), row.identifier("task_id")
    canonical = row.text("canonical_solution", "")
    return Task(case=_python_case(row, task_id, prompt, canonical), solutions=_canonical(prompt, canonical))


def _python_case(row: Row, task_id: str, prompt: str, canonical: str) -> dict[str, Any]:
    entry_point = row.text("entry_point")
    return {
        "id": task_id,
        "name": f"{task_id} {entry_point}",
        "prompt": prompt,
        "language": "python",
        "entry_point": entry_point,
        **({"reference_solution": prompt + canonical} if canonical.strip() else {}),
        "expectations": {"test_file": row.text("test")},
    }


def _canonical(prompt: str, canonical: str) -> tuple[Solution, ...]:
    return (Solution(model="canonical", text=prompt + canonical),) if canonical.strip() else ()


def _convert_humanevalpack(row: Row) -> Task:
    task_id = row.identifier("task_id")
    language = judged_language(task_id.partition("/")[0])
    prompt, canonical = row.text("prompt"), row.text("canonical_solution")
    if language == "python":
        case = _python_case(row, task_id, prompt, canonical)
    elif language == "rust":
        case = _rust_case(row, task_id, prompt, canonical)
    else:
        raise LeftOutError(f"HumanEvalPack's tests for {language} are of another form than its toolchain's")
    buggy = Solution(model="buggy", text=prompt + row.text("buggy_solution"))
    return Task(case=case, solutions=(*_canonical(prompt, canonical), buggy))


def _rust_case(row: Row, task_id: str, prompt: str, canonical: str) -> dict[str, Any]:
    tests = row.text("test")
    crates = [name for name in _CRATES if re.search(rf"\b{name}\b", prompt + tests)]
    return {
        "id": task_id,
        "name": f"{task_id} {row.text('entry_point')}",
        "prompt": prompt,
        "language": "rust",
        **({"dependencies": [{"name": name, "version": _CRATES[name]} for name in crates]} if crates else {}),
        "reference_solution": prompt + canonical,
        "expectations": {"test_file": tests},
    }


def _convert_multipl_e(row: Row) -> Task:
    name = row.text("name")
    language = judged_language(row.text("language"))
    # the completion ends at a stop token, so that the tests begin with the brace that closes the function
    tests = row.text("tests").lstrip()
    tests = tests.removeprefix("}").lstrip("\n") if language != "python" else tests
    answers = [Solution(model="gpt", text=row.text("gpt_solution"), kind="answer")] if "gpt_solution" in row else []
    case = {
        "id": name,
        "name": name,
        "prompt": row.text("prompt"),
        "language": language,
        "expectations": {"test_file": tests},
    }
    return Task(case=case, solutions=tuple(answers))


HUMANEVAL = Format(
    name="humaneval",
    title="HumanEval, and others in its form",
    convert=_convert_humaneval,
    recognises=lambda row: has_keys(row, "task_id", "prompt", "entry_point", "canonical_solution", "test"),
    timeout_secs=3.0,
)

HUMANEVALPACK = Format(
    name="humanevalpack",
    title="HumanEvalPack: Python and Rust, with a buggy solution of each task",
    convert=_convert_humanevalpack,
    recognises=lambda row: has_keys(row, "task_id", "prompt", "canonical_solution", "buggy_solution", "test"),
    timeout_secs=10.0,
)

MULTIPL_E = Format(
    name="multipl-e",
    title="MultiPL-E: HumanEval and MBPP in other languages",
    convert=_convert_multipl_e,
    recognises=lambda row: has_keys(row, "name", "language", "prompt", "tests", "stop_tokens"),
    timeout_secs=15.0,
)
