"""Results without a log: rows with a task and a patch, SWE-bench predictions, and Terminal-Bench's results.json.

Nothing is known of how they came about. Terminal-Bench's results also have the outcome of the benchmark's own tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nerv.readers.agents.transcript import (
    BenchmarkTests,
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    text,
)
from nerv.readers.event_fields import amount, whole_number

ROW_KIND, TRIAL_KIND = "row", "terminal-bench"

_TASKS = ("task", "problem_statement", "instruction")
_PATCHES = ("patch", "model_patch", "git_patch")
_NAMES = ("id", "instance_id", "trial_name", "task_id")
_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
_MOST_RUNS = 100_000
_ENDED_WELL = ("", "none", "unset")
_BENCHMARKS_FAULT = ("test_timeout", "parse_error", "unknown")
"""Failures of Terminal-Bench's own tests, not of the agent."""


def is_result(record: object) -> bool:
    """Return whether a record is the result of one run without a log."""
    found = mapping(record)
    is_trial = "is_resolved" in found and "task_id" in found
    is_row = bool(_first(found, *_PATCHES)) and bool(_first(found, *_TASKS) or _first(found, "instance_id"))
    return is_trial or (is_row and "history" not in found and "trajectory" not in found)


def results_in(document: object) -> list[Mapping[str, Any]]:
    """Return the results in a document: one, Terminal-Bench's list of them, or predictions by the id of their task."""
    if is_result(document):
        return [mapping(document)]
    if isinstance(document, list):
        found = mappings(document)
    else:
        by_id = list(mapping(document).values())
        found = mappings(mapping(document).get("results")) or (mappings(by_id) if len(by_id) < _MOST_RUNS else [])
        found = found if "results" in mapping(document) or len(found) == len(by_id) else []
    return found if found and all(is_result(one) for one in found) else []


def result_name(record: Mapping[str, Any]) -> str:
    """Return the name of a result among others in its file."""
    return _first(record, "trial_name") if "is_resolved" in record else _first(record, *_NAMES)


def read(record: Mapping[str, Any]) -> Transcript:
    """Read one result."""
    builder = TranscriptBuilder(session=result_name(record) or "session")
    builder.at(1)
    if task := _first(record, *_TASKS):
        builder.prompt(task)
    builder.at(2)  # the result follows the task
    if "is_resolved" in record:
        return _read_trial(builder, record)
    usage, cost = _usage(record), amount(record.get("cost_usd"))
    duration = whole_number(record.get("duration_ms"))
    builder.totals(cost_usd=cost, usage=usage, duration_ms=duration)
    known = subjects(tokens=bool(usage), cost=cost is not None, time=duration is not None) - {"tools", "tests"}
    patch = _first(record, *_PATCHES)
    return Transcript(kind=ROW_KIND, lines=builder.lines, known=known, diff=patch, records_ending=False)


def _read_trial(builder: TranscriptBuilder, record: Mapping[str, Any]) -> Transcript:
    sent, received = whole_number(record.get("total_input_tokens")), whole_number(record.get("total_output_tokens"))
    usage = {"input_tokens": sent, "output_tokens": received} if sent and received is not None else None
    duration = _between(record.get("agent_started_at"), record.get("agent_ended_at"))
    builder.totals(usage=usage, duration_ms=duration)
    failure = text(record.get("failure_mode"))
    if failure not in _ENDED_WELL + _BENCHMARKS_FAULT:
        builder.exit_status(failure)
    outcomes = [outcome for outcome in mapping(record.get("parser_results")).values() if isinstance(outcome, str)]
    resolved = record.get("is_resolved")
    tests = None
    if outcomes or isinstance(resolved, bool):
        passed = sum(outcome == "passed" for outcome in outcomes)
        counts = (passed, len(outcomes) - passed) if outcomes else (None, None)
        tests = BenchmarkTests(passed=counts[0], failed=counts[1], succeeded=resolved is True)
    return Transcript(
        kind=TRIAL_KIND,
        lines=builder.lines,
        known=subjects(tokens=bool(usage), time=duration is not None) - {"tools"},
        benchmark_tests=tests,
        records_ending=failure not in _ENDED_WELL + _BENCHMARKS_FAULT,
    )


def _first(record: Mapping[str, Any], *names: str) -> str:
    return next((found for name in names if (found := text(record.get(name)))), "")


def _usage(record: Mapping[str, Any]) -> dict[str, int] | None:
    found = mapping(record.get("usage"))
    counts = {theirs: whole_number(found.get(ours)) for ours, theirs in _USAGE.items()}
    return {name: count for name, count in counts.items() if count is not None} or None


def _between(began: object, ended: object) -> int | None:
    """Return the milliseconds between two times in ISO 8601; None where one is missing."""
    try:
        span = datetime.fromisoformat(text(ended)) - datetime.fromisoformat(text(began))
    except (ValueError, TypeError):
        return None
    return max(0, round(span.total_seconds() * 1000))
