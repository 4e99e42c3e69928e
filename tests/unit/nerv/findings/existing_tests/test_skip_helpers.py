"""Existing tests that a helper or a mark of their own skips."""

from __future__ import annotations

import pytest

from changed_tests import changed
from finding_runs import kinds

PYTHON, GO = "tests/test_shop.py", "shop_test.go"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            PYTHON,
            "def test_many_items():\n",
            'def not_yet():\n    pytest.skip("later")\n\n\ndef test_many_items():\n    not_yet()\n',
        ),
        (
            PYTHON,
            "def test_many_items():\n",
            'later = pytest.mark.skip(reason="later")\n\n\n@later\ndef test_many_items():\n',
        ),
        (
            GO,
            "func TestManyItems(t *testing.T) {\n",
            (
                "func notYet(t *testing.T) {\n\tt.Helper()\n\tt.SkipNow()\n}\n\n"
                "func TestManyItems(t *testing.T) {\n\tnotYet(t)\n"
            ),
        ),
    ],
)
def test_a_test_that_calls_what_skips_it_is_switched_off(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new)) == {"skipped_tests"}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            PYTHON,
            "def test_many_items():\n",
            (
                "def needs_network():\n    if not online():\n        pytest.skip('offline')\n\n\n"
                "def test_many_items():\n    needs_network()\n"
            ),
        ),
        (
            PYTHON,
            "def test_many_items():\n",
            (
                "def not_yet():\n    pytest.skip('later')\n\n\n"
                "def test_returns():\n    not_yet()\n    assert price(0) == 0\n\n\ndef test_many_items():\n"
            ),
        ),
    ],
)
def test_a_condition_or_a_new_test_is_not(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new)) == set()
