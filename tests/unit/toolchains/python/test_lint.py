from __future__ import annotations

import json

import pytest

from forgetest.errors import MachineryError
from forgetest.toolchains.python import lint
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Execution, Span

TOOLS = Tools(version="x", release=(3, 12), mounts=(), lint_mounts=())
FOUND = {
    "code": "F841",
    "message": "unused",
    "filename": "/w/sample1.py",
    "location": {"row": 2, "column": 5},
    "end_location": {"row": 2, "column": 6},
}


def execution(stdout: str, *, exit_code: int = 0) -> Execution:
    return Execution(step="lint", ended="exited", exit_code=exit_code, stdout=stdout.encode(), stderr=b"oh\n")


def test_the_rules_are_ours_whatever_the_sample_says():
    step = lint.lint_step(TOOLS, ["x = 1", "y = '\ud800'"])
    assert {"--isolated", "--ignore-noqa", "--target-version=py312"} <= set(step.argv)
    assert set(step.files) == {"sample0.py", "sample1.py"}


def test_lints_belong_to_their_sample():
    first, second = lint.read_lints(execution(json.dumps([FOUND])), 2)
    assert first == ()
    assert (second[0].code, second[0].message) == ("F841", "unused")
    assert second[0].spans == (Span(line_start=2, line_end=2, column_start=5, column_end=6),)


@pytest.mark.parametrize("broken", [execution("", exit_code=2), execution("no JSON"), execution("{}")])
def test_a_linter_that_did_not_finish_is_our_own_failure(broken: Execution):
    with pytest.raises(MachineryError, match="ruff did not finish"):
        lint.read_lints(broken, 1)
