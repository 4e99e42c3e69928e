"""Our own test run outranks what is recorded, and that outranks what is claimed."""

from __future__ import annotations

from finding_runs import a_run
from nerv.evidence import FileEdits
from nerv.inspection import inspect
from nerv.rules.implementation import criteria
from nerv.rules.run_facts import RunFacts
from nerv.rules.tests_criterion import score_tests
from nerv.verification.result import ExampleResult, Mutant, Verification
from page_runs import diff, facts, moment, suite, suite_run

PASSED = Verification(suites=(suite(a="passed", b="passed"),))
BROKEN = Verification(suites=(suite(a="passed", b="failed"),), broken=("b",))
CHANGED = {
    "changed": diff("roman.py"),
    "edits": (FileEdits(path="roman.py", count=1, first=moment(5), moments=(moment(5),)),),
}
RECORDED_PASS, RECORDED_FAILURE = suite_run(passed=3), suite_run(passed=2, failed=1)


def statuses(found):
    return {one.status for one in found.requirements.each}


def test_a_recorded_pass_counts_for_nothing_if_our_run_fails():
    recorded = facts(**CHANGED, test_runs=(RECORDED_PASS,))
    refuted = facts(**CHANGED, test_runs=(RECORDED_PASS,), verification=BROKEN)
    assert (statuses(recorded), statuses(refuted)) == ({"checked"}, {"claimed"})
    assert refuted.requirements.completed == 0
    assert score_tests(refuted).score < score_tests(recorded).score
    assert score_tests(refuted).certainty == "verified"


def test_a_recorded_failure_counts_for_nothing_if_our_run_passes():
    found = facts(**CHANGED, test_runs=(RECORDED_FAILURE,), verification=PASSED)
    assert statuses(found) == {"checked"}
    assert score_tests(found).score > score_tests(facts(**CHANGED, test_runs=(RECORDED_FAILURE,))).score


def test_a_verification_that_found_nothing_out_leaves_the_record_alone():
    skipped = Verification(skipped="there is no repository")
    given = {**CHANGED, "test_runs": (RECORDED_PASS,)}
    assert score_tests(facts(**given, verification=skipped)) == score_tests(facts(**given))


def test_passing_acceptance_tests_verify_everything_that_has_any_evidence():
    accepted = Verification(suites=(suite("acceptance", a="passed"),), accepted=True)
    assert statuses(facts(**CHANGED, verification=accepted)) == {"verified"}
    assert statuses(facts(verification=accepted)) == {"open"}


def test_a_pass_is_worth_less_while_nobody_knows_whether_old_tests_had_to_go():
    disputed = Verification(suites=PASSED.suites, disputed=("test_old",))
    found = facts(**CHANGED, verification=disputed)
    assert statuses(found) == {"checked"}
    doubtful, passed = score_tests(found), score_tests(facts(**CHANGED, verification=PASSED))
    assert (doubtful.certainty, doubtful.score < passed.score) == ("verified", True)
    assert "whether 1 older one had to be changed or replaced is not known" in doubtful.reason
    accepted = Verification(suites=(suite("acceptance", a="passed"),), accepted=True, disputed=("test_old",))
    assert (accepted.verified, facts(**CHANGED, verification=accepted).tests.disputed) == (True, 0)


def test_our_run_counts_each_test_once_and_a_failed_build_as_no_pass():
    twice = Verification(suites=(suite(a="passed", b="failed"), suite(a="passed", b="passed")), broken=("b",))
    assert facts(**CHANGED, verification=twice).tests.pass_rate == 0.5
    unbuilt = Verification(suites=(suite(a="passed"),), builds=False)
    assert facts(**CHANGED, verification=unbuilt).tests.pass_rate == 0


def test_new_tests_that_pass_without_the_change_prove_nothing_about_it():
    assert facts(verification=Verification(suites=PASSED.suites, idle=("a",))).tests.proves_change is False
    assert facts(verification=Verification(suites=PASSED.suites, idle=("a",), shown=("b",))).tests.proves_change
    assert facts(verification=PASSED).tests.proves_change


def _mutants(*, killed: int, survived: int):
    statuses = ["killed"] * killed + ["survived"] * survived
    return tuple(Mutant(path="roman.py", line=1, before="1", after="2", status=status) for status in statuses)


def _tested(killed: int, survived: int):
    mutants = _mutants(killed=killed, survived=survived)
    return facts(**CHANGED, verification=Verification(suites=PASSED.suites, shown=("a",), mutants=mutants))


def test_tests_that_miss_most_changes_to_the_code_do_not_show_that_it_works():
    strong, weak = _tested(4, 6), _tested(3, 7)
    assert (statuses(strong), statuses(weak)) == ({"checked"}, {"shown"})
    assert (strong.shown_to_work, weak.shown_to_work) == (True, None)
    assert score_tests(weak).score < score_tests(strong).score
    assert "notice 30% of small changes" in score_tests(weak).reason


def test_a_few_changes_say_nothing_about_the_tests():
    assert _tested(0, 3).tests.noticed_share is None
    assert _tested(0, 3).shown_to_work is True


def _with_example(status, **given):
    example = ExampleResult(item=1, call="roman(4)", expected="'IV'", got="'IV'", status=status)
    return facts(**given, verification=Verification(suites=PASSED.suites, examples=(example,)))


