"""Findings: what an audit of a case has to say, each with its rule, level and line."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.auditing.results import AuditFinding, CaseAudit
from forgetest.auditing.rules import RULES
from forgetest.auditing.source_lines import CaseLines
from forgetest.auditing.subjects import Subject
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.toolchains.auditing import Auditing

_NEAR_TIME_LIMIT = 0.25
"""On a machine a few times slower, or a loaded one, such a reference solution fails."""


_TEST_RULES = {
    "no_assertion": "test-without-assertion",
    "never_runs": "test-never-runs",
    "duplicate": "duplicate-test",
}


def of_case(subject: Subject, audit: CaseAudit) -> Iterator[AuditFinding]:
    """Yield the findings of a case, the gravest kinds first."""
    case, lines, language = subject.case, subject.lines, subject.language
    if subject.grade is None:
        yield _finding("no-reference", "it has no reference solution", lines.case)
        yield from _of_recorded(lines, audit)
        return
    yield from _of_reference(case, lines, subject.grade, audit)
    yield from _of_impostors(lines, audit)
    yield from _of_coverage(case, lines, audit)
    yield from _of_mutants(lines, audit)
    yield from _of_recorded(lines, audit)
    if language is None:
        yield _finding("not-examined", f"{case.language} has no operators for mutants", lines.case)
    else:
        yield from _of_tests(case, lines, language)
        for what in language.untold(case):
            yield _finding("untold-requirement", f"tests need {what}, which the prompt does not tell", lines.case)
    if not (case.expectations.should_compile and case.expectations.should_pass_tests):
        yield _finding("not-examined", "it asks for no tests, so there is nothing that mutants could show", lines.case)
    yield from _of_contributions(lines, audit)


def _finding(rule: str, message: str, line: int) -> AuditFinding:
    return AuditFinding(rule=rule, level=RULES[rule].level, message=message, line=line)


def _of_reference(case: Case, lines: CaseLines, grade: Grade, audit: CaseAudit) -> Iterator[AuditFinding]:
    reference, verdict = audit.reference, grade.verdict
    assert reference is not None
    if verdict is None:
        yield _finding("not-judged", f"the reference solution could not be judged: {grade.reason}", lines.reference)
        return
    if not grade.correct:
        yield _finding("reference-fails", f"the reference solution is not correct: {grade.reason}", lines.reference)
        for test in (test for test in verdict.tests if test.status == "failed"):
            first = next(iter(test.message.strip().splitlines()), "")
            yield _finding("reference-fails", f"{test.name} fails for the reference solution: {first}", lines.tests)
    if reference.disagreeing:
        changes = "; ".join(reference.changes)
        message = f"{reference.disagreeing} of {reference.judged} verdicts on the reference solution differ: {changes}"
        yield _finding("reference-flaky", message, lines.reference)
    for lint in verdict.lints:
        yield _finding("reference-lints", f"{lint.code}: {lint.message}", lines.reference)
    shares = (reference.share_of_time_limit or 0.0, reference.share_on_busy_machine or 0.0)
    if max(shares) >= _NEAR_TIME_LIMIT:
        busy = " on a busy machine" if shares[1] > shares[0] else ""
        message = f"the slowest test takes {max(shares):.0%} of the time limit of {case.timeout_secs:g} s{busy}"
        yield _finding("near-time-limit", message, lines.case)


def _of_impostors(lines: CaseLines, audit: CaseAudit) -> Iterator[AuditFinding]:
    for result in audit.impostors:
        if result.status == "believed":
            is_lazy = result.impostor.kind == "lazy"
            proved = ", and counts as verified" if result.verified else ""
            message = f"{'a lazy answer' if is_lazy else 'a forgery'} passes{proved}: {result.impostor.name}"
            yield _finding("lazy-answer-passes" if is_lazy else "forgery-believed", message, lines.tests)
    unjudged = audit.count("unjudged") + sum(result.status == "unjudged" for result in audit.impostors)
    if unjudged:
        yield _finding("not-judged", f"{unjudged} samples could not be judged", lines.case)


def _of_mutants(lines: CaseLines, audit: CaseAudit) -> Iterator[AuditFinding]:
    for result in audit.mutants:
        if result.status == "survived":
            change = result.mutation
            message = f"no test notices ({change.operator}, line {change.line}): `{change.before}` → `{change.after}`"
            yield _finding("mutant-survives", message, lines.tests)


def _of_coverage(case: Case, lines: CaseLines, audit: CaseAudit) -> Iterator[AuditFinding]:
    texts = (case.reference_solution or "").splitlines()
    for missed in audit.coverage.unreached if audit.coverage is not None else ():
        place = lines.of_reference(missed.line, texts[missed.line - 1])
        if missed.kind == "branch":
            message = f"no test goes past line {missed.line}: `{missed.text}`"
        elif missed.last_line > missed.line:
            message = f"no test reaches lines {missed.line} to {missed.last_line}: `{missed.text}` …"
        else:
            message = f"no test reaches line {missed.line}: `{missed.text}`"
        yield _finding("unreached-code", message, place)
    if audit.coverage is not None and audit.coverage.unknown:
        message = f"{audit.coverage.unknown} regions of the reference solution could not be measured"
        yield _finding("unmeasured-code", message, lines.reference)


def _of_recorded(lines: CaseLines, audit: CaseAudit) -> Iterator[AuditFinding]:
    recorded = audit.recorded
    if recorded is None:
        return
    if recorded.measures_nothing:
        judged = recorded.answers - recorded.unjudged
        which = f"all {judged}" if recorded.passing else f"none of {judged}"
        yield _finding("measures-nothing", f"{which} recorded answers pass", lines.case)
    for pair in recorded.pairs:
        message = (
            f"{pair.first} and {pair.second} pass every test, but differ for `{pair.call}`: "
            f"`{pair.first_result}` and `{pair.second_result}`"
        )
        yield _finding("answers-differ", message, lines.tests)


def _of_tests(case: Case, lines: CaseLines, language: Auditing) -> Iterator[AuditFinding]:
    texts = (case.expectations.test_file or "").splitlines()
    for remark in language.inspect_tests(case):
        line = lines.of_test(remark.line, texts[remark.line - 1]) if remark.line <= len(texts) else lines.tests
        yield _finding(_TEST_RULES[remark.problem], f"{remark.test}: {remark.detail}", line)


def _of_contributions(lines: CaseLines, audit: CaseAudit) -> Iterator[AuditFinding]:
    for test in audit.tests:
        if not test.kills:
            yield _finding("test-kills-nothing", f"{test.name} notices no mutant", lines.tests)
        elif not test.kills_alone and len(audit.tests) > 1:
            message = f"other tests notice every mutant that {test.name} does"
            yield _finding("test-kills-nothing-alone", message, lines.tests)
