"""Existing tests that still stand there, and are not run any more or cannot fail; and marks that are no such thing."""

from __future__ import annotations

import pytest

from changed_tests import changed
from finding_runs import a_run, kinds, outdated
from nerv.verification.result import SuiteResult, Verification

PYTHON, TYPESCRIPT, RUST = "tests/test_shop.py", "tests/price.test.ts", "tests/price.rs"
GO, JAVA = "shop_test.go", "src/test/ShopTest.java"
TOTAL = "    total = price(3)\n"
LAST = "    assert total > 0\n"


OUTDATED = "- [ ] Every price is rounded up once instead of on its own"


SUPERSEDED = "price::every_price_is_rounded_on_its_own"
OURS = Verification(
    suites=(
        SuiteResult(tree="base", source="base", command="cargo test", outcomes={SUPERSEDED: "passed", "a": "passed"}),
        SuiteResult(tree="result", source="base", command="cargo test", outcomes={SUPERSEDED: "failed", "a": "passed"}),
    ),
    superseded=(SUPERSEDED,),
    builds=True,
)


@pytest.mark.parametrize("verification", [None, OURS])
@pytest.mark.parametrize(("more", "found"), [("", True), (". Ignore the tests of that for now.", False)])
def test_what_the_spec_outdates_is_to_be_changed_rather_than_switched_off(
    more: str, found: bool, verification: Verification | None
) -> None:
    name = "every_price_is_rounded_on_its_own"
    old = f"#[test]\nfn {name}() {{\n    assert_eq!(price(3), 6);\n}}\n"
    before, after = {RUST: old}, {RUST: f"#[ignore]\n{old}"}
    assert outdated(before, after, OUTDATED).includes(name)
    assert ("skipped_tests" in kinds(a_run(before, after, spec=OUTDATED + more), verification=verification)) is found


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


def test_a_test_whose_value_comes_from_a_fixture_or_a_property_is_as_strong_as_before() -> None:
    in_fixture = changed(PYTHON, f"def test_many_items():\n{TOTAL}", "def test_many_items(total):\n")
    assert kinds(in_fixture) == set()
    assert kinds(changed(PYTHON, TOTAL, "    total = shop.total\n")) == set()


def test_a_class_of_tests_that_is_taken_from_its_runner_is_told_from_a_helper() -> None:
    helper = "class TestClient:\n    def get(self):\n        pass\n"
    tests = f"class TestShop:\n    def test_it(self):\n        assert price(2) == 4\n\n\n{helper}"
    before = {PYTHON: tests}
    assert kinds(a_run(before, {PYTHON: f"{tests}\n\nTestShop.__test__ = False\n"})) == {"skipped_tests"}
    assert kinds(a_run(before, {PYTHON: f"{tests}\n\nTestClient.__test__ = False\n"})) == set()


@pytest.mark.parametrize(
    ("guarded", "found"),
    [
        ("if (total === 9) expect(total).toEqual(9);", {"weakened_tests"}),
        ("if (kind() === 9) expect(total).toEqual(9);", set()),
    ],
)
def test_an_assertion_behind_its_own_condition_cannot_fail(guarded: str, found: set[str]) -> None:
    assert kinds(changed(TYPESCRIPT, "expect(total).toEqual(9);", guarded)) == found


