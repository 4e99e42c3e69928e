"""New tests of what the spec states that hold of a double of the code, and not of the code itself, by our own runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.outdated.outdated_tests import is_named
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode
from nerv.findings.unfinished.stubs import is_admitted

_VALUE = re.compile(r"\d+(?:[.:,/-]\d+)+|\d{3,}|[\"'`][^\"'`\n]{5,}[\"'`]")
"""A value that a test and a spec do not both have by chance: a time, a number with a fraction, a text."""


def doubled_tests(run: ReviewedRun) -> list[Finding]:
    """Find tests that fail once the code is where they have put something of their own.

    A test may replace a step by any value. One that expects what the spec states is to show that the code gives that.
    """
    verification = run.verification
    if verification is None or not verification.doubled or run.spec_keeps_behaviour:
        return []
    return list(_found(run, verification.doubled))


def _found(run: ReviewedRun, doubled: tuple[str, ...]) -> Iterator[Finding]:
    for file in run.files:
        tests = [
            test
            for test in file.new_tests
            if test.name and test.touched and any(is_named(name, test.name) for name in doubled)
        ]
        stated = {test.name: each for test in tests for each in _values(file, test) if each in run.spec_text}
        for test in sorted(tests, key=lambda each: each.name not in stated)[:1]:
            level: FindingLevel = "likely" if stated and not is_admitted(run) else "note"
            what = f"what the spec states ({stated[test.name]})" if stated else "something"
            text = (
                f"In {test.path}, {test.name} expects {what}, and passes only with what the tests put in the place of "
                "the run's own code, or set in the environment: without that it fails."
            )
            lines = [each.shown for each in test.assertions]
            yield finding("mocked_subject", level, text, where=test.location, lines=lines)


def _values(file: ChangedFile, test: TestCode) -> list[str]:
    """Return the telling values in a test, and those of its file that it may use by a name."""
    lines = [*test.lines]
    words = set(re.findall(r"\w+", "\n".join(test.lines)))
    text = file.new.text if file.new is not None else ""
    for block in re.split(r"\n(?=\S)", text):
        match = re.match(r"(?:(?:export\s+)?(?:const|let|var)\s+)?(\w+)\s*:?=", block)
        if match is not None and match[1] in words:
            lines.append(block)
    found = (match[0].strip("\"'`") for match in _VALUE.finditer("\n".join(lines)))
    return list(dict.fromkeys(found))
