"""Judges one sample: builds it, builds it again if necessary, runs its tests, and returns the verdict."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains import controls
from forgetest.toolchains.controls import Answer
from forgetest.toolchains.rust import reference_check
from forgetest.toolchains.rust.compile import build, expected_items
from forgetest.toolchains.rust.compile.adapt import AdaptedBuild, build_adapted, build_once
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import ASSEMBLY
from forgetest.toolchains.rust.compile.glue import entry_symbol
from forgetest.toolchains.rust.compile.separation import tests_see_only_std
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.integrity import object_file, soundness, source_text
from forgetest.toolchains.rust.integrity.own_operators import can_decide
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run.launch import TestReport
from forgetest.toolchains.rust.run.planning import must_be_asked_everything
from forgetest.toolchains.rust.run.run_tests import BuiltSample, run_tests
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import tokens
from forgetest.verdict import (
    Controls,
    Diagnostic,
    Execution,
    Finding,
    Provenance,
    Step,
    TestOutcome,
    Verdict,
)


def judge(case_build: CaseBuild, case: Case, code: str) -> Generator[Step, Execution, Verdict]:
    """Judge one sample."""
    first = yield from build_once(case_build, case, code)
    if reference_check.is_needed(case_build, first[0]):
        checked = yield from reference_check.check(case_build, case)
        if checked != replace(case_build, unchecked=False):
            first = yield from build_once(checked, case, code)
        case_build = checked
    adapted = yield from build_adapted(case_build, case, code, first=first)
    options, result, compile_ms = adapted.options, adapted.result, adapted.wall_ms
    sample_result = result  # the build whose diagnostics are about the sample's own code
    # a sample that ends in an attribute or `pub` compiles only thanks to our text below it
    is_unexplained = result.object is None and not result.sample_errors and not result.stopped
    if is_unexplained or options.capped or dangling_end(code):
        without_tests = BuildOptions(tests=False, cfg_test=options.cfg_test)
        sample_result, took_ms = yield from build_once(case_build, case, code, without_tests, "build without tests")
        compile_ms += took_ms
    dangers = unsafe_findings(case_build, code, sample_result)
    if result.object is not None and dangers and not sample_result.errors:
        options = replace(options, plain_rustc=True)
        result, took_ms = yield from build_once(case_build, case, code, options, "checked build")
        compile_ms += took_ms
        remarks = (*sample_result.remarks, *result.sample_errors)
        sample_result = replace(sample_result, remarks=remarks, failure=result.failure)

    final = replace(adapted, options=options, result=result, wall_ms=compile_ms)
    verdict = verdict_of_build(case_build, case, code, final, sample_result)
    verdict = replace(verdict, integrity=(*verdict.integrity, *dangers))
    if verdict.errors or result.object is None:
        reason = result if result.errors or result.failure else sample_result
        return replace(verdict, tests=_tests_without_object(case_build, reason))

    entry = entry_symbol(case_build.secret_name(code))
    # the lint `unsafe_code` reports `unsafe extern` blocks, whatever hides the word from us
    has_extern = any(token.text == "extern" for token in tokens(code)) or any("extern" in use.detail for use in dangers)
    in_object = object_file.findings(result.object, (entry,), foreign=has_extern)
    verdict = replace(verdict, integrity=(*verdict.integrity, *in_object))
    if not case_build.tests:
        return verdict
    ask_everything = bool(verdict.integrity) or must_be_asked_everything(case_build, code, adapted.unmet)
    sample = BuiltSample(
        case_build=case_build, case=case, code=code, object=result.object, ask_every_twin=ask_everything
    )
    report = yield from run_tests(sample)
    return with_tests(verdict, case_build, report, guessable=is_guessable(case_build, code, adapted.unmet))


def is_guessable(case_build: CaseBuild, code: str, unmet: Collection[ExpectedItem] = ()) -> bool:
    """Return whether operators of the sample's own may be handed what the tests expect, and could decide by it."""
    return can_decide(code) and not tests_see_only_std(case_build, unmet)


def verdict_of_build(
    case_build: CaseBuild, case: Case, code: str, adapted: AdaptedBuild, sample_result: BuildResult
) -> Verdict:
    """Return the verdict of a sample before its tests; `sample_result` has the diagnostics about its own code."""
    options = adapted.options
    from_sample = {*case_build.names, *options.further_names}
    imported = from_sample - options.without_names if adapted.result.object is not None else None
    errors = _distinct_diagnostics([remark.diagnostic for remark in sample_result.errors])
    if sample_result.failure:
        errors = (*errors, Diagnostic(level="error", code=None, message=sample_result.failure))
    # only for code that compiles: parsing text that is written to be slow could take minutes
    conditions = [] if errors else expected_items.conditions(code, case_build, adapted.unmet, imported)
    warnings = [
        remark.diagnostic for remark in sample_result.remarks if not remark.is_error and remark.place == "sample"
    ]
    asked_by_us = {"unsafe_code", *ASSEMBLY}
    warnings = [warning for warning in warnings if warning.code not in asked_by_us]
    in_scope = {path.removesuffix(" as _").rpartition("::")[2] for path in options.imports}
    in_scope |= from_sample
    return Verdict(
        compiled=not errors,
        errors=errors,
        warnings=_distinct_diagnostics([warning for warning in warnings if not _is_clippy(warning)]),
        lints=_distinct_diagnostics([warning for warning in warnings if _is_clippy(warning)]),
        conditions=tuple(conditions),
        integrity=(
            *source_text.findings(
                code,
                case_build.test_file.body,
                in_scope,
                compiles=not errors,
                edition=edition(case),
                reference=case.reference_solution,
            ),
            *_differences(case_build, adapted),
        ),
        provenance=_provenance(case_build, case, code, adapted),
        compile_ms=adapted.wall_ms,
    )


