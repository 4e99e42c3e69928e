"""EvalPlus's files: `{"task_id", "solution"}` a line, and `*_eval_results.json` after its evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from forgetest.datasets.exports.selection import Selection, require_distinct_cases, status
from forgetest.datasets.imports.evalplus import PLUS_TAG
from forgetest.report import CaseSummary
from forgetest.sample import Sample

_STATUS = {"passed": "pass", "timed out": "timeout", "failed": "fail"}


def sample_lines(selection: Selection) -> Iterator[str]:
    """Yield a line for each sample with code."""
    require_distinct_cases(selection)
    for sample, case in selection.samples():
        if sample.code is not None:
            yield json.dumps({"task_id": case.id, "solution": sample.code})


def results(selection: Selection) -> Iterator[str]:
    """Yield the one document of the results; failing inputs are not known, so their lists are empty."""
    require_distinct_cases(selection)
    evaluated: dict[str, list[dict[str, Any]]] = {}
    for sample, case in selection.judged():
        base, plus = _statuses(sample, case)
        evaluated.setdefault(case.id, []).append(
            {
                "task_id": case.id,
                "solution": sample.code or "",
                "base_status": base,
                "plus_status": plus,
                "base_fail_tests": [],
                "plus_fail_tests": [],
            }
        )
    content = selection.content
    yield json.dumps(
        {
            "date": content.created_at.strftime("%Y-%m-%d %H:%M"),
            "hash": "+".join(each.hash for each in selection.eval_sets),
            "eval": evaluated,
        }
    )


def _statuses(sample: Sample, case: CaseSummary) -> tuple[str, str | None]:
    """Return the status of the base and of the further tests; None for the latter where there are none."""
    overall = _STATUS[status(sample)]
    tests = sample.verdict.tests if sample.verdict else ()
    if PLUS_TAG not in case.tags or (tests and len(tests) == 1):
        return overall, None
    if not tests:  # it does not compile
        return overall, overall
    failed = {test.name: "timeout" if test.timed_out else "fail" for test in tests if test.status == "failed"}
    # not correct although its tests passed: an integrity finding rules the sample out
    otherwise = "pass" if sample.correct or failed else "fail"
    return failed.get("test_base", otherwise), failed.get("test_plus", otherwise)
