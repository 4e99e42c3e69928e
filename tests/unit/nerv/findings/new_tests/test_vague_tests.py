"""New tests that compare a call with itself."""

from __future__ import annotations

from finding_runs import a_run, kinds

ITSELF = """from clock import parse, show


def test_parse():
    expected = parse("1h30m")
    assert parse("1h30m") == expected


def test_show():
    assert show(90) == show(90)
    text = show(60)
    assert text == show(60)
"""


def test_a_call_that_is_compared_with_itself_is_no_test() -> None:
    assert kinds(a_run({}, {"test_clock.py": ITSELF})) == {"tests_assert_nothing"}


def test_beside_other_tests_or_where_the_spec_asks_for_it_it_is_one() -> None:
    others = "\n\n".join(f"def test_{each}():\n    assert parse('{each}m') == {60 * each}\n" for each in range(1, 4))
    assert kinds(a_run({}, {"test_clock.py": f"{ITSELF}\n\n{others}"})) == set()
    assert kinds(a_run({}, {"test_clock.py": ITSELF}, spec="`parse` must be deterministic.")) == set()
