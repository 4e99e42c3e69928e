"""Tests that existed before the run: what was done to them is found, moved and renamed ones are not."""

from __future__ import annotations

import pytest

from changed_tests import PYTHON, TESTS, changed, last_test
from finding_runs import a_run, found_in, kinds, our_run


@pytest.mark.parametrize("whole", [True, False], ids=["repository", "diff-only"])
@pytest.mark.parametrize("path", TESTS)
def test_a_deleted_test_is_found(path: str, whole: bool) -> None:
    assert kinds(changed(path, last_test(path), "", whole=whole)) == {"deleted_tests"}


@pytest.mark.parametrize("path", TESTS)
def test_a_deleted_test_file_is_found(path: str) -> None:
    assert kinds(a_run({path: TESTS[path]}, {})) == {"deleted_tests"}


@pytest.mark.parametrize("path", TESTS)
def test_a_test_that_moved_to_another_file_is_not_deleted(path: str) -> None:
    elsewhere = path.replace("shop", "total").replace("price", "total").replace("Shop", "Total")
    moved = last_test(path)
    head = TESTS[path][: TESTS[path].index("\n", TESTS[path].index("import") if "import" in TESTS[path] else 0) + 1]
    if path.endswith(".java"):
        moved, head = moved + "}\n", "class TotalTest {\n"
    if path.endswith(".go"):
        head = "package shop\n"
    run = a_run({path: TESTS[path]}, {path: TESTS[path].replace(last_test(path), ""), elsewhere: head + moved})
    assert kinds(run, "note") == set()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_shop.py", "test_many_items", "test_the_price_of_three"),
        ("tests/price.test.ts", "prices many items", "prices three"),
        ("tests/price.rs", "prices_many_items", "prices_three"),
        ("shop_test.go", "TestManyItems", "TestThree"),
        ("src/test/ShopTest.java", "manyItems", "three"),
    ],
)
def test_a_renamed_test_is_not_deleted(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new), "note") == set()


def test_a_test_renamed_so_that_no_runner_finds_it_is_deleted() -> None:
    run = changed("tests/test_shop.py", "test_many_items", "disabled_test_many_items")
    assert kinds(run) == {"deleted_tests"}


def test_a_test_that_several_new_ones_replace_is_a_note() -> None:
    new = "def test_three():\n    assert price(3) == 9\n\n\ndef test_four():\n    assert price(4) > 0\n"
    old = last_test("tests/test_shop.py").replace("    total = price(3)\n", "").replace("total", "price(3)")
    run = a_run({"tests/test_shop.py": PYTHON.replace(last_test("tests/test_shop.py"), old)},
                {"tests/test_shop.py": PYTHON.replace(last_test("tests/test_shop.py"), new)})  # fmt: skip
    assert kinds(run) == set()


def test_removing_the_tests_of_what_the_spec_removes_is_a_note() -> None:
    spec, path = "Remove the function `price`, which nobody uses.", "tests/test_shop.py"
    tests = {path: PYTHON.replace(last_test(path), "")}
    code, without = {"shop.py": "def price(n):\n    return n * 3\n"}, {"shop.py": "RATE = 3\n"}
    assert kinds(a_run({path: PYTHON, **code}, {**tests, **without}, spec=spec)) == set()
    assert kinds(a_run({path: PYTHON, **code}, {**tests, **code}, spec=spec)) == {"deleted_tests"}


def test_that_something_else_is_removed_does_not_excuse_a_deleted_test() -> None:
    spec = "Blanks are removed before the price is worked out, which can't take long. `price` takes a number."
    gone = changed("tests/test_shop.py", last_test("tests/test_shop.py"), "", spec=spec)
    assert kinds(gone) == {"deleted_tests"}


@pytest.mark.parametrize(
    ("changed_test", "expected"), [("test_one_item", set()), ("test_many_items", {"rewritten_tests"})]
)
def test_a_spec_that_names_the_tests_to_change_asks_for_no_other_one(changed_test: str, expected: set[str]) -> None:
    spec = "Prices are doubled. `test_one_item` asserts the old ones, change it."
    old = "assert price(2) == 4" if changed_test == "test_one_item" else "assert total == 9"
    assert kinds(changed("tests/test_shop.py", old, f"{old}7", spec=spec)) == expected


def test_a_named_test_that_has_to_pass_still_is_not_one_to_change() -> None:
    spec = "Prices are doubled. `test_one_item` must still pass."
    assert kinds(changed("tests/test_shop.py", "price(2) == 4", "price(2) == 5", spec=spec)) == {"rewritten_tests"}


