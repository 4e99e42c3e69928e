"""Python modules with names like those of tests that are no tests."""

from __future__ import annotations

from nerv.verification.ecosystems import pytest_suite
from nerv.verification.ecosystems.all import find_projects
from nerv.verification.ecosystems.python_code import code_named_as_tests
from nerv.verification.repository import Trees
from verified_projects import tree_of

LIBRARY = {
    "shop/__init__.py": "from shop.test_tools import (\n    check,\n    other,\n)\n",
    "shop/test_tools.py": "from shop.test import client\n\n\ndef check(): ...\n",
    "shop/test/__init__.py": "from shop.test.client import Client\n",
    "shop/test/client.py": "class Client: ...\n",
    "tests/test_shop.py": "import shop\n\n\ndef test_shop():\n    assert shop.check\n",
    "tests/helpers.py": "def make(): ...\n",
}
CODE = {"shop/test_tools.py", "shop/test/__init__.py", "shop/test/client.py"}


def test_what_the_code_imports_and_has_no_tests_is_code() -> None:
    assert code_named_as_tests(tree_of(LIBRARY)) == CODE


def test_tests_and_what_only_they_import_are_none() -> None:
    tree = {
        "shop.py": "import json\n",
        "test_shop.py": "from test_helpers import make\n\n\ndef test_shop():\n    assert make\n",
        "test_helpers.py": "def make(): ...\n",
        "test/fixtures.py": "shop = 1\n",
        "conftest.py": "shop = 1\n",
    }
    assert code_named_as_tests(tree_of(tree)) == set()


def test_a_run_that_empties_a_test_and_imports_it_does_not_make_it_code() -> None:
    base = {"shop.py": "a = 1\n", "test_shop.py": "import shop\n\n\ndef test_a():\n    assert shop.a\n"}
    result = {"shop.py": "import test_shop\n", "test_shop.py": "a = 2\n"}
    assert code_named_as_tests(tree_of(base), tree_of(result)) == set()


def test_the_result_s_code_stays_when_the_base_s_tests_are_run_on_it() -> None:
    base = tree_of({**LIBRARY, "pytest.ini": "[pytest]\n"})
    result = {**base, **tree_of({"shop/test_tools.py": "def check(): return 2\n", "tests/test_shop.py": ""})}
    [project] = find_projects(base, result)
    assert project.ecosystem is pytest_suite
    trees = Trees(base=base, result=result)
    assert trees.changed_files(project) == {"tests/test_shop.py"}
    mixed = trees.overlay(project, result, base)
    assert mixed["shop/test_tools.py"].text == "def check(): return 2\n"
    assert mixed["tests/test_shop.py"] == base["tests/test_shop.py"]
