"""Findings: what an audit of a case has to say, each with its rule, level and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from forgetest.auditing.results import AuditFinding, CaseAudit, Level
from forgetest.auditing.source_lines import CaseLines
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.toolchains.auditing import Auditing

_NEAR_TIME_LIMIT = 0.25
"""On a machine a few times slower, or a loaded one, such a reference solution fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRule:
    """A kind of finding."""

    level: Level
    title: str
    advice: str


RULES: Mapping[str, AuditRule] = {
    "reference-fails": AuditRule(
        level="error",
        title="The reference solution is not correct",
        advice="Correct the reference solution or the tests; nothing else about this case can be known before.",
    ),
    "reference-flaky": AuditRule(
        level="error",
        title="The reference solution gets different verdicts",
        advice="Remove what differs from run to run: time, random numbers, the order of sets, threads.",
    ),
    "forgery-believed": AuditRule(
        level="error",
        title="A forgery is believed",
        advice="A sample can pass without an answer. Compare values of types that the sample does not define.",
    ),
    "lazy-answer-passes": AuditRule(
        level="error",
        title="An answer that does no work passes",
        advice="Add tests with inputs for which the right result is another one.",
    ),
    "not-judged": AuditRule(
        level="error",
        title="A sample of the audit could not be judged",
        advice="Our own machinery failed, or the machine is out of memory; `forgetest doctor` shows what is missing.",
    ),
    "mutant-survives": AuditRule(
        level="warning",
        title="The tests do not notice a change of the reference solution",
        advice="Add a test whose result differs, or list the mutant as accepted_mutants with the reason.",
    ),
    "test-without-assertion": AuditRule(
        level="warning", title="A test asserts nothing", advice="Compare the result with what is expected."
    ),
    "test-never-runs": AuditRule(
        level="warning", title="A test never runs", advice="Give it the name or attribute of a test, or remove it."
    ),
    "untold-requirement": AuditRule(
        level="warning",
        title="Tests need what the prompt does not tell",
        advice="Tell it in the prompt: no answer can guess it.",
    ),
    "reference-lints": AuditRule(
        level="warning", title="The reference solution has lint warnings", advice="Follow them."
    ),
    "near-time-limit": AuditRule(
        level="warning",
        title="The reference solution is near its time limit",
        advice="Raise timeout_secs, or test with smaller inputs.",
    ),
    "duplicate-test": AuditRule(level="warning", title="A test is written twice", advice="Remove one of them."),
    "test-kills-nothing": AuditRule(
        level="note", title="A test notices no mutant", advice="It may be too easy, or test what no mutant changes."
    ),
    "test-kills-nothing-alone": AuditRule(
        level="note", title="Other tests notice every mutant that this one does", advice="Nothing needs to be done."
    ),
    "no-reference": AuditRule(
        level="note", title="No reference solution", advice="Add reference_solution; the case was not examined."
    ),
    "not-examined": AuditRule(level="note", title="The case was not examined", advice="Nothing needs to be done."),
}
"""Every kind of finding, by its id."""

_TEST_RULES = {
    "no_assertion": "test-without-assertion",
    "never_runs": "test-never-runs",
    "duplicate": "duplicate-test",
}


def of_case(
    case: Case, lines: CaseLines, language: Auditing | None, grade: Grade | None, audit: CaseAudit
) -> Iterator[AuditFinding]:
    """Yield the findings of a case, the gravest kinds first."""
    if grade is None or audit.reference is None:
        yield _finding("no-reference", "it has no reference solution", lines.case)
        return
    yield from _of_reference(case, lines, grade, audit)
    yield from _of_impostors(lines, audit)
    yield from _of_mutants(lines, audit)
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
        changes = "; ".join(grade.recheck.changes) if grade.recheck is not None else ""
        message = f"{reference.disagreeing} of {reference.judged} verdicts on the reference solution differ: {changes}"
        yield _finding("reference-flaky", message, lines.reference)
    for lint in verdict.lints:
        yield _finding("reference-lints", f"{lint.code}: {lint.message}", lines.reference)
    share = reference.share_of_time_limit
    if share is not None and share >= _NEAR_TIME_LIMIT:
        message = f"the slowest test takes {share:.0%} of the time limit of {case.timeout_secs:g} s"
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
