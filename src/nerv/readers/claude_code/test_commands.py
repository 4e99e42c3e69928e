"""Shell commands that run tests, and the files that they name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping

from nerv.readers.claude_code.command_words import program_name, simple_commands, started_program

_RUNNERS = frozenset(
    {"pytest", "py.test", "pytest-3", "nosetests", "nose2", "tox", "nox", "trial", "ward", "stestr"}
    | {"jest", "vitest", "mocha", "ava", "jasmine", "karma", "tape", "elm-test", "web-test-runner", "wtr", "uvu"}
    | {"rspec", "phpunit", "pest", "paratest", "ctest", "bats", "busted", "prove", "gotestsum", "ginkgo", "shellspec"}
    | {"tap"}
)
"""Programs that do nothing but run tests."""
_PYTHON_MODULES = frozenset(
    {"pytest", "unittest", "nose", "nose2", "tox", "nox", "doctest", "ward", "xmlrunner", "twisted.trial"}
)
_BY_TASK = frozenset(
    {"mix", "sbt", "lein", "stack", "cabal", "bazel", "bazelisk", "buck", "buck2", "pants", "zig", "meson", "composer"}
    | {"rails", "rake", "ninja", "dune", "task", "just", "pdm", "poe", "inv", "invoke", "hatch", "dotnet", "flutter"}
    | {"dart", "swift", "deno", "ant", "nx", "turbo", "lerna", "rush", "moon", "xcodebuild", "gleam", "crystal", "dub"}
    | {"nimble", "forge", "hardhat", "pixi", "rye"}
)
"""Programs that run tests if a task of that name is given."""
_PACKAGE_MANAGERS = frozenset({"npm", "yarn", "pnpm", "bun"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
_MAVEN = frozenset({"mvn", "mvnw", "mvnd"})
_GRADLE = frozenset({"gradle", "gradlew"})

_TASK = re.compile(r"(?:.*[-_:./])?(?:run)?(?:tests?|specs?)(?:[^a-z].*)?|runtest|e2e|testOnly", re.S)
_MAKE_TARGET = re.compile(r"(?:.*[-_])?(?:run|unit)?tests?(?:[-_].*)?|check|e2e")
_GRADLE_TASK = re.compile(r"(?:.*:)?(?:test(?!Classes)\w*|\w+Tests?|check)")
_MAVEN_GOAL = re.compile(r"test|verify|integration-test|(?:surefire|failsafe):\S+")
_SCRIPT = re.compile(r"(?:[\w-]*[_-])?(?:run)?tests?(?:[_-][\w-]*)?\.sh")
_BARE_SCRIPT = re.compile(r"(?:run[_-]?)?tests?")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*|py")
_PYTHON_SCRIPT = re.compile(r"run_?tests?\.py")
_PYTHON_OPTION_WITH_VALUE = frozenset({"-W", "-X"})
_OPTIONS_WITH_VALUE = frozenset(
    {"-C", "-f", "--directory", "--file", "-w", "--workspace", "--prefix", "--filter", "-F", "--cwd", "--dir", "-x"}
    | {"--exclude-task", "-p", "--project-dir", "-pl", "--projects", "--manifest-path", "--package", "-j"}
)
"""Options before the task that take a value; what `-x` of gradle names is left out."""
_NO_EXECUTION = re.compile(
    r"--(?:collect-only|co|markers|fixtures|version|help|list|listTests|no-run|notest|setup-plan|dry-run|just-print|listFiles)"
    r"|-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?"
)
_WITH_VALUE = re.compile(
    r"-[kmnptocCrWX]|-run|-count|-timeout|--(?:tb|timeout|maxfail|rootdir|cov|junitxml|junit-xml|config|manifest-path"
    r"|package|reporter|project|workers|settings|verbosity|parallel|durations|deselect|ignore|log-level|bin|test-threads"
    r"|container-architecture|platform)"
)
_INVERTED = "!"
_IGNORES_FAILURES: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("make", "gmake"), re.compile(r"-[a-zA-Z]*i[a-zA-Z]*|--ignore-errors")),
    **dict.fromkeys(_MAVEN, re.compile(r"-fn|--fail-never|-Dmaven\.test\.failure\.ignore(?:=true)?")),
}
"""Options by which a program ends well although tests fail."""
_TEST_FILE = re.compile(r"test_\w+\.py|\w+_test\.(?:py|ts|rb|exs?)|[\w.-]+\.(?:test|spec)\.[cm]?[jt]sx?")
_INTERPRETER = re.compile(rf"{_PYTHON.pattern}|node|tsx|deno|bun|ruby")
_TARGET = re.compile(r"[\w@~./\\:\[\]-]*[./][\w@~./\\:\[\]-]*")


def is_test_run(command: str) -> bool:
    """Return whether a shell command runs tests."""
    return bool(_test_runs(command))


def targets_of(command: str) -> tuple[str, ...]:
    """Return the files and folders that a test command is limited to; none: it runs the whole suite."""
    found: list[str] = []
    for arguments, _ in _test_runs(command):
        named = list(_paths(arguments))
        if not named:
            return ()
        found += named
    return tuple(found[:50])


def started_test_files(command: str) -> tuple[str, ...]:
    """Return the files of tests that a command starts as programs, as in `python tests/test_cart.py`."""
    found = []
    for words, _ in simple_commands(command):
        program = started_program(words)
        if program and _INTERPRETER.fullmatch(program[0]):
            found += [word for word in _program_file(program[1:]) if _TEST_FILE.fullmatch(program_name(word))]
    return tuple(found)


def _program_file(words: list[str]) -> list[str]:
    """Return the file that an interpreter is to run, also if it is named as a module; or nothing."""
    while words and words[0].startswith("-"):
        if words[0] == "-m":
            return [f"{word.replace('.', '/')}.py" for word in words[1:2]]
        words = words[2 if words[0] in _PYTHON_OPTION_WITH_VALUE else 1 :]
    return words[1:2] if words[:1] == ["run"] else words[:1]


def hides_status(command: str) -> bool:
    """Return whether the command's exit code is not that of its tests: a pipe, `|| true`, `; echo`, `!`, `if`."""
    runs = _test_runs(command)
    if not runs:
        return False
    following = runs[-1][1].strip(" )\n;")
    return bool(following) and not following.startswith("&&")


