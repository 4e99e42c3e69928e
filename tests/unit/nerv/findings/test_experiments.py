"""Our own runs decide what text only suggests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from finding_runs import a_run, kinds, our_run
from nerv.evidence import Evidence, TestSuiteRun
from nerv.location import Location, Moment
from nerv.verification.result import ExampleResult, Mutant, SuiteResult, Verification

CODE = {"shop.py": "def price(count):\n    return count * 3\n\n\ndef undo(stack):\n    return stack.pop()\n"}
OLD = {"tests/test_shop.py": "from shop import price\n\n\ndef test_one():\n    assert price(1) == 3\n"}
EARLIER = {"shop.py": "def price(count):\n    return count\n"}


def on_both(*names: str, **more: Any) -> Verification:
    """Return a verification in which these tests of the base pass on the base and on the result."""
    given = our_run(passing=names, **more)
    return replace(given, suites=(replace(given.suites[0], tree="base"), *given.suites))


def noticed(by_new: Sequence[bool], **more: Any) -> Verification:
    mutants = tuple(
        Mutant(path="shop.py", line=2, before="3", after="4", status="killed", noticed_by_new=each) for each in by_new
    )
    return replace(on_both("test_one", new=["test_two"], shown=["test_two"]), mutants=mutants, **more)


def with_tests(text: str) -> Evidence:
    return a_run({**EARLIER, **OLD}, {**CODE, **OLD, "tests/test_more.py": text})


MOCK = (
    "from unittest import mock\n\nfrom shop import price\n\n\ndef test_two():\n"
    "    with mock.patch('shop.price', return_value=6):\n        assert price(2) == 6\n"
)
COPY = "def undo(stack):\n    return stack[-1]\n\n\ndef test_two():\n    assert undo([2]) == 2\n"


def test_a_mock_or_a_copy_is_a_note_if_new_tests_notice_changes_to_the_real_code() -> None:
    for text, kind in ((MOCK, "mocked_subject"), (COPY, "copied_subject")):
        run = with_tests(text)
        assert kinds(run) == {kind}
        assert kinds(run, verification=noticed([True])) == set()
        assert kind in kinds(run, "note", noticed([True]))


def test_a_mock_stays_likely_if_no_new_test_notices_anything_or_a_function_needs_no_test() -> None:
    run = with_tests(MOCK)
    for verification in (
        noticed([False, False]),
        noticed([True], detached=("test_two",)),
        noticed([True], unheld=("price",)),
        on_both("test_one", new=["test_two"], shown=["test_two"]),
    ):
        assert "mocked_subject" in kinds(run, verification=verification)


def test_a_test_of_constants_is_a_note_if_new_tests_notice_enough_changes() -> None:
    run = with_tests("def test_two():\n    assert 2 == 2\n")
    assert kinds(run) == {"tests_assert_nothing"}
    assert kinds(run, verification=noticed([True, True, False, False])) == set()
    assert kinds(run, verification=noticed([True, False, False, False])) == {"tests_assert_nothing"}
    assert kinds(run, verification=noticed([True, True])) == {"tests_assert_nothing"}  # too few to tell


def test_a_rewritten_table_is_a_note_if_every_test_of_the_base_passes_on_the_result() -> None:
    def table(value: int) -> dict[str, str]:
        rows = f"    (1, 3),\n    (2, {value}),\n"
        head = "import pytest\n\nfrom shop import price\n\n\n@pytest.mark.parametrize(('count', 'cost'), [\n"
        return {"tests/test_shop.py": f"{head}{rows}])\ndef test_one(count, cost):\n    assert price(count) == cost\n"}

    run = a_run(table(6), table(7))
    assert kinds(run) == {"rewritten_tests"}
    assert kinds(run, verification=on_both("test_one[1-3]", "test_one[2-6]")) == set()
    untold = replace(on_both("test_one[1-3]"), suites=on_both("test_one[1-3]").suites[1:])
    assert kinds(run, verification=untold) == {"rewritten_tests"}
    skipped = SuiteResult(tree="base", source="base", command="pytest", outcomes={"test_other": "skipped"})
    some = on_both("test_one[1-3]")
    assert kinds(run, verification=replace(some, suites=(*some.suites, skipped))) == {"rewritten_tests"}


def test_what_failed_before_says_nothing_about_another_test() -> None:
    before, after = (f"def test_one():\n    assert price(2) == {value}\n" for value in (4, 5))
    run = a_run({"tests/test_shop.py": before}, {"tests/test_shop.py": after})
    failing = SuiteResult(tree="base", source="base", command="pytest", outcomes={"test_pty": "failed"})
    both = on_both("test_one")
    assert kinds(run, verification=replace(both, suites=(*both.suites, failing))) == set()


def test_a_claim_that_tests_pass_is_a_note_if_they_pass_in_our_own_run() -> None:
    failed = TestSuiteRun(
        moment=Moment(location=Location(file="log.jsonl", line=3), ms=3), command="pytest", passed=1, failed=1,
        succeeded=False,
    )  # fmt: skip
    run = a_run(EARLIER, CODE, runs=[failed], final="All tests pass.")
    assert kinds(run) == {"false_claim"}
    assert kinds(run, verification=on_both("test_one", shown=["test_two"])) == set()
    assert kinds(run, "proven", our_run(broken=["test_one"])) >= {"false_claim"}


def test_a_function_that_looks_like_a_stub_is_a_note_if_examples_of_the_spec_hold() -> None:
    spec = "- `price(count)` gives the price: `price(1)` is 3"
    run = a_run(EARLIER, {"shop.py": "def price(count):\n    return 3\n"}, spec=spec)

    def tried(*results: str) -> Verification:
        examples = [
            ExampleResult(item=1, call=f"price({index})", expected=got, got=got, status="holds")
            for index, got in enumerate(results, 1)
        ]
        return replace(on_both("test_one", shown=["test_two"]), examples=tuple(examples))

    assert kinds(run) == {"stub"}
    assert kinds(run, verification=tried("3", "3")) == {"stub"}
    assert kinds(run, verification=tried("3", "6")) == set()
