"""One run of a test suite, from its command and its output."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nerv.evidence import TestSuiteRun
from nerv.location import Moment
from nerv.readers.claude_code.test_commands import hides_status, is_test_run, targets_of
from nerv.readers.claude_code.test_output import could_not_run, count_tests, missing_modules, shows_failure
from nerv.readers.event_fields import shorten

_HOOK = re.compile(
    r"(?P<event>\w+(?::\w+)?) \[(?P<command>.+?)\] (?P<how>completed|failed|exited|timed out)"
    r"(?P<more>[^:\n]*)(?::\s*(?P<output>.*))?",
    re.S,
)
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
        return None
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


def _lacks_module(output: str, edited: Iterable[str]) -> bool:
    """Return whether the tests could not be collected for lack of a module that is not the agent's own."""
    missing = missing_modules(output)
    own = {part.partition(".")[0] for path in edited for part in path.split("/")}
    return bool(missing) and not any(re.split(r"[./]", name.lstrip("./"))[0] in own for name in missing)
