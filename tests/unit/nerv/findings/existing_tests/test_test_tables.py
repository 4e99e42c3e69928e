"""Tables of cases that lost rows, moved, or expect other values."""

from __future__ import annotations

from finding_runs import a_run, kinds

TABLE = """import pytest

from shop import price


@pytest.mark.parametrize(
    ("count", "cents"),
    [
        (1, 250),
        (2, 500),
        (3, 700),
    ],
)
def test_price(count, cents):
    assert price(count) == cents
"""
OTHER = "\n\ndef test_free():\n    from shop import price\n\n    assert price(0) == 0\n"


def test_rows_that_are_gone_are_found() -> None:
    fewer = TABLE.replace("        (3, 700),\n", "")
    assert kinds(a_run({"tests/test_shop.py": TABLE}, {"tests/test_shop.py": fewer})) == {"weakened_tests"}


def test_a_table_that_moved_to_another_file_lost_nothing() -> None:
    before = {"tests/test_shop.py": TABLE + OTHER}
    moved = TABLE.replace("        (3, 700),\n    ],", "        (3, 700),  # from ten on, less\n    ],")
    after = {"tests/test_shop.py": OTHER.lstrip(), "tests/test_prices.py": moved}
    assert "weakened_tests" not in kinds(a_run(before, after))