def succeeds_on_failure(command: str) -> bool:
    """Return whether a failure of the last tests counts as success by how they are started: `! pytest`, `make -i`."""
    runs = _test_runs(command)
    return bool(runs) and runs[-1][1].startswith(_INVERTED)


@functools.lru_cache(maxsize=4_096)  # detectors ask for the same command many times
def _test_runs(command: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the arguments of every test runner in a command, and what the shell runs after it.

    What runs between `git stash` and `git stash pop` does not test the work.
    """
    found: list[tuple[tuple[str, ...], str]] = []
    stashed: int | None = None
    in_inverted_group = False
    for words, following in simple_commands(command):
        if words[:2] == ["git", "stash"]:
            if words[2:3] in (["pop"], ["apply"]):
                found, stashed = found[:stashed], None
            elif words[2:3] not in (["list"], ["show"], ["drop"]):
                stashed = len(found)
            continue
        in_inverted_group = in_inverted_group or words == ["!"]  # `! (cd app; pytest)`
        program = started_program(words)
        ignores = _IGNORES_FAILURES.get(program[0]) if program else None
        is_inverted = in_inverted_group or words[0] == "!" or (ignores and any(map(ignores.fullmatch, program[1:])))
        inverted = _INVERTED if is_inverted else "if" if words[0] in ("if", "elif", "while", "until") else ""
        arguments = _runner_arguments(program, words) if program else None
        if arguments is not None and not any(map(_NO_EXECUTION.fullmatch, program)):
            found.append((tuple(arguments), inverted + following))
    return tuple(found)


def _runner_arguments(words: list[str], written: list[str]) -> list[str] | None:
    """Return the arguments of the test runner that these words start; None if they start none."""
    name, rest = words[0], words[1:]
    if name in _RUNNERS or (name == "act" and not {"-l", "--list"} & set(rest)):
        return rest
    if _PYTHON.fullmatch(name):
        return _python_arguments(rest)
    if name in ("run_tests.py", "runtests.py", "manage.py", "setup.py"):
        return _python_arguments(words)
    if name in _SHELLS:
        script = _after_flags(rest)
        return script[1:] if script and _SCRIPT.fullmatch(program_name(script[0])) else None
    if _SCRIPT.fullmatch(name) or (_BARE_SCRIPT.fullmatch(name) and _is_called_by_path(name, written)):
        return rest
    if name in _PACKAGE_MANAGERS:
        return _package_script(name, rest)
    return _BY_NAME[name](rest) if name in _BY_NAME else _after_task(rest, _TASK) if name in _BY_TASK else None


def _is_called_by_path(name: str, written: list[str]) -> bool:
    """Return whether a script is called by its path, as `./test`: `test` alone is the shell's own command."""
    return any(word.endswith(f"/{name}") for word in written)


def _python_arguments(words: list[str]) -> list[str] | None:
    while words and words[0].startswith("-") and words[0] != "-m":
        if words[0] == "-c" or words[0] == "-":
            return None
        words = words[2 if words[0] in _PYTHON_OPTION_WITH_VALUE else 1 :]
    if words[:1] == ["-m"]:
        return words[2:] if len(words) > 1 and words[1] in _PYTHON_MODULES else None
    script = program_name(words[0]) if words else ""
    if script in ("manage.py", "setup.py"):
        return words[2:] if words[1:2] == ["test"] else None
    return words[1:] if _PYTHON_SCRIPT.fullmatch(script) else None


def _package_script(name: str, words: list[str]) -> list[str] | None:
    """Return the arguments of a package's own test script, or of a runner that the manager starts."""
    words = _after_flags(words)
    if name == "yarn" and words[:1] == ["workspace"]:
        words = _after_flags(words[2:])
    if words and words[0] in ("run", "run-script"):
        words = _after_flags(words[1:])
    elif name == "npm":
        return words[1:] if words[:1] and words[0] in ("test", "t", "tst") else None
    if not words:
        return None
    if _TASK.fullmatch(words[0]):
        return words[1:]
    started = started_program(words) if name != "npm" else []
    return _runner_arguments(started, words) if started and started[0] not in _PACKAGE_MANAGERS else None


def _after_flags(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _OPTIONS_WITH_VALUE else 1 :]
    return words


def _after_task(words: list[str], task: re.Pattern[str], limit: int = 3) -> list[str] | None:
    """Return the words after the task that runs tests; None if there is none among the first tasks."""
    seen = 0
    while words and seen < limit:
        if words[0].startswith("-"):
            words = words[2 if words[0] in _OPTIONS_WITH_VALUE else 1 :]
            continue
        if task.fullmatch(words[0]):
            return words[1:]
        seen += "=" not in words[0]
        words = words[1:]
    return None


def _cargo(words: list[str]) -> list[str] | None:
    words = _after_flags([word for word in words if not word.startswith("+")])
    if words[:1] == ["nextest"] or words[:1] == ["llvm-cov"] or words[:1] == ["miri"]:
        return None if words[1:2] == ["list"] else words[1:]
    return words[1:] if words and words[0] in ("test", "t", "tarpaulin") else None


def _go(words: list[str]) -> list[str] | None:
    words = _after_flags(words)
    return words[1:] if words[:1] == ["test"] and not {"-c", "-list"} & set(words) else None


def _make(words: list[str]) -> list[str] | None:
    return None if {"-n", "-q"} & set(words) else _after_task(words, _MAKE_TARGET, 20)


def _node(words: list[str]) -> list[str] | None:
    return [word for word in words if not word.startswith("-")] if "--test" in words else None


def _php(words: list[str]) -> list[str] | None:
    script = program_name(words[0]) if words else ""
    if script == "artisan":
        return _after_task(words[1:], _TASK, 1)
    return words[1:] if script in _RUNNERS else None


def _with_word(word: str) -> Callable[[list[str]], list[str] | None]:
    return lambda words: words[1:] if words[:1] == [word] else None


_BY_NAME: Mapping[str, Callable[[list[str]], list[str] | None]] = {
    "cargo": _cargo,
    "go": _go,
    "make": _make,
    "gmake": _make,
    "node": _node,
    "tsx": _node,
    "cmake": lambda words: [] if "--build" in words and {"test", "check"} & set(words) else None,
    "django-admin": _with_word("test"),
    "php": _php,
    "playwright": _with_word("test"),
    "cypress": _with_word("run"),
    **dict.fromkeys(_MAVEN, lambda words: _after_task(words, _MAVEN_GOAL, 20)),
    **dict.fromkeys(_GRADLE, lambda words: _after_task(words, _GRADLE_TASK, 20)),
}


def _paths(arguments: tuple[str, ...]) -> Iterator[str]:
    """Yield the arguments that name a file, a folder or a module; not the values of options and redirections."""
    before = ""
    for word in arguments:
        is_value = _WITH_VALUE.fullmatch(before) is not None or before.endswith((">", "<"))
        before = word
        if is_value or word.startswith(("-", ">", "<", "2>", "$")) or not _TARGET.fullmatch(word):
            continue
        if not re.fullmatch(r"\.|\./|(?:\./)?\.\.\.|\d+(?:\.\d+)?", word):
            yield word