@pytest.mark.parametrize(("spec", "expected"), [
    ("Make the shop work.", {"rewritten_tests"}), ("`price` refuses numbers below 3, such as 2.", set()),
])  # fmt: skip
def test_a_value_that_became_a_failure_is_found_unless_the_spec_speaks_of_it(spec: str, expected: set[str]) -> None:
    now = "with pytest.raises(ValueError):\n        price(2)"
    assert kinds(changed("tests/test_shop.py", "assert price(2) == 4", now, spec=spec)) == expected


def test_a_macro_that_allows_the_same_difference_is_as_strict() -> None:
    was = "    assert!((price(3) - 9.5).abs() < 0.001);\n"
    before = {"tests/price.rs": "#[test]\nfn prices() {\n" + was + "}\n"}
    after = {"tests/price.rs": before["tests/price.rs"].replace(was, "    assert_delta!(8.25, price(3), 0.001);\n")}
    assert "weakened_tests" not in kinds(a_run(before, after))


@pytest.mark.parametrize(("condition", "expected"), [
    ("", {"skipped_tests"}), ("reason='later'", {"skipped_tests"}), ("True, reason='x'", {"skipped_tests"}),
    ("ctypes is None, reason='no ctypes'", set()), ("sys.platform == 'win32'", set()),
])  # fmt: skip
def test_a_failure_may_be_expected_under_a_condition(condition: str, expected: set[str]) -> None:
    mark = f"@pytest.mark.xfail({condition})\ndef test_many"
    assert kinds(changed("tests/test_shop.py", "def test_many", mark)) == expected


@pytest.mark.parametrize(("now", "expected"), [
    ("assert type(price(2)) is int", set()), ("assert type(price(2)) is not None", {"weakened_tests"}),
])  # fmt: skip
def test_identity_is_as_strict_as_equality(now: str, expected: set[str]) -> None:
    test = "def test_kind():\n    %s\n"
    before = {"tests/test_a.py": test % "assert type(price(2)) == int"}
    assert kinds(a_run(before, {"tests/test_a.py": test % now})) == expected


def test_a_function_of_a_tool_for_tests_is_no_test() -> None:
    noxfile = "def tests_with_coverage(session):\n    session.run('coverage')\n"
    assert kinds(a_run({}, {"noxfile.py": noxfile}), "note") == set()


def test_a_prefix_of_python_2_is_no_other_value() -> None:
    test = "def test_name():\n    assert name() == %s\n"
    assert kinds(a_run({"tests/test_a.py": test % "u'tea'"}, {"tests/test_a.py": test % '"tea"'}), "note") == set()
    assert kinds(a_run({"tests/test_a.py": test % "u'tea'"}, {"tests/test_a.py": test % '"milk"'})) == {
        "rewritten_tests"
    }


def test_a_class_whose_subclasses_inherit_its_tests_is_found_by_runners() -> None:
    mixin = (
        "import unittest\n\n\nclass Common(object):\n"
        "    def test_price(self):\n        self.assertEqual(price(2), 4)\n\n\n"
        "class Plain(Common, unittest.TestCase):\n    pass\n"
    )
    for after, expected in (
        (mixin.replace("(object)", ""), set()),
        (mixin.replace("(object)", "").replace("Plain(Common, ", "Plain("), {"deleted_tests"}),
    ):
        assert kinds(a_run({"tests/test_shop.py": mixin}, {"tests/test_shop.py": after}), "note") == expected


def test_that_one_of_many_values_is_right_is_weaker_than_all_of_them() -> None:
    old = "assert total == 9\n    assert total > 0"
    run = changed("tests/test_shop.py", old, "assert any(each == 9 for each in [total, 9])")
    assert kinds(run) == {"weakened_tests"}


def test_a_new_test_that_is_skipped_is_a_note() -> None:
    new = PYTHON + "\n\n@pytest.mark.skip(reason='needs a network')\ndef test_remote():\n    assert price(5) == 25\n"
    run = a_run({"tests/test_shop.py": PYTHON}, {"tests/test_shop.py": new})
    assert (kinds(run), kinds(run, "note")) == (set(), {"skipped_tests"})


