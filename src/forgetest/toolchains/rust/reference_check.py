"""Checks what was read off the texts of a case by building its reference solution, when a sample makes that necessary.

Signatures that are derived from the reference solution, and sites whose twins no sample passes, are facts about texts.
A sample that compiles with them is judged by them, whatever the reference does. Only where our own text does not
compile with a sample does it matter whether it compiles with the reference. So most cases are never checked.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TypeVar

from forgetest.evalset import Case
from forgetest.toolchains.rust import control_sites, crates
from forgetest.toolchains.rust.compile import derived
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.glob_imports import expand_globs
from forgetest.verdict import Execution, Step

Result = TypeVar("Result")


def is_needed(case_build: CaseBuild, result: BuildResult) -> bool:
    """Return whether a sample's first build leaves open if the sample is at fault, or what we read off the texts."""
    return case_build.unchecked and any(remark.place != "sample" for remark in result.errors)


def check(case_build: CaseBuild, case: Case) -> Generator[Step, Execution, CaseBuild]:
    """Return the case with the signatures and sites that its reference solution compiles with."""
    return (yield from _stored(_check(case_build, explicit(case))))


def _check(case_build: CaseBuild, case: Case) -> Generator[Step, Execution, CaseBuild]:
    names = crates.code_names(case.dependencies)
    with_sites = replace(case_build, unchecked=False, derived=())
    checked = yield from derived.checked_by_reference(with_sites, case, names)
    if checked is not None:
        return checked
    return (yield from try_on_reference(control_sites.without_sites(with_sites, case, names), case))


def try_on_reference(case_build: CaseBuild, case: Case) -> Generator[Step, Execution, CaseBuild]:
    """Return the case with the signatures that its reference solution meets, and the sites whose twins it fails."""
    names = crates.code_names(case.dependencies)
    return (yield from control_sites.with_sites(derived.with_all_derived(case_build, case, names), case, names))


def explicit(case: Case) -> Case:
    """Return the case with names in place of glob imports in its tests, as far as its reference solution tells them."""
    if case.expectations.test_file is None or case.reference_solution is None:
        return case
    test_file = expand_globs(case.expectations.test_file, case.reference_solution)
    return replace(case, expectations=replace(case.expectations, test_file=test_file))


def _stored(script: Generator[Step, Execution, Result]) -> Generator[Step, Execution, Result]:
    """Let the steps of a script be stored: each is about the case, and the next sample may need it too."""
    try:
        step = next(script)
        while True:
            step = script.send((yield replace(step, stored=True)))
    except StopIteration as finished:
        result: Result = finished.value
        return result
