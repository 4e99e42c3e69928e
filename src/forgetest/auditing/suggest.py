"""Missing tests: inputs on which reference solution and survivor differ, as tests in the style of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forgetest.auditing.passing import passes
from forgetest.auditing.results import Suggestion
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Auditing
from forgetest.toolchains.probing import Difference, difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """The tests that are missing in a case."""

    tests: tuple[Suggestion, ...] = ()
    test_file: str | None = None
    """The tests with all suggested ones; None where there is none."""
    inputs: int = 0
    """How many inputs were tried; 0 where the functions cannot be called with plain data."""


def suggest(
    case: Case, survivors: Sequence[Mutation], language: Auditing, grader: Grader, *, inputs: int, seed: int
) -> Suggestions:
    """Search inputs that tell survivors from the reference solution. Each suggested test was judged.

    The reference solution passes it, and a survivor fails.
    """
    if case.io is not None or case.reference_solution is None or not survivors:
        return Suggestions()
    calls = language.probes(case, inputs, seed)
    found = _differences(case, survivors, language, grader, calls)
    if found is None:
        return Suggestions()
    current, left = case, list(survivors)
    tests: list[Suggestion] = []
    for survivor, difference_ in zip(survivors, found, strict=True):
        if difference_ is None or survivor not in left:
            continue
        call = calls[difference_.call]
        for test_file in language.with_test(current, call, difference_.expected, len(tests) + 1):
            further = _with_tests(current, test_file)
            reference, *others = _grades(further, [case.reference_solution, *(each.code for each in left)], grader)
            if not _passes(reference) or _passes(others[left.index(survivor)]):
                continue
            killed = [each for each, grade in zip(left, others, strict=True) if not _passes(grade)]
            written = _added(current.expectations.test_file or "", test_file)
            tests.append(
                Suggestion(
                    call=call, expected=difference_.expected, test=written, kills=tuple(each.code for each in killed)
                )
            )
            current, left = further, [each for each in left if each not in killed]
            break
    return Suggestions(
        tests=tuple(tests), test_file=current.expectations.test_file if tests else None, inputs=len(calls)
    )


def _differences(
    case: Case, survivors: Sequence[Mutation], language: Auditing, grader: Grader, calls: Sequence[str]
) -> list[Difference | None] | None:
    """Return the first difference of each survivor; None where the functions cannot be compared by calls."""
    if not calls:
        return None
    probe = language.probe_case(case, calls)
    reference, *grades = _grades(probe, [case.reference_solution or "", *(each.code for each in survivors)], grader)
    return [_difference(grade) for grade in grades] if _passes(reference) else None


def _grades(case: Case, codes: Sequence[str], grader: Grader) -> list[Grade]:
    return grader.grade_many([(code, case) for code in codes], as_code=True)


def _passes(grade: Grade) -> bool:
    return grade.verdict is not None and passes(grade.verdict)


def _difference(grade: Grade) -> Difference | None:
    messages = [test.message for test in grade.verdict.tests] if grade.verdict is not None else []
    return next((found for message in messages if (found := difference(message)) is not None), None)


def _with_tests(case: Case, test_file: str) -> Case:
    return replace(case, expectations=replace(case.expectations, test_file=test_file))


def _added(before: str, after: str) -> str:
    """Return the lines that were added to a test file, without blank lines around them."""
    old, new = before.rstrip("\n").splitlines(), after.rstrip("\n").splitlines()
    start = next((index for index, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    count = len(new) - len(old)
    return "\n".join(new[start : start + count]).strip("\n")