def _differences(case_build: CaseBuild, adapted: AdaptedBuild) -> Iterator[Finding]:
    """Yield a note for each signature of the reference solution that the case does not state, and the sample lacks."""
    for item, condition in adapted.unmet.items():
        if item in case_build.derived:
            detail = f"differs from the reference solution: {condition.detail}"
            yield Finding(kind="unlike_reference", detail=detail, forbids=False)


def with_tests(verdict: Verdict, case_build: CaseBuild, report: TestReport, *, guessable: bool) -> Verdict:
    """Return the verdict with the outcomes of its tests; a pass that was not earned is none."""
    passed = {index for index, outcome in enumerate(report.outcomes) if outcome.status == "passed"}
    answers = [answer for answer in report.answers if answer.twin.test in passed]
    unearned = controls.unearned(answers)
    plain = {index for index in passed if case_build.tests[index].kind == "plain"}
    counts = Controls(
        asked=len(answers),
        passed=sum(answer.passed for answer in answers),
        without=len(plain.difference(answer.twin.test for answer in answers)),
        guessable=guessable and bool(plain),
    )
    return replace(
        verdict,
        tests=tuple(
            replace(outcome, status="failed", message=_UNEARNED) if index in unearned else outcome
            for index, outcome in enumerate(report.outcomes)
        ),
        integrity=(*verdict.integrity, *report.findings, *_control_findings(report, answers, unearned)),
        test_ms=report.wall_ms,
        controls=counts if counts != Controls(asked=0, passed=0) else None,
    )


_UNEARNED = "not earned: it also passes with another expected value, which no correct sample does"


def _control_findings(report: TestReport, answers: Sequence[Answer], unearned: Sequence[int]) -> Iterator[Finding]:
    for index in unearned:
        own = [answer.passed for answer in answers if answer.twin.test == index]
        name = report.outcomes[index].name
        yield Finding(kind="passed_a_control", detail=f"{name}: passed {sum(own)} of {len(own)} tests that must fail")


def unsafe_findings(case_build: CaseBuild, code: str, sample_result: BuildResult) -> tuple[Finding, ...]:
    """Return what takes a sample beyond the compiler's guarantees, or resembles that: it is judged more strictly."""
    remarks = [remark.diagnostic for remark in sample_result.remarks if remark.place == "sample"]
    uses = {remark.message for remark in remarks if remark.code == "unsafe_code"}
    found = [Finding(kind="unsafe", concern="unsafe", detail=use, forbids=False) for use in sorted(uses)]
    words = " ".join(token.text for token in tokens(code))
    found += soundness.findings(words)
    has_assembly = any(remark.code in ASSEMBLY for remark in remarks)
    if not case_build.tools.host.startswith("x86_64-"):  # the lints know x86 only
        has_assembly = re.search(r"\b(naked_asm|global_asm)\b|\basm (!|as\b)|\bunsafe \( naked\b", words) is not None
    if has_assembly:  # nothing can see what assembly does to the tests' own frames
        found.append(Finding(kind="assembly", concern="foreign", detail="has machine code of its own"))
    return tuple(found)


def _tests_without_object(case_build: CaseBuild, result: BuildResult) -> tuple[TestOutcome, ...]:
    """Return every expected test as failed, because there is nothing to run."""
    first = result.errors[0].diagnostic.message if result.errors else result.failure or "it did not compile"
    return tuple(
        TestOutcome(name=test.name, status="ignored")
        if test.kind == "ignored"
        else TestOutcome(name=test.name, status="failed", message=f"did not compile: {first}")
        for test in case_build.tests
    )


def _distinct_diagnostics(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(diagnostics))  # the compiler may report a lint twice


def _is_clippy(diagnostic: Diagnostic) -> bool:
    return (diagnostic.code or "").startswith("clippy::")


def _provenance(case_build: CaseBuild, case: Case, code: str, adapted: AdaptedBuild) -> Provenance:
    expectations = case.expectations
    expected = [expectations.test_file or "", *expectations.expected_functions, *expectations.expected_types]
    return Provenance(
        source=_text_hash(code),
        tests=_text_hash("\0".join(expected)),
        dependencies=case_build.crates.lock,
        toolchain=case_build.tools.version,
        flags=_text_hash(" ".join(build.compiler_call(case_build, case, adapted.options))),
        binary=adapted.result.object_hash,
    )


def _text_hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