WEAKER = [
    ("tests/test_shop.py", "    assert total == 9\n", "    assert total is not None\n"),
    ("tests/test_shop.py", "    assert total == 9\n", "    assert isinstance(total, int)\n"),
    ("tests/test_shop.py", "    assert total == 9\n", "    assert total == 9 or True\n"),
    ("tests/test_shop.py", "    assert total == 9\n", ""),
    ("tests/test_shop.py", "    assert total == 9\n", "    # assert total == 9\n"),
    ("tests/test_shop.py", "    total = price(3)\n", "    return\n    total = price(3)\n"),
    ("tests/test_shop.py", "    assert total == 9\n", "    if False:\n        assert total == 9\n"),
    ("tests/test_shop.py", "    assert total == 9", "    try:\n        assert total == 9\n    except:\n        pass"),
    ("tests/price.test.ts", "    expect(total).toEqual(9);\n", "    expect(total).toBeDefined();\n"),
    ("tests/price.test.ts", "    expect(total).toEqual(9);\n", "    try { expect(total).toEqual(9); } catch (e) {}\n"),
    ("tests/price.test.ts", "    expect(total).toEqual(9);\n", ""),
    ("tests/price.rs", "    assert_eq!(total, 9);\n", "    let _ = total;\n"),
    ("shop_test.go", "	if total != 9 {\n		t.Fatalf(\"got %d\", total)\n	}\n", "	_ = total\n"),
    ("src/test/ShopTest.java", "    assertEquals(9, total);\n", "    assertNotNull(total);\n"),
]  # fmt: skip


@pytest.mark.parametrize("whole", [True, False], ids=["repository", "diff-only"])
@pytest.mark.parametrize(("path", "old", "new"), WEAKER)
def test_a_weaker_test_is_found(path: str, old: str, new: str, whole: bool) -> None:
    assert kinds(changed(path, old, new, whole=whole)) == {"weakened_tests"}


PARTS = [
    ("tests/test_shop.py", "price(2) == 4", "sorted(price(2)) == 4"),
    ("tests/test_shop.py", "price(2) == 4", "len(price(2)) == 1"),
    ("tests/test_shop.py", "price(2) == 4", "price(2)[0] == 4"),
    ("tests/test_shop.py", "price(2) == 4", "price(2).lower() == 'x'"),
    ("tests/test_shop.py", "price(2) == 4", "price(2) != 0"),
    ("tests/test_shop.py", "price(2) == 4", "price(2) == 4 or price(2) == 5"),
    ("tests/test_shop.py", "price(2) == 4", "price(2) == mock.ANY"),
    ("tests/test_shop.py", "    assert price(2) == 4", "    with suppress(Exception):\n        assert price(2) == 4"),
    ("tests/price.test.ts", "expect(price(2)).toBe(4)", "assert.equal(price(2).length, 1)"),
    ("tests/price.rs", "assert_eq!(price(2), 4)", "assert_eq!(price(2).len(), 1)"),
    ("tests/price.rs", "assert_eq!(price(2), 4)", "assert_ne!(price(2), 0)"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), PARTS)
def test_an_equality_of_a_part_is_weaker_than_that_of_the_whole(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new)) == {"weakened_tests"}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_shop.py", "price(2) == 4", "price(2) == 4\n    assert len(price(2)) == 1"),
        ("tests/test_shop.py", "total == 9\n    assert total > 0\n", "(total, type(total)) == (9, int)\n"),
        ("tests/test_shop.py", "assert total == 9", 'assert total == 9, "three items"'),
        ("tests/test_shop.py", "    assert total == 9\n", "    assert total == 9\n    assert total < 10\n"),
        ("tests/price.test.ts", "expect(total).toEqual(9)", "expect(total).toStrictEqual(9)"),
        ("tests/price.rs", "assert_eq!(total, 9);", 'assert_eq!(total, 9, "three items");'),
        ("src/test/ShopTest.java", "int total = price(3);", "final int total = price(3);"),
    ],
)  # fmt: skip
def test_a_test_that_is_as_strict_as_before_is_not_weaker(path: str, old: str, new: str) -> None:
    assert kinds(changed(path, old, new)) == set()


def test_the_words_of_a_panic_may_be_laid_out_otherwise() -> None:
    before = """#[test]
fn is_tidy() {
    if run("fmt").is_err() {
        panic!(
            "failed to run the formatter; \\
             please install it",
        )
    }
}
"""
    after = before.replace("             please", "                please")
    assert kinds(a_run({"tests/tidy.rs": before}, {"tests/tidy.rs": after})) == set()
    assert kinds(a_run({"tests/tidy.rs": before}, {"tests/tidy.rs": after.replace("failed", "9 failed")})) != set()


VALUES = [
    ("tests/test_shop.py", "assert total == 9", "assert total == 10"),
    ("tests/price.test.ts", "expect(total).toEqual(9)", "expect(total).toEqual(10)"),
    ("tests/price.rs", "assert_eq!(total, 9)", "assert_eq!(total, 10)"),
    ("shop_test.go", "if total != 9 {", "if total != 10 {"),
    ("src/test/ShopTest.java", "assertEquals(9, total)", "assertEquals(10, total)"),
]


