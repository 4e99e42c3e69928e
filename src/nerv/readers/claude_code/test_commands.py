"""Shell commands that run tests, and the files that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.readers.claude_code.shell import command_text

_SEGMENTS = re.compile(r"[;&|\n(]+")
_WRAPPERS = re.compile(
    r"\s*(?:(?:\w+=\S*|sudo|time|env|nice|exec|xvfb-run|timeout\s+(?:-[ks]\s+\S+\s+|-\S+\s+)*\S+"
    r"|(?:uv|poetry|pdm|hatch|rye|pipenv|conda)\s+run(?:\s+-\S+)*"
    r"|(?:npx|bunx|pnpm\s+exec|pnpm\s+dlx|yarn\s+dlx|yarn|bundle\s+exec)(?:\s+-\S+)*"
    r"|(?:python[\d.]*\s+-m\s+)?coverage\s+run(?:\s+-[^m\s]\S*)*)\s+)*"
)
_PYTHON = r"python[\d.]*\s+(?:-[WX]\s*\S+\s+|-[bBdEiIOPqsSuvx]+\s+)*"
_RUNNER = re.compile(
    r"(?:\S*/)?(?:"
    r"pytest|py\.test|nosetests|tox|nox|jest|vitest|mocha|ava|jasmine|karma|rspec|phpunit|pest|ctest|trial"
    r"|playwright\s+test|cypress\s+run"
    rf"|(?:{_PYTHON})?-m\s+(?:pytest|unittest|nose2?|tox|nox)|(?:{_PYTHON})?manage\.py\s+test"
    r"|(?:npm|pnpm|bun)\s+(?:run\s+)?test\S*|(?:run\s+)?test:?\w*|npm\s+t|(?:deno|bun|dotnet|flutter|swift|hatch)\s+test"
    r"|(?:mix|sbt|lein|stack|cabal|bazel|zig|meson|composer|rails|rake|ninja|dune|task|just|pdm)\s+(?:\S+\s+)?"
    r"(?:test\S*|spec|runtest)"
    r"|node\s+--test|cargo\s+(?:\+\S+\s+)?(?:test|nextest)|go\s+test|mvnw?\s+(?:\S+\s+)*(?:test|verify)"
    r"|gradlew?\s+(?:\S+\s+)*(?:test|check)"
    r"|make\s+(?:-\S+\s+(?:\S+/\s*)?|\w+=\S+\s+)*(?:(?:unit|integration|e2e|run)?[-_]?tests?(?:[-_]\S+)?|check)"
    rf"|(?:{_PYTHON})?(?:\S*/)?run_?tests?\.py|(?:(?:ba|z)?sh\s+(?:-\S+\s+)*)?"
    r"(?:\S*/)?(?:[\w-]*[_-])?(?:run)?tests?(?:[_-][\w-]*)?\.sh"
    r"|act(?!\s+(?:-l|--list)\b)"
    r")(?=\s|$)"
)
_ASSIGNMENT = re.compile(r"\w+=")
_NO_EXECUTION = re.compile(r"\s--(collect-only|co|markers|fixtures|version|help|list|listTests|no-run|setup-plan)\b")
_WITH_VALUE = re.compile(
    r"-[kmnptocCrWX]|-run|-count|-timeout|--(?:tb|timeout|maxfail|rootdir|cov|junitxml|junit-xml|config|manifest-path"
    r"|package|reporter|project|workers|settings|verbosity|parallel|durations|deselect|ignore|log-level|bin|test-threads"
    r"|container-architecture|platform)"
)
_TARGET = re.compile(r"[\w@~./\\:\[\]-]*[./][\w@~./\\:\[\]-]*")


def is_test_run(command: str) -> bool:
    """Return whether a shell command runs tests."""
    return any(True for _ in _runner_segments(command))


def targets_of(command: str) -> tuple[str, ...]:
    """Return the files and folders that a test command is limited to; none: it runs the whole suite."""
    found: list[str] = []
    for arguments in _runner_segments(command):
        named = list(_paths(arguments))
        if not named:
            return ()
        found += named
    return tuple(found[:50])


def _runner_segments(command: str) -> Iterator[str]:
    """Yield the arguments of every test runner in a command."""
    for segment in _SEGMENTS.split(command_text(command)):
        wrapped = _WRAPPERS.match(segment)
        start = wrapped.end() if wrapped else 0
        if _ASSIGNMENT.match(segment, start):
            continue
        runner = _RUNNER.match(segment, start)
        if runner and not _NO_EXECUTION.search(segment) and _yarn_or_plain(segment, start):
            yield segment[runner.end() :]


def _yarn_or_plain(segment: str, start: int) -> bool:
    """Return False for a bare `test`, which is the shell's own command; after `yarn` it is the project's."""
    return not re.match(r"(?:run\s+)?test\b", segment[start:]) or "yarn" in segment[:start]


def _paths(arguments: str) -> Iterator[str]:
    """Yield the arguments that name a file, a folder or a module; not the values of options and redirections."""
    before = ""
    for word in arguments.split():
        is_value = _WITH_VALUE.fullmatch(before) is not None or before.endswith((">", "<"))
        before = word
        if is_value or word.startswith(("-", ">", "<", "2>", "$")) or not _TARGET.fullmatch(word.strip("'\"")):
            continue
        if not re.fullmatch(r"\.|\./|(?:\./)?\.\.\.|\d+(?:\.\d+)?", word):
            yield word.strip("'\"")
