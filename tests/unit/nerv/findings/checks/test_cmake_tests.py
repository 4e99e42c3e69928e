"""CTest's tests: switched off, filtered or gone."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

CMAKE = (
    "project(shop)\nenable_testing()\nadd_executable(shop_test test/shop_test.cpp)\n"
    "add_test(NAME shop COMMAND shop_test)\n"
)
DECLARATION = "add_test(NAME shop COMMAND shop_test)\n"


def found(after: str) -> set[str]:
    return kinds(a_run({"CMakeLists.txt": CMAKE}, {"CMakeLists.txt": after}))


@pytest.mark.parametrize(
    "after",
    [
        f"{CMAKE}set_tests_properties(shop PROPERTIES DISABLED TRUE)\n",
        f"{CMAKE}set_tests_properties(shop PROPERTIES\n  TIMEOUT 3 WILL_FAIL ON)\n",
        f'{CMAKE}set_tests_properties(shop PROPERTIES PASS_REGULAR_EXPRESSION ".*")\n',
        f"{CMAKE}set_tests_properties(shop PROPERTIES SKIP_RETURN_CODE 1)\n",
        CMAKE.replace("COMMAND shop_test", "COMMAND shop_test --gtest_filter=-Shop.Many"),
        CMAKE.replace("COMMAND shop_test", "COMMAND true"),
        CMAKE.replace(DECLARATION, ""),
        CMAKE.replace("enable_testing()\n", ""),
    ],
)
def test_a_test_that_cannot_fail_any_more_is_found(after: str) -> None:
    assert found(after) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "after",
    [
        f"{CMAKE}add_test(NAME bad COMMAND shop --bad)\nset_tests_properties(bad PROPERTIES WILL_FAIL TRUE)\n",
        f"{CMAKE}set_tests_properties(shop PROPERTIES TIMEOUT 30 WILL_FAIL FALSE)\n",
        f"{CMAKE}target_link_libraries(shop_test csv)\nset(CMAKE_CXX_STANDARD 20)\n",
        CMAKE.replace("NAME shop", "NAME shop_unit"),
        CMAKE.replace(DECLARATION, "include(GoogleTest)\ngtest_discover_tests(shop_test)\n"),
        CMAKE.replace(DECLARATION, "foreach(t shop_test)\n  add_test(NAME ${t} COMMAND ${t})\nendforeach()\n"),
        "project(shop)\nenable_testing()\n",
    ],
)
def test_new_renamed_and_removed_programs_are_fine(after: str) -> None:
    assert found(after) == set()
