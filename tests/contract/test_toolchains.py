"""The shipped contract of toolchains, held against every toolchain that is registered here."""

from __future__ import annotations

from forgetest import plugins
from forgetest.testing.toolchains import Specimen, ToolchainContract
from forgetest.verdict import Span

TESTS = """
    #[cfg(test)]
    mod tests {
        use super::*;
        #[test] fn below() { assert_eq!(percentage(-5), 0); }
        #[test] fn above() { assert_eq!(percentage(105), 100); }
        #[test] #[ignore] fn slow() { assert_eq!(percentage(1), 2); }
    }
"""


class TestRust(ToolchainContract):
    specimen = Specimen(
        language="rust",
        tests=TESTS,
        below="tests::below",
        above="tests::above",
        ignored="tests::slow",
        ignored_tests=TESTS.replace("#[test] fn", "#[test] #[ignore] fn"),
        signature="fn percentage(n: i32) -> i32",
        right="pub fn percentage(n: i32) -> i32 {\n    n.clamp(0, 100)\n}\n",
        wrong="pub fn percentage(n: i32) -> i32 {\n    n.min(100)\n}\n",
        broken="pub fn percentage(n: i32) -> i32 {\n    n.clamp(0, hundred)\n}\n",
        error=("E0425", Span(line_start=2, line_end=2, column_start=16, column_end=23)),
        linted="pub fn percentage(n: i32) -> i32 {\n    return n.clamp(0, 100);\n}\n",
        lint=("clippy::needless_return", Span(line_start=2, line_end=2, column_start=5, column_end=27)),
        nameless="pub fn per_mille(n: i32) -> i32 {\n    n.clamp(0, 1000)\n}\n",
        other_types="pub fn percentage(n: i64) -> i64 {\n    n.clamp(0, 100)\n}\n",
        endless="pub fn percentage(_: i32) -> i32 {\n    #[allow(clippy::empty_loop)]\n    loop {}\n}\n",
    )


PYTHON_TESTS = """
import pytest

def test_below():
    assert percentage(-5) == 0

def test_above():
    assert percentage(105) == 100

@pytest.mark.skip(reason="slow")
def test_slow():
    assert percentage(1) == 2
"""


class TestPython(ToolchainContract):
    specimen = Specimen(
        language="python",
        tests=PYTHON_TESTS,
        below="test_below",
        above="test_above",
        ignored="test_slow",
        ignored_tests=PYTHON_TESTS.replace("def test", "@pytest.mark.skip\ndef test"),
        signature="def percentage(n)",
        right="def percentage(n):\n    return max(0, min(n, 100))\n",
        wrong="def percentage(n):\n    return min(n, 100)\n",
        broken="def percentage(n):\n    return max(0, min(n, 100)\n",
        error=("SyntaxError", Span(line_start=2, line_end=2, column_start=15, column_end=30)),
        linted="def percentage(n):\n    unused = 1\n    return max(0, min(n, 100))\n",
        lint=("F841", Span(line_start=2, line_end=2, column_start=5, column_end=11)),
        nameless="def per_mille(n):\n    return max(0, min(n, 1000))\n",
        endless="def percentage(n):\n    while True:\n        pass\n",
        comment="# only a comment",
    )


def test_every_registered_toolchain_is_held_to_the_contract():
    covered = {each.specimen.language for each in ToolchainContract.__subclasses__()}
    assert set(plugins.names("toolchains")) <= covered
