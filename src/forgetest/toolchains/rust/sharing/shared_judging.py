"""Several samples in one compiler call and one launch of their tests, where that changes nothing for any of them.

What goes wrong in common, and what is doubtful, counts for nobody: those samples are judged each by itself.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust import judging
from forgetest.toolchains.rust.compile import build, diagnostics
from forgetest.toolchains.rust.compile.adapt import Fitted
from forgetest.toolchains.rust.compile.build import Built, Recipe, Variant
from forgetest.toolchains.rust.compile.diagnostics import Files, Remark
from forgetest.toolchains.rust.integrity import object_file
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import Part, Report
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.toolchains.rust.sharing.eligible import may_share
from forgetest.verdict import Execution, Limits, Step, Verdict

_MOST_CALLS = 5
"""How often a group is tried without those that did not compile: the compiler finds errors of types only where none is
of names, and those of borrowing later still."""
_CPU_S = 6.0
"""For a call; sixteen ordinary samples take half a second."""
_TEST_CPU_S = 1.0
"""A test that takes longer is run again by itself, with all the time that its case gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharer:
    """A sample, what is known of its case, and the name that the sample cannot know."""

    recipe: Recipe
    case: Case
    code: str
    hidden: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    """A sample as it came out of a shared call."""

    sample: Sharer
    files: Files
    fit: Fitted


def script(samples: Sequence[tuple[Recipe, Case, str]]) -> Generator[Step, Execution, list[Verdict | None]]:
    """What happens to samples that come together; None for one that is to be judged by itself."""
    named = [
        Sharer(recipe=recipe, case=case, code=code, hidden=build.secret(code, recipe)) for recipe, case, code in samples
    ]
    verdicts: dict[str, Verdict] = {}
    for group in _groups(named):
        verdicts |= yield from _judged(group)
    # each once: the same sample twice in one crate would be in its own way
    return [verdicts.pop(sample.hidden, None) for sample in named]


def _groups(samples: Sequence[Sharer]) -> list[list[Sharer]]:
    """Those that can be built by one call each."""
    by_call: dict[object, dict[str, Sharer]] = {}
    for sample in samples:
        recipe, own_edition = sample.recipe, edition(sample.case)
        if not recipe.crates.libraries and own_edition != "2015" and may_share(sample.code):
            by_call.setdefault((own_edition, recipe.runtime, recipe.tools), {}).setdefault(sample.hidden, sample)
    return [list(group.values()) for group in by_call.values()]


def _judged(group: Sequence[Sharer]) -> Generator[Step, Execution, dict[str, Verdict]]:
    """The verdicts that there are, by hidden names."""
    verdicts, waiting = {}, []
    for built in (yield from _built(group)):
        sample, fit = built.sample, built.fit
        verdict = judging.observed(sample.recipe, sample.case, sample.code, fit, fit.built)
        if verdict.integrity or judging.unsafe_uses(sample.code, fit.built):
            continue
        verdicts[sample.hidden] = verdict
        if sample.recipe.tests:
            waiting.append(built)
    reports = (yield from _tested(waiting)) if waiting else []
    for built, report in zip(waiting, reports, strict=True):
        verdict = verdicts.pop(built.sample.hidden)
        if report is not None:
            verdicts[built.sample.hidden] = judging.with_tests(verdict, report)
    return verdicts


def _built(group: Sequence[Sharer]) -> Generator[Step, Execution, list[_Built]]:
    """One object of all that compile, as far as nothing is said about one of them that would not be said without."""
    for _ in range(_MOST_CALLS):
        if len(group) < 2:
            break
        execution = yield step(group)
        lines = [sample.code.count("\n") + 1 for sample in group]
        told = diagnostics.read_shared(execution.stderr, lines, build.FIRST_PIN)
        failed = {number for number, remarks in enumerate(told.remarks) if any(remark.is_error for remark in remarks)}
        failed |= told.meeting
        object_ = execution.outputs.get(build.OBJECT) if execution.succeeded else None
        if execution.ended != "exited" or told.nobodys or (object_ is None and not failed):
            break
        if object_ is not None:
            entries = [build.entry(sample.hidden) for sample in group]
            if object_file.findings(object_, entries, foreign=False):
                break
            made = Built(remarks=(), object=object_, object_hash=build.object_hash(object_), failure=None)
            fit = Fitted(variant=Variant(), built=made, unmet={}, wall_ms=execution.wall_ms / len(group))
            return [
                _Built(sample=sample, files=diagnostics.sharing(number), fit=_with(fit, remarks))
                for number, (sample, remarks) in enumerate(zip(group, told.remarks, strict=True))
                if number not in failed and not _names_itself(sample, remarks)
            ]
        group = [sample for number, sample in enumerate(group) if number not in failed]
    return []


def _with(fit: Fitted, remarks: Sequence[Remark]) -> Fitted:
    return replace(fit, built=replace(fit.built, remarks=tuple(remarks)))


def _names_itself(sample: Sharer, remarks: Sequence[Remark]) -> bool:
    """Whether the compiler names the module that the sample would not be by itself."""
    return any(sample.hidden in remark.diagnostic.message for remark in remarks)


def _tested(group: Sequence[_Built]) -> Generator[Step, Execution, list[Report | None]]:
    """What became of the tests; None for a sample that something disturbed."""
    parts = [
        Part(
            tests=built.sample.recipe.tests,
            entry=build.entry(built.sample.hidden),
            cpu_s=min(built.sample.case.timeout_secs, _TEST_CPU_S),
            files=built.files,
        )
        for built in group
    ]
    object_ = group[0].fit.built.object
    assert object_ is not None
    execution = yield launch.run_step(parts, object_, run_mounts(group[0].sample.recipe))
    try:
        reports = launch.read_all(execution, parts)
    except MachineryError:
        return [None] * len(group)
    return [report if launch.is_undisturbed(report) else None for report in reports]


def step(group: Sequence[Sharer]) -> Step:
    """The compiler call for all of them: a module each, in a file of its own."""
    recipe, own_edition = group[0].recipe, edition(group[0].case)
    files: dict[str, bytes] = {}
    declarations, flags = [], list[str]()
    for number, sample in enumerate(group):
        module, named = f"{sample.hidden}_sample", diagnostics.sharing(number)
        text, ours = build.written(sample.case, sample.code, sample.recipe, Variant(), place=f"crate::{module}")
        files |= {f"{module}.rs": text.encode(errors="replace"), **ours}
        declarations.append(f'#[path = "/w/{module}.rs"] pub mod {module};\n')
        flags += [f"--remap-path-prefix=/w/{module}.rs={named.sample}", *build.own_flags(sample.hidden, named)]
    return Step(
        name="shared build",
        argv=(*build.call(recipe, own_edition, Variant()), *flags, "-"),
        stdin="".join(declarations).encode(),
        files=files,
        outputs=(build.OBJECT,),
        env=build.ENVIRONMENT,
        mounts=build.mounts(recipe),
        limits=Limits(cpu_s=_CPU_S, wall_s=10 * _CPU_S + 30),
    )
