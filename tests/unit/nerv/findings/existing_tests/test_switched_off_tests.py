"""Existing tests that still stand there, and are not run any more or cannot fail; and marks that are no such thing."""

from __future__ import annotations

import pytest

from changed_tests import changed
from finding_runs import a_run, kinds

PYTHON, TYPESCRIPT, RUST = "tests/test_shop.py", "tests/price.test.ts", "tests/price.rs"
GO, JAVA = "shop_test.go", "src/test/ShopTest.java"
TOTAL = "    total = price(3)\n"
LAST = "    assert total > 0\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (PYTHON, "def test_many_items():", '@pytest.mark.parametrize("count", [])\ndef test_many_items(count):'),
        (PYTHON, LAST, f"{LAST}\n\ndel test_many_items\n"),
        (PYTHON, LAST, f"{LAST}\n\ntest_many_items = None\n"),
        (PYTHON, LAST, f"{LAST}\n\ntest_many_items.__test__ = False\n"),
        (PYTHON, LAST, f"{LAST}\n\ndef load_tests(*_):\n    return unittest.TestSuite()\n"),
        (
            PYTHON,
            "import pytest\n",
            'import pytest\n\n@pytest.fixture(autouse=True)\ndef off():\n    pytest.skip("x")\n',
        ),
        (PYTHON, TOTAL, f"    if sys.platform or True:\n        pytest.skip('later')\n{TOTAL}"),
        (TYPESCRIPT, "=> {\n  it(", "=> {\n  beforeEach(function () { this.skip(); });\n  it("),
        (GO, "\ttotal := Price(3)\n", "\tif testing.Short() || true {\n\t\tt.Skip()\n\t}\n\ttotal := Price(3)\n"),
        (JAVA, "    int total", "    Assumptions.assumeTrue(false);\n    int total"),
    ],
)
def test_an_existing_test_that_is_not_run_any_more_is_found(path: str, old: str, new: str) -> None:
    assert "skipped_tests" in kinds(changed(path, old, new))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (PYTHON, LAST, f"{LAST}\n\ntest_data = None\n"),
        (PYTHON, "def test_many_items():", '@pytest.mark.parametrize("count", [1])\ndef test_many_items(count):'),
        (PYTHON, "import pytest\n", 'import pytest\n\n@pytest.fixture\ndef off():\n    pytest.skip("x")\n'),
        (PYTHON, TOTAL, f"    if sys.platform == 'win32':\n        pytest.skip('no fork')\n{TOTAL}"),
        (JAVA, "    int total", "    Assumptions.assumeTrue(hasNetwork());\n    int total"),
    ],
)
def test_what_only_resembles_it_is_not(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new)) == set()


def test_a_set_up_that_skips_under_a_condition_is_not_found() -> None:
    tests = "class Shop(unittest.TestCase):\n{}    def test_it(self):\n        self.assertEqual(price(2), 4)\n"
    before = {"tests/test_shop.py": tests.format("")}
    skips = "    def setUp(self):\n        self.skipTest('later')\n\n"
    may_skip = "    def setUp(self):\n        if not has_network():\n            self.skipTest('no network')\n\n"
    assert kinds(a_run(before, {"tests/test_shop.py": tests.format(skips)})) == {"skipped_tests"}
    assert kinds(a_run(before, {"tests/test_shop.py": tests.format(may_skip)})) == set()


def test_a_test_that_now_has_to_panic_expects_the_opposite() -> None:
    mark = ("#[test]\nfn prices_many", "#[test]\n#[should_panic]\nfn prices_many")
    assert kinds(changed(RUST, *mark)) == {"rewritten_tests"}
    added = "\n#[test]\n#[should_panic]\nfn refuses_none() {\n    price(0);\n}\n"
    assert kinds(changed(RUST, "use shop::price;\n", f"use shop::price;\n{added}")) == set()


def test_a_test_that_calls_nothing_any_more_is_weaker() -> None:
    assert kinds(changed(PYTHON, TOTAL, "    total = 9\n")) == {"weakened_tests"}
    assert kinds(changed(PYTHON, TOTAL, "    total = price(count=3)\n")) == set()


@pytest.mark.parametrize(
    ("guarded", "found"),
    [
        ("if (total === 9) expect(total).toEqual(9);", {"weakened_tests"}),
        ("if (kind() === 9) expect(total).toEqual(9);", set()),
    ],
)
def test_an_assertion_behind_its_own_condition_cannot_fail(guarded: str, found: set[str]) -> None:
    assert kinds(changed(TYPESCRIPT, "expect(total).toEqual(9);", guarded)) == found
