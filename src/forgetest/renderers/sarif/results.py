"""A sample → SARIF results: rule, location, and a fingerprint that stays the same in the next run."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from forgetest.language import Language, find
from forgetest.renderers import verdict_text
from forgetest.sample import Sample
from forgetest.verdict import Diagnostic, Span, Verdict

_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")
_MESSAGE_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SarifRule:
    """A kind of problem."""

    id: str
    title: str
    description: str
    tag: str
    level: Literal["error", "warning"] = "error"
    help_uri: str | None = None


class Result(NamedTuple):
    """One problem; the body is a SARIF result without its rule."""

    rule: SarifRule
    body: dict[str, Any]


COMPILE_ERROR = SarifRule(
    id="compile-error",
    title="The code does not compile",
    description="The compiler rejects the sample. It scores 0.",
    tag="compilation",
)
TEST_FAILURE = SarifRule(
    id="test-failure",
    title="A test fails",
    description="An expected test of the case is not proved to have passed.",
    tag="tests",
)
NO_CODE = SarifRule(
    id="no-code",
    title="There is no code",
    description="The model refused, was cut off, or answered without code. The sample scores 0.",
    tag="completion",
)

NOT_CORRECT = SarifRule(
    id="not-correct",
    title="The sample is not correct",
    description="The sample does not do what the case asks.",
    tag="correctness",
)


def plain_text(text: str) -> str:
    """Return text in which viewers find no link: `[text](target)` is one even in plain messages of SARIF."""
    return _LINK.sub(r"\\[", text)


def results_of(sample: Sample, path: str, language: str) -> Iterator[Result]:
    """Yield the problems of a judged sample; none for an unjudged one."""
    if sample.outcome == "unjudged":
        return
    builder = _ResultBuilder(sample, path)
    verdict = sample.verdict
    if verdict is None:
        yield builder.result(NO_CODE, sample.reason or "no code", None)
        return
    if not sample.correct:
        wrong = list(_wrong(builder, verdict))
        forbidden = any(finding.forbids for finding in verdict.integrity)
        if not wrong and not forbidden:
            wrong = [builder.result(NOT_CORRECT, sample.reason or "no reason given", None)]
        yield from wrong
    for finding in verdict.integrity:
        yield builder.result(_integrity(finding.kind, forbids=finding.forbids), finding.detail, None)
    for lint in verdict.lints:
        yield builder.result(_lint(lint, find(language)), verdict_text.remark(lint), lint)


def _wrong(builder: _ResultBuilder, verdict: Verdict) -> Iterator[Result]:
    for error in verdict.errors if not verdict.compiled else ():
        yield builder.result(COMPILE_ERROR, verdict_text.remark(error), error)
    for test in verdict_text.failed_tests(verdict):
        yield builder.result(TEST_FAILURE, verdict_text.failure(test), None)
    for condition in verdict.conditions:
        if not condition.holds:
            yield builder.result(_condition_rule(condition.name), f"{condition.name}: {condition.detail}", None)


def _condition_rule(name: str) -> SarifRule:
    return SarifRule(
        id=f"condition/{name.split(':')[0].strip()}",
        title="Not as the case asks",
        description="The case asks for more than tests: items that must be defined, a limit on warnings, a check.",
        tag="condition",
    )


def _integrity(kind: str, *, forbids: bool) -> SarifRule:
    return SarifRule(
        id=f"integrity/{kind}",
        title=f"Integrity: {kind}",
        description="Something in the sample, or in what it did, bears on whether its verdict can be trusted.",
        tag="integrity",
        level="error" if forbids else "warning",
    )


def _lint(lint: Diagnostic, language: Language) -> SarifRule:
    name = lint.code or "lint"
    return SarifRule(
        id=name,
        title=f"Lint: {name}",
        description=f"The linter warns: {name}. Each warning costs a point of the hundred, up to ten.",
        tag="lint",
        level="warning",
        help_uri=language.lint_url(name),
    )


class _ResultBuilder:
    """Builds the results of one sample; counts identical ones, so that each has its own fingerprint."""

    def __init__(self, sample: Sample, path: str) -> None:
        self._sample = sample
        self._path = path
        self._lines = (sample.code or "").split("\n")
        self._alike: Counter[str] = Counter()

    def result(self, rule: SarifRule, text: str, diagnostic: Diagnostic | None) -> Result:
        attempt = self._sample.attempt
        who = f"{attempt.eval_set_id}/{attempt.case_id}, {attempt.model_name}, attempt {attempt.attempt}"
        region = self._region(diagnostic.spans[0]) if diagnostic and diagnostic.spans else {"startLine": 1}
        # the text of the line, not its number: code added above does not make it a new alert
        line = self._lines[region["startLine"] - 1].strip() if diagnostic else text.split(":")[0]
        mark = hashlib.sha256("\0".join([*map(str, attempt), rule.id, line]).encode()).hexdigest()[:16]
        self._alike[mark] += 1
        return Result(
            rule,
            {
                "level": rule.level,
                "message": {"text": plain_text(f"{who}: {text}"[:_MESSAGE_CHARACTERS])},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": self._path}, "region": region}},
                ],
                # the name that GitHub expects
                "partialFingerprints": {"primaryLocationLineHash": f"{mark}:{self._alike[mark]}"},
            },
        )

    def _region(self, span: Span) -> dict[str, int]:
        last = len(self._lines)
        if not 1 <= span.line_start <= last:
            # an unclosed delimiter is reported past the end, where there is no line to point at
            return {"startLine": max(1, min(span.line_start, last))}
        region = {"startLine": span.line_start, "startColumn": max(1, span.column_start)}
        if span.line_start <= span.line_end <= last:
            region["endLine"] = span.line_end
            if span.line_end > span.line_start or span.column_end > span.column_start:
                region["endColumn"] = max(1, span.column_end)
        return region
