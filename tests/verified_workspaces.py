"""Repositories of several parts that need each other, as real ones declare them; for tests of verification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verified_projects import Files


@dataclass(frozen=True)
class Workspace:
    """A repository, a change that a new test shows, and one that breaks tests elsewhere."""

    tools: tuple[str, ...]
    base: Mapping[str, str]
    good: Files
    shown: str
    bad: Files
    broken: tuple[str, ...]


def _go_test(package: str, function: str, numbers: tuple[int, int, int]) -> str:
    first, second, expected = numbers
    return (
        f'package {package}\n\nimport "testing"\n\nfunc Test{function}(t *testing.T) {{\n'
        f"\tif {function}({first}, {second}) != {expected} {{\n\t\tt.Fatal()\n\t}}\n}}\n"
    )


_GO_LIB = {
    "lib/go.mod": "module example.org/lib\n\ngo 1.21\n",
    "lib/lib.go": "package lib\n\nfunc Two() int { return 2 }\n",
    "lib/lib_test.go": (
        'package lib\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal()\n\t}\n}\n'
    ),
}
_GO_APP = 'package app\n\nimport "example.org/lib"\n\nfunc Add(a, b int) int { return a + b + lib.Two() - 2 }\n'
_GO_APP_NEW = f"{_GO_APP}\nfunc Sub(a, b int) int {{ return a - b }}\n"
_GO_BAD = {"lib/lib.go": "package lib\n\nfunc Two() int { return 3 }\n"}

_TS_ADD = "export const add = (a: number, b: number) => a + b;\n"


def _ts_test(module: str, name: str, call: str, value: int) -> str:
    return (
        f'import {{ expect, test }} from "vitest";\nimport {{ {name} }} from "{module}";\n\n'
        f'test("{name}", () => expect({call}).toBe({value}));\n'
    )


_JUNIT = (
    "<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
    "<version>5.10.2</version><scope>test</scope></dependency></dependencies>"
)
_JAVA_CORE = "<dependency><groupId>org.own</groupId><artifactId>core</artifactId><version>1</version></dependency>"
_JAVA_CALC = (
    "package org.own.core;\n\npublic class Calc {\n    public static int add(int a, int b) {\n"
    "        return a + b;\n    }\n}\n"
)


def _pom(artifact: str, inner: str) -> str:
    return (
        f"<project><modelVersion>4.0.0</modelVersion><groupId>org.own</groupId><artifactId>{artifact}</artifactId>"
        f"<version>1</version>{inner}</project>\n"
    )


def _java_test(package: str, name: str, compared: str) -> str:
    return (
        f"package org.own.{package};\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
        f"import org.junit.jupiter.api.Test;\n\nclass {name} {{\n    @Test\n    void works() {{\n"
        f"        assertEquals({compared});\n    }}\n}}\n"
    )


WORKSPACES = {
    "go with a module in a folder": Workspace(
        tools=("go",),
        base={
            **_GO_LIB,
            "go.mod": (
                "module example.org/app\n\ngo 1.21\n\nrequire example.org/lib v0.0.0\n\n"
                "replace example.org/lib => ./lib\n"
            ),
            "app.go": _GO_APP,
            "app_test.go": _go_test("app", "Add", (1, 2, 3)),
        },
        good={"app.go": _GO_APP_NEW, "sub_test.go": _go_test("app", "Sub", (3, 2, 1))},
        shown="example.org/app.TestSub",
        bad=_GO_BAD,
        broken=("example.org/app.TestAdd", "lib: example.org/lib.TestTwo"),
    ),
    "go.work": Workspace(
        tools=("go",),
        base={
            **_GO_LIB,
            "go.work": "go 1.21\n\nuse (\n\t./app\n\t./lib\n)\n",
            "app/go.mod": "module example.org/app\n\ngo 1.21\n\nrequire example.org/lib v0.0.0\n",
            "app/app.go": _GO_APP,
            "app/app_test.go": _go_test("app", "Add", (1, 2, 3)),
        },
        good={"app/app.go": _GO_APP_NEW, "app/sub_test.go": _go_test("app", "Sub", (3, 2, 1))},
        shown="example.org/app.TestSub",
        bad=_GO_BAD,
        broken=("example.org/app.TestAdd", "example.org/lib.TestTwo"),
    ),
    "go with a vendor folder": Workspace(
        tools=("go",),
        base={
            "go.mod": "module example.org/app\n\ngo 1.21\n\nrequire example.org/lib v1.0.0\n",
            "vendor/modules.txt": "# example.org/lib v1.0.0\n## explicit; go 1.21\nexample.org/lib\n",
            "vendor/example.org/lib/lib.go": _GO_LIB["lib/lib.go"],
            "app.go": _GO_APP,
            "app_test.go": _go_test("app", "Add", (1, 2, 3)),
        },
        good={"app.go": _GO_APP_NEW, "sub_test.go": _go_test("app", "Sub", (3, 2, 1))},
        shown="example.org/app.TestSub",
        bad={"app.go": _GO_APP.replace("- 2", "- 3")},
        broken=("example.org/app.TestAdd",),
    ),
    "npm workspaces": Workspace(
        tools=("npm",),
        base={
            "package.json": (
                '{"private": true, "workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"},'
                ' "devDependencies": {"vitest": "^2.1.0"}}\n'
            ),
            "packages/core/package.json": (
                '{"name": "@mono/core", "version": "1.0.0", "type": "module", "exports": "./index.ts",'
                ' "scripts": {"test": "vitest run"}}\n'
            ),
            "packages/core/index.ts": _TS_ADD,
            "packages/core/index.test.ts": _ts_test("./index", "add", "add(1, 2)", 3),
            "packages/app/package.json": (
                '{"name": "@mono/app", "version": "1.0.0", "type": "module", "scripts": {"test": "vitest run"},'
                ' "dependencies": {"@mono/core": "^1.0.0"}}\n'
            ),
            "packages/app/app.ts": (
                'import { add } from "@mono/core";\n\nexport const twice = (a: number) => add(a, a);\n'
            ),
            "packages/app/app.test.ts": _ts_test("./app", "twice", "twice(2)", 4),
        },
        good={
            "packages/core/index.ts": f"{_TS_ADD}export const sub = (a: number, b: number) => a - b;\n",
            "packages/core/sub.test.ts": _ts_test("./index", "sub", "sub(3, 2)", 1),
        },
        shown="packages/core: packages/core/sub.test.ts > sub",
        bad={"packages/core/index.ts": _TS_ADD.replace("a + b", "a - b")},
        broken=("packages/app: packages/app/app.test.ts > twice", "packages/core: packages/core/index.test.ts > add"),
    ),
    "maven modules": Workspace(
        tools=("mvn", "javac"),
        base={
            "pom.xml": _pom("all", "<modules><module>core</module><module>app</module></modules>"),
            "core/pom.xml": _pom("core", _JUNIT),
            "core/src/main/java/org/own/core/Calc.java": _JAVA_CALC,
            "core/src/test/java/org/own/core/CalcTest.java": _java_test("core", "CalcTest", "3, Calc.add(1, 2)"),
            "app/pom.xml": _pom("app", _JUNIT.replace("<dependencies>", f"<dependencies>{_JAVA_CORE}")),
            "app/src/main/java/org/own/app/App.java": (
                "package org.own.app;\n\nimport org.own.core.Calc;\n\npublic class App {\n"
                "    public static int twice(int a) {\n        return Calc.add(a, a);\n    }\n}\n"
            ),
            "app/src/test/java/org/own/app/AppTest.java": _java_test("app", "AppTest", "4, App.twice(2)"),
        },
        good={
            "core/src/main/java/org/own/core/More.java": _JAVA_CALC.replace("Calc", "More").replace("a + b", "a - b"),
            "core/src/test/java/org/own/core/MoreTest.java": _java_test("core", "MoreTest", "1, More.add(3, 2)"),
        },
        shown="org.own.core.MoreTest.works",
        bad={"core/src/main/java/org/own/core/Calc.java": _JAVA_CALC.replace("a + b", "a - b")},
        broken=("org.own.app.AppTest.works", "org.own.core.CalcTest.works"),
    ),
}
