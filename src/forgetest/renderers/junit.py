"""JUnit XML: each case and model is a testcase; a wrong sample is a failure, an unjudged one an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from itertools import groupby
from typing import IO, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from forgetest.renderers import verdict_text
from forgetest.report import FORMAT_VERSION, Report
from forgetest.report.aggregate import CaseAggregate
from forgetest.sample import Sample

FILENAME = "report.junit.xml"

_DETAIL_CHARACTERS = 20_000
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow, not even escaped."""


def write(report: Report, stream: IO[str]) -> None:
    """Write a suite for each eval set; cases are written while they are read."""
    seconds = _seconds_by_suite(report.results)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
    suites = groupby(report.results, key=lambda sample: sample.attempt.eval_set_id)
    for number, (eval_set_id, of_suite) in enumerate(suites):
        stream.write(_suite(report, eval_set_id, number, seconds[eval_set_id]))
        flaky: list[str] = []
        for _, of_case in groupby(of_suite, key=lambda sample: sample.attempt._replace(attempt=0)):
            attempts = list(of_case)
            stream.writelines(_test_case(attempts))
            flaky += [_changed(sample) for sample in attempts if sample.recheck and sample.recheck.flaky]
        # output of the suite, because the older schema allows none in a testcase
        output = _xml_text(_cut_detail("\n".join(flaky)))
        stream.write(f"<system-out>{output}</system-out>\n<system-err></system-err>\n</testsuite>\n")
    stream.write("</testsuites>\n")


class _Counts(NamedTuple):
    tests: int
    failures: int
    errors: int


def _count_tests(cases: Iterable[CaseAggregate]) -> _Counts:
    cases = list(cases)
    wrong = sum(_is_wrong(case.judged, case.correct) for case in cases)
    return _Counts(len(cases), wrong, sum(case.asked > case.judged == case.correct for case in cases))


def _is_wrong(judged: int, correct: int) -> bool:
    # a test that passes sometimes is not a passing test
    return correct < judged


def _suite(report: Report, eval_set_id: str, number: int, seconds: float) -> str:
    per_case = report.aggregate.per_case
    counts = _count_tests(
        figures for case, models in per_case.items() if case.eval_set_id == eval_set_id for figures in models.values()
    )
    timestamp = report.created_at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()
    attributes = {
        "name": eval_set_id,
        "package": "forgetest",
        "id": str(number),
        "timestamp": timestamp,
        "hostname": "localhost",
        "tests": str(counts.tests),
        "failures": str(counts.failures),
        "errors": str(counts.errors),
        "time": f"{seconds:.3f}",
    }
    properties = {"format_version": str(FORMAT_VERSION), "report_id": report.id}
    lines = [
        f"<property name={_xml_attribute(name)} value={_xml_attribute(value)}/>" for name, value in properties.items()
    ]
    return f"<testsuite{_xml_attributes(attributes)}>\n<properties>{''.join(lines)}</properties>\n"


def _seconds_by_suite(samples: Iterable[Sample]) -> dict[str, float]:
    # the opening tag has the suite's time, before its cases: this takes a pass of its own over the results
    found: dict[str, float] = {}
    for sample in samples:
        name = sample.attempt.eval_set_id
        found[name] = found.get(name, 0.0) + _seconds(sample)
    return found


def _seconds(sample: Sample) -> float:
    return ((sample.latency_ms or 0.0) + sample.total_ms) / 1000


def _test_case(attempts: Sequence[Sample]) -> Iterator[str]:
    attempt = attempts[0].attempt
    attributes = {
        "name": attempt.case_id,
        "classname": attempt.model_name,
        "time": f"{sum(map(_seconds, attempts)):.3f}",
    }
    judged = [sample for sample in attempts if sample.outcome == "judged"]
    wrong = [sample for sample in judged if not sample.correct]
    unjudged = [sample for sample in attempts if sample.outcome == "unjudged"]
    yield f"<testcase{_xml_attributes(attributes)}"
    if _is_wrong(len(judged), len(judged) - len(wrong)):
        yield from _problem("failure", "wrong", f"{len(wrong)} of {len(judged)} wrong", wrong + unjudged)
    elif unjudged:
        yield from _problem("error", "unjudged", f"{len(unjudged)} of {len(attempts)} not judged", unjudged)
    else:
        yield "/>\n"


def _problem(element: str, kind: str, summary: str, samples: Sequence[Sample]) -> Iterator[str]:
    message = f"{summary}: {samples[0].reason or 'no reason given'}"
    yield f"><{element}{_xml_attributes({'type': kind, 'message': message[:500]})}>"
    yield _xml_text(_cut_detail("\n\n".join("\n".join(_details(sample)) for sample in samples)))
    yield f"</{element}></testcase>\n"


def _cut_detail(detail: str) -> str:
    if len(detail) <= _DETAIL_CHARACTERS:
        return detail
    return detail[:_DETAIL_CHARACTERS] + "\n… cut here; the JSON report has it all"


def _changed(sample: Sample) -> str:
    """Return what changed when a flaky sample was judged again."""
    assert sample.recheck is not None
    attempt, again = sample.attempt, sample.recheck
    differ = f"judged again {again.times} times, {again.disagreeing} verdicts differ"
    return (
        f"flaky: {attempt.case_id} {attempt.model_name} attempt {attempt.attempt}: {differ}: {'; '.join(again.changes)}"
    )


def _details(sample: Sample) -> Iterator[str]:
    yield f"attempt {sample.attempt.attempt}: {sample.reason or 'no reason given'}"
    if sample.verdict is None:
        return
    yield from verdict_text.errors(sample.verdict)
    for test in verdict_text.failed_tests(sample.verdict):
        yield f"test {verdict_text.failure(test)}"
        if test.stdout:
            yield test.stdout
    for finding in sample.verdict.integrity:
        yield f"integrity: {finding.kind}: {finding.detail}"


def _xml_attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={_xml_attribute(value)}" for name, value in values.items())


def _xml_attribute(value: str) -> str:
    return quoteattr(_allowed(value))


def _xml_text(value: str) -> str:
    return escape(_allowed(value), {"\r": "&#13;"})


def _allowed(value: str) -> str:
    """Replace characters that XML forbids by their escapes in most languages."""
    return _FORBIDDEN.sub(lambda found: f"\\x{ord(found[0]):02x}", value)
