"""Recorded answers: cases that measure nothing, and answers that tests do not tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from audit_fakes import REFERENCE, FakeGrader, a_case, a_set, a_verdict, notices_all
from forgetest.auditing import AuditOptions, CaseAudit
from forgetest.auditing.examine import examine
from forgetest.auditing.recorded import read
from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.sample import Attempt, Completion
from forgetest.verdict import TestOutcome

LESS, MORE, WRONG = "def f(a, b): return a < b", "def f(a, b): return a <= b", "f = None"


class Grader(FakeGrader):
    """Tests do not notice `<=`; the probe does."""

    def __init__(self) -> None:
        super().__init__(lambda code: a_verdict() if code in (LESS, MORE) else notices_all(code))

    def grade_many(self, answers: Iterable[tuple[str, Case]], **options: Any) -> list[Grade]:
        differs = TestOutcome(
            name="test_probe", status="failed", message="forgetest-differs 0 False forgetest-instead True"
        )
        return [
            FakeGrader(lambda _: a_verdict(tests=(differs,))).grade_many([(code, case)], **options)[0]
            if "test_probe" in (case.expectations.test_file or "") and code == MORE
            else super(Grader, self).grade_many([(code, case)], **options)[0]
            for code, case in answers
        ]


def audited(*codes: str, case: Case | None = None) -> CaseAudit:
    answers = {
        Attempt("s", "c", "p", "m", number): Completion(text=code, verbatim=True)
        for number, code in enumerate(codes, start=1)
    }
    grader: Any = Grader()
    return examine([a_set(case or a_case())], grader, AuditOptions(repeat=1), answers=answers).eval_sets[0].cases[0]


def messages(case: CaseAudit, rule: str) -> list[str]:
    return [finding.message for finding in case.findings if finding.rule == rule]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ((LESS, REFERENCE), ["all 2 recorded answers pass"]),
        ((WRONG, "f = 2"), ["none of 2 recorded answers pass"]),
        ((LESS, WRONG), []),
        ((LESS,), []),
    ],
)
def test_a_case_that_all_or_no_answers_pass_measures_nothing(codes: tuple[str, ...], expected: list[str]):
    assert messages(audited(*codes), "measures-nothing") == expected


def test_answers_that_pass_every_test_but_differ_are_shown_with_the_input():
    [message] = messages(audited(LESS, MORE, MORE, WRONG), "answers-differ")
    assert message.startswith("p/m #1 and p/m #2 pass every test, but differ for `f(")
    assert message.endswith("`: `False` and `True`")


def test_without_reference_solution_answers_are_compared_with_the_first():
    case = audited(LESS, MORE, case=a_case(reference_solution=None))
    assert len(messages(case, "answers-differ")) == 1


def test_an_answer_without_code_does_not_pass():
    answers = {Attempt("s", "c", "p", "m", 1): Completion(text="I cannot do that.")}
    grader: Any = Grader()
    case = examine([a_set(a_case())], grader, AuditOptions(repeat=1), answers=answers).eval_sets[0].cases[0]
    assert case.recorded is not None
    assert case.recorded.passing == ()


def test_samples_for_other_cases_are_a_mistake(tmp_path: Path):
    file = tmp_path / "samples.jsonl"
    file.write_text('{"case_id": "c", "code": "f = 1"}\n')
    sets = [a_set(a_case(), a_case(id="d"))]
    assert [attempt.case_id for attempt in read(file, sets)] == ["c"]
    with pytest.raises(UserError, match="no sample is for a case that is to be examined"):
        read(file, sets, [a_set(a_case(id="d"))])
