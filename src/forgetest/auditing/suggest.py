"""Missing tests: inputs on which reference solution and survivor differ, as tests in the style of the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from forgetest.auditing.inputs import first_difference, is_plain_call_case, passing
from forgetest.auditing.results import AuditOptions, CaseAudit, Suggestion
from forgetest.auditing.rounds import Script
from forgetest.auditing.subjects import Subject
from forgetest.evalset import Case
from forgetest.mutation import Mutation


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """The tests that are missing in a case."""

    tests: tuple[Suggestion, ...] = ()
    test_file: str | None = None
    """The tests with all suggested ones; None where there is none."""
    inputs: int = 0
    """How many inputs were tried; 0 where the functions cannot be called with plain data."""


NO_SUGGESTIONS = Suggestions()


def suggestion_script(subject: Subject, audit: CaseAudit, options: AuditOptions) -> Script[Suggestions]:
    """Search inputs that tell survivors from the reference solution. Each suggested test was judged.

    The reference solution passes it, and a survivor fails.
    """
    case, language = subject.case, subject.language
    survivors = [each.mutation for each in audit.mutants if each.status == "survived"]
    if language is None or case.reference_solution is None or not survivors or not is_plain_call_case(case):
        return NO_SUGGESTIONS
    calls = language.probes(case, options.inputs, options.seed)
    if not calls:
        return NO_SUGGESTIONS
    probe = language.probe_case(case, calls)
    reference, *grades = yield [(code, probe) for code in (case.reference_solution, *_codes(survivors))]
    if not passing(reference):
        return NO_SUGGESTIONS
    current, left = case, list(survivors)
    tests: list[Suggestion] = []
    for survivor, found in zip(survivors, map(first_difference, grades), strict=True):
        if found is None or survivor not in left:
            continue
        call = calls[found.call]
        for test_file in language.with_test(current, call, found.expected, len(tests) + 1):
            further = _with_tests(current, test_file)
            reference, *others = yield [(code, further) for code in (case.reference_solution, *_codes(left))]
            if not passing(reference) or passing(others[left.index(survivor)]):
                continue
            killed = [each for each, grade in zip(left, others, strict=True) if not passing(grade)]
            written = _added(current.expectations.test_file or "", test_file)
            tests.append(Suggestion(call=call, expected=found.expected, test=written, kills=tuple(_codes(killed))))
            current, left = further, [each for each in left if each not in killed]
            break
    return Suggestions(
        tests=tuple(tests), test_file=current.expectations.test_file if tests else None, inputs=len(calls)
    )


def _codes(mutations: Iterable[Mutation]) -> list[str]:
    return [each.code for each in mutations]


def _with_tests(case: Case, test_file: str) -> Case:
    return replace(case, expectations=replace(case.expectations, test_file=test_file))


def _added(before: str, after: str) -> str:
    """Return the lines that were added to a test file, without blank lines around them."""
    old, new = before.rstrip("\n").splitlines(), after.rstrip("\n").splitlines()
    start = next((index for index, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    count = len(new) - len(old)
    return "\n".join(new[start : start + count]).strip("\n")
