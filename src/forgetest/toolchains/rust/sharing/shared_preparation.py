"""Checks the reference solutions of several cases with one compiler call, if that changes nothing for any of them.

Each reference is a module with its tests beside it, as samples are in a shared call, and nothing of it is run. If all
compile, each would compile alone. One that does not is left out, with whatever else is doubtful, and its case is
prepared alone. Only cases take part whose names and controls need no compiler, and only references that might share a
call as samples. Those that share a call have the same edition and the same crates.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from forgetest.errors import UserError
from forgetest.evalset import Case, Dependency
from forgetest.toolchains.rust import crates, preparation
from forgetest.toolchains.rust.compile import derived, diagnostics, glue
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.preparation import Equipment, Expected
from forgetest.toolchains.rust.sharing.eligible import may_share
from forgetest.toolchains.rust.sharing.shared_judging import SharedSample, shared_step
from forgetest.verdict import Execution, Step

_MOST_CALLS = 3
"""Checks of one group, each without the references that did not compile before."""


def check_together(cases: Sequence[Case]) -> Generator[Step, Execution, list[tuple[Step, Execution]]]:
    """Return the check of each reference solution that compiles, with the execution that it would have alone."""
    candidates = [(case, expected) for case in cases if (expected := _eligible(case)) is not None]
    if len(candidates) < 2:
        return []
    equipment = yield from preparation.equip()
    built = yield from _build_crates([case for case, _ in candidates], equipment)
    by_call: dict[object, dict[str, SharedSample]] = {}
    for case, expected in candidates:
        explicit, own_crates = preparation.explicit(case), built.get(case.dependencies)
        case_build = _to_check(explicit, expected, equipment, own_crates) if own_crates is not None else None
        if case_build is not None:
            code = case.reference_solution or ""
            sample = SharedSample(case_build=case_build, case=explicit, code=code, secret=case_build.secret_name(code))
            by_call.setdefault((edition(case), own_crates), {}).setdefault(sample.secret, sample)
    answers = list[tuple[Step, Execution]]()
    for group in by_call.values():
        compiled = yield from _check_group(list(group.values()))
        answers += [_answer(sample) for sample in compiled]
    return answers


def _build_crates(
    cases: Sequence[Case], equipment: Equipment
) -> Generator[Step, Execution, dict[tuple[Dependency, ...], Crates]]:
    """Return the built crates of each distinct set of dependencies, without those that cannot be built."""
    built = {}
    for dependencies in dict.fromkeys(case.dependencies for case in cases):
        try:
            built[dependencies] = yield from crates.prepare(dependencies, equipment.tools)
        except UserError:  # reported where the case is prepared
            continue
    return built


def _eligible(case: Case) -> Expected | None:
    """Return what a case expects if it may be checked among others."""
    reference = case.reference_solution
    if case.io is not None or edition(case) == "2015" or reference is None:
        return None
    try:
        return preparation.read(preparation.explicit(case)) if may_share(reference) else None
    except UserError:  # reported where the case is prepared
        return None


def _to_check(case: Case, expected: Expected, equipment: Equipment, own_crates: Crates) -> CaseBuild | None:
    """Return the first thing that `prepare` checks of a case; None if it has to ask the compiler something before."""
    case_build = replace(preparation.draft(expected, equipment), crates=own_crates)
    names = preparation.known_names(case, case_build)
    if names is None:
        return None
    with_sites = preparation.with_certain_sites(replace(case_build, names=names), case)
    return None if with_sites is None else derived.with_all_derived(with_sites, case, preparation.crate_names(case))


def _check_group(group: list[SharedSample]) -> Generator[Step, Execution, list[SharedSample]]:
    """Return the references that compile beside each other."""
    for _ in range(_MOST_CALLS):
        if len(group) < 2:
            break
        execution = yield replace(shared_step(group, derived.CHECK), name="shared check")
        if execution.succeeded:
            return group
        lines = [sample.code.count("\n") + 1 for sample in group]
        remarks = diagnostics.read_shared(execution.stderr, lines, glue.FIRST_SIGNATURE_LINE)
        failed = {number for number, own in enumerate(remarks.by_sample) if any(remark.is_error for remark in own)}
        failed |= remarks.entangled
        if execution.ended != "exited" or remarks.unattributed or not failed:
            break
        group = [sample for number, sample in enumerate(group) if number not in failed]
    return []


def _answer(sample: SharedSample) -> tuple[Step, Execution]:
    """Return the check of a reference that compiles. Its warnings are left out: nothing in preparation reads them."""
    step = derived.check_step(sample.case_build, sample.case)
    return step, Execution(step=step.name, ended="exited", exit_code=0)