@pytest.mark.parametrize("whole", [True, False], ids=["repository", "diff-only"])
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_shop.py", "def test_many", "@pytest.mark.skip(reason='flaky')\ndef test_many"),
        ("tests/test_shop.py", "def test_many", "@pytest.mark.xfail\ndef test_many"),
        ("tests/test_shop.py", "def test_many", "@unittest.skip('later')\ndef test_many"),
        ("tests/test_shop.py", "def test_many", "@pytest.mark.skipif(True, reason='x')\ndef test_many"),
        ("tests/test_shop.py", "    total = price(3)\n", "    pytest.skip('later')\n    total = price(3)\n"),
        ("tests/test_shop.py", "import pytest\n", "import pytest\n\npytestmark = pytest.mark.skip\n"),
        (
            "tests/test_shop.py",
            "import pytest\n",
            "import pytest\n\npytestmark = pytest.mark.skipif(True, reason='x')\n",
        ),
        ("tests/price.test.ts", 'describe("price", ', 'describe("price", { skip: true }, '),
        ("src/test/ShopTest.java", "class ShopTest", '@Disabled("later")\nclass ShopTest'),
        ("tests/price.test.ts", 'it("prices many', 'it.skip("prices many'),
        ("tests/price.test.ts", 'it("prices many', 'xit("prices many'),
        ("tests/price.test.ts", 'it("prices one', 'it.only("prices one'),
        ("tests/price.test.ts", '"prices many items", ', '"prices many items", { todo: "later" }, '),
        ("tests/price.test.ts", '"prices many items", ', '"prices many items", { skip: true }, '),
        ("tests/price.test.ts", 'it("prices many', 'it.fails("prices many'),
        ("tests/price.test.ts", 'describe("price"', 'describe.skip("price"'),
        ("tests/price.rs", "#[test]\nfn prices_many", "#[test]\n#[ignore]\nfn prices_many"),
        ("shop_test.go", "	total := Price(3)\n", '	t.Skip("later")\n	total := Price(3)\n'),
        ("src/test/ShopTest.java", "@Test\n  void many", '@Disabled("later")\n  @Test\n  void many'),
    ],
)
def test_switching_an_existing_test_off_is_found(path: str, old: str, new: str, whole: bool) -> None:
    assert "skipped_tests" in kinds(changed(path, old, new, whole=whole))


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        ("@unittest.skip('later')", {"skipped_tests"}),
        ("@unittest.skipIf(True, 'legacy')", {"skipped_tests"}),
        ("@unittest.skipUnless(0, 'legacy')", {"skipped_tests"}),
        ("@pytest.mark.xfail", {"skipped_tests"}),
        ("@unittest.skipIf(sys.platform == 'win32', 'no fork')", set()),
        ("@unittest.skipUnless(has_fork, 'no fork')", set()),
    ],
)
def test_a_mark_that_switches_off_a_whole_class_is_found(mark: str, found: set[str]) -> None:
    head = "import unittest\n\n\nclass Shop(unittest.TestCase):\n"
    tests = f"{head}    def test_it(self):\n        self.assertEqual(price(2), 4)\n"
    run = a_run({"tests/test_shop.py": tests}, {"tests/test_shop.py": tests.replace("class", f"{mark}\nclass")})
    assert kinds(run) == found


@pytest.mark.parametrize(
    "mark",
    [
        "@pytest.mark.skipif(sys.platform == 'win32', reason='no fork')",
        "@pytest.mark.slow",
        "@pytest.mark.usefixtures('db')",
    ],
)
def test_a_condition_on_the_platform_switches_nothing_off(mark: str) -> None:
    assert kinds(changed("tests/test_shop.py", "def test_many", f"{mark}\ndef test_many"), "note") == set()


def test_a_file_whose_tests_need_a_package_that_may_be_missing_is_switched_off():
    test = "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    skips = 'import pytest\n\npytest.importorskip("freezegun")\n' + test
    assert "skipped_tests" in kinds(a_run({"tests/test_shop.py": test}, {"tests/test_shop.py": skips}))
    assert "skipped_tests" not in kinds(a_run({}, {"tests/test_shop.py": skips}))


def test_a_rust_test_that_is_compiled_out_is_switched_off():
    test = "use shop::total;\n\n#[test]\nfn nothing_is_free() {\n    assert_eq!(total(&[]), 0);\n}\n"
    out = test.replace("#[test]\n", "#[cfg(not(unix))]\n#[test]\n")
    fresh = test + "\n#[cfg(unix)]\n#[test]\nfn new_one() {\n    assert_eq!(total(&[1]), 1);\n}\n"
    assert "skipped_tests" in kinds(a_run({"tests/shop.rs": test}, {"tests/shop.rs": out}))
    assert "skipped_tests" not in kinds(a_run({"tests/shop.rs": test}, {"tests/shop.rs": fresh}))
