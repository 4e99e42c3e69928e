"""JavaScript and TypeScript tests: node's own runner, jest, vitest and mocha."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec

from forgetest.verdict import Execution
from nerv.verification.ecosystems import (
    PROJECT,
    REPORTS,
    WORK,
    Host,
    Preparation,
    SuiteReport,
    TestCommand,
    check_control,
    error_lines,
    host_note,
    junit,
    needs_host,
    node_packages,
    node_script,
    report_of,
    unreported,
)
from nerv.verification.ecosystems.in_sandbox import program
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree, TreeFile

NAME = "node"
_TEST_FILE = re.compile(r"(\.|_|-)(test|spec)\.[cm]?[jt]sx?$|(^|/)test\.[cm]?[jt]s$")
_TEST_FOLDER = re.compile(r"(^|/)(tests?|__tests__|__mocks__|__snapshots__|spec)/")
_MACHINERY = re.compile(r"(^|/)(jest\.(config|setup)|vitest\.(config|setup|workspace)|\.mocharc)\b[^/]*$")
_CONFIGURATION = re.compile(r"(^|/)[^/]*\b(jest|vitest|mocharc)\b[^/]*$")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_REPORT = "node.json"
_EXIT = "exit_after_tests.mjs"
# a folder of links: some tools want to write beside the packages
LINK_PACKAGES = (
    "if [ -d /node_modules ]; then"
    " mkdir -p node_modules && ln -sfn /node_modules/* /node_modules/.bin node_modules/; fi; "
    # the repository's own packages, where every folder of it finds them
    f"for each in ${node_packages.LOCAL_PACKAGES}; do name=${{each%%=*}} at={PROJECT}/node_modules; "
    'scope=$(dirname "$at/$name"); [ -L "$scope" ] && rm "$scope" && mkdir -p "$scope" &&'
    ' ln -sfn "/node_modules/${name%%/*}"/* "$scope"/; '
    f'mkdir -p "$scope" && ln -sfn "{PROJECT}/${{each#*=}}" "$at/$name"; done; unset {node_packages.LOCAL_PACKAGES}; '
    'exec "$@"'
)
_COMPILE = f'node node_modules/typescript/bin/tsc $NERV_COMPILES >"{WORK}/tmp/tsc.log" 2>&1; unset NERV_COMPILES; '
_GLOBAL_CONTROL = '{function}("{name}", () => {{ if (Number("{value}") !== 0) throw new Error("control"); }});\n'
# an import by a call: whether the file is a module or not
_DYNAMIC_CONTROL = 'import("node:test").then(({{ test }}) => ' + _GLOBAL_CONTROL.removesuffix(";\n") + ");\n"
_VITEST_CONTROL = 'import {{ test }} from "vitest";\n' + _GLOBAL_CONTROL


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    name: str
    file: str
    outcome: TestOutcome
    message: str = ""
    is_file: bool = False


class _NodeTest(msgspec.Struct):
    file: str
    names: list[str]
    outcome: TestOutcome
    is_suite: bool = False
    message: str = ""


def is_declared(tree: Tree) -> bool:
    """Return whether package.json has a test script, or there are tests for node's own runner."""
    return "package.json" in tree and _runner(tree) != ""


def is_test_file(path: str) -> bool:
    """Return whether a file belongs to the tests."""
    return any(pattern.search(path) for pattern in (_TEST_FILE, _TEST_FOLDER, _MACHINERY))


def prepare(tree: Tree, host: Host) -> Preparation:
    """Install the packages that it requires."""
    return node_packages.prepare(tree, host)


def command(tree: Tree, tests: Tree, control: str) -> TestCommand:
    """Start the runner that the test script names, with a report in JSON."""
    runner = _runner(tests)
    options = node_script.runner_options(tests, runner)
    words = {
        "jest": (
            "node_modules/jest/bin/jest.js",
            *options,
            "--ci",
            "--forceExit",
            "--json",
            f"--outputFile={REPORTS}/{_REPORT}",
        ),
        "vitest": (
            "node_modules/vitest/vitest.mjs",
            "run",
            *options,
            "--reporter=json",
            f"--outputFile={REPORTS}/{_REPORT}",
        ),
        "mocha": (
            *("node_modules/mocha/bin/mocha.js", *options, "--exit", "--reporter", "json"),
            *("--reporter-option", f"output={REPORTS}/{_REPORT}", *_script_paths(tests, tree)),
        ),
        "node": (
            *(*_script_imports(tests), "--import", f"{WORK}/{_EXIT}", "--test", f"--test-reporter={WORK}/reporter.mjs"),
            *(f"--test-reporter-destination={REPORTS}/{_REPORT}", *_script_paths(tests, tree)),
        ),
    }[runner or "node"]
    file = _control_file(tree, control)
    names_paths = runner in ("node", "mocha", "") and bool(_script_paths(tests, tree))
    if names_paths or (runner == "mocha" and not _mocha_finds(file)):
        words = (*words, file)  # the runner gets a list of files, which cannot have ours
    compiles = node_script.compiles_first(tests)
    script = LINK_PACKAGES if compiles is None else LINK_PACKAGES.replace("exec ", f"{_COMPILE}exec ")
    node = ("node", *(node_script.node_options(tests, runner) if runner not in ("node", "") else ()))
    return TestCommand(
        argv=("/bin/sh", "-c", script, "sh", *node, *words),
        shown={"node": "node --test"}.get(runner, runner),
        files={name: program(name) for name in ("reporter.mjs", _EXIT)},
        added={file: TreeFile(content=_control_text(runner, control).encode())},
        environment={
            "NODE_ENV": "test",
            "FORCE_COLOR": "0",
            "npm_config_cache": "/w/tmp/npm",
            **({} if compiles is None else {"NERV_COMPILES": " ".join(compiles)}),
        },
        reports=(_REPORT,),
    )