def test_an_example_of_the_spec_decides_about_its_item():
    assert statuses(_with_example("holds")) == {"checked"}
    assert statuses(_with_example("unknown")) == {"open"}
    wrong = _with_example("wrong", **CHANGED)
    assert statuses(wrong) == {"contradicted"}
    assert wrong.shown_to_work is False
    assert "contradicts an example of the spec (roman(4) gives" in score_tests(wrong).reason


def test_a_function_of_the_spec_that_no_test_needs_limits_what_counts_for_delivered_work():
    unheld = Verification(suites=PASSED.suites, shown=("a",), unheld=("to_roman",))
    held = Verification(suites=PASSED.suites, shown=("a",))
    found = facts(**CHANGED, verification=unheld)
    assert found.incomplete_at_most == 6 < facts(**CHANGED, verification=held).incomplete_at_most
    assert found.why_incomplete == "no test notices if `to_roman` fails"


SHOWN = Verification(suites=PASSED.suites, shown=("a",))
SPEC = """# Invoices
- [ ] Amounts are aligned to the right, with two decimals
- [ ] An empty invoice says that it has no positions
- [ ] Refunds stand in parentheses, in a colour of their own
"""
BEFORE = {"invoice.py": "def text(rows):\n    return str(rows)\n", "tests/golden/a.txt": "12\n"}
AFTER = {
    "invoice.py": "def text(rows):\n    amounts = [f'{row:>9.2f}' for row in rows]  # two decimals\n"
    "    return '\\n'.join(amounts) or 'no positions'\n",
    "tests/golden/a.txt": "    12.00\n",
}


def judged(verification, spec=SPEC, after=AFTER):
    run = a_run(BEFORE, after, spec=spec)
    return RunFacts.derive(run, inspect(run.changes.written), verification)


def test_an_item_that_the_changes_touch_on_is_checked_if_our_own_runs_show_the_change():
    found, unshown = judged(SHOWN), judged(PASSED)
    assert [one.status for one in found.requirements.each] == ["checked", "checked", "open"]
    assert unshown.requirements.met < found.requirements.met


def test_words_that_match_no_item_tell_nothing_of_a_run_whose_change_is_shown():
    german = "# Rechnungen\n- [ ] Betraege stehen rechts\n- [ ] Eine leere Rechnung sagt es\n"
    assert statuses(judged(SHOWN, german)) == {"checked"}
    assert statuses(judged(PASSED, german)) == {"open"}


def test_tests_that_match_no_item_by_words_are_tests_all_the_same_if_they_show_the_change():
    assert score_tests(judged(SHOWN)).score == 7
    assert score_tests(judged(PASSED)).score < 7
    assert judged(SHOWN).incomplete_at_most == 10


def test_a_name_in_passing_is_not_missing_from_a_run_whose_change_is_shown():
    passing = "# Invoices\n- [ ] Amounts have two decimals, unlike those of `old_tool`\n"
    asked = "# Invoices\n- [ ] Amounts have two decimals\n- [ ] The function `write_pdf` writes them\n"
    assert not judged(SHOWN, passing).requirements.absent
    assert judged(PASSED, passing).requirements.absent
    assert judged(SHOWN, asked).incomplete_at_most == 4  # half of the spec


def test_a_name_of_the_spec_need_not_be_defined_where_the_change_is_shown_and_the_code_has_it():
    spec = "# Invoices\n- [ ] `totals()` gives the two decimals\n"
    after = {**AFTER, "invoice.py": AFTER["invoice.py"] + "globals()['totals'] = text\n"}
    defined = "the code defines 1 of 1 names"
    assert defined in criteria(judged(SHOWN, spec, after))[0].reason
    assert defined not in criteria(judged(PASSED, spec, after))[0].reason


def test_a_sentence_of_prose_that_nothing_touches_on_is_not_open_beside_a_change_that_is_shown():
    prose = "Amounts have two decimals, please. An empty invoice has no positions. My aunt will be delighted."
    assert [one.status for one in judged(SHOWN, prose).requirements.each] == ["checked", "checked", "shown"]
    assert judged(PASSED, prose).requirements.each[2].status == "open"


def test_cases_that_no_test_tries_cost_points_where_our_runs_show_the_change():
    spec = "- [ ] `price(count)` is twice the count; a negative count raises ValueError, an unknown article KeyError\n"
    code = {"shop.py": "def price(count):\n    if count < 0:\n        raise ValueError(count)\n    return count * 2\n"}
    few = "from shop import price\n\n\ndef test_price_is_twice_the_count():\n    assert price(3) == 6\n"
    more = few + (
        "\n\ndef test_a_negative_count():\n    with pytest.raises(ValueError):\n        price(-1)\n"
        "\n\ndef test_an_unknown_article():\n    with pytest.raises(KeyError):\n        price('unknown')\n"
    )
    shown = Verification(suites=(suite(a="passed"),), shown=("a",))

    def tests_score(tests: str) -> int | None:
        run = a_run({}, {**code, "tests/test_shop.py": tests}, spec=spec)
        return score_tests(RunFacts.derive(run, inspect(run.changes.written), shown)).score

    assert (tests_score(few) or 0) < (tests_score(more) or 0)
