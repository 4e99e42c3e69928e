"""Judges several samples with one compiler call and one launch of their tests, if that changes no verdict.

If something goes wrong for all of them, or is doubtful for one, it counts for none: such samples are judged alone.
A sample with a finding is taken out before anything of the object runs, and every test runs in a copy of the object
without the other samples' code. See docs/decisions/0021-neighbours.md.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust import judging
from forgetest.toolchains.rust.compile import build, diagnostics, glue
from forgetest.toolchains.rust.compile.adapt import AdaptedBuild
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import FileNames, Remark
from forgetest.toolchains.rust.integrity import object_file, source_text
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run import launch, planning
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.toolchains.rust.sharing import code_map
from forgetest.toolchains.rust.sharing.code_map import CodeMap
from forgetest.toolchains.rust.sharing.eligible import may_share
from forgetest.verdict import Execution, Finding, Limits, Step, Verdict

_MOST_CALLS = 5
"""Builds of one group, each without the samples that did not compile before: the compiler reports type errors only if
all names resolve, and borrowing errors later still."""
_CPU_S, _CPU_S_PER_SAMPLE = 2.0, 0.125
"""For one call; an ordinary sample takes 0.02 s, and a call 0.1 s."""
_TEST_CPU_S = 1.0
"""A test that takes longer is run again alone, with the time limit of its case."""
_PLAIN = BuildOptions()
_NOTHING_BUILT = BuildResult(remarks=(), object=None, failure=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSample:
    """A sample of a group, with its prepared case and secret name."""

    case_build: CaseBuild
    case: Case
    code: str
    secret: str
    ask_every_twin: bool = False
    """See `planning.must_be_asked_everything`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _SharedSampleBuild:
    """A sample's part of a shared build."""

    sample: SharedSample
    files: FileNames
    adapted: AdaptedBuild
    verdict: Verdict
    """Before its tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _SharedBuild:
    """An object of several samples."""

    in_object: Sequence[SharedSample]
    code: CodeMap
    samples: Sequence[_SharedSampleBuild]
    """Those that may be judged by this build."""


def judge_together(
    samples: Sequence[tuple[CaseBuild, Case, str]],
) -> Generator[Step, Execution, list[Verdict | None]]:
    """Judge samples together as far as possible; None for a sample that has to be judged alone."""
    candidates = [_shared_sample(*sample) if _is_eligible(*sample) else None for sample in samples]
    verdicts: dict[str, Verdict] = {}
    for group in _groups_by_call([sample for sample in candidates if sample is not None]):
        verdicts |= yield from _judge_group(group)
    # a verdict is used once: of equal samples, which cannot be in one crate, the others are judged alone
    return [verdicts.pop(sample.secret, None) if sample is not None else None for sample in candidates]


def _is_eligible(case_build: CaseBuild, case: Case, code: str) -> bool:
    return not case_build.crates.libraries and edition(case) != "2015" and may_share(code)


def _shared_sample(case_build: CaseBuild, case: Case, code: str) -> SharedSample:
    every = planning.must_be_asked_everything(case_build, code)
    used = case_build if every else case_build.with_pairs
    return SharedSample(case_build=used, case=case, code=code, secret=used.secret_name(code), ask_every_twin=every)


def _groups_by_call(samples: Sequence[SharedSample]) -> list[list[SharedSample]]:
    """Return the samples grouped by the compiler call they need."""
    by_call: dict[object, dict[str, SharedSample]] = {}
    for sample in samples:
        key = (edition(sample.case), sample.case_build.runtime, sample.case_build.tools)
        by_call.setdefault(key, {}).setdefault(sample.secret, sample)
    return [list(group.values()) for group in by_call.values()]


def _judge_group(group: Sequence[SharedSample]) -> Generator[Step, Execution, dict[str, Verdict]]:
    """Judge a group, and return the verdicts that could be reached, by secret name.

    Nothing is run of an object that holds a sample with a finding: the others are built again without it.
    """
    group = [sample for sample in group if not _findings_in_text(sample)]
    built = yield from _build_group(group)
    while built is not None:
        suspects = {shared.sample.secret for shared in built.samples if _has_findings(shared)}
        if not suspects:
            return (yield from _judge_built(built))
        clean = [sample for sample in built.in_object if sample.secret not in suspects]
        built = yield from _build_group(clean)
    return {}


def _findings_in_text(sample: SharedSample) -> Sequence[Finding]:
    """Return the findings that need no compiler, so that a sample that has any costs the others no second build."""
    names = sample.case_build.names
    text_findings = source_text.findings(sample.code, sample.case_build.test_file.body, names, compiles=False)
    return (*text_findings, *judging.unsafe_findings(sample.case_build, sample.code, _NOTHING_BUILT))


def _has_findings(shared: _SharedSampleBuild) -> bool:
    """Return whether the build shows a finding, beyond those in the text."""
    codes = {remark.diagnostic.code for remark in shared.adapted.result.remarks if remark.place == "sample"}
    return bool(shared.verdict.integrity) or not codes.isdisjoint({"unsafe_code", *diagnostics.ASSEMBLY})


def _judge_built(built: _SharedBuild) -> Generator[Step, Execution, dict[str, Verdict]]:
    """Run the tests of the samples in an object, and return their verdicts by secret name."""
    verdicts = {shared.sample.secret: shared.verdict for shared in built.samples}
    tested = [shared for shared in built.samples if shared.sample.case_build.tests]
    reports = (yield from _run_tests(built, tested)) if tested else []
    for shared, report in zip(tested, reports, strict=True):
        verdict = verdicts.pop(shared.sample.secret)
        if report is not None:
            guessable = judging.is_guessable(shared.sample.case_build, shared.sample.code)
            verdicts[shared.sample.secret] = judging.with_tests(
                verdict, shared.sample.case_build, report, guessable=guessable
            )
    return verdicts


def _build_group(group: Sequence[SharedSample]) -> Generator[Step, Execution, _SharedBuild | None]:
    """Build one object of all samples that compile; None if there is none, or if it is unusual in any way."""
    for _ in range(_MOST_CALLS):
        if len(group) < 2:
            break
        execution = yield shared_step(group)
        lines = [sample.code.count("\n") + 1 for sample in group]
        remarks = diagnostics.read_shared(execution.stderr, lines, glue.FIRST_SIGNATURE_LINE)
        failed = {number for number, own in enumerate(remarks.by_sample) if any(remark.is_error for remark in own)}
        failed |= remarks.entangled
        object_ = execution.outputs.get(build.OBJECT) if execution.succeeded else None
        if execution.ended != "exited" or remarks.unattributed or (object_ is None and not failed):
            break
        if object_ is not None:
            code = _code_of_object(object_, group)
            if code is None:
                break
            share_ms = execution.wall_ms / len(group)
            object_hash = build.object_hash(object_)
            result = BuildResult(remarks=(), object=object_, object_hash=object_hash, failure=None)
            samples = [
                _built_sample(
                    sample, replace(result, remarks=tuple(own)), diagnostics.shared_file_names(number), share_ms
                )
                for number, (sample, own) in enumerate(zip(group, remarks.by_sample, strict=True))
                # left out: samples whose diagnostics would not be the same in a crate of their own
                if number not in failed and not _names_module(sample, own)
            ]
            return _SharedBuild(in_object=group, code=code, samples=samples)
        group = [sample for number, sample in enumerate(group) if number not in failed]
    return None


def _code_of_object(object_: bytes, group: Sequence[SharedSample]) -> CodeMap | None:
    """Return whose code is where in an object; None if it holds anything that rustc does not make of safe code."""
    entries = [glue.entry_symbol(sample.secret) for sample in group]
    if object_file.findings(object_, entries, foreign=False):
        return None
    try:
        return code_map.read(object_, [sample.secret for sample in group])
    except code_map.UnknownCode:
        return None


def _built_sample(sample: SharedSample, result: BuildResult, files: FileNames, wall_ms: float) -> _SharedSampleBuild:
    adapted = AdaptedBuild(options=BuildOptions(), result=result, unmet={}, wall_ms=wall_ms)
    verdict = judging.verdict_of_build(sample.case_build, sample.case, sample.code, adapted, result)
    return _SharedSampleBuild(sample=sample, files=files, adapted=adapted, verdict=verdict)


def _names_module(sample: SharedSample, remarks: Sequence[Remark]) -> bool:
    """Return whether a remark names the sample's module, which would not exist in a crate of its own."""
    return any(sample.secret in remark.diagnostic.message for remark in remarks)


