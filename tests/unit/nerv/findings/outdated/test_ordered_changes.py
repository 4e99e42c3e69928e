"""Which existing tests a spec wants to be changed."""

from __future__ import annotations

from finding_runs import a_run
from nerv.findings.outdated.ordered_changes import OrderedChanges
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import inspect


def test_of_two_tests_that_a_spec_may_mean_the_deleted_one_is_not_excused() -> None:
    spec = "There is a test that has Albion above Rovers. Rovers are better there, so that one has to change."
    one = 'def test_order():\n    assert table("Albion", "Rovers") == ["Albion", "Rovers"]\n'
    two = 'def test_names():\n    assert names("Albion", "Rovers") == ["Albion", "Rovers"]\n'
    before = {"league.py": "def table(*teams):\n    return sorted(teams)\n", "test_league.py": f"{one}\n\n{two}"}
    after = {
        "league.py": "def table(*teams):\n    return sorted(teams)[::-1]\n",
        "test_league.py": one.replace('["Albion", "Rovers"]', '["Rovers", "Albion"]'),
    }
    evidence = a_run(before, after, spec=spec)
    ordered = OrderedChanges.of(spec, ReviewedRun(evidence, inspect(evidence.changes.written), None).files)
    assert ordered.named == {"test_order"}
    assert ordered.include("test_order")
    assert not ordered.include("test_names")
