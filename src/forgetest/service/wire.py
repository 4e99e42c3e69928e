"""Requests and answers of the service's own interface, as JSON has them. The client uses them, too."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from forgetest.evalset import Weights
from forgetest.evalset.file_names import FILE_NAMES, from_file, to_file
from forgetest.grade import Grade
from forgetest.sample import Outcome, Score
from forgetest.verdict import Finding, Verdict

MOST_DEPTH = 64
"""Nested lists and objects in a body."""
MOST_DEADLINE_S = 86_400

CaseReference = str | dict[str, Any]
"""`SET/CASE` of a loaded set, a name among the request's `cases`, or a case with the keys of `[[cases]]`."""
Deadline = Annotated[float, Meta(gt=0, le=MOST_DEADLINE_S)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class WeightsForm(Struct, frozen=True, kw_only=True, rename=FILE_NAMES, forbid_unknown_fields=True):
    """Weights of the components of a score; they sum to 1."""

    compilation: _Share = 0.4
    tests: _Share = 0.5
    lint: _Share = 0.1


class SampleForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer to grade."""

    case: CaseReference
    answer: str
    as_code: bool = False
    """The answer is the code; otherwise the code is extracted from it."""


class GradeOne(SampleForm, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /v1/grade` with one answer."""

    weights: WeightsForm | None = None
    deadline_s: Deadline | None = None
    with_verdict: bool = True
    """Return the whole raw observation: compiler messages, every test, provenance."""


class GradeMany(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /v1/grade` with many answers."""

    samples: list[SampleForm]
    cases: dict[str, dict[str, Any]] = {}
    """Cases that several samples name."""
    weights: WeightsForm | None = None
    deadline_s: Deadline | None = None
    with_verdict: bool = True


class PrepareCase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /v1/prepare`."""

    case: CaseReference


class ScoreForm(Struct, frozen=True, kw_only=True, rename=FILE_NAMES):
    """The components and their weighted sum, each from 0 to 1."""

    compilation: float
    tests: float
    lint: float
    overall: float


class GradeForm(Struct, frozen=True, kw_only=True):
    """A grade."""

    outcome: Outcome
    correct: bool | None
    """Null where the sample was not judged."""
    verified: bool
    score: ScoreForm | None
    """Null where the sample was not judged."""
    reason: str | None
    integrity: tuple[Finding, ...]
    code: str | None
    verdict: Verdict | None
    """Null where there was no code, where it was not judged, and where it was not asked for."""
    total_ms: float


class GradesForm(Struct, frozen=True, kw_only=True):
    """The grades of many samples, in their order."""

    grades: list[GradeForm]


class CaseForm(Struct, frozen=True, kw_only=True):
    """A case of a loaded set, without its tests."""

    id: str
    name: str
    language: str
    prompt: str
    tags: tuple[str, ...]


class CasesForm(Struct, frozen=True, kw_only=True):
    """Cases of the loaded sets."""

    cases: list[CaseForm]
    total: int


class HealthForm(Struct, frozen=True, kw_only=True):
    """The state of the service."""

    status: str
    """`ok`, or `stopping`."""
    version: str
    cases: int
    prepared: int
    """Loaded cases that are prepared; those that are not cost their first sample a while."""
    in_service: int
    """Samples that wait or are being judged."""
    capacity: int


def grade_form(grade: Grade, *, with_verdict: bool) -> GradeForm:
    """Return a grade as it is sent."""
    is_judged = grade.outcome == "judged"
    score = msgspec.convert(to_file(msgspec.to_builtins(grade.score)), ScoreForm) if grade.score else None
    return GradeForm(
        outcome=grade.outcome,
        correct=grade.correct if is_judged else None,
        verified=grade.verified,
        score=score,
        reason=grade.reason,
        integrity=grade.verdict.integrity if grade.verdict else (),
        code=grade.code,
        verdict=grade.verdict if with_verdict else None,
        total_ms=round(grade.total_ms, 3),
    )


def read_grade(form: GradeForm) -> Grade:
    """Return a grade as it was sent."""
    score = form.score
    return Grade(
        outcome=form.outcome,
        correct=form.correct is True,
        score=None
        if score is None
        else Score(compilation=score.compilation, tests=score.tests, lint=score.lint, overall=score.overall),
        reason=form.reason,
        code=form.code,
        verdict=form.verdict,
        total_ms=form.total_ms,
    )


def weights_form(weights: Weights | None) -> dict[str, float] | None:
    """Return weights as they are sent."""
    return None if weights is None else to_file(msgspec.to_builtins(weights))


def read_weights(form: WeightsForm | None) -> Weights | None:
    """Return weights as they were sent."""
    return None if form is None else msgspec.convert(from_file(msgspec.to_builtins(form)), Weights)


def depth(value: object) -> int:
    """Return how deeply lists and objects are nested in a value."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        each, level = waiting.pop()
        if isinstance(each, dict | list):
            deepest = max(deepest, level)
            if level > MOST_DEPTH:
                break
            waiting += [(item, level + 1) for item in (each.values() if isinstance(each, dict) else each)]
    return deepest
