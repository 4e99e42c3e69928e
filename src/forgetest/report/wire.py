"""The JSON form of a report as typed structs, and their conversion into the report's values.

A report holds less than a journal: of passed tests only the number, not the names. What it holds is kept, so that a
report written from these values is the same.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from forgetest.evalset import Weights
from forgetest.evalset.file_names import FILE_NAMES
from forgetest.report import CaseSummary, EvalSetSummary, RunSettings
from forgetest.report.scored import ScoredSample
from forgetest.sample import Attempt, Outcome, Recheck, Sample, Score, Usage
from forgetest.verdict import Condition, Controls, Diagnostic, Finding, Provenance, TestOutcome, Verdict

_Count = Annotated[int, Meta(ge=0)]
_TestCount = Annotated[int, Meta(ge=0, le=1_000_000)]
"""Each test becomes a value: a forged count must not fill the memory."""
_Share = Annotated[float, Meta(ge=0, le=1)]


class WireFormat(Struct):
    """The members that tell one kind of report from another."""

    format_version: Any = None
    eval_set: Any = None


class _Weights(Struct, rename=FILE_NAMES):
    compilation: float = Weights().compilation
    tests: float = Weights().tests
    lint: float = Weights().lint


class _EvalSet(Struct):
    id: str
    name: str
    case_count: int
    hash: str
    weights: _Weights
    cases: tuple[CaseSummary, ...] = ()


class WireHeader(Struct):
    """Everything that comes before the results."""

    id: str
    created_at: datetime
    duration_ms: float
    eval_sets: tuple[_EvalSet, ...]
    settings: dict[str, Any]
    models_evaluated: tuple[str, ...]


class WireSettings(Struct):
    """The settings that every report has."""

    pass_k: tuple[Annotated[int, Meta(ge=1)], ...]
    samples: int
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    prompt_template_hash: str | None


class _Compilation(Struct):
    success: bool
    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]


class _Failure(Struct):
    name: str
    message: str
    stdout: str
    timed_out: Literal["cpu", "wall"] | None = None
    visible: bool | UnsetType = UNSET


class _VisibleTests(Struct):
    passed: _TestCount
    failed: _TestCount


class _Tests(Struct):
    passed: _TestCount
    failed: _TestCount
    ignored: _TestCount
    failures: tuple[_Failure, ...]
    visible: _VisibleTests | None = None


class _Lints(Struct):
    warnings: tuple[Diagnostic, ...]


class _Score(Struct, rename=FILE_NAMES):
    compilation: _Share
    tests: _Share
    lint: _Share
    overall: _Share


class _Provenance(Struct):
    source: str | None
    tests: str | None
    dependencies: str | None
    toolchain: str | None
    flags: str | None
    binary: str | None
    sandbox: str | None


class _Timing(Struct):
    llm_request_ms: float | None
    compilation_ms: float | None
    test_execution_ms: float | None
    total_ms: float


class _Tokens(Struct):
    prompt_tokens: _Count | None
    completion_tokens: _Count | None
    estimated_cost_usd: float | None


class WireSample(Struct):
    """One of the results."""

    eval_set_id: str
    case_id: str
    provider: str
    model: str
    attempt: Annotated[int, Meta(ge=1)]
    run_id: str
    generated_code: str | None
    outcome: Outcome
    reason: str | None
    compilation: _Compilation | None
    test_execution: _Tests | None
    clippy: _Lints | None
    score: _Score | None
    correct: bool | None
    provenance: _Provenance
    timing: _Timing
    token_usage: _Tokens
    recheck: Recheck | None = None
    conditions: tuple[Condition, ...] = ()
    integrity: tuple[Finding, ...] = ()
    controls: Controls | None = None


def to_eval_sets(header: WireHeader) -> tuple[EvalSetSummary, ...]:
    """Convert the eval sets of a report."""
    return tuple(
        EvalSetSummary(**{**asdict(eval_set), "weights": Weights(**asdict(eval_set.weights))})
        for eval_set in header.eval_sets
    )


def to_settings(known: WireSettings, all_settings: dict[str, Any]) -> RunSettings:
    """Convert the settings of a report."""
    derived = "weights"  # repeated from the eval sets
    further = {name: value for name, value in all_settings.items() if name not in {*known.__struct_fields__, derived}}
    return RunSettings(**asdict(known), further=further)


def to_scored(recorded: WireSample) -> ScoredSample:
    """Convert the scores of a result; ValueError if its members contradict each other."""
    compiled = recorded.compilation is not None
    return ScoredSample(
        attempt=_attempt(recorded),
        score=recorded.score.overall if recorded.score else None,
        correct=recorded.correct,
        toolchain=recorded.provenance.toolchain if compiled else None,
        sandbox=recorded.provenance.sandbox if compiled else None,
    )


def to_sample(recorded: WireSample) -> Sample:
    """Convert a result; ValueError if its members contradict each other."""
    attempt = _attempt(recorded)
    timing, score = recorded.timing, recorded.score
    return Sample(
        attempt=attempt,
        run_id=recorded.run_id,
        outcome=recorded.outcome,
        reason=recorded.reason,
        code=recorded.generated_code,
        verdict=_verdict(recorded, recorded.compilation) if recorded.compilation else None,
        score=Score(compilation=score.compilation, tests=score.tests, lint=score.lint, overall=score.overall)
        if score
        else None,
        correct=recorded.correct,
        usage=Usage(
            prompt_tokens=recorded.token_usage.prompt_tokens,
            completion_tokens=recorded.token_usage.completion_tokens,
            cost_usd=recorded.token_usage.estimated_cost_usd,
        ),
        latency_ms=timing.llm_request_ms,
        total_ms=timing.total_ms - (timing.llm_request_ms or 0.0),
        recheck=recorded.recheck,
    )


def _attempt(recorded: WireSample) -> Attempt:
    attempt = Attempt(recorded.eval_set_id, recorded.case_id, recorded.provider, recorded.model, recorded.attempt)
    judged = recorded.outcome == "judged"
    if judged != (recorded.score is not None) or judged != (recorded.correct is not None):
        name = "/".join(map(str, attempt))
        raise ValueError(f"{name} is {recorded.outcome}, but its `score` or `correct` contradicts that")
    return attempt


def _verdict(recorded: WireSample, compilation: _Compilation) -> Verdict:
    provenance = recorded.provenance
    return Verdict(
        compiled=compilation.success,
        errors=compilation.errors,
        warnings=compilation.warnings,
        lints=recorded.clippy.warnings if recorded.clippy else (),
        tests=_tests(recorded.test_execution) if recorded.test_execution else (),
        conditions=recorded.conditions,
        integrity=recorded.integrity,
        provenance=Provenance(
            source=provenance.source or "",
            tests=provenance.tests or "",
            dependencies=provenance.dependencies or "",
            toolchain=provenance.toolchain or "",
            flags=provenance.flags or "",
            binary=provenance.binary,
            sandbox=provenance.sandbox or "",
        ),
        compile_ms=recorded.timing.compilation_ms or 0.0,
        test_ms=recorded.timing.test_execution_ms or 0.0,
        controls=recorded.controls,
    )


def _tests(recorded: _Tests) -> tuple[TestOutcome, ...]:
    failed = [
        TestOutcome(
            name=test.name,
            status="failed",
            message=test.message,
            stdout=test.stdout,
            timed_out=test.timed_out,
            visible=test.visible,
        )
        for test in recorded.failures
    ]
    unnamed = [TestOutcome(name="", status="failed")] * (recorded.failed - len(failed))
    ignored = [TestOutcome(name="", status="ignored")] * recorded.ignored
    return (*_passed(recorded), *failed, *unnamed, *ignored)


def _passed(recorded: _Tests) -> list[TestOutcome]:
    passed = TestOutcome(name="", status="passed")
    if recorded.visible is None:
        return [passed] * recorded.passed
    visible = min(recorded.visible.passed, recorded.passed)
    hidden = replace(passed, visible=False)
    return [replace(passed, visible=True)] * visible + [hidden] * (recorded.passed - visible)
