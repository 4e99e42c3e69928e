"""The tests that a change is about, found in large projects."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nerv.verification.ecosystems import cargo_suite, go_suite, java_suite, node_suite, pytest_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.related_tests import related_tests
from nerv.verification.repository import Trees
from verified_projects import tree_of

PYTHON = Project(folder="", ecosystem=pytest_suite)
TEST = "def test_a():\n    assert a()\n"
OTHERS = {f"tests/test_other{number}.py": f"from shop import other{number}\n{TEST}" for number in range(20)}
SHOP = {
    **OTHERS,
    "shop/price.py": "def price_of(item):\n    return 1\n",
    "shop/__init__.py": "from shop.price import price_of\n",
    "tests/test_price.py": f"import shop\n{TEST}",
    "tests/test_bill.py": f"from shop import (\n    cart,\n    price,\n)\n{TEST}",
    "tests/test_sum.py": f"import shop\n{TEST}# price_of\n",
    "tests/conftest.py": "import shop\n",
}
CHANGE = {"shop/price.py": "def price_of(item):\n    return 2\n"}


def kept(project: Project, base: Mapping[str, str], change: Mapping[str, str | None]) -> set[str] | None:
    """Return the files in the result that hold tests and were kept; None if all are."""
    result = {path: text for path, text in {**base, **change}.items() if text is not None}
    found = related_tests(project, Trees(base=tree_of(base), result=tree_of(result)))
    if found is None:
        return None
    left = {*(found.trees.base or ()), *found.trees.result}
    assert len({*base, *result} - left) == found.whole - found.kept
    return {path for path in found.trees.result if "test" in path and not path.endswith("conftest.py")}


def test_tests_with_the_name_of_a_changed_file_and_those_that_import_it_are_kept() -> None:
    assert kept(PYTHON, SHOP, CHANGE) == {"tests/test_price.py", "tests/test_bill.py"}


def test_tests_that_changed_are_kept() -> None:
    change = {**CHANGE, "tests/test_new.py": TEST, "tests/test_other3.py": TEST, "tests/test_other4.py": None}
    found = kept(PYTHON, SHOP, change)
    assert found == {"tests/test_price.py", "tests/test_bill.py", "tests/test_new.py", "tests/test_other3.py"}


def test_without_others_those_are_kept_that_name_what_a_changed_file_defines() -> None:
    far = {path: text for path, text in SHOP.items() if path not in ("tests/test_price.py", "tests/test_bill.py")}
    assert kept(PYTHON, far, CHANGE) == {"tests/test_sum.py"}


def test_what_the_kept_tests_need_is_kept() -> None:
    base = {
        **SHOP,
        "tests/test_price.py": f"from tests.test_base import Base\n{TEST}",
        "tests/test_base.py": f"from tests.test_root import Root\n{TEST}",
        "tests/test_root.py": TEST,
        "tests/conftest.py": "from test_fixtures import shop\n",
        "tests/test_fixtures.py": TEST,
    }
    needed = {"tests/test_base.py", "tests/test_root.py", "tests/test_fixtures.py"}
    assert kept(PYTHON, base, CHANGE) == {"tests/test_price.py", "tests/test_bill.py"} | needed


def test_code_with_the_name_of_a_test_is_no_test() -> None:
    project = Project(folder="", ecosystem=pytest_suite, not_tests=frozenset({"shop/test_tools.py"}))
    found = kept(project, {**SHOP, "shop/test_tools.py": "def check(item): ...\n"}, CHANGE)
    assert found is not None
    assert "shop/test_tools.py" in found


def test_at_most_a_quarter_is_kept_of_what_did_not_change() -> None:
    tests = {
        f"tests/test_{name}{n}.py": f"from shop import {name}\n{TEST}" for name in ("price", "till") for n in "1234"
    }
    base = {**SHOP, **tests, "shop/till.py": "a = 1\n"}
    change = {**CHANGE, "shop/till.py": "a = 2\n"}
    found = kept(PYTHON, base, change)
    assert found is not None
    assert len(found) == 7  # of 31
    assert {"tests/test_price.py", *(f"tests/test_till{n}.py" for n in "1234")} <= found


def test_what_nearly_all_tests_import_tells_nothing() -> None:
    every = dict.fromkeys(OTHERS, f"from shop import price\n{TEST}")
    assert kept(PYTHON, {**SHOP, **every}, CHANGE) == {"tests/test_price.py"}


@pytest.mark.parametrize(
    ("base", "change"),
    [
        ({path: SHOP[path] for path in ("shop/price.py", "tests/test_price.py", "tests/test_bill.py")}, CHANGE),
        (SHOP, {"README.md": "new\n"}),
        (SHOP, {"shop/till.py": "def open():\n    return 1\n"}),
    ],
    ids=["few files", "no code", "nothing related"],
)
def test_otherwise_nothing_is_left_out(base: Mapping[str, str], change: Mapping[str, str]) -> None:
    assert kept(PYTHON, base, change) is None


def test_a_language_whose_tests_are_built_as_a_whole_keeps_them_all() -> None:
    tests = {f"tests/t{number}.rs": "#[test]\nfn a() {}\n" for number in range(20)}
    project = Project(folder="", ecosystem=cargo_suite)
    assert kept(project, {**tests, "src/lib.rs": "a"}, {"src/lib.rs": "b"}) is None


def test_only_the_project_s_own_tests_are_left_out() -> None:
    base = {f"api/{path}": text for path, text in SHOP.items()} | {"web/tests/test_other1.py": TEST}
    found = kept(Project(folder="api", ecosystem=pytest_suite), base, {"api/shop/price.py": "def price_of(): ...\n"})
    assert found == {"api/tests/test_price.py", "api/tests/test_bill.py", "web/tests/test_other1.py"}


def test_in_go_packages_are_kept_whole() -> None:
    text = "package x\n\nfunc TestA(t *testing.T) {}\n"
    base = {
        "price/price.go": "package price\n",
        **{f"price/{name}_test.go": text for name in ("price", "old")},
        **{f"bill/{name}_test.go": text for name in ("a", "b")},
        **{f"p{number}/p_test.go": text for number in range(20)},
    }
    base["bill/a_test.go"] = 'package bill\n\nimport (\n\t"testing"\n\n\t"example.org/shop/price"\n)\n'
    found = kept(Project(folder="", ecosystem=go_suite), base, {"price/price.go": "package price\n\nvar A = 1\n"})
    assert found == {"price/price_test.go", "price/old_test.go", "bill/a_test.go", "bill/b_test.go"}


def test_javascript() -> None:
    base = {
        "src/price.ts": "export const a = 1;\n",
        "src/price.test.ts": 'import { helper } from "../test/helper";\n',
        "test/bill.spec.js": 'const { a } = require("../src/price");\n',
        "test/helper.ts": "export const helper = 1;\n",
        **{f"test/other{number}.test.js": 'import x from "../src/other.js";\n' for number in range(20)},
    }
    found = kept(Project(folder="", ecosystem=node_suite), base, {"src/price.ts": "export const a = 2;\n"})
    assert found == {"src/price.test.ts", "test/bill.spec.js", "test/helper.ts"}


def test_java() -> None:
    base = {
        "src/main/java/shop/Price.java": "package shop; class Price {}\n",
        "src/test/java/shop/PriceTest.java": "package shop; class PriceTest extends Base {}\n",
        "src/test/java/shop/TillTest.java": "package shop; class TillTest {}\n",
        "src/test/java/tools/Base.java": "package tools; class Base {}\n",
        **{f"src/test/java/other/T{number}Test.java": "package other;\n" for number in range(20)},
    }
    change = {"src/main/java/shop/Price.java": "package shop; class Price { int a; }\n"}
    found = kept(Project(folder="", ecosystem=java_suite), base, change)
    assert found == {f"src/test/java/{name}.java" for name in ("shop/PriceTest", "shop/TillTest", "tools/Base")}
