"""Lines and branches of reference solutions that no test reaches, found by experiment.

A region is reached if tests notice a mutant inside of it, or fail for a program that ends where the region begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from forgetest.auditing.inputs import passing
from forgetest.auditing.results import Coverage, MutantResult, Unreached
from forgetest.auditing.rounds import Script
from forgetest.auditing.subjects import Subject
from forgetest.grade import Grade
from forgetest.toolchains.reaching import Region


def coverage_script(subject: Subject, mutants: Sequence[MutantResult]) -> Script[Coverage | None]:
    """Measure what tests reach; None where the reference solution passes no tests, or its language has no regions."""
    if subject.language is None or not subject.is_worth_mutating:
        return None
    regions = subject.language.regions(subject.case)
    killed = [each.mutation for each in mutants if each.status == "killed"]
    in_question = [each for each in regions if not any(map(each.is_reached_by_killers_of, killed))]
    grades = yield [(region.ending_program, subject.limited_case) for region in in_question]
    fates = dict(zip(in_question, map(_is_reached, grades), strict=True))
    return _coverage(regions, fates, (subject.case.reference_solution or "").splitlines())


def _coverage(regions: Sequence[Region], fates: Mapping[Region, bool | None], texts: Sequence[str]) -> Coverage:
    missed = [region for region, is_reached in fates.items() if is_reached is False]
    lines = set(_lines(regions, texts))
    branches = [region for region in regions if region.is_branch]
    return Coverage(
        lines=len(lines),
        lines_reached=len(lines - set(_lines(missed, texts))),
        branches=len(branches),
        branches_reached=len(branches) - sum(region in missed for region in branches),
        unknown=sum(is_reached is None for is_reached in fates.values()),
        unreached=tuple(_unreached(missed, texts)),
    )


def _is_reached(grade: Grade) -> bool | None:
    if grade.verdict is None or not grade.verdict.compiled:
        return None
    return not passing(grade)


def _lines(regions: Iterable[Region], texts: Sequence[str]) -> Iterator[int]:
    """Yield the lines of regions that are more than a comment or brackets."""
    for region in regions:
        for line in range(region.line, region.last_line + 1) if region.has_code else ():
            text = texts[line - 1].strip()
            if text.strip("{}()[];,") and not text.startswith(("//", "#")):
                yield line


def _unreached(missed: Sequence[Region], texts: Sequence[str]) -> Iterator[Unreached]:
    """Yield what is missed, without what is inside of something else that is."""
    for region in missed:
        others = (other for other in missed if other is not region and other.has_code)
        if not any(other.start <= region.start and region.end <= other.end for other in others):
            yield Unreached(
                kind="lines" if region.has_code else "branch",
                line=region.line,
                last_line=region.last_line if region.has_code else region.line,
                text=texts[region.line - 1].strip(),
            )
