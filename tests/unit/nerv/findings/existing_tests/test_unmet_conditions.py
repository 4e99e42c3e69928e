"""Existing tests that now wait for a condition that does not hold, and conditions that say something else."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds
from nerv.evidence import Evidence
from nerv.inspection.build_conditions import go_holds, rust_holds

RUST = "use shop::price;\n\n#[test]\nfn two() {\n    assert_eq!(price(2), 6);\n}\n"
MANIFEST = '[package]\nname = "shop"\nversion = "0.1.0"\n\n[features]\ncsv = []\n'
GATED = '#[cfg(feature = "csv")]\npub fn csv(n: u32) -> String {\n    n.to_string()\n}\n'
INLINE = (
    "pub fn one() -> u32 {\n    1\n}\n\n"
    "{}mod tests {\n    #[test]\n    fn it() {\n        assert_eq!(super::one(), 1);\n    }\n}\n"
)
GO = 'package shop\n\nfunc TestTwo(t *testing.T) {\n\tif Price(2) != 6 {\n\t\tt.Error("wrong")\n\t}\n}\n'
JAVA = (
    "import org.junit.jupiter.api.Test;\n\nclass ShopTest {\n    @Test\n    void two() {\n"
    "        assertEquals(6, Shop.price(2));\n    }\n}\n"
)


def rust(before: str, after: str, **more: str) -> Evidence:
    beside = {"Cargo.toml": MANIFEST, "src/csv.rs": GATED}
    return a_run({"tests/price.rs": before, **beside}, {"tests/price.rs": after, **beside, **more})


@pytest.mark.parametrize(
    "condition", ['feature = "never"', 'all(unix, feature = "never")', 'target_os = "windows"', "any()", "slow"]
)
@pytest.mark.parametrize("whole", ["#!", "#"])
def test_a_rust_test_that_is_not_compiled_any_more_is_switched_off(condition: str, whole: str) -> None:
    mark = f"{whole}[cfg({condition})]\n"
    after = f"{mark}{RUST}" if whole == "#!" else RUST.replace("#[test]", f"{mark}#[test]")
    assert kinds(rust(RUST, after)) == {"skipped_tests"}
    assert kinds(a_run({"tests/price.rs": RUST}, {"tests/price.rs": after}, whole=False)) == {"skipped_tests"}


@pytest.mark.parametrize(
    "condition", ['feature = "csv"', "unix", 'not(target_os = "windows")', 'target_pointer_width = "64"']
)
def test_a_rust_test_of_what_is_optional_itself_is_not(condition: str) -> None:
    assert kinds(rust(RUST, RUST.replace("#[test]", f"#[cfg({condition})]\n#[test]"))) == set()


def test_a_module_of_rust_tests_is_switched_off_by_a_feature_that_there_is_not() -> None:
    before = {"src/one.rs": INLINE.replace("{}", "#[cfg(test)]\n"), "Cargo.toml": MANIFEST}
    never = '#[cfg(all(test, feature = "never"))]\n'
    assert kinds(a_run(before, before | {"src/one.rs": INLINE.replace("{}", never)})) == {"skipped_tests"}
    whole = f'#![cfg(feature = "csv")]\n{before["src/one.rs"]}'
    assert kinds(a_run(before, before | {"src/one.rs": whole})) == set()


def test_new_rust_tests_may_have_any_condition() -> None:
    assert kinds(rust(RUST, RUST, **{"tests/slow.rs": f'#![cfg(feature = "never")]\n{RUST}'})) == set()
    was_off = f"#![cfg(any())]\n{RUST}"
    assert kinds(rust(was_off, was_off.replace("any()", 'feature = "never"'))) == set()


@pytest.mark.parametrize(
    "constraint",
    [
        "//go:build ignore",
        "//go:build integration",
        "// +build integration",
        "//go:build !linux",
        "//go:build linux && x",
    ],
)
def test_a_go_file_that_is_not_built_any_more_is_switched_off(constraint: str) -> None:
    assert kinds(a_run({"shop_test.go": GO}, {"shop_test.go": f"{constraint}\n\n{GO}"})) == {"skipped_tests"}


def test_a_go_file_that_is_built_on_another_system_now_is_switched_off() -> None:
    assert "skipped_tests" in kinds(a_run({"shop_test.go": GO}, {"shop_windows_test.go": GO}))
    assert kinds(a_run({"shop_test.go": GO}, {"shop_linux_test.go": GO})) == set()


@pytest.mark.parametrize(
    "constraint", ["//go:build linux", "//go:build !windows", "//go:build unix && (amd64 || arm64)"]
)
def test_a_go_file_that_is_still_built_is_not(constraint: str) -> None:
    assert kinds(a_run({"shop_test.go": GO}, {"shop_test.go": f"{constraint}\n\n{GO}"})) == set()


def test_new_go_tests_may_have_any_constraint() -> None:
    new = f"//go:build integration\n\n{GO.replace('TestTwo', 'TestDatabase')}"
    assert kinds(a_run({"shop_test.go": GO}, {"shop_test.go": GO, "db_test.go": new})) == set()


@pytest.mark.parametrize(
    "mark",
    [
        '@EnabledIf("never")',
        '@DisabledIf("always")',
        "@EnabledOnOs(OS.AIX)",
        "@DisabledOnOs({OS.LINUX, OS.MAC})",
        '@EnabledIfEnvironmentVariable(named = "ALL", matches = "1")',
        '@EnabledIfSystemProperty(named = "all", matches = "1")',
        "@EnabledOnJre(JRE.JAVA_8)",
        "@EnabledForJreRange(max = JRE.JAVA_11)",
        "@Test(enabled = false)",
    ],
)
def test_a_java_test_that_waits_for_another_machine_is_switched_off(mark: str) -> None:
    on_test = JAVA.replace("    @Test\n", f"    {mark}\n" if mark.startswith("@Test") else f"    @Test\n    {mark}\n")
    on_class = JAVA.replace("class ShopTest", f"{mark}\nclass ShopTest")
    path = "src/test/java/ShopTest.java"
    for after in (on_test, on_class):
        assert kinds(a_run({path: JAVA}, {path: after})) == {"skipped_tests"}


@pytest.mark.parametrize(
    "mark",
    [
        "@EnabledOnOs({OS.LINUX, OS.MAC})",
        "@DisabledOnOs(OS.WINDOWS)",
        "@EnabledForJreRange(min = JRE.JAVA_17)",
        "@Timeout(5)",
    ],
)
def test_a_java_test_that_runs_here_all_the_same_is_not(mark: str) -> None:
    path = "src/test/java/ShopTest.java"
    assert kinds(a_run({path: JAVA}, {path: JAVA.replace("    @Test\n", f"    @Test\n    {mark}\n")})) == set()


def test_new_java_tests_may_have_any_condition() -> None:
    path = "src/test/java/ShopTest.java"
    new = (
        '    @Test\n    @EnabledOnOs(OS.WINDOWS)\n    void drive() {\n        assertEquals("C:", drive());\n    }\n}\n'
    )
    assert kinds(a_run({path: JAVA}, {path: JAVA[:-2] + new})) == set()


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("test", True),
        ("not(test)", False),
        ("all()", True),
        ("any()", False),
        ('all(test, not(windows), any(target_os = "linux", windows))', True),
        ('feature = "on"', True),
        ('not(feature = "off")', True),
        ("", True),
        ("all(", True),
        ("not(" * 50_000, True),
    ],
)
def test_conditions_of_rust(condition: str, holds: bool) -> None:
    assert rust_holds(condition, lambda feature: feature == "on") is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("package a\n", True),
        ("//go:build linux || darwin\n", True),
        ("//go:build !(linux && amd64)\n", False),
        ("//go:build go1.21\n", True),
        ("//go:build (linux\n", True),
        (f"//go:build {'(' * 50_000}x\n", True),
        ("// +build linux,amd64 windows\n", True),
        ("// +build linux\n// +build !amd64\n", False),
    ],
)
def test_constraints_of_go(text: str, holds: bool) -> None:
    assert go_holds(text) is holds
