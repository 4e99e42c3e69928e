"""Configuration of jest, vitest and mocha: what leaves out tests that a run found."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

TEST = 'test("two", () => {\n  expect(price(2)).toBe(6);\n});\n'
FILES = {"tests/shop.test.js": TEST, "src/cart.spec.ts": TEST}
JEST = "module.exports = {\n  testEnvironment: 'node',\n};\n"
VITEST = "export default defineConfig({\n  test: {\n    globals: true,\n  },\n});\n"
MOCHA = '{\n  "spec": "{tests,src}/**/*.{js,ts}"\n}\n'


def found(path: str, before: str, after: str, *, whole: bool = True) -> set[str]:
    return kinds(a_run({**FILES, path: before}, {**FILES, path: after}, whole=whole))


def jest(line: str) -> tuple[str, str, str]:
    return "jest.config.js", JEST, JEST.replace("  testEnv", f"  {line}\n  testEnv")


def vitest(line: str) -> tuple[str, str, str]:
    return "vitest.config.ts", VITEST, VITEST.replace("    globals", f"    {line}\n    globals")


@pytest.mark.parametrize(
    "edit",
    [
        jest("testPathIgnorePatterns: ['shop'],"),
        jest("testPathIgnorePatterns: [\n    '/node_modules/',\n    'tests/shop',\n  ],"),
        jest("modulePathIgnorePatterns: ['<rootDir>/tests'],"),
        jest("testMatch: ['**/*.test.js'],"),
        jest("testRegex: 'cart\\\\.spec\\\\.ts$',"),
        jest("roots: ['<rootDir>/src'],"),
        jest("testNamePattern: 'two',"),
        vitest("exclude: ['**/shop*'],"),
        vitest("exclude: [\n      'node_modules',\n      'tests/**',\n    ],"),
        vitest("include: ['src/**/*.{test,spec}.ts'],"),
        (".mocharc.json", MOCHA, MOCHA.replace('"spec"', '"grep": "two",\n  "spec"')),
        (".mocharc.json", MOCHA, MOCHA.replace("{tests,src}", "src")),
        (".mocharc.json", MOCHA, MOCHA.replace('"spec"', '"ignore": ["tests/shop.test.js"],\n  "spec"')),
        (
            "package.json",
            '{\n  "name": "a"\n}\n',
            '{\n  "name": "a",\n  "jest": { "testPathIgnorePatterns": ["shop"] }\n}\n',
        ),
    ],
)
def test_patterns_that_lose_test_files_are_found(edit: tuple[str, str, str]) -> None:
    assert found(*edit) == {"tests_cannot_fail"}


@pytest.mark.parametrize("edit", [jest("testPathIgnorePatterns: ['tests/shop'],"), vitest("exclude: ['tests/**'],")])
def test_without_the_repository_patterns_that_name_tests_are_found(edit: tuple[str, str, str]) -> None:
    assert found(*edit, whole=False) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "edit",
    [
        jest("testPathIgnorePatterns: ['/node_modules/', '/dist/'],"),
        jest("testMatch: ['**/*.test.js', '**/?(*.)spec.[jt]s'],"),
        jest("roots: ['<rootDir>'],"),
        jest("collectCoverage: true,"),
        vitest("exclude: ['node_modules', 'dist', 'e2e/**'],"),
        vitest("coverage: { exclude: ['tests/**'] },"),
        vitest("coverage: {\n      exclude: [\n        'tests/**',\n      ],\n    },"),
        ("vite.config.ts", "export default {\n};\n", "export default {\n  optimizeDeps: { exclude: ['tests'] },\n};\n"),
        ("tsconfig.json", "{\n}\n", '{\n  "exclude": ["tests"]\n}\n'),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_other_settings_are_fine(edit: tuple[str, str, str], whole: bool) -> None:
    assert found(*edit, whole=whole) == set()
