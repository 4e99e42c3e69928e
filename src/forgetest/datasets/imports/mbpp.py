"""MBPP, whole and sanitized: a sentence that describes a function, and assertions."""

from __future__ import annotations

from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, Solution, Task, has_keys


def _convert(row: Row) -> Task:
    task_id, tests = row.identifier("task_id"), row.texts("test_list")
    description = row.text("prompt" if "prompt" in row else "text").strip()
    code = row.text("code")
    # the sanitized set has imports, the whole one a piece of code
    setup = [*row.texts("test_imports", []), row.text("test_setup_code", "")]
    return Task(
        case={
            "id": task_id,
            "name": f"MBPP {task_id}",
            "prompt": "\n".join([description, "Your code should pass these tests:", "", *tests]),
            "language": "python",
            "reference_solution": code,
            "expectations": {"test_file": "\n".join([*filter(None, setup), *tests, ""])},
        },
        solutions=(Solution(model="canonical", text=code),),
    )


MBPP = Format(
    name="mbpp",
    title="MBPP, whole or sanitized",
    convert=_convert,
    recognises=lambda row: has_keys(row, "task_id", "code", "test_list"),
    timeout_secs=3.0,
)
