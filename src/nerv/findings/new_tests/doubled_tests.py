"""New tests of what the spec states that hold of a double of the code, and not of the code itself, by our own runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode, sides_of
from nerv.findings.unfinished.stubs import is_admitted
from nerv.verification.test_names import is_named

_NUMBER = re.compile(r"\d+(?:[.:]\d+)+|(?!(?:19|20)\d\d\b)\d{3,}")
_TEXT = re.compile(r"\"[^\"\n]{5,}\"|'[^'\n]{5,}'|`[^`\n]{5,}`")
"""Values that a test and a spec do not both have by chance: a time, a number with a fraction, a text; no year."""


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
        stated = {test.name: each for test in tests for each in _values(file, test) if _is_stated(each, run.spec_text)}
        for test in sorted(tests, key=lambda each: each.name not in stated)[:1]:
            level: FindingLevel = "likely" if stated and not is_admitted(run) else "note"
            what = f"what the spec states ({stated[test.name]})" if stated else "something"
            text = (
                f"In {test.path}, {test.name} expects {what}, and passes only with what the tests put in the place of "
                "the run's own code, or set in the environment: without that it fails."
            )
            lines = [each.shown for each in test.assertions]
            yield finding("mocked_subject", level, text, where=test.location, lines=lines)


def _is_stated(value: str, text: str) -> bool:
    """Return whether a spec has a value; one with a fraction also if the spec has fewer of its digits."""
    forms = {value}
    if re.fullmatch(r"\d+\.\d{3,}", value):
        forms |= {f"{float(value):.{digits}f}" for digits in range(2, len(value.partition(".")[2]))}
    return any(re.search(rf"(?<![\d.]){re.escape(form)}(?!\d)", text) for form in forms)


def _expected(assertion: str) -> str:
    """Return what an assertion expects; without the call that it is about, whose arguments are inputs."""
    subject, expected = sides_of(assertion)
    if subject:
        return expected
    return re.sub(r"\w+ \((?:[^()]|\([^()]*\))*\)", " ", assertion) if "DeepEqual" not in assertion else assertion


def _values(file: ChangedFile, test: TestCode) -> list[str]:
    """Return the telling values that a test expects: those of its assertions, and of variables that they compare.

    A variable of a loop or a parameter stands for all cases of the test.
    """
    whole = file.new.text if file.new is not None else ""
    texts = [_expected(each.text) for each in test.assertions]
    compared = set(re.findall(r"[A-Za-z_]\w*", "\n".join(texts)))
    for line in test.lines:
        match = re.search(r"(?<![\w.])(\w+)\s*:?=(?!=)(?P<value>[^;]*)", line)
        if match is not None and match[1] in compared and "(" not in match["value"]:
            texts.append(match["value"])
            compared.update(re.findall(r"[A-Za-z_]\w*", match["value"]))
        if re.match(r"\s*for\b", line) and compared & set(re.findall(r"[A-Za-z_]\w*", line)):
            texts += test.lines
    cases = re.search(rf"parametrize\((?:(?!\ndef ).)*\n(?:async )?def {re.escape(test.name)}\(", whole, re.S)
    texts += [cases[0]] if cases is not None and compared & set(re.findall(r"[A-Za-z_]\w*", cases[0])) else []
    for block in re.split(r"\n(?=\S)", whole):
        match = re.match(r"(?:(?:export\s+)?(?:const|let|var)\s+)?(\w+)\s*:?=", block)
        if match is not None and match[1] in compared and not re.match(r"[^\n]*=\s*[\w.]+\(", block):
            texts.append(block)
    text = "\n".join(texts)
    return list(dict.fromkeys([*_NUMBER.findall(text), *(each[1:-1] for each in _TEXT.findall(text))]))
