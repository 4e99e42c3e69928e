"""What a verification shows, and the sentences for it."""

from __future__ import annotations

import pytest

from nerv.verification.result import Mutant, SuiteResult, Verification


def suite(**outcomes):
    return SuiteResult(tree="result", source="base", command="pytest", outcomes=outcomes)


@pytest.mark.parametrize(
    ("verification", "verified"),
    [
        (Verification(), None),
        (Verification(skipped="no repository"), None),
        (Verification(suites=(suite(a="skipped"),)), None),
        (Verification(suites=(suite(a="passed"),)), True),
        (Verification(accepted=True), True),
        (Verification(suites=(suite(a="passed"),), accepted=False), False),
        (Verification(suites=(suite(a="passed"),), broken=("b",)), False),
        (Verification(suites=(suite(a="passed"),), failing=("b",)), False),
        (Verification(suites=(suite(a="passed"),), forged=True), False),
        (Verification(builds=False), False),
        (Verification(suites=(suite(a="passed"),), removed=("b",), idle=("c",)), True),
    ],
)
def test_it_is_verified_if_something_passed_and_nothing_that_decides_failed(verification, verified):
    assert verification.verified is verified
    assert bool(verification.vetoes) is (verified is False)


def test_tests_of_the_run_that_never_ended_leave_it_unverified():
    endless = SuiteResult(tree="result", source="changed", command="pytest", outcomes={}, problem="they did not end")
    assert Verification(suites=(suite(a="passed"), endless)).verified is None
    assert Verification(suites=(suite(a="passed"), endless), accepted=True).verified is True
    assert Verification(suites=(suite(a="passed"), endless), broken=("a",)).verified is False


def test_an_old_test_beside_one_that_shows_the_change_is_not_worth_a_mention():
    beside = Verification(new=("added", "idle"), shown=("added",), idle=("old", "idle"))
    assert beside.notable_idle == ("idle",)
    assert Verification(idle=("old",)).notable_idle == ("old",)


def test_a_veto_says_why_no_test_of_the_base_has_an_outcome():
    endless = SuiteResult(
        tree="result",
        source="base",
        command="pytest",
        outcomes={},
        problem="the tests did not end within the time limit",
    )
    verification = Verification(suites=(endless,), broken=("a",))
    assert verification.vetoes == (
        "The result breaks 1 test of the base: a; the tests did not end within the time limit.",
    )


def test_what_could_not_be_run_is_told_once_with_its_reason():
    def suite_of(tree, source, problem, **more):
        return SuiteResult(tree=tree, source=source, command="go test", outcomes={}, problem=problem, **more)

    suites = (
        suite_of("base", "base", "Go is not installed"),
        suite_of("result", "base", "Go is not installed"),
        suite_of("result", "changed", "Go is not installed"),
        suite_of("base", "changed", "undefined: New", broken_build=True),
    )
    told = "the tests have no outcome on the base and the result (go test): Go is not installed"
    assert Verification(suites=suites).problems == (told,)
    unbuildable = suite_of("result", "base", "undefined: c", broken_build=True)
    assert Verification(suites=(unbuildable,), builds=False).problems == ()  # a veto says it


def test_a_veto_names_the_broken_tests_and_says_if_the_run_changed_them():
    verification = Verification(broken=("a", "b", "c", "d"), rewritten=("a", "b"))
    assert verification.vetoes == (
        "The result breaks 4 tests of the base: a, b, c, …; the run changed 2 of them so as to pass.",
    )


def test_a_result_that_does_not_build_is_told_once_with_its_reason():
    broken = SuiteResult(
        tree="result",
        source="base",
        command="c",
        outcomes={},
        problem="error: no such value.",
        broken_build=True,
    )
    verification = Verification(suites=(broken,), builds=False, broken=("a",), failing=("b",))
    assert verification.vetoes == ("The result does not build: error: no such value.",)


@pytest.mark.parametrize(
    ("verification", "passes"),
    [
        (Verification(broken=("a",), rewritten=("a",)), True),
        (Verification(broken=("a", "b"), rewritten=("a",)), False),
        (Verification(broken=("a",), rewritten=("a",), failing=("c",)), False),
        (Verification(broken=("a",), rewritten=("a",), accepted=False), False),
        (Verification(), False),
    ],
)
def test_a_result_may_fail_by_nothing_but_tests_that_were_rewritten(verification, passes):
    assert verification.passes_as_rewritten is passes


@pytest.mark.parametrize(
    ("new", "noticed", "share", "notice"),
    [(("a",), 1, 0.25, True), (("a",), 0, 0.0, False), ((), 1, None, None)],
)
def test_what_new_tests_notice_is_not_known_without_new_tests(new, noticed, share, notice):
    mutants = tuple(
        Mutant(
            path="a.py",
            line=n,
            before="1",
            after="2",
            status="killed" if n < noticed else "survived",
            noticed_by_new=n < noticed,
        )
        for n in range(4)
    )
    tried = Verification(new=new, mutants=mutants)
    assert (tried.share_noticed_by_new, tried.new_tests_notice) == (share, notice)
    assert Verification(new=new, mutants=mutants[:2]).share_noticed_by_new is None
    held = Mutant(path="a.py", line=9, before="1", after="2", status="killed")
    assert Verification(new=new, mutants=(*mutants, held, held)).share_noticed_by_new == share  # old tests hold these
    assert Verification(new=new, mutants=(held,) * 6).new_tests_notice is None