def _run_tests(
    built: _SharedBuild, tested: Sequence[_SharedSampleBuild]
) -> Generator[Step, Execution, list[TestReport | None]]:
    """Run the tests of all samples, each without the others' code; None for a sample that something disturbed."""
    parts = [
        SampleTests(
            tests=shared.sample.case_build.tests,
            entry=glue.entry_symbol(shared.sample.secret),
            cpu_s=min(shared.sample.case.timeout_secs, _TEST_CPU_S),
            runs=planning.first_runs(shared.sample.case_build, shared.sample.code, every=shared.sample.ask_every_twin),
            files=shared.files,
            code=built.code.own[shared.sample.secret],
        )
        for shared in tested
    ]
    untested = {sample.secret for sample in built.in_object} - {shared.sample.secret for shared in tested}
    object_ = built.code.without(untested)
    execution = yield launch.run_step(parts, object_, run_mounts(tested[0].sample.case_build))
    try:
        reports = launch.read_reports(execution, parts)
    except MachineryError:
        return [None] * len(tested)
    return [report if launch.is_undisturbed(report) else None for report in reports]


def shared_step(group: Sequence[SharedSample], options: BuildOptions = _PLAIN) -> Step:
    """Return the compiler call for a group: each sample is a module in a file of its own."""
    case_build = group[0].case_build
    files: dict[str, bytes] = {}
    declarations, flags = [], list[str]()
    for number, sample in enumerate(group):
        module, names = f"{sample.secret}_sample", diagnostics.shared_file_names(number)
        text, our_files = glue.write(
            sample.case, sample.code, sample.case_build, options, sample_root=f"crate::{module}"
        )
        files |= {f"{module}.rs": text.encode(errors="replace"), **our_files}
        declarations.append(f'#[path = "/w/{module}.rs"] pub mod {module};\n')
        flags += [f"--remap-path-prefix=/w/{module}.rs={names.sample}", *build.file_flags(sample.secret, names)]
        flags += sample.case_build.crates.arguments(sample.secret)
    cpu_s = _CPU_S + _CPU_S_PER_SAMPLE * len(group)
    return Step(
        name="shared build",
        argv=(*build.compiler_call(case_build, group[0].case, options), code_map.MANGLING, *dict.fromkeys(flags), "-"),
        stdin="".join(declarations).encode(),
        files=files,
        outputs=(build.OBJECT,) if options.linked else (),
        env=build.ENVIRONMENT,
        mounts=build.mounts(case_build),
        limits=Limits(cpu_s=cpu_s, wall_s=10 * cpu_s + 30),
    )
