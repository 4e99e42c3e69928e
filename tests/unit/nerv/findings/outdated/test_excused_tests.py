"""Tests of the base that fail because the spec changes what they expect, by its words alone."""

from __future__ import annotations

from nerv.findings.outdated.outdated_tests import OutdatedTests
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
        found = OutdatedTests(spec=CHANGES).excuse(verification(old))
        assert (found.broken, found.rewritten, found.superseded) == ((), (), (OLD,))
        assert found.verified is True


def test_a_spec_that_does_not_speak_of_a_change_excuses_nothing() -> None:
    given = verification()
    assert OutdatedTests(spec=spec("`balance` is cut off at the cents")).excuse(given) == given


def test_a_change_of_something_else_excuses_nothing() -> None:
    given = verification()
    assert OutdatedTests(spec=spec("Titles were limited to 80 characters and no longer are")).excuse(given) == given


def test_a_test_that_is_left_behind_failing_is_broken() -> None:
    given = verification("failed")
    assert OutdatedTests(spec=CHANGES).excuse(given) == given


def test_without_a_test_that_shows_the_change_nothing_is_excused() -> None:
    given = verification(shown=())
    assert OutdatedTests(spec=CHANGES).excuse(given) == given


def test_a_test_file_that_the_spec_removes_is_superseded() -> None:
    gone = spec("`every_minutes` is gone, and `test_every.py` with it")
    assert OutdatedTests(spec=gone).includes("tests/test_every.py::test_a_minute")
    assert not OutdatedTests(spec=gone).includes("tests/test_daily.py::test_a_minute")
    assert not OutdatedTests(spec=spec("`test_every.py` keeps passing")).includes("tests/test_every.py::test_a_minute")


def test_a_test_of_a_function_that_the_spec_removes_is_superseded() -> None:
    gone = spec("`every_minutes` is gone, and `test_every.py` with it")
    assert OutdatedTests(spec=gone).includes("test_every.EveryTest.test_a_quarter")
    assert OutdatedTests(spec=gone).includes("test_all.EveryMinutesTest.test_a_quarter")
    assert not OutdatedTests(spec=gone).includes("test_all.EveryTest.test_a_quarter")


def test_a_past_tense_alone_changes_nothing() -> None:
    slides = spec("A call is allowed while fewer than `limit` calls were allowed in the last `period` seconds")
    assert not OutdatedTests(spec=slides).includes(
        "tests/test_limiter.py::test_calls_are_allowed_again_after_the_period"
    )


def test_a_test_that_the_spec_removes_is_excused_without_another_test() -> None:
    gone = spec("`balance` is gone, and `test_ledger.py` with it")
    assert OutdatedTests(spec=gone).excuse(verification(shown=())).superseded == (OLD,)
    assert OutdatedTests(spec=gone).excuse(verification("failed", shown=())).broken == (OLD,)


def test_a_test_that_the_spec_names_and_orders_to_be_changed_is_superseded() -> None:
    asked = spec("Units are powers of 1024 now. `test_kilobytes` and `test_format` assert the old 1000, change them")
    assert OutdatedTests(spec=asked).includes("test_sizes.py::test_kilobytes[1K]")
    assert OutdatedTests(spec=asked).includes("sizes::tests::test_format")
    assert not OutdatedTests(spec=asked).includes("test_sizes.py::test_bytes")
    assert not OutdatedTests(spec=asked).includes("test_sizes.py::test_kilobytes_and_bytes")


def test_a_test_that_the_spec_only_names_or_wants_to_keep_is_not_superseded() -> None:
    for text in ("`test_kilobytes` shows how it is used", "Change the parser, but `test_kilobytes` must still pass"):
        assert not OutdatedTests(spec=spec(text)).includes("test_sizes.py::test_kilobytes")
    assert not OutdatedTests(spec=spec("Change the format")).includes("run/format")
