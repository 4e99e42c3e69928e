"""Items that are met by something other than new code: removals, documents, changes of tests."""

from __future__ import annotations

from collections.abc import Mapping

from finding_runs import a_run
from nerv.rules.other_deliveries import delivered_otherwise

OLD = "def to_feet(metres):\n    return metres / 0.3048\n"
NEW = "def to_miles(metres):\n    return metres / 1609.344\n"


def delivered(before: Mapping[str, str], after: Mapping[str, str], item: str) -> bool:
    return bool(delivered_otherwise(a_run(before, after, spec=f"# Units\n- {item}\n")))


def test_what_was_to_go_and_is_gone_is_delivered() -> None:
    for item in ("`to_feet` disappears", "retire `to_feet`"):
        assert delivered({"units.py": OLD + NEW}, {"units.py": NEW}, item)
        assert not delivered({"units.py": OLD}, {"units.py": OLD + NEW}, item)
    assert delivered({"old.py": OLD, "units.py": NEW}, {"units.py": NEW}, "`old.py` itself is deleted")


def test_a_function_that_the_spec_keeps_is_not_delivered_by_its_removal() -> None:
    assert not delivered({"units.py": OLD + NEW}, {"units.py": NEW}, "`to_feet` accepts negative lengths")


def test_a_name_that_only_a_test_had_is_not_taken_away() -> None:
    test = "def test_feet():\n    assert to_feet(1) == 3\n"
    assert not delivered({"tests/test_units.py": test, "units.py": NEW}, {"units.py": NEW}, "`to_feet` drops fractions")


def test_a_document_is_delivered_by_its_change() -> None:
    item = "Mention it in the changelog"
    assert delivered({"CHANGES.md": "# 1\n"}, {"CHANGES.md": "# 2\n"}, item)
    assert not delivered({"README.md": "# 1\n"}, {"README.md": "# 2\n"}, item)
    assert not delivered({"units.py": OLD}, {"units.py": NEW}, item)


def test_an_item_about_tests_is_delivered_by_their_change() -> None:
    item = "The tests follow: one file for each module"
    assert delivered({}, {"tests/test_units.py": "def test_a():\n    assert to_miles(0) == 0\n"}, item)
    assert not delivered({}, {"units.py": NEW}, item)
