"""Rules: every kind of finding that an audit can have, with its level and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from forgetest.auditing.results import Level


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
    "unreached-code": AuditRule(
        level="warning",
        title="No test reaches some code of the reference solution",
        advice="Add a test with an input that leads there, or remove code that no input reaches.",
    ),
    "measures-nothing": AuditRule(
        level="warning",
        title="All recorded answers pass, or none does",
        advice="It tells no model from another. Make it harder or easier, or see whether its tests are right.",
    ),
    "answers-differ": AuditRule(
        level="warning",
        title="Recorded answers that pass every test return different results",
        advice="One of them is wrong, and a test is missing; or the prompt leaves this input open, and should say so.",
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
    "unmeasured-code": AuditRule(
        level="note",
        title="Some code of the reference solution could not be measured",
        advice="A program that ends there does not compile; nothing needs to be done.",
    ),
    "no-reference": AuditRule(
        level="note", title="No reference solution", advice="Add reference_solution; the case was not examined."
    ),
    "not-examined": AuditRule(level="note", title="The case was not examined", advice="Nothing needs to be done."),
}
"""Every kind of finding, by its id."""
