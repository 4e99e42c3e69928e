"""CSV with one row per sample, for spreadsheets and data frames; unknown values are empty."""

from __future__ import annotations

import csv
from typing import IO, Any

from forgetest.report import FORMAT_VERSION, Report
from forgetest.report.encode import encode_sample
from forgetest.sample import Sample

FILENAME = "report.csv"

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


def write(report: Report, stream: IO[str]) -> None:
    """Write the headings and one row per sample."""
    # no "\r\n": the same bytes whether or not the stream translates line ends
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*_COLUMNS, "format_version"])
    for sample in report.results:
        writer.writerow(_csv_row(sample))


def _csv_row(sample: Sample) -> list[Any]:
    encoded = encode_sample(sample)
    return [*(_cell(encoded, path) for path in _COLUMNS.values()), FORMAT_VERSION]


def _cell(encoded: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if encoded is None:
            return None
        encoded = encoded[step]
    # as JSON spells it, which is what data frames expect
    return str(encoded).lower() if isinstance(encoded, bool) else encoded
