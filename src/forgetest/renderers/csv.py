"""CSV with one row per sample, for spreadsheets and data frames; unknown values are empty.

Text that a spreadsheet would take for a formula has an apostrophe before it.
"""

from __future__ import annotations

import csv
from typing import IO

from forgetest.report import FORMAT_VERSION, Report
from forgetest.report.encode import milliseconds, rounded
from forgetest.sample import Sample

FILENAME = "report.csv"

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula may begin with; some spreadsheets take the full-width characters for the same."""

# fmt: off
_COLUMNS = (
    "eval_set_id", "case_id", "provider", "model", "attempt", "run_id", "outcome", "correct", "rechecked",
    "disagreeing", "score", "score_compilation", "score_tests", "score_clippy", "compiled", "tests_passed",
    "tests_failed", "tests_ignored", "clippy_warnings", "prompt_tokens", "completion_tokens", "cost_usd",
    "llm_request_ms", "compilation_ms", "test_execution_ms", "total_ms", "reason",
)
_CONTROLS = ("controls_asked", "controls_passed")
"""Further columns of a report with controls; earlier ones stay as they were."""
# fmt: on


def write(report: Report, stream: IO[str]) -> None:
    """Write the headings and one row per sample."""
    writer = csv.writer(_UnixLines(stream))
    has_controls = any(sample.verdict and sample.verdict.controls for sample in report.results)
    writer.writerow([*_COLUMNS, *(_CONTROLS if has_controls else ()), "format_version"])
    for sample in report.results:
        controls = _control_cells(sample) if has_controls else ()
        writer.writerow([*_csv_cells(sample), *controls, FORMAT_VERSION])


class _UnixLines:
    """Ends lines with "\\n" alone: the same bytes whether or not the stream translates line ends.

    As the writer's own line end, "\\n" would leave a cell with "\\r" in it without quotes, and readers would end the
    row there.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        """Write a row, which ends with the usual line end of CSV."""
        self._stream.write(row.removesuffix("\r\n") + "\n")


def _csv_cells(sample: Sample) -> tuple[object, ...]:
    """Return the values of the columns; they are those of the JSON form, without building all of it for each row."""
    attempt, verdict, score, usage, recheck = sample.attempt, sample.verdict, sample.score, sample.usage, sample.recheck
    statuses = [test.status for test in verdict.tests] if verdict else []
    return (
        _text(attempt.eval_set_id),
        _text(attempt.case_id),
        _text(attempt.provider),
        _text(attempt.model),
        attempt.attempt,
        _text(sample.run_id),
        _text(sample.outcome),
        _truth(sample.correct),
        recheck.times if recheck else None,
        recheck.disagreeing if recheck else None,
        *((rounded(score.overall), rounded(score.compilation)) if score else (None, None)),
        *((rounded(score.tests), rounded(score.lint)) if score else (None, None)),
        _truth(verdict.compiled if verdict else None),
        *(statuses.count(status) if statuses else None for status in ("passed", "failed", "ignored")),
        len(verdict.lints) if verdict and verdict.compiled else None,
        usage.prompt_tokens,
        usage.completion_tokens,
        rounded(usage.cost_usd),
        milliseconds(sample.latency_ms),
        *((milliseconds(verdict.compile_ms), milliseconds(verdict.test_ms)) if verdict else (None, None)),
        milliseconds((sample.latency_ms or 0.0) + sample.total_ms),
        _text(sample.reason),
    )


def _control_cells(sample: Sample) -> tuple[object, ...]:
    controls = sample.verdict.controls if sample.verdict else None
    return (controls.asked, controls.passed) if controls else (None, None)


def _text(value: str | None) -> str | None:
    return f"'{value}" if value and value.startswith(_FORMULA) else value


def _truth(value: bool | None) -> str | None:
    """Return a truth value as JSON spells it, which is what data frames expect."""
    return None if value is None else "true" if value else "false"
