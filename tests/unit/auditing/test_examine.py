"""What an audit concludes from verdicts: a fake grader judges by the text of the code."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jsonschema
import pytest

from audit_fakes import REFERENCE, TESTS, FakeGrader, Judge, a_case, a_set, a_verdict, notices_all
from forgetest.auditing import AuditOptions, CaseAudit, html, json_form, json_schema, sarif, terminal
from forgetest.auditing.examine import examine
from forgetest.auditing.results import Audit, changed_lines
from forgetest.auditing.rules import RULES
from forgetest.auditing.selection import only
from forgetest.errors import UserError
from forgetest.evalset import AcceptedMutant, Case, Expectations
from forgetest.grade import Grade
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants
from forgetest.verdict import Diagnostic, TestOutcome
from published import sarif_schema


def audit_of(judge: Judge, case: Case | None = None, repeat: int = 1, **options: Any) -> Audit:
    grader: Any = FakeGrader(judge, **options)
    return examine([a_set(case or a_case())], grader, AuditOptions(repeat=repeat))


def only_case(audit: Audit) -> CaseAudit:
    [case] = audit.eval_sets[0].cases
    return case


def rules(audit: Audit) -> set[str]:
    return {finding.rule for finding in only_case(audit).findings}


def test_tests_that_notice_everything_get_the_best_grade():
    audit = audit_of(notices_all)
    assert (audit.kill_rate, audit.eval_sets[0].letter, audit.errors) == (1.0, "A", 0)
    assert audit.passes(1.0)


def test_a_mutant_that_passes_survives_and_lowers_the_grade():
    audit = audit_of(lambda code: a_verdict() if "a <= b" in code else notices_all(code))
    case = only_case(audit)
    assert [mutant.mutation.after for mutant in case.mutants if mutant.status == "survived"] == ["<="]
    assert "mutant-survives" in rules(audit)
    assert not audit.passes(0.95)


def test_a_survivor_of_which_the_compiler_makes_the_same_does_not_count():
    audit = audit_of(lambda code: a_verdict() if "a <= b" in code else notices_all(code), same=True)
    assert only_case(audit).count("equivalent") == 1
    assert audit.kill_rate == 1.0


def test_a_survivor_that_the_case_accepts_does_not_count():
    accepted = AcceptedMutant(line="return a < b", becomes="return a <= b", reason="never equal")
    case = a_case(accepted_mutants=(accepted,))
    audit = audit_of(lambda code: a_verdict() if "a <= b" in code else notices_all(code), case)
    assert [mutant.reason for mutant in only_case(audit).mutants if mutant.status == "accepted"] == ["never equal"]
    assert audit.kill_rate == 1.0


def test_a_mutant_that_does_not_compile_does_not_count():
    broken = a_verdict(compiled=False, tests=(), errors=(Diagnostic(level="error", code=None, message="no"),))
    audit = audit_of(lambda code: broken if "a <= b" in code else notices_all(code))
    assert only_case(audit).count("invalid") == 1
    assert audit.kill_rate == 1.0


def test_a_mutant_that_we_failed_to_judge_is_an_error_and_no_kill():
    audit = audit_of(lambda code: None if "a <= b" in code else notices_all(code))
    assert only_case(audit).count("unjudged") == 1
    assert "not-judged" in rules(audit)


def test_a_test_that_runs_out_of_time_kills():
    late = a_verdict(tests=(TestOutcome(name="test_below", status="failed", timed_out="cpu"),))
    audit = audit_of(lambda code: late if "a <= b" in code else notices_all(code))
    assert [mutant.mutation.after for mutant in only_case(audit).mutants if mutant.timed_out] == ["<="]


def test_lints_do_not_kill():
    lint = Diagnostic(level="warning", code="E1", message="ugly")
    audit = audit_of(lambda code: a_verdict(lints=(lint,)) if "a <= b" in code else notices_all(code))
    assert only_case(audit).count("survived") == 1


@pytest.mark.parametrize(("text", "rule"), [("return None", "lazy-answer-passes"), ("os._exit(0)", "forgery-believed")])
def test_an_impostor_that_passes_is_an_error_and_limits_the_grade(text: str, rule: str):
    audit = audit_of(lambda code: a_verdict() if text in code else notices_all(code))
    assert rule in rules(audit)
    assert (audit.eval_sets[0].letter or "") >= "D"


def test_nothing_is_mutated_where_the_reference_solution_fails():
    audit = audit_of(lambda _: a_verdict(above=False))
    case = only_case(audit)
    assert rules(audit) == {"reference-fails"}
    assert case.mutants == ()
    assert audit.kill_rate is None
    assert not audit.passes(0.0)


def test_a_verdict_that_changes_is_an_error():
    assert "reference-flaky" in rules(audit_of(notices_all, disagreeing=1, repeat=2))


def test_a_verdict_that_changes_on_a_busy_machine_is_an_error():
    verdicts = iter([a_verdict(), a_verdict(above=False)])
    audit = audit_of(lambda code: next(verdicts) if code == REFERENCE else a_verdict(below=False), repeat=2)
    reference = only_case(audit).reference
    assert reference is not None
    assert (reference.correct, reference.disagreeing) == (True, 1)
    assert reference.changes[0] == "test test_above: passed, then failed"


def test_a_reference_solution_near_its_time_limit_is_named():
    assert "near-time-limit" in rules(audit_of(notices_all, a_case(timeout_secs=0.01)))


def test_a_test_that_notices_nothing_or_nothing_alone_is_noted():
    audit = audit_of(notices_all)
    assert [(test.name, test.kills > 0, test.kills_alone > 0) for test in only_case(audit).tests] == [
        ("test_below", True, True),
        ("test_above", False, False),
    ]
    assert rules(audit) == {"test-kills-nothing"}
    both = audit_of(lambda code: a_verdict() if code == REFERENCE else a_verdict(below=False, above=False))
    assert rules(both) == {"test-kills-nothing-alone"}


def test_a_case_without_reference_solution_is_only_noted():
    audit = audit_of(notices_all, a_case(reference_solution=None))
    assert rules(audit) == {"no-reference"}


def test_a_case_without_tests_is_only_noted():
    case = a_case(expectations=Expectations(should_pass_tests=False))
    assert rules(audit_of(lambda _: a_verdict(tests=()), case)) >= {"not-examined"}


def test_unknown_cases_cannot_be_selected():
    assert [case.id for case in only([a_set(a_case(), a_case(id="d"))], ["d"])[0].cases] == ["d"]
    with pytest.raises(UserError, match="there are: c"):
        only([a_set(a_case())], ["x"])


def test_the_lines_that_a_mutant_changes_are_without_indentation():
    assert changed_lines("a\n  b\nc\n", "a\n  x\n  y\nc\n") == ("b", "x\ny")


def audited() -> Audit:
    return audit_of(
        lambda code: a_verdict() if "a <= b" in code or "return None" in code else notices_all(code),
        a_case(id="<script>alert(1)</script>"),
    )


def test_the_json_form_follows_its_schema():
    encoded = json.loads(json.dumps(json_form.encode(audited())))
    jsonschema.Draft202012Validator.check_schema(json_schema.schema())
    jsonschema.validate(encoded, json_schema.schema())
    jsonschema.validate(json_form.encode(audit_of(notices_all, a_case(reference_solution=None))), json_schema.schema())
    mutants = encoded["eval_sets"][0]["cases"][0]["mutants"]
    diff = next(each["diff"] for each in mutants if each["after"] == "<=")
    assert "-    return a < b\n+    return a <= b" in diff


def test_sarif_is_valid_by_the_published_schema_and_has_every_rule():
    log = sarif.encode(audited())
    jsonschema.validate(log, sarif_schema())
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == list(RULES)
    assert {result["level"] for result in log["runs"][0]["results"]} >= {"error", "warning"}


def test_the_page_escapes_what_others_wrote_and_shows_survivors_as_diffs():
    stream = io.StringIO()
    html.write(audited(), stream)
    page = stream.getvalue()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert '<span class="added">+    return a &lt;= b</span>' in page


def test_the_page_has_accepted_mutants_with_their_reasons():
    accepted = AcceptedMutant(line="return a < b", becomes="return a <= b", reason="never equal")
    case = a_case(accepted_mutants=(accepted,))
    stream = io.StringIO()
    html.write(audit_of(lambda code: a_verdict() if "a <= b" in code else notices_all(code), case), stream)
    assert "1 mutant accepted by the case" in stream.getvalue()
    assert "Accepted because: never equal" in stream.getvalue()


def test_the_terminal_shows_a_row_per_case_the_findings_and_the_grade():
    text = terminal.summary(audited())
    assert "grade D: " in text
    assert "error: " in text
    assert "`<` → `<=`" in text
    assert terminal.rate_text(0.99999) == "99.9%"


def test_a_forgery_that_contains_a_lazy_answer_which_passes_says_nothing_more():
    case = a_case(
        id="r",
        language="rust",
        reference_solution="pub fn f(a: u32) -> u32 { a * 2 }",
        expectations=Expectations(test_file="#[test]\nfn t() { assert_eq!(f(0), 0); }"),
    )
    audit = audit_of(lambda code: a_verdict() if "{ 0 }" in code or "a * 2" in code else a_verdict(below=False), case)
    assert "lazy-answer-passes" in rules(audit)
    assert "forgery-believed" not in rules(audit)


class ProbingJudge:
    """Judges as a real toolchain would: the mutant differs for equal arguments, which only a suggested test tries."""

    def __init__(self, *, differs: bool = True, builds: bool = True) -> None:
        self.differs, self.builds = differs, builds
        self.case: Case | None = None

    def grade_many(self, answers: Iterable[tuple[str, Case]], **options: Any) -> list[Grade]:
        grades = []
        for code, case in answers:
            tests = case.expectations.test_file or ""
            judge: Judge = notices_all
            if "test_probe" in tests:
                message = "forgetest-differs 0 False"
                failing = TestOutcome(name="test_probe", status="failed", message=message)
                differing = a_verdict(tests=(failing,)) if self.differs else a_verdict()
                judge = lambda code, differing=differing: differing if "<=" in code else a_verdict()  # noqa: E731
                if not self.builds:
                    judge = lambda _: a_verdict(compiled=False)  # noqa: E731
            elif "<=" in code and "tells_mutants_apart" not in tests:
                judge = lambda _: a_verdict()  # noqa: E731
            grades += FakeGrader(judge).grade_many([(code, case)], **options)
        return grades

    def screen(self, asked: Sequence[tuple[Case, Sequence[Mutation]]]) -> Iterator[tuple[int, ScreenedMutants]]:
        return FakeGrader(notices_all).screen(asked)

    def fingerprints(self, samples: Sequence[tuple[str, Case]]) -> list[frozenset[str]]:
        return [frozenset({code}) for code, _ in samples]


def test_runs_of_the_tests_alone_count_as_repeats():
    reference = only_case(audit_of(notices_all, repeat=100, disagreeing=1)).reference
    assert reference is not None
    assert reference.judged == 100
    assert reference.disagreeing == 2
    assert "test_above: passed, then failed" in reference.changes


def test_a_test_that_was_judged_is_suggested_for_a_survivor():
    grader: Any = ProbingJudge()
    case = only_case(examine([a_set(a_case())], grader, AuditOptions(repeat=1, suggest=True)))
    [suggestion] = case.suggestions
    assert suggestion.test.startswith("def test_f_tells_mutants_apart_1():\n    assert f(")
    assert (case.suggested_test_file or "").startswith(TESTS)
    [survivor] = [mutant for mutant in case.mutants if mutant.status == "survived"]
    assert case.suggestion_for(survivor) is suggestion
    assert not case.is_probably_equivalent(survivor)


def test_a_survivor_that_no_input_tells_apart_is_probably_equivalent():
    grader: Any = ProbingJudge(differs=False)
    audit = examine([a_set(a_case())], grader, AuditOptions(repeat=1, suggest=True))
    case = only_case(audit)
    [survivor] = [mutant for mutant in case.mutants if mutant.status == "survived"]
    assert case.suggestions == ()
    assert case.is_probably_equivalent(survivor)
    assert "probably equivalent: alike for" in terminal.summary(audit)
    jsonschema.validate(json_form.encode(audit), json_schema.schema())


def test_no_survivor_is_called_equivalent_where_no_input_could_be_tried():
    grader: Any = ProbingJudge(builds=False)
    case = only_case(examine([a_set(a_case())], grader, AuditOptions(repeat=1, suggest=True)))
    [survivor] = [mutant for mutant in case.mutants if mutant.status == "survived"]
    assert case.inputs_tried == 0
    assert not case.is_probably_equivalent(survivor)