def read_report(tree: Tree, execution: Execution, control: str) -> SuiteReport:
    """Read the runner's report; a file that could not be loaded is an entry of its own."""
    content = report_of(execution, _REPORT)
    tests = _read_tests(content) if content is not None else None
    if not tests:
        unknown = re.search(rb"bad option: (\S+)|Unknown or unexpected option: (\S+)", execution.stderr)
        if unknown:
            option = (unknown[1] or unknown[2]).decode("utf-8", "replace")
            reason = f"Node.js on this machine does not know the option {option}, with which the tests are started"
            return SuiteReport(problem=reason, unavailable=True)
        return SuiteReport(problem=unreported(execution))
    check_control(test.outcome for test in tests if control in test.name or control in test.file)
    tests = [test for test in tests if control not in test.name and control not in test.file]
    offline = {test.name for test in tests if test.outcome == "failed" and needs_host(test.message)}
    nothing_loads = bool(tests) and all(test.is_file for test in tests)
    missing = _missing_package(tests, tree) if nothing_loads else ""
    reason = error_lines(tests[0].message, r"\w*Error\b|error .*TS\d+|^file://\S+:\d+$", 2) if nothing_loads else ""
    return SuiteReport(
        outcomes={
            **junit.worst_by_name((test.name, test.outcome) for test in tests),
            **dict.fromkeys(offline, "skipped"),
        },
        notes=host_note(offline),
        files={test.name: test.file for test in tests},
        problem=missing or (f"no test file can be loaded: {reason.replace('file://', '')}" if nothing_loads else ""),
        broken_build=nothing_loads and not missing,
        unloadable=frozenset(test.name for test in tests if test.is_file),
    )


def _runner(tree: Tree) -> str:
    """Return the runner that the test script names, or that the project requires; empty if it has no tests."""
    script = node_script.text(tree)
    if node_script.is_for_workspaces(tree):
        return ""
    for name in ("vitest", "jest", "mocha"):
        if re.search(rf"\b{name}\b", script) or (
            not re.search(r"--test\b", script) and node_packages.requires(tree, name)
        ):
            return name
    has_tests = any(_TEST_FILE.search(path) for path in tree)
    return "node" if re.search(r"\bnode\b.*--test\b", script) or (has_tests and "node_modules" not in script) else ""


def _script_paths(tests: Tree, tree: Tree) -> list[str]:
    """Return the paths and patterns that the test script names, expanded as a shell would; those that exist."""
    words = [word for word in node_script.words(tests) if not word.startswith("-") and re.search(r"[/.*]", word)]
    found = []
    for word in words:
        plain = word.removeprefix("./").rstrip("/")
        pattern = re.compile(_pattern(plain))
        matching = sorted(path for path in tree if pattern.fullmatch(path) or path.startswith(f"{plain}/"))
        if matching:
            found += [path for path in matching if re.search(r"\.[cm]?[jt]sx?$", path)]
    return found


def _pattern(word: str) -> str:
    escaped = re.escape(word).replace(r"\*\*/", "(.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.sub(r"\\\{([^}]*)\\\}", lambda match: f"({match[1].replace(',', '|')})", escaped)


def _script_imports(tree: Tree) -> list[str]:
    """Return the loaders of the test script: `--import tsx`, `--loader x`, `-r x`."""
    words = node_script.words(tree)
    found: list[str] = []
    for index, word in enumerate(words):
        if word in ("--import", "--loader", "-r", "--require") and index + 1 < len(words):
            found += [word, words[index + 1]]
        elif word.startswith(("--import=", "--loader=", "--require=", "--experimental-")):
            found.append(word)
    return found