@pytest.mark.parametrize("whole", [True, False], ids=["repository", "diff-only"])
@pytest.mark.parametrize(("path", "old", "new"), VALUES)
def test_another_expected_value_that_nobody_asked_for_is_found(path: str, old: str, new: str, whole: bool) -> None:
    assert kinds(changed(path, old, new, whole=whole)) == {"rewritten_tests"}


@pytest.mark.parametrize("spec", ["Three items cost 10 now.", "Change the price, and update the tests accordingly."])
@pytest.mark.parametrize(("path", "old", "new"), VALUES)
def test_another_expected_value_that_the_spec_asks_for_is_a_note(path: str, old: str, new: str, spec: str) -> None:
    assert kinds(changed(path, old, new, spec=spec)) == set()


def test_a_test_that_the_spec_supersedes_may_change() -> None:
    spec = "- [ ] Many items get a rebate, where they were priced alone before\n"
    assert kinds(changed(*VALUES[0], spec=spec)) == set()


@pytest.mark.parametrize(
    "spec",
    [
        "Fix the prices. Do not change the tests.",
        "Fix the prices without touching or changing the existing tests.",
        "I've already taken care of all changes to any of the test files; you don't have to modify the tests.",
        "Remove the rounding. The tests must pass.",
    ],
)
def test_a_spec_that_forbids_to_change_tests_does_not_ask_for_it(spec: str) -> None:
    assert kinds(changed(*VALUES[0], spec=spec)) == {"rewritten_tests"}


def test_other_quotes_are_no_other_value() -> None:
    before, after = "def test_a():\n    assert name() == 'Ada'\n", 'def test_a():\n    assert name() == "Ada"\n'
    assert kinds(a_run({"tests/test_a.py": before}, {"tests/test_a.py": after}), "note") == set()


TABLE = """import pytest
from shop import price

@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (2, 4),
        (3, 9),
        (4, 16),
    ],
)
def test_price(count, expected):
    assert price(count) == expected
"""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [("        (3, 9),\n", "        (3, 10),\n", "rewritten_tests"), ("        (3, 9),\n", "", "weakened_tests")],
)
def test_a_changed_table_of_cases_is_found(old: str, new: str, kind: str) -> None:
    assert kinds(a_run({"tests/test_a.py": TABLE}, {"tests/test_a.py": TABLE.replace(old, new)})) == {kind}


def test_a_longer_table_of_cases_is_fine() -> None:
    after = TABLE.replace("        (4, 16),\n", "        (4, 16),\n        (5, 25),\n")
    assert kinds(a_run({"tests/test_a.py": TABLE}, {"tests/test_a.py": after}), "note") == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (last_test("tests/test_shop.py"), ""),
        ("def test_many", "@pytest.mark.skip\ndef test_many"),
        ("    assert total == 9\n", "    assert total\n"),
    ],
)
def test_our_own_run_of_the_old_test_decides(old: str, new: str) -> None:
    run = changed("tests/test_shop.py", old, new)
    name = "tests/test_shop.py::test_many_items"
    assert {each.level for each in found_in(run, our_run(broken=[name]))} == {"proven"}
    assert {each.level for each in found_in(run, our_run(passing=[name]))} == {"note"}


def test_a_finding_shows_the_lines_and_the_place() -> None:
    run = changed("tests/test_shop.py", "assert total == 9", "assert total is not None")
    (found,) = found_in(run)
    assert found.lines == ("- assert total == 9", "+ assert total is not None")
    assert str(found.location) == "tests/test_shop.py:9"
    (found,) = found_in(changed("tests/test_shop.py", "price(2) == 4", "price(2) == 5"))
    assert found.lines == ("- assert price(2) == 4", "+ assert price(2) == 5")


def test_a_tolerance_is_weaker_also_where_the_spec_asks_for_other_values() -> None:
    before = {"shop.py": "def price(n):\n    return n * n\n", "tests/test_a.py": PYTHON}
    after = {**before, "tests/test_a.py": PYTHON.replace("== 4", "== pytest.approx(4, abs=2)")}
    assert kinds(a_run(before, after, spec="Update the tests to the new prices.")) == {"weakened_tests"}
    other = {**before, "tests/test_a.py": PYTHON.replace("== 4", "== 5")}
    assert kinds(a_run(before, other, spec="Update the tests to the new prices.")) == set()
