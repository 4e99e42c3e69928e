"""One run of a test suite, from its command and its output."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nerv.evidence import TestSuiteRun
from nerv.location import Moment
from nerv.readers.claude_code.test_commands import hides_status, is_test_run, started_test_files, targets_of
from nerv.readers.claude_code.test_output import could_not_run, count_tests, missing_modules, shows_failure
from nerv.readers.event_fields import shorten

_HOOK = re.compile(
    r"(?P<event>\w+(?::\w+)?) \[(?P<command>.+?)\] (?P<how>completed|failed|exited|timed out)"
    r"(?P<more>[^:\n]*)(?::\s*(?P<output>.*))?",
    re.S,
)
_COMMITS = re.compile(r"(?:^|&&|;|\n)\s*git (?:-\S+ \S+ )*(?:commit|push)\b(?![^\n]*--no-verify)(?![^\n;&]* -n\b)")
_PRINTS = re.compile(r"\b(?:echo|printf|cat|tail|head|sed|awk|python\d?|node|perl)\b")
_OF_GIT = re.compile(r"^\s*\[[^\]\n]+\] .*$|^\s*(?:create|delete|rename) mode .*$", re.M)
"""What git itself writes about a commit: its title may say anything."""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def suite_run(
    command: str,
    output: str,
    *,
    failed: bool | None,
    moment: Moment,
    task_id: str | None = None,
    edited: Iterable[str] = (),
) -> TestSuiteRun | None:
    """Return the run of tests that a command is; None if it is none, or if nothing shows its result.

    `failed` is what the log says of the command; None: it does not say. `edited` are the files that the agent changed:
    if one of these modules cannot be imported, the tests failed; for lack of any other, they could not be run.
    """
    if not is_test_run(command):
        return _run_of_test_files(command, output, moment=moment, task_id=task_id) or _run_by_git_hook(
            command, output, failed=failed, moment=moment, task_id=task_id
        )
    found = count_tests(output)
    counted = bool(found.passed or found.failed)
    nothing_ran = not counted and found.passed is not None
    succeeded = bool(found.passed) and not found.failed
    ran = not nothing_ran and (bool(found.passed) or not _lacks_module(output, edited))
    if not counted and not nothing_ran:
        hidden = hides_status(command)
        shown = shows_failure(output) or could_not_run(output)
        if not shown and (failed is None or (hidden and not failed)):
            return None
        succeeded = not failed and not shown if failed is not None and not hidden else False
        ran = succeeded or not could_not_run(output)
    return TestSuiteRun(
        moment=moment,
        command=shorten(command),
        passed=found.passed,
        failed=found.failed,
        succeeded=succeeded,
        task_id=task_id,
        ran=ran,
        targets=targets_of(command),
    )


def hook_run(content: str, moment: Moment, task_id: str | None) -> TestSuiteRun | None:
    """Return the run of tests that a hook made, from the line that Claude Code writes about it."""
    match = _HOOK.search(_ANSI.sub("", content))
    if match is None:
        return None
    failed = match["how"] != "completed"
    return suite_run(match["command"], match["output"] or "", failed=failed, moment=moment, task_id=task_id)


def _run_of_test_files(command: str, output: str, *, moment: Moment, task_id: str | None) -> TestSuiteRun | None:
    """Return the run of test files that were started as programs.

    Only a runner's summary shows that they run their tests: `python test_cart.py` may also just define them.
    """
    files = started_test_files(command)
    found = count_tests(output) if files else None
    if found is None or not (found.passed or found.failed):
        return None
    return TestSuiteRun(
        moment=moment,
        command=shorten(command),
        passed=found.passed,
        failed=found.failed,
        succeeded=not found.failed and not shows_failure(output),
        task_id=task_id,
        targets=files,
    )


def _run_by_git_hook(
    command: str, output: str, *, failed: bool | None, moment: Moment, task_id: str | None
) -> TestSuiteRun | None:
    """Return the run of tests that a hook of the repository made for a commit or a push, if its output shows one."""
    if not _COMMITS.search(command) or _PRINTS.search(command):
        return None
    found = count_tests(_OF_GIT.sub("", _ANSI.sub("", output)))
    shown = found.failed or found.passed
    went_well = re.search(r"^ok\s+\S+\s+(?:\d[\d.]*s|\(cached\))\s*$", output, re.M) and not shows_failure(output)
    if not shown and not went_well:
        return None
    return TestSuiteRun(
        moment=moment,
        command=shorten(command),
        passed=found.passed or None,
        failed=found.failed,
        succeeded=not failed and not found.failed and not shows_failure(output),
        task_id=task_id,
    )


def _lacks_module(output: str, edited: Iterable[str]) -> bool:
    """Return whether the tests could not be collected for lack of a module that is not the agent's own."""
    missing = missing_modules(output)
    own = {part.partition(".")[0] for path in edited for part in path.split("/")}
    return bool(missing) and not any(re.split(r"[./]", name.lstrip("./"))[0] in own for name in missing)
