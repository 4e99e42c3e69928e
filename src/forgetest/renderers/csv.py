"""CSV with one row per sample, for spreadsheets and data frames; unknown values are empty.

Text that a spreadsheet would take for a formula has an apostrophe before it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import IO, Any

from forgetest.report import FORMAT_VERSION, Report
from forgetest.report.encode import encode_sample
from forgetest.sample import Sample

FILENAME = "report.csv"

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula may begin with; some spreadsheets take the full-width characters for the same."""

_COLUMNS = {
    "eval_set_id": ("eval_set_id",),
    "case_id": ("case_id",),
    "provider": ("provider",),
    "model": ("model",),
    "attempt": ("attempt",),
    "run_id": ("run_id",),
    "outcome": ("outcome",),
    "correct": ("correct",),
    "rechecked": ("recheck", "times"),
    "disagreeing": ("recheck", "disagreeing"),
    "score": ("score", "overall"),
    "score_compilation": ("score", "compilation"),
    "score_tests": ("score", "tests"),
    "score_clippy": ("score", "clippy"),
    "compiled": ("compilation", "success"),
    "tests_passed": ("test_execution", "passed"),
    "tests_failed": ("test_execution", "failed"),
    "tests_ignored": ("test_execution", "ignored"),
    "clippy_warnings": ("clippy", "warning_count"),
    "prompt_tokens": ("token_usage", "prompt_tokens"),
    "completion_tokens": ("token_usage", "completion_tokens"),
    "cost_usd": ("token_usage", "estimated_cost_usd"),
    "llm_request_ms": ("timing", "llm_request_ms"),
    "compilation_ms": ("timing", "compilation_ms"),
    "test_execution_ms": ("timing", "test_execution_ms"),
    "total_ms": ("timing", "total_ms"),
    "reason": ("reason",),
}
"""Each column, and the path of its value in the JSON form of a result."""
_CONTROLS = {"controls_asked": ("controls", "asked"), "controls_passed": ("controls", "passed")}
"""Further columns of a report with controls; earlier ones stay as they were."""


def write(report: Report, stream: IO[str]) -> None:
    """Write the headings and one row per sample."""
    writer = csv.writer(_UnixLines(stream))
    has_controls = any(sample.verdict and sample.verdict.controls for sample in report.results)
    columns = {**_COLUMNS, **(_CONTROLS if has_controls else {})}
    writer.writerow([*columns, "format_version"])
    paths = [(path[0], path[1] if len(path) > 1 else None) for path in columns.values()]
    for sample in report.results:
        writer.writerow(_csv_row(sample, paths))


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


def _csv_row(sample: Sample, paths: Sequence[tuple[str, str | None]]) -> list[Any]:
    encoded = encode_sample(sample)
    row: list[Any] = []
    for name, inner in paths:
        value = encoded.get(name)
        if inner is not None and value is not None:
            value = value[inner]
        if isinstance(value, str):
            value = f"'{value}" if value.startswith(_FORMULA) else value
        elif isinstance(value, bool):
            value = str(value).lower()  # as JSON spells it, which is what data frames expect
        row.append(value)
    return [*row, FORMAT_VERSION]
