"""Verdicts, samples, eval sets and reports to test with; each function takes what a test wants to differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from forgetest import scoring
from forgetest.evalset import Case, EvalSet, Expectations, Weights
from forgetest.report import Report, RunSettings, summarise
from forgetest.sample import Attempt, Sample, Usage
from forgetest.verdict import Diagnostic, Provenance, Span, TestOutcome, TestStatus, Verdict

PROVENANCE = Provenance(
    source="s1", tests="t1", dependencies="d1", toolchain="rustc 1.95.0", flags="f1", binary="b1", sandbox="bwrap"
)

UNJUDGED_REASON = "the provider did not answer"


def a_diagnostic(message: str = "mismatched types", level: str = "error", code: str = "E0308") -> Diagnostic:
    """Return a compiler's remark about line 2."""
    span = Span(line_start=2, line_end=2, column_start=5, column_end=9)
    return Diagnostic(level=level, code=code, message=message, spans=(span,))


def a_verdict(
    *, compiled: bool = True, passed: int = 4, failed: int = 0, ignored: int = 0, lints: int = 0, **further: Any
) -> Verdict:
    """Return a verdict with the given numbers of passed, failed and ignored tests, and lints."""
    counts: dict[TestStatus, int] = {"passed": passed, "failed": failed, "ignored": ignored} if compiled else {}
    statuses = [status for status, count in counts.items() for _ in range(count)]
    verdict = Verdict(
        compiled=compiled,
        errors=() if compiled else (a_diagnostic(),),
        lints=(a_diagnostic("needless `return`", "warning", "clippy::needless_return"),) * lints,
        tests=tuple(
            TestOutcome(name=f"t{number}", status=status, message="left: 1, right: 2" if status == "failed" else "")
            for number, status in enumerate(statuses)
        ),
        provenance=PROVENANCE,
        compile_ms=75.25,
        test_ms=6.5,
    )
    return replace(verdict, **further)


def an_attempt(
    case: str = "fibonacci", attempt: int = 1, *, eval_set: str = "basics", model: str = "acme/small"
) -> Attempt:
    """Return an attempt of `provider/model`."""
    provider, name = model.split("/", 1)
    return Attempt(eval_set, case, provider, name, attempt)


def a_sample(
    case: str = "fibonacci",
    attempt: int = 1,
    *,
    eval_set: str = "basics",
    model: str = "acme/small",
    verdict: Verdict | None = None,
    **further: Any,
) -> Sample:
    """Return a judged sample, correct unless the verdict says otherwise."""
    verdict = verdict or a_verdict()
    reasons = scoring.shortcomings(verdict, Expectations())
    sample = Sample(
        attempt=an_attempt(case, attempt, eval_set=eval_set, model=model),
        run_id="run-1",
        outcome="judged",
        reason="; ".join(reasons) or None,
        code="fn fibonacci(n: u64) -> u64 { n }",
        verdict=verdict,
        score=scoring.score(verdict, Expectations(), Weights()),
        correct=not reasons,
        usage=Usage(prompt_tokens=100, completion_tokens=20, cost_usd=0.001),
        latency_ms=500.0,
        total_ms=90.0,
    )
    return replace(sample, **further)


def an_unjudged_sample(case: str = "fibonacci", attempt: int = 1, **place: str) -> Sample:
    """Return a sample that could not be judged, for the reason `UNJUDGED_REASON`."""
    return Sample(
        attempt=an_attempt(case, attempt, **place),
        run_id="run-1",
        outcome="unjudged",
        reason=UNJUDGED_REASON,
    )


def a_refusal(case: str = "fibonacci", attempt: int = 1, **place: str) -> Sample:
    """Return a sample whose answer contains no code."""
    return Sample(
        attempt=an_attempt(case, attempt, **place),
        run_id="run-1",
        outcome="judged",
        reason="the model refused",
        score=scoring.NO_CODE,
        correct=False,
    )


def a_case(case: str = "fibonacci", *, tags: Sequence[str] = (), **expected: Any) -> Case:
    """Return a case."""
    return Case(id=case, name=case, prompt="Write it.", tags=tuple(tags), expectations=Expectations(**expected))


def an_eval_set(*cases: Case, name: str = "basics", **further: Any) -> EvalSet:
    """Return an eval set of these cases."""
    return EvalSet(id=name, name=name.title(), cases=cases or (a_case(),), hash=f"hash-of-{name}", **further)


class ReiterableSamples:
    """Samples that are new objects each time they are iterated, like those of a journal."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = list(samples)
        self.passes = 0

    def __iter__(self) -> Iterator[Sample]:
        self.passes += 1
        return (replace(sample) for sample in self._samples)


def a_report(
    samples: Iterable[Sample],
    eval_sets: Sequence[EvalSet] | None = None,
    *,
    pass_k: tuple[int, ...] = (1,),
    **further: Any,
) -> Report:
    """Return the report of these samples; without eval sets, of sets that hold just their cases."""
    results = samples if isinstance(samples, ReiterableSamples) else sorted(samples, key=lambda sample: sample.attempt)
    if eval_sets is None:
        ids = sorted({sample.attempt[:2] for sample in results})
        eval_sets = [
            an_eval_set(*(a_case(case) for other, case in ids if other == name), name=name)
            for name in sorted({name for name, _ in ids})
        ]
    settings = RunSettings(pass_k=pass_k, samples=max(pass_k), temperature=0.8, max_tokens=1024, **further)
    return summarise(
        results,
        eval_sets,
        settings,
        report_id="report-1",
        created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        duration_ms=1234.5,
    )
