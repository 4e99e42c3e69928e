"""One small project per kind of test suite: one change keeps its tests, one breaks one, one does not build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verified_projects import Files


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    tools: tuple[str, ...]
    base: Mapping[str, str]
    good: Files
    """Adds a function, and a test that needs it."""
    shown: str
    """That test."""
    bad: Files
    broken: str
    """The test that it breaks."""
    unbuildable: Files | None
    """None: this runner cannot tell a failed build from a failed test."""
    reason: str = ""


def _changed(base: Mapping[str, str], path: str, old: str, new: str) -> dict[str, str]:
    assert old in base[path]
    return {path: base[path].replace(old, new)}


_UNITTEST = {
    "calc/__init__.py": "",
    "calc/core.py": "def add(a, b):\n    return a + b\n",
    "tests/__init__.py": "",
    "tests/test_core.py": (
        "import unittest\n\nfrom calc.core import add\n\n\nclass AddTest(unittest.TestCase):\n"
        "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n"
        "    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n"
    ),
}
_RUST = {
    "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": (
        "pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        "    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n"
    ),
    "tests/whole.rs": "#[test]\nfn zero() {\n    assert_eq!(calc::add(0, 0), 0);\n}\n",
}
_GO = {
    "go.mod": "module calc\n\ngo 1.20\n",
    "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
    "calc_test.go": (
        'package calc\n\nimport "testing"\n\n'
        'func TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("add")\n\t}\n}\n\n'
        'func TestZero(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal("zero")\n\t}\n}\n'
    ),
}
_NODE = {
    "package.json": '{"name": "calc", "type": "module", "scripts": {"test": "node --test"}}\n',
    "calc.js": "export const add = (a, b) => a + b;\n",
    "calc.test.js": (
        'import { describe, test } from "node:test";\nimport assert from "node:assert";\n'
        'import { add } from "./calc.js";\n\n'
        'test("add", () => assert.equal(add(1, 2), 3));\n'
        'describe("nothing", () => {\n  test("zero", () => assert.equal(add(0, 0), 0));\n});\n'
    ),
}
_JAVA = {
    "pom.xml": (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>org.example</groupId><artifactId>calc</artifactId><version>1</version><dependencies><dependency>"
        "<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>"
        "<scope>test</scope></dependency></dependencies></project>\n"
    ),
    "src/main/java/org/example/Calc.java": (
        "package org.example;\n\npublic class Calc {\n    public static int add(int a, int b) {\n"
        "        return a + b;\n    }\n}\n"
    ),
    "src/test/java/org/example/CalcTest.java": (
        "package org.example;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
        "import org.junit.jupiter.api.Test;\n\nclass CalcTest {\n    @Test\n    void adds() {\n"
        "        assertEquals(3, Calc.add(1, 2));\n    }\n\n    @Test\n    void zero() {\n"
        "        assertEquals(0, Calc.add(0, 0));\n    }\n}\n"
    ),
}
_CMAKE = {
    "CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.16)\nproject(calc C)\nenable_testing()\nadd_library(calc calc.c)\n"
        "add_subdirectory(tests)\n"
    ),
    "calc.h": "int add(int a, int b);\nint sub(int a, int b);\n",
    "calc.c": '#include "calc.h"\nint add(int a, int b) { return a + b; }\n',
    "tests/CMakeLists.txt": (
        "foreach(name adds zero)\n  add_executable(${name} ${name}.c)\n  target_link_libraries(${name} calc)\n"
        "  add_test(NAME ${name} COMMAND ${name})\nendforeach()\n"
    ),
    "tests/adds.c": '#include "../calc.h"\nint main(void) { return add(1, 2) != 3; }\n',
    "tests/zero.c": '#include "../calc.h"\nint main(void) { return add(0, 0) != 0; }\n',
}
_MAKE = {
    "Makefile": "test: check_calc\n\t./check_calc\n\ncheck_calc: calc.c tests/check.c\n\t$(CC) -o $@ $^\n",
    "calc.c": "int add(int a, int b) { return a + b; }\n",
    "tests/check.c": "int add(int a, int b);\nint main(void) { return add(1, 2) != 3; }\n",
}

SAMPLES: Mapping[str, Sample] = {
    "unittest": Sample(
        tools=(),
        base=_UNITTEST,
        good={
            "calc/core.py": _UNITTEST["calc/core.py"] + "\n\ndef sub(a, b):\n    return a - b\n",
            "tests/test_sub.py": (
                "import unittest\n\nfrom calc.core import sub\n\n\nclass SubTest(unittest.TestCase):\n"
                "    def test_sub(self):\n        self.assertEqual(sub(3, 2), 1)\n"
            ),
        },
        shown="tests.test_sub.SubTest.test_sub",
        bad=_changed(_UNITTEST, "calc/core.py", "a + b", "3"),
        broken="tests.test_core.AddTest.test_zero",
        unbuildable=_changed(_UNITTEST, "calc/core.py", "(a, b)", "(a, b"),
        reason="SyntaxError",
    ),
    "rust": Sample(
        tools=("rustc", "cc"),
        base=_RUST,
        good={
            "src/lib.rs": _RUST["src/lib.rs"] + "\npub fn sub(a: i64, b: i64) -> i64 {\n    a - b\n}\n",
            "tests/sub.rs": "#[test]\nfn sub() {\n    assert_eq!(calc::sub(3, 2), 1);\n}\n",
        },
        shown="tests/sub::sub",
        bad=_changed(_RUST, "src/lib.rs", "a + b", "3"),
        broken="tests/whole::zero",
        unbuildable=_changed(_RUST, "src/lib.rs", "a + b", "a + c"),
        reason="src/lib.rs:2: cannot find value `c`",
    ),
    "go": Sample(
        tools=("go",),
        base=_GO,
        good={
            "calc.go": _GO["calc.go"] + "\nfunc Sub(a, b int) int { return a - b }\n",
            "sub_test.go": (
                'package calc\n\nimport "testing"\n\nfunc TestSub(t *testing.T) {\n'
                '\tif Sub(3, 2) != 1 {\n\t\tt.Fatal("sub")\n\t}\n}\n'
            ),
        },
        shown="calc.TestSub",
        bad=_changed(_GO, "calc.go", "a + b", "3"),
        broken="calc.TestZero",
        unbuildable=_changed(_GO, "calc.go", "a + b", "a + c"),
        reason="undefined: c",
    ),
    "node": Sample(
        tools=("node",),
        base=_NODE,
        good={
            "calc.js": _NODE["calc.js"] + "export const sub = (a, b) => a - b;\n",
            "sub.test.js": (
                'import { test } from "node:test";\nimport assert from "node:assert";\n'
                'import { sub } from "./calc.js";\n\ntest("sub", () => assert.equal(sub(3, 2), 1));\n'
            ),
        },
        shown="sub.test.js > sub",
        bad=_changed(_NODE, "calc.js", "a + b", "3"),
        broken="calc.test.js > nothing > zero",
        unbuildable=_changed(_NODE, "calc.js", "(a, b)", "(a, b"),
        reason="SyntaxError",
    ),
    "java": Sample(
        tools=("javac", "mvn"),
        base=_JAVA,
        good={
            **_changed(
                _JAVA,
                "src/main/java/org/example/Calc.java",
                "    public static",
                "    public static int sub(int a, int b) {\n        return a - b;\n    }\n\n    public static",
            ),
            "src/test/java/org/example/SubTest.java": (
                "package org.example;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
                "import org.junit.jupiter.api.Test;\n\nclass SubTest {\n    @Test\n    void subtracts() {\n"
                "        assertEquals(1, Calc.sub(3, 2));\n    }\n}\n"
            ),
        },
        shown="org.example.SubTest.subtracts",
        bad=_changed(_JAVA, "src/main/java/org/example/Calc.java", "a + b", "3"),
        broken="org.example.CalcTest.zero",
        unbuildable=_changed(_JAVA, "src/main/java/org/example/Calc.java", "a + b", "a + c"),
        reason="cannot find symbol",
    ),
    "cmake": Sample(
        tools=("cmake", "ctest", "cc"),
        base=_CMAKE,
        good={
            "calc.c": _CMAKE["calc.c"] + "int sub(int a, int b) { return a - b; }\n",
            **_changed(_CMAKE, "tests/CMakeLists.txt", "adds zero", "adds zero subtracts"),
            "tests/subtracts.c": '#include "../calc.h"\nint main(void) { return sub(3, 2) != 1; }\n',
        },
        shown="subtracts",
        bad=_changed(_CMAKE, "calc.c", "a + b", "3"),
        broken="zero",
        unbuildable=_changed(_CMAKE, "calc.c", "a + b", "a + c"),
        reason="undeclared",
    ),
    "make": Sample(
        tools=("make", "cc"),
        base=_MAKE,
        good={},
        shown="",
        bad=_changed(_MAKE, "calc.c", "a + b", "4"),
        broken="make test",
        unbuildable=None,
    ),
}
