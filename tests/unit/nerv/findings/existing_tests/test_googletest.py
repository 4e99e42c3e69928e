"""C++ tests that existed before and are switched off."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

PATH = "test/shop_test.cpp"
MAIN = "int main(int argc, char** argv) {\n  ::testing::InitGoogleTest(&argc, argv);\n  return RUN_ALL_TESTS();\n}\n"
TESTS = f"""#include <gtest/gtest.h>

TEST(Shop, Two) {{
  EXPECT_EQ(price(2), 6);
}}

TEST(Shop, Many) {{
  EXPECT_EQ(price(20), 57);
}}

TEST_CASE("carts", "[cart]") {{
  REQUIRE(cart() == 0);
}}

{MAIN}"""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("Shop, Many", "Shop, DISABLED_Many", "skipped_tests"),
        ("Shop, Many", "DISABLED_Shop, Many", "skipped_tests"),
        ("  EXPECT_EQ(price(20)", "  GTEST_SKIP();\n  EXPECT_EQ(price(20)", "skipped_tests"),
        ("TEST(Shop, Many) {", "#if 0\nTEST(Shop, Many) {", "skipped_tests"),
        ('"[cart]"', '"[.][cart]"', "skipped_tests"),
        ('"carts", "[cart]"', '"carts" * doctest::skip()', "skipped_tests"),
        ("  return RUN_ALL_TESTS();", "  RUN_ALL_TESTS();\n  return 0;", "tests_cannot_fail"),
        ("  return RUN", '  GTEST_FLAG_SET(filter, "-Shop.Many");\n  return RUN', "tests_cannot_fail"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_test_that_is_not_run_any_more_is_found(old: str, new: str, kind: str, whole: bool) -> None:
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS.replace(old, new)}, whole=whole)) == {kind}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("TEST(Shop, Many)", "TEST(Shop, DISABLED_Benchmark) {\n  EXPECT_EQ(price(1), 3);\n}\n\nTEST(Shop, Many)"),
        ("  EXPECT_EQ(price(20)", "  if (!hasGpu()) {\n    GTEST_SKIP();\n  }\n  EXPECT_EQ(price(20)"),
        ("TEST(Shop, Many)", "TEST(Shop, Gpu) {\n  GTEST_SKIP();\n}\n\nTEST(Shop, Many)"),
        ("int main", "#if 0\nvoid draft() {}\n#endif\nint main"),
        ("  return RUN_ALL_TESTS();", "  int failed = RUN_ALL_TESTS();\n  return failed;"),
    ],
)
def test_new_tests_and_conditions_are_not(old: str, new: str) -> None:
    assert kinds(a_run({PATH: TESTS}, {PATH: TESTS.replace(old, new)})) == set()
