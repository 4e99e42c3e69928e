"""The results of a JSON report → Samples: what `encode_sample` wrote, read back.

A report says less than a journal: of passed tests it holds the number, not the names. All that any report says of
a sample is here again, so that a report written from these is the same.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from forgetest.evalset.file_names import FILE_NAMES
from forgetest.sample import Attempt, Outcome, Recheck, Sample, Score, Usage
from forgetest.verdict import Condition, Diagnostic, Finding, Provenance, TestOutcome, Verdict

_Count = Annotated[int, Meta(ge=0)]
_TestCount = Annotated[int, Meta(ge=0, le=1_000_000)]
"""Each test becomes a value of its own: none of our reports has more, and one that says so must not fill memory."""
_Share = Annotated[float, Meta(ge=0, le=1)]


class _Compilation(Struct):
    success: bool
    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]


class _Failure(Struct):
    name: str
    message: str
    stdout: str
    timed_out: Literal["cpu", "wall"] | None = None


class _Tests(Struct):
    passed: _TestCount
    failed: _TestCount
    ignored: _TestCount
    failures: tuple[_Failure, ...]


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


class RecordedSample(Struct):
    """One of the results, as it stands in the file."""

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


def sample_of(recorded: RecordedSample) -> Sample:
    """The sample that was written; ValueError where what is said of it does not fit together."""
    attempt = Attempt(recorded.eval_set_id, recorded.case_id, recorded.provider, recorded.model, recorded.attempt)
    judged = recorded.outcome == "judged"
    if judged != (recorded.score is not None) or judged != (recorded.correct is not None):
        raise ValueError(f"{'/'.join(map(str, attempt))} is {recorded.outcome}, which its score and `correct` deny")
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


def _verdict(recorded: RecordedSample, compilation: _Compilation) -> Verdict:
    found = recorded.provenance
    return Verdict(
        compiled=compilation.success,
        errors=compilation.errors,
        warnings=compilation.warnings,
        lints=recorded.clippy.warnings if recorded.clippy else (),
        tests=_tests(recorded.test_execution) if recorded.test_execution else (),
        conditions=recorded.conditions,
        integrity=recorded.integrity,
        provenance=Provenance(
            source=found.source or "",
            tests=found.tests or "",
            dependencies=found.dependencies or "",
            toolchain=found.toolchain or "",
            flags=found.flags or "",
            binary=found.binary,
            sandbox=found.sandbox or "",
        ),
        compile_ms=recorded.timing.compilation_ms or 0.0,
        test_ms=recorded.timing.test_execution_ms or 0.0,
    )


def _tests(told: _Tests) -> tuple[TestOutcome, ...]:
    failed = [
        TestOutcome(name=each.name, status="failed", message=each.message, stdout=each.stdout, timed_out=each.timed_out)
        for each in told.failures
    ]
    unnamed = [TestOutcome(name="", status="failed")] * (told.failed - len(failed))
    passed = [TestOutcome(name="", status="passed")] * told.passed
    ignored = [TestOutcome(name="", status="ignored")] * told.ignored
    return (*passed, *failed, *unnamed, *ignored)
