"""Base tests that fail because the spec changes what they expect."""

from __future__ import annotations

from nerv.matching.superseded_tests import excuse_superseded, is_superseded
from nerv.spec import Spec, markdown
from nerv.verification.result import SuiteResult, Verification

OLD = "test_ledger.Balance.test_fractions_of_a_cent_are_cut_off"
NEW = "test_ledger.Balance.test_fractions_are_rounded"


def spec(item: str) -> Spec:
    return markdown.parse(f"# Ledger\n- [ ] {item}\n", "spec.md")


CHANGES = spec("`balance` is rounded half to even (was: cut off)")


def verification(old: str | None = None, shown: tuple[str, ...] = (NEW,)) -> Verification:
    outcomes = {NEW: "passed", **({OLD: old} if old else {})}
    suite = SuiteResult(tree="result", source="changed", command="unittest", outcomes=outcomes)  # type: ignore[arg-type]
    rewritten = (OLD,) if old == "passed" else ()
    return Verification(suites=(suite,), broken=(OLD,), rewritten=rewritten, shown=shown)


def test_a_test_whose_behaviour_the_spec_changes_is_superseded_if_it_was_removed_or_rewritten() -> None:
    for old in (None, "passed"):
        found = excuse_superseded(verification(old), CHANGES)
        assert (found.broken, found.rewritten, found.superseded) == ((), (), (OLD,))
        assert found.verified is True


def test_a_spec_that_does_not_speak_of_a_change_excuses_nothing() -> None:
    given = verification()
    assert excuse_superseded(given, spec("`balance` is cut off at the cents")) == given


def test_a_change_of_something_else_excuses_nothing() -> None:
    given = verification()
    assert excuse_superseded(given, spec("Titles were limited to 80 characters and no longer are")) == given


def test_a_test_that_is_left_behind_failing_is_broken() -> None:
    given = verification("failed")
    assert excuse_superseded(given, CHANGES) == given


def test_without_a_test_that_shows_the_change_nothing_is_excused() -> None:
    given = verification(shown=())
    assert excuse_superseded(given, CHANGES) == given


def test_a_test_file_that_the_spec_removes_is_superseded() -> None:
    gone = spec("`every_minutes` is gone, and `test_every.py` with it")
    assert is_superseded("tests/test_every.py::test_a_minute", gone)
    assert not is_superseded("tests/test_daily.py::test_a_minute", gone)
    assert not is_superseded("tests/test_every.py::test_a_minute", spec("`test_every.py` keeps passing"))


def test_a_test_of_a_function_that_the_spec_removes_is_superseded() -> None:
    gone = spec("`every_minutes` is gone, and `test_every.py` with it")
    assert is_superseded("test_every.EveryTest.test_a_quarter", gone)
    assert is_superseded("test_all.EveryMinutesTest.test_a_quarter", gone)
    assert not is_superseded("test_all.EveryTest.test_a_quarter", gone)


def test_a_past_tense_alone_changes_nothing() -> None:
    slides = spec("A call is allowed while fewer than `limit` calls were allowed in the last `period` seconds")
    assert not is_superseded("tests/test_limiter.py::test_calls_are_allowed_again_after_the_period", slides)


def test_a_test_that_the_spec_removes_is_excused_without_another_test() -> None:
    gone = spec("`balance` is gone, and `test_ledger.py` with it")
    assert excuse_superseded(verification(shown=()), gone).superseded == (OLD,)
    assert excuse_superseded(verification("failed", shown=()), gone).broken == (OLD,)


def test_a_test_that_the_spec_names_and_orders_to_be_changed_is_superseded() -> None:
    asked = spec("Units are powers of 1024 now. `test_kilobytes` and `test_format` assert the old 1000, change them")
    assert is_superseded("test_sizes.py::test_kilobytes[1K]", asked)
    assert is_superseded("sizes::tests::test_format", asked)
    assert not is_superseded("test_sizes.py::test_bytes", asked)
    assert not is_superseded("test_sizes.py::test_kilobytes_and_bytes", asked)


def test_a_test_that_the_spec_only_names_or_wants_to_keep_is_not_superseded() -> None:
    for text in ("`test_kilobytes` shows how it is used", "Change the parser, but `test_kilobytes` must still pass"):
        assert not is_superseded("test_sizes.py::test_kilobytes", spec(text))
    assert not is_superseded("run/format", spec("Change the format"))
