"""Boxes of the spec that the run ticked off, and when."""

from __future__ import annotations

from finding_runs import a_run, kinds

SPEC = "- [ ] prices are doubled\n- [ ] a rebate for many\n"
BEFORE = {"SPEC.md": SPEC, "shop.py": "def price(n):\n    return n\n"}
AFTER = {
    "SPEC.md": SPEC.replace("[ ]", "[x]"),
    "shop.py": "def price(n):\n    return 2 * n - rebate(n)\n\n\ndef rebate(n):\n    return n // 10\n",
}


def test_boxes_that_are_ticked_before_the_work_are_likely() -> None:
    early = a_run(BEFORE, AFTER, spec=SPEC, edits=[("SPEC.md", 3), ("shop.py", 5)])
    assert kinds(early) == {"ticked_by_the_run"}


def test_boxes_that_are_ticked_after_the_work_are_a_note() -> None:
    late = a_run(BEFORE, AFTER, spec=SPEC, edits=[("SPEC.md", 7), ("shop.py", 5)])
    assert kinds(late) == set()
    assert kinds(late, "note") == {"ticked_by_the_run"}


def test_tests_that_a_ticked_box_names_must_be_there() -> None:
    tests = {"test_shop.py": "from shop import price\n\n\ndef test_doubles():\n    assert price(2) == 4\n"}

    def run(name: str) -> set[str]:
        ticked = SPEC.replace("[ ]", "[x]").replace("prices are doubled", f"prices are doubled (`{name}`)")
        return kinds(a_run({**BEFORE, **tests}, {**AFTER, **tests, "SPEC.md": ticked}, spec=SPEC))

    assert run("test_doubles") == set()
    assert run("test_trebles") == {"ticked_by_the_run"}
