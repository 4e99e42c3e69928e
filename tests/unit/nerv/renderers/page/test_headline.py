"""The result of the tests as the page's headline: verified before recorded before claimed."""

from __future__ import annotations

from dataclasses import replace

from nerv.finding import Finding
from nerv.renderers.page.claims import unverified_html
from nerv.renderers.page.headline import Headline, headline
from nerv.rules.run_facts import RunFacts
from nerv.verification.result import ExampleResult, Mutant, SuiteResult, Verification
from page_runs import diff, facts, report, suite, suite_run


def of(found: RunFacts) -> Headline:
    return headline(report(found), found)


def test_a_verified_pass_is_the_headline_even_if_the_recorded_run_failed() -> None:
    verified = Verification(suites=(suite(a="passed", b="passed", c="skipped"),), shown=("a",), builds=True)
    found = of(facts(test_runs=(suite_run(passed=1, failed=1),), verification=verified))
    assert (found.basis, found.passed, found.title) == ("verified", True, "The tests pass")
    assert "2 of 3 passed, 1 skipped" in found.details[0]
    assert "Failed before the change and pass now" in found.details[1]


def test_a_verified_failure_is_the_headline_even_if_the_recorded_run_passed() -> None:
    broken = Verification(suites=(suite(a="failed"),), broken=("test_a", "test_b"), builds=True)
    found = of(facts(test_runs=(suite_run(passed=5),), verification=broken))
    assert (found.basis, found.passed) == ("verified", False)
    assert found.title == "The change breaks 2 tests that passed before"
    assert "test_a, test_b" in found.details[0]


def test_tampering_outranks_every_other_result() -> None:
    forged = Verification(suites=(suite(a="passed"),), broken=("test_a",), forged=True)
    found = of(facts(verification=forged))
    assert (found.passed, found.title.partition(":")[0]) == (False, "The result tampers with its tests")


def test_deleted_and_rewritten_tests_are_named() -> None:
    removed = Verification(suites=(suite(a="passed"),), removed=("test_gone",), builds=True)
    assert "deleted or are skipped by the run: 1 test (test_gone)" in of(facts(verification=removed)).details[-1]
    rewritten = Verification(suites=(suite(a="failed"),), broken=("test_a", "test_b"), rewritten=("test_a",))
    assert "Of these, the run has rewritten to pass: 1 test (test_a)" in of(facts(verification=rewritten)).details


def test_a_result_that_does_not_build_says_so_with_its_reason() -> None:
    problem = SuiteResult(
        tree="result", source="base", command="cargo test", outcomes={}, problem="it lacks a brace", broken_build=True
    )
    found = of(facts(verification=Verification(suites=(problem,), builds=False)))
    assert (found.passed, found.title) == (False, "The result does not build")
    assert "it lacks a brace" in found.details


def test_one_failing_acceptance_test_is_named() -> None:
    one = Verification(suites=(suite("acceptance", a="failed"),), failing=("a",), accepted=False)
    assert of(facts(verification=one)).title == "The acceptance tests fail"
    new = Verification(suites=(suite("changed", a="failed"),), failing=("a",))
    assert of(facts(verification=new)).title == "1 test fails"


def test_a_recorded_pass_says_that_nobody_verified_it_and_why() -> None:
    skipped = Verification(skipped="no sandbox is there; install bubblewrap.")
    found = of(facts(test_runs=(suite_run(passed=5),), verification=skipped))
    assert (found.basis, found.passed) == ("recorded", True)
    assert found.title == "The tests passed when the agent last ran them: 5 passed, 0 failed"
    assert found.details[-1] == "Not verified by nerv: no sandbox is there; install bubblewrap."


def test_a_recorded_failure_beside_a_claimed_pass_shows_both() -> None:
    runs = (suite_run(passed=3, failed=2), suite_run(passed=5, strength="claimed"))
    found = of(facts(test_runs=runs))
    assert (found.basis, found.passed) == ("recorded", False)
    assert "The agent claims that they pass." in found.details


def test_a_claim_alone_is_no_pass() -> None:
    found = of(facts(test_runs=(suite_run(passed=5, strength="claimed"),)))
    assert (found.basis, found.passed) == ("claimed", None)


def test_tests_that_could_not_be_started_are_neither_passed_nor_failed() -> None:
    found = of(facts(test_runs=(suite_run(passed=0, failed=1, ran=False),)))
    assert (found.passed, found.title) == (None, "The tests could not be run")


def test_a_session_of_prose_is_not_blamed_for_missing_tests() -> None:
    assert of(facts(changed=diff("notes.md"))).title == "Only documents were changed, which tests cannot run"


def test_no_test_run_is_unknown_and_nothing_to_grade_says_why() -> None:
    assert (of(facts()).basis, of(facts()).passed) == ("unknown", None)
    nothing = of(facts(nothing_to_grade="the session changed no file."))
    assert (nothing.title, nothing.details) == ("Nothing to grade", ("The session changed no file.",))


def test_last_words_about_passing_tests_are_a_claim_where_no_run_is_recorded() -> None:
    said = Finding(kind="false_claim", level="likely", text="The run says that the tests pass.")
    found = facts()
    claimed = headline(replace(report(found), findings=(said,)), found)
    assert (claimed.basis, claimed.passed) == ("claimed", None)


def test_examples_of_the_spec_and_changes_that_tests_notice_stand_below_a_pass() -> None:
    held = ExampleResult(item=1, call="roman(4)", expected="'IV'", got="'IV'", status="holds")
    mutants = [Mutant(path="a.py", line=2, before="<", after="<=", status="killed")] * 3
    mutants += [Mutant(path="a.py", line=3, before="1", after="2", status=status) for status in ("survived", "invalid")]
    verified = Verification(suites=(suite(a="passed"),), examples=(held,), mutants=tuple(mutants))
    found = facts(verification=verified)
    assert of(found).details[-2:] == (
        "Examples of the spec that hold: roman(4)",
        "Of 4 small changes to the new code that nerv tried, the tests notice 3",
    )
    assert "a.py:3: <code>1</code> became <code>2</code>" in unverified_html(report(found), found)


def test_a_wrong_example_of_the_spec_is_the_headline() -> None:
    wrong = ExampleResult(item=1, call="roman(4)", expected="'IV'", got="'IIII'", status="wrong")
    found = of(facts(verification=Verification(suites=(suite(a="passed"),), examples=(wrong,))))
    assert (found.passed, found.title) == (False, "The result contradicts 1 example of the spec")
    assert found.details[0] == "Example of the spec: roman(4) gives 'IIII', where the spec says 'IV'"


def test_tests_that_only_a_reader_of_the_spec_can_judge_leave_the_result_open() -> None:
    verified = Verification(suites=(suite(a="passed"),), disputed=("test_ten", "test_gap"), unseen=("rqd",))
    found = facts(verification=verified)
    shown = of(found)
    assert (shown.basis, shown.passed) == ("verified", None)
    assert shown.title == "The tests pass as the run left them; whether 2 older tests had to go is open"
    assert "Fail as they were, and were changed or replaced: 2 tests (test_ten, test_gap)" in shown.details
    unverified = unverified_html(report(found), found)
    assert "Whether the spec asks to change or replace 2 older tests (test_ten, test_gap)." in unverified
    assert "may give other values without a test noticing: rqd" in unverified
