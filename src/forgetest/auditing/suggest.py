"""Missing tests: inputs on which reference solution and survivor differ, as tests in the style of the others."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from forgetest.auditing.inputs import is_plain_call_case
from forgetest.auditing.results import AuditOptions, CaseAudit, Suggestion
from forgetest.auditing.subjects import Subject
from forgetest.auditing.trials import Trial, TrialResult
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains.probing import difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """The tests that are missing in a case."""

    tests: tuple[Suggestion, ...] = ()
    test_file: str | None = None
    """The tests with all suggested ones; None where there is none."""
    inputs: int = 0
    """How many inputs were tried; 0 where the functions cannot be called with plain data."""


NO_SUGGESTIONS = Suggestions()
_PROBED_AT_ONCE = 300
"""Calls in one probing test, which has to be built."""
_PROBED_AT_LEAST = 100
"""A probing test with more calls that the reference solution does not pass is cut in two."""


def suggestion_script(
    subject: Subject, audit: CaseAudit, options: AuditOptions
) -> Generator[list[Trial], list[TrialResult], Suggestions]:
    """Search inputs that tell survivors from the reference solution.

    Each suggested test was tried: a survivor fails, and the reference solution passes all of them.
    """
    case, language = subject.case, subject.language
    survivors = [each.mutation for each in audit.mutants if each.status == "survived"]
    if language is None or case.reference_solution is None or not survivors or not is_plain_call_case(case):
        return NO_SUGGESTIONS
    calls = language.probes(case, options.inputs, options.seed)
    if not calls:
        return NO_SUGGESTIONS
    quick = language.screens_with_reference
    differences: dict[Mutation, tuple[str, str]] = {}
    tried = 0
    waiting = [calls[start : start + _PROBED_AT_ONCE] for start in range(0, len(calls), _PROBED_AT_ONCE)]
    while waiting:
        some = waiting.pop(0)
        unknown = [each for each in survivors if each not in differences]
        if not unknown:
            break
        [probed] = yield [Trial(case=language.probe_case(case, some), mutants=unknown, screens_with_reference=quick)]
        if not probed.reference_passes and len(some) > _PROBED_AT_LEAST:
            half = len(some) // 2  # one call that takes too long, or does not compile, must not cost all of them
            waiting[:0] = [some[:half], some[half:]]
            continue
        tried += len(some) if probed.reference_passes else 0
        for survivor, message in zip(unknown, probed.failures, strict=True):
            if (found := difference(message or "")) is not None:
                differences[survivor] = some[found.call], found.expected
    current, left = case, list(survivors)
    tests: list[Suggestion] = []
    for survivor, (call, expected) in differences.items():
        if survivor not in left:
            continue
        for test_file in language.with_test(current, call, expected, len(tests) + 1):
            further = _with_tests(current, test_file)
            [judged] = yield [Trial(case=further, mutants=left, screens_with_reference=quick)]
            killed = [each for each, failure in zip(left, judged.failures, strict=True) if failure is not None]
            if not judged.reference_passes or survivor not in killed:
                continue
            written = _added(current.expectations.test_file or "", test_file)
            kills = tuple(each.code for each in killed)
            tests.append(Suggestion(call=call, expected=expected, test=written, kills=kills))
            current, left = further, [each for each in left if each not in killed]
            break
    if tests:
        [final] = yield [Trial(case=current, mutants=())]
        if not final.reference_passes:
            return replace(NO_SUGGESTIONS, inputs=tried)
    return Suggestions(tests=tuple(tests), test_file=current.expectations.test_file if tests else None, inputs=tried)


def _with_tests(case: Case, test_file: str) -> Case:
    return replace(case, expectations=replace(case.expectations, test_file=test_file))


def _added(before: str, after: str) -> str:
    """Return the lines that were added to a test file, without blank lines around them."""
    old, new = before.rstrip("\n").splitlines(), after.rstrip("\n").splitlines()
    start = next((index for index, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    count = len(new) - len(old)
    return "\n".join(new[start : start + count]).strip("\n")
