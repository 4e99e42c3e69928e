"""Which items of a prompt tests cover: those written after it, unless they try nothing of what an item states."""

from __future__ import annotations

from dataclasses import replace

from finding_runs import a_run
from nerv.inspection import inspect
from nerv.location import Location
from nerv.rules.run_facts import RunFacts

CODE = 'def discount(kind, value):\n    return value if kind == "fixed" else 0\n'
TESTS = 'from shop import discount\n\n\ndef test_fixed():\n    assert discount("fixed", 5) == 5\n'


def covered(spec: str) -> list[str]:
    """Return the items of a prompt that the tests cover."""
    run = a_run({}, {"shop.py": CODE, "test_shop.py": TESTS}, spec=spec, edits=[("shop.py", 3), ("test_shop.py", 4)])
    prompt = Location(file="session.jsonl", line=1)
    items = tuple(replace(item, location=prompt) for item in run.spec.items)
    run = replace(run, spec=replace(run.spec, given=False, items=items))
    tests = RunFacts.derive(run, inspect(run.changes.written), None, ()).tests
    return [items[index].text for index in sorted(tests.covered)]


def test_a_point_of_which_no_test_tries_anything_is_not_covered() -> None:
    points = ['kind `"fixed"`: the value is taken off', 'kind `"cheapest_free"`: the cheapest piece costs nothing']
    assert covered(f"Coupons:\n\n- {points[0]}\n- {points[1]}\n") == points[:1]


def test_a_prompt_in_prose_is_covered_by_what_was_written_after_it() -> None:
    assert covered("Please add discounts to the shop, as we said.") != []
