"""Reports of the Rust tool of the same name: one eval set, and results that we score by our formula."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from forgetest.evalset import Weights
from forgetest.report import CaseSummary, EvalSetSummary, ReportContent, RunSettings
from forgetest.sample import Attempt, Sample, Score
from forgetest.scoring import of_compiled

_Count = Annotated[int, Meta(ge=0)]


class _RustToolEvalSet(Struct):
    id: str
    name: str = ""


class _RustToolCompilation(Struct):
    success: bool


class _RustToolTests(Struct):
    passed: _Count
    failed: _Count


class _RustToolLints(Struct):
    warning_count: _Count


class RustToolSample(Struct):
    """One of the results."""

    case_id: str
    provider: str
    model: str
    compilation: _RustToolCompilation
    attempt: int = 1
    generated_code: str | None = None
    test_execution: _RustToolTests | None = None
    clippy: _RustToolLints | None = None
    status: str = "completed"
    """Only later versions write it; any other value is a failure of the provider or of the tool itself."""


class RustToolHeader(Struct):
    """Everything but the results and the aggregate."""

    id: str
    created_at: datetime
    eval_set: _RustToolEvalSet
    results: list[None]
    """Always empty: results are read one by one."""

    def to_content(self, samples: Iterable[Sample], path: str) -> ReportContent:
        """Convert the report; what it does not record is None or empty.

        Its results are in any order, and few enough to be sorted in memory.
        """
        results = tuple(sorted(samples, key=lambda sample: sample.attempt))
        case_ids = sorted({sample.attempt.case_id for sample in results})
        eval_set = EvalSetSummary(
            id=self.eval_set.id,
            name=self.eval_set.name,
            case_count=len(case_ids),
            hash="",
            weights=Weights(),  # the formula's own, because we do the scoring
            cases=tuple(
                CaseSummary(id=case_id, name=case_id, language="rust", tags=(), prompt="") for case_id in case_ids
            ),
        )
        return ReportContent(
            id=self.id,
            created_at=self.created_at,
            duration_ms=0.0,
            eval_sets=(eval_set,),
            settings=RunSettings(),
            models_evaluated=tuple(sorted({sample.attempt.model_name for sample in results})),
            results=results,
            path=path,
        )

    def to_sample(self, recorded: RustToolSample) -> Sample:
        """Convert and score a result; it has no verdict, because its tests prove nothing to us."""
        attempt = Attempt(self.eval_set.id, recorded.case_id, recorded.provider, recorded.model, recorded.attempt)
        judged = recorded.status == "completed"
        score = _recorded_score(recorded) if judged else None
        return Sample(
            attempt=attempt,
            run_id=self.id,
            outcome="judged" if judged else "unjudged",
            reason=_recorded_reason(recorded),
            code=recorded.generated_code,
            score=score,
            correct=score.tests == 1.0 if score else None,
        )


def _recorded_score(recorded: RustToolSample) -> Score:
    if not recorded.compilation.success:
        return Score(compilation=0.0, tests=0.0, lint=0.0, overall=0.0)
    tests = recorded.test_execution or _RustToolTests(passed=0, failed=0)
    ran = tests.passed + tests.failed
    warnings = recorded.clippy.warning_count if recorded.clippy else 0
    return of_compiled(tests.passed / ran if ran else 0.0, warnings, Weights())


def _recorded_reason(recorded: RustToolSample) -> str | None:
    if recorded.status != "completed":
        return recorded.status
    if not recorded.compilation.success:
        return "it does not compile"
    failed = recorded.test_execution.failed if recorded.test_execution else 0
    return f"failed tests: {failed}" if failed else None