def _control_file(tree: Tree, control: str) -> str:
    """Return a name beside a test, with its ending, so that every configuration that finds the test finds it."""
    tests = sorted(path for path in tree if _TEST_FILE.search(path)) or sorted(
        path for path in tree if _TEST_FOLDER.search(path) and re.search(r"\.[cm]?[jt]s$", path)
    )
    tests = _configured_tests(tree) if not any(_TEST_FILE.search(path) for path in tree) else tests
    if not tests:
        return f"{control}.test.mjs"
    path = PurePosixPath(tests[0])
    match = _TEST_FILE.search(path.name)
    ending = match[0].lstrip("/") if match and not match[0].startswith("test") else "".join(path.suffixes[-2:])
    return str(path.parent / f"{control}{ending}")


def _configured_tests(tree: Tree) -> list[str]:
    """Return the files with an ending such as `.check.js` that the runner's configuration names, or else any tests."""
    texts = [file.text for path, file in tree.items() if path == "package.json" or _CONFIGURATION.search(path)]
    named = [
        path
        for path in sorted(tree)
        if (match := re.search(r"\.([\w-]+)\.[cm]?[jt]sx?$", path)) and any(f".{match[1]}" in text for text in texts)
    ]
    among = [path for path in sorted(tree) if _TEST_FOLDER.search(path) and re.search(r"\.[cm]?[jt]s$", path)]
    return [path for path in named if not _CONFIGURATION.search(path) and not path.endswith(".d.ts")] or among


def _mocha_finds(file: str) -> bool:
    return re.fullmatch(r"(\./)?test/[^/]*\.(c|m)?js", file) is not None


def _control_text(runner: str, control: str) -> str:
    value = int(control[-4:], 16) + 1
    if runner in ("node", ""):
        return _DYNAMIC_CONTROL.format(function="test", name=control, value=value)
    template = _VITEST_CONTROL if runner == "vitest" else _GLOBAL_CONTROL
    return template.format(function="it" if runner == "mocha" else "test", name=control, value=value)


def _read_tests(content: bytes) -> list[_Test] | None:
    """Read a report of any of the runners; None if it is none."""
    lines = content.splitlines()
    try:
        if lines and lines[0].startswith(b'{"file":'):
            return [_node_test(msgspec.json.decode(line, type=_NodeTest)) for line in lines if not _is_suite(line)]
        document: Any = msgspec.json.decode(content)
        if "testResults" in document:
            return list(_jest_tests(document["testResults"]))
        return list(_mocha_tests(document))
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        return None


def _is_suite(line: bytes) -> bool:
    return b'"is_suite":true' in line


def _node_test(test: _NodeTest) -> _Test:
    file = _relative(test.file)
    is_file = len(test.names) == 1 and _relative(test.names[0]) == file
    name = file if is_file else " > ".join((file, *test.names))
    return _Test(name=name, file=file, outcome=test.outcome, message=test.message, is_file=is_file)


def _jest_tests(results: list[Any]) -> Iterable[_Test]:
    outcomes: dict[str, TestOutcome] = {"passed": "passed", "failed": "failed"}
    for result in results:
        file = _relative(str(result["name"]))
        cases = result["assertionResults"]
        if not cases and result.get("status") == "failed":
            message = _COLOURS.sub("", str(result.get("message", "")))
            yield _Test(name=file, file=file, outcome="failed", message=message, is_file=True)
        for case in cases:
            names = (file, *case.get("ancestorTitles", ()), str(case["title"]))
            message = "\n".join(map(str, case.get("failureMessages") or ()))
            outcome = outcomes.get(case["status"], "skipped")
            yield _Test(name=" > ".join(names), file=file, outcome=outcome, message=message)


def _mocha_tests(document: Any) -> Iterable[_Test]:
    for key, outcome in (("passes", "passed"), ("failures", "failed"), ("pending", "skipped")):
        for case in document[key]:
            file = _relative(str(case.get("file") or ""))
            name = " > ".join(part for part in (file, str(case["fullTitle"])) if part)
            error = case.get("err")
            message = f"{error.get('message', '')}\n{error.get('cause') or ''}" if isinstance(error, dict) else ""
            yield _Test(name=name, file=file, outcome=outcome, message=message)  # type: ignore[arg-type]


def _relative(path: str) -> str:
    return path.removeprefix("file://").removeprefix(f"{PROJECT}/")


def _missing_package(tests: list[_Test], tree: Tree) -> str:
    """Return a sentence if files cannot be loaded because of a package that the project does not declare."""
    for test in tests:
        match = re.search(r"Cannot find (?:package|module) '([^'./][^']*)'", test.message)
        if match and not node_packages.requires(tree, match[1]):
            return f"the tests need the package {match[1]}, which the project does not declare"
    return ""
