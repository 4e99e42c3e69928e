"""What verdicts say about mutants, impostors and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from forgetest.auditing.passing import passes
from forgetest.auditing.results import ImpostorResult, MutantResult, TestResult, changed_lines
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Impostor, Screened
from forgetest.verdict import Verdict


def mutant_result(case: Case, mutant: Mutation, grade: Grade) -> MutantResult:
    """Return what a verdict says about a mutant."""
    verdict = grade.verdict
    if verdict is None:
        return MutantResult(mutation=mutant, status="unjudged", reason=grade.reason or "")
    if not verdict.compiled:
        return MutantResult(mutation=mutant, status="invalid")
    if not passes(verdict):
        failed = [test for test in verdict.tests if test.status == "failed"]
        broken = [condition.name for condition in verdict.conditions if not condition.holds]
        return MutantResult(
            mutation=mutant,
            status="killed",
            killed_by=(*(test.name for test in failed), *broken),
            timed_out=any(test.timed_out for test in failed),
        )
    return _survivor(case, mutant)


def _survivor(case: Case, mutant: Mutation) -> MutantResult:
    change = changed_lines(case.reference_solution or "", mutant.code)
    for accepted in case.accepted_mutants:
        if (accepted.line, accepted.becomes) == change:
            return MutantResult(mutation=mutant, status="accepted", reason=accepted.reason)
    return MutantResult(mutation=mutant, status="survived")


def screened_result(case: Case, mutant: Mutation, found: Screened) -> MutantResult:
    """Return what screening says about a mutant."""
    if found.status == "survived":
        return _survivor(case, mutant)
    return MutantResult(mutation=mutant, status=found.status, killed_by=found.killed_by, timed_out=found.timed_out)


def impostor_result(impostor: Impostor, grade: Grade) -> ImpostorResult:
    """Return what a verdict says about an impostor."""
    if grade.verdict is None:
        return ImpostorResult(impostor=impostor, status="unjudged")
    if not grade.verdict.compiled:
        return ImpostorResult(impostor=impostor, status="invalid")
    return ImpostorResult(
        impostor=impostor,
        status="believed" if grade.correct else "rejected",
        verified=grade.correct and grade.verified,
    )


def forgeries_by_merit(results: Sequence[ImpostorResult]) -> list[ImpostorResult]:
    """Leave out forgeries that contain a lazy answer which passes by itself: they show nothing more."""
    passing = [each.impostor.code for each in results if each.impostor.kind == "lazy" and each.status == "believed"]
    return [
        each
        for each in results
        if each.impostor.kind == "lazy" or not any(code in each.impostor.code for code in passing)
    ]


def test_results(verdict: Verdict, mutants: Sequence[MutantResult]) -> Iterator[TestResult]:
    """Yield what each test contributes; `verdict` is the reference solution's."""
    killed = [mutant for mutant in mutants if mutant.status == "killed"]
    killers = [set(mutant.killed_by) for mutant in killed]
    # the tests after one that ran out of time may not have run
    lone = [set(mutant.killed_by) for mutant in killed if not mutant.timed_out]
    for test in verdict.tests:
        if test.status != "ignored":
            yield TestResult(
                name=test.name,
                kills=sum(test.name in names for names in killers),
                kills_alone=sum(names == {test.name} for names in lone),
                cpu_ms=test.cpu_ms,
            )
