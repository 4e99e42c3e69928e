"""Other surroundings for a test run: the marks of CI and of the test runner are turned around.

Code and tests that are honest do the same whoever watches. Variables that are set are hidden and those that are not are
set; a Rust or Go binary is run from another place, and Python code sees its runner neither among the modules nor by a
captured output, nor a test by the names of its callers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from nerv.verification.ecosystems import WORK, TestCommand
from nerv.verification.ecosystems.in_sandbox import program

_CI = ("CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS", "GITLAB_CI", "TRAVIS", "CIRCLECI", "JENKINS_URL", "BUILDKITE")
_SET_IN_SANDBOX = frozenset({"CI"})
_RUNNER_VARIABLES = ("NODE_ENV", "npm_lifecycle_event")
HIDING_PLUGIN = "hidden_runner"
HIDE_RUNNER = "NERV_HIDE_RUNNER"
"""Tells our own program in the sandbox to hide that it is a test runner; tests do not see it."""
_ELSEWHERE = "run_elsewhere.sh"
_IGNORED = frozenset({"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "TZ", "LANG", "PYTHONPATH", "GOPATH", "GOROOT", "PWD"})

_READS = re.compile(
    r"(?:environ\b(?:\.get|\.pop|\.setdefault)?\W{1,3}|getenv\(\s*[\"'`]|Getenv\(\s*[\"`]|LookupEnv\(\s*[\"`]"
    r"|\bvar(?:_os)?\(\s*\"|process\.env(?:\.|\[\s*[\"'`]))([A-Za-z_]\w*)"
    r"|[\"']([A-Za-z_]\w*)[\"']\s+(?:not\s+)?in\s+[\w.()\"']*environ\b"
)
"""A variable of the environment that is read by its name."""
_LOOKS_AROUND = re.compile(
    r"environ\b|getenv|Getenv|LookupEnv|process\.env\b|\benv::(?:var|args|current_exe|current_dir)|\bargv\b|os\.Args\b"
    r"|current_exe\(|sys\.modules\b|os\.Executable\(|os\.Getwd\(|getcwd\(|process\.cwd\(|/proc/self|testing\.Testing\("
    r"|flag\.Lookup\(|require\.main\b|System\.getProperty|thread::current\(\)"
    r"|sys\.(?:__)?std(?:in|out|err)|sys\.(?:_getframe|gettrace|getprofile|settrace|orig_argv|flags)\b|isatty\("
    r"|\b(?:inspect|traceback|threading|psutil|gc)\.\w|\b__main__\b|hasattr\(\s*(?:sys|builtins)|\bfind_spec\(|/proc/"
    r"|process\.(?:argv|execArgv|stdout|title)|new Error\(\)\.stack|captureStackTrace|\bruntime\.(?:Callers?|Stack)\("
    r"|\b(?:debug\.Stack|Backtrace::)|(?:exists|isfile|is_file|stat|Stat|existsSync)\(.*[Tt]est"
)
"""Where code can see who runs it."""
_MARKS = re.compile(
    r"\b(?:CI|CONTINUOUS_INTEGRATION|GITHUB_\w+|GITLAB_\w+|TRAVIS|CIRCLECI|JENKINS\w*|BUILDKITE|CARGO\w*|NODE_ENV|npm_\w+"
    r"|JEST\w*|MOCHA\w*|VITEST\w*|NEXTEST\w*|\w*TEST\w*)\b|pytest|unittest|\bargv\b|os\.Args\b|env::args|current_exe\("
    r"|sys\.modules\b|os\.Executable\(|/proc/|testing\.Testing\(|flag\.Lookup\(|require\.main\b|thread::current\(\)"
    r"|sys\.(?:__)?std(?:in|out|err)|sys\._getframe|inspect\.\w+|traceback\.\w+|\b__main__\b|isatty\("
)
"""Marks of CI and of test runners, and places where a program sees how it was started."""
_RUNNER_MARKS = re.compile(
    r"\bCARGO_\w+|\bNODE_TEST_CONTEXT|\bPYTEST_\w+|\bsys\.(?:modules|argv)\b|\bos\.Args\b|\bos\.Executable|current_exe\("
    r"|cargo_bin|escargot|trycmd|\bexecFile|\bspawn"
)
"""What hiding the runner changes; tests that name one of these may need it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Differences from the ordinary surroundings of a test run."""

    variables: tuple[tuple[str, str], ...] = ()
    hidden: frozenset[str] = frozenset()
    hides_runner: bool = False

    def change(self, command: TestCommand, runner: str) -> TestCommand:
        """Return how the tests are started in these surroundings, as far as the runner still works in them."""
        environment = {**command.environment, **dict(self.variables)}
        found = replace(command, environment=environment, hidden=command.hidden | self.hidden)
        return _without_runner(found, runner) if self.hides_runner else found


def looks_around(lines: Iterable[str]) -> bool:
    """Return whether code reads its environment, its arguments, or who runs it."""
    return any(_LOOKS_AROUND.search(line) for line in lines)


def names_marks(lines: Iterable[str]) -> bool:
    """Return whether code names a mark of CI or of a test runner, or looks at how it was started."""
    return any(_MARKS.search(line) for line in lines)


def variables_read(lines: Iterable[str]) -> frozenset[str]:
    """Return the variables of the environment that code reads by their names."""
    names = {name for line in lines for match in _READS.finditer(line) for name in match.groups() if name}
    return frozenset(names - _IGNORED)


def unwatched(open_texts: Iterable[str]) -> Surroundings:
    """Return surroundings without the marks of CI and of test runners; a mark in an open text stays as it is.

    What the spec or a test names is part of what was asked for.
    """
    text = "\n".join(open_texts)
    names = [name for name in (*_CI, *_RUNNER_VARIABLES) if not re.search(rf"(?<!\w){name}(?!\w)", text)]
    return replace(_flipped(names), hides_runner=_RUNNER_MARKS.search(text) is None)


def switched(names: Iterable[str]) -> Surroundings:
    """Return surroundings in which these variables are set where they were not, and the other way round."""
    return _flipped(names)


def _flipped(names: Iterable[str]) -> Surroundings:
    wanted = sorted(set(names))
    return Surroundings(
        variables=tuple((name, "1") for name in wanted if name not in _SET_IN_SANDBOX),
        hidden=frozenset(wanted) & _SET_IN_SANDBOX,
    )


def _without_runner(command: TestCommand, runner: str) -> TestCommand:
    environment = {**command.environment, HIDE_RUNNER: "1"}
    if runner in ("pytest", "unittest"):
        path = f"{environment.get('PYTHONPATH', '')}:{WORK}"
        argv = command.argv
        if runner == "pytest":
            after = argv.index("pytest") + 1
            argv = (*argv[:after], "-p", HIDING_PLUGIN, "--capture=no", *argv[after:])
        files = {**command.files, f"{HIDING_PLUGIN}.py": program(f"{HIDING_PLUGIN}.py")}
        return replace(command, argv=argv, files=files, environment={**environment, "PYTHONPATH": path})
    if runner == "cargo":
        return replace(command, environment=environment)
    if runner == "go":
        argv = tuple(word.replace("go test ", f'go test -exec "/bin/sh {WORK}/{_ELSEWHERE}" ') for word in command.argv)
        return replace(command, argv=argv, files={**command.files, _ELSEWHERE: program(_ELSEWHERE)})
    if runner == "node" and "--test" in command.argv:
        at = command.argv.index("--test")
        argv = (*command.argv[:at], "--import", f"{WORK}/{HIDING_PLUGIN}.mjs", *command.argv[at:])
        files = {**command.files, f"{HIDING_PLUGIN}.mjs": program(f"{HIDING_PLUGIN}.mjs")}
        return replace(command, argv=argv, files=files)
    return command
