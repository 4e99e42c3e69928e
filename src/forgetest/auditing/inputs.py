"""Inputs that tell programs apart: what a probing test has found."""

from __future__ import annotations

from forgetest.auditing.passing import passes
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.toolchains.probing import Difference, difference


def is_plain_call_case(case: Case) -> bool:
    """Return whether tests call functions; programs that read input are not searched."""
    return case.io is None and bool(case.expectations.test_file)


def passing(grade: Grade) -> bool:
    """Return whether a graded program passes its tests."""
    return grade.verdict is not None and passes(grade.verdict)


def first_difference(grade: Grade) -> Difference | None:
    """Return the first call whose result is another than the reference solution's; None where none was found."""
    messages = [test.message for test in grade.verdict.tests] if grade.verdict is not None else []
    return next((found for message in messages if (found := difference(message)) is not None), None)
