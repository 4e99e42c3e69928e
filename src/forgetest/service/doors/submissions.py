"""Submissions in SandboxFusion's form, graded as samples, and their grades in that form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forgetest.grade import Grade
from forgetest.service.doors.forms import (
    CommandResult,
    EvalResult,
    EvalTestCase,
    RunCodeResponse,
    RunStatus,
    SubmitRequest,
)
from forgetest.service.http.messages import HttpError
from forgetest.service.wire import grade_form
from forgetest.verdict import TestOutcome

TestInfo = Sequence[Mapping[str, Any]]
"""What a request says of each test, which the answer repeats."""

_LANGUAGES = {"py": "python", "python3": "python", "pytest": "python", "rs": "rust"}


def language_of(request: SubmitRequest) -> str:
    """Return our name of the language that a submission names."""
    name = request.config.language
    if not name:
        raise HttpError(400, "not a request of this kind", "config.language field must exist, got None")
    return _LANGUAGES.get(name.lower(), name.lower())


def refuse_unsupported(request: SubmitRequest) -> None:
    """Refuse what would have to be ignored silently."""
    if request.config.custom_extract_logic:
        raise unsupported("config.custom_extract_logic", "code of the client would run outside of the sandbox")


def unsupported(key: str, reason: str) -> HttpError:
    """Return the error that says what this door does not do."""
    return HttpError(422, "not supported by forgetest", f"{key}: {reason}")


def eval_result(request: SubmitRequest, grade: Grade, tests: TestInfo | None = None) -> EvalResult:
    """Return a grade as SandboxFusion would answer."""
    if grade.verdict is None:
        outcomes = [_not_run(grade, info) for info in tests or [{}]]
    else:
        found = grade.verdict.tests
        infos = tests if tests is not None and len(tests) == len(found) else [{"name": each.name} for each in found]
        is_compiled = grade.verdict.compiled
        outcomes = [
            _test_case(outcome, info, is_compiled=is_compiled) for outcome, info in zip(found, infos, strict=True)
        ]
    own = grade_form(grade, with_verdict=False)
    return EvalResult(
        id=request.id,
        accepted=grade.correct,
        extracted_code=grade.code or "",
        tests=outcomes,
        extracted_type=None if grade.code else "empty",
        extra={
            "forgetest": {
                "outcome": own.outcome,
                "correct": own.correct,
                "verified": own.verified,
                "score": own.score,
                "reason": own.reason,
                "integrity": own.integrity,
            }
        },
    )


def _not_run(grade: Grade, info: Mapping[str, Any]) -> EvalTestCase:
    """Return a test of a sample without a verdict. Our own failure is a SandboxError, an answer without code is not."""
    status: RunStatus = "SandboxError" if grade.outcome == "unjudged" else "Failed"
    return EvalTestCase(
        passed=False,
        exec_info=RunCodeResponse(status=status, message=grade.reason or ""),
        test_info=info,
    )


def _test_case(outcome: TestOutcome, info: Mapping[str, Any], *, is_compiled: bool) -> EvalTestCase:
    passed = outcome.status == "passed"
    result = CommandResult(
        status="TimeLimitExceeded" if outcome.timed_out else "Finished",
        execution_time=outcome.wall_ms / 1000,
        return_code=0 if passed else None if outcome.timed_out else 1,
        stdout=outcome.stdout or None,
        stderr=outcome.message,
    )
    return EvalTestCase(
        passed=passed,
        exec_info=RunCodeResponse(
            status="Success" if passed else "Failed",
            compile_result=None if is_compiled else result,
            run_result=result if is_compiled else None,
        ),
        test_info=info,
    )
