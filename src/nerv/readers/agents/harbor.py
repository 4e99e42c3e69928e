"""Harbor: the folder of a trial, with the agent's log below `agent/` and the outcome in `result.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nerv.actions import Ending
from nerv.evidence import Evidence, Subject
from nerv.location import Location, Moment
from nerv.readers.agents.transcript import BenchmarkTests, Transcript, ending_line, mapping, mappings, text
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.source_files import SourceFiles, is_file

LOGS = ("agent/trajectory.json", "agent/sessions/**/*.jsonl")
"""Logs of an agent in a trial's folder."""


def trial_folder(log: Path) -> Path | None:
    """Return the trial's folder that a log lies in; None if it lies in none."""
    for folder in list(log.parents)[:6]:
        if folder.name == "agent" and is_file(folder.parent / "result.json"):
            return folder.parent
    return None


def with_result(transcript: Transcript, log: Path, files: SourceFiles) -> Transcript:
    """Return the transcript with what the trial's `result.json` adds: how it ended, its tests and its cost."""
    folder = trial_folder(log)
    result = mapping(files.document(folder / "result.json", "result.json")) if folder is not None else {}
    if folder is None or not result:
        return transcript
    lines = list(transcript.lines)
    place = lines[-1][0] if lines else 1
    exception = mapping(result.get("exception_info"))
    if exception:
        kind, words = text(exception.get("exception_type")), text(exception.get("exception_message"))
        lines.append((place, ending_line("timed_out" if "Timeout" in kind else "error", words or kind)))
    tests = benchmark_tests(result, mapping(files.document(folder / "verifier" / "ctrf.json", "verifier/ctrf.json")))
    known: set[Subject] = set(transcript.known)
    totals = _totals(mapping(result.get("agent_result")))
    if totals and not known & {"tokens", "cost"}:
        lines.append((place, totals))
        known.add("tokens")
        known |= {"cost"} if "total_cost_usd" in totals else set()
    return replace(transcript, lines=lines, benchmark_tests=tests, known=frozenset(known))


def session_with_result(evidence: Evidence, log: Path) -> Evidence:
    """Return the evidence of a session of Claude Code in a trial's folder, with the trial's outcome."""
    folder, files = trial_folder(log), SourceFiles()
    result = mapping(files.document(folder / "result.json", "result.json")) if folder is not None else {}
    if folder is None or not result:
        return evidence
    activity, moment = evidence.activity, Moment(location=Location(file="result.json"))
    ctrf = mapping(files.document(folder / "verifier" / "ctrf.json", "verifier/ctrf.json"))
    if (tests := benchmark_tests(result, ctrf)) is not None:
        activity = replace(activity, test_runs=(*activity.test_runs, tests.run(moment)))
    if exception := mapping(result.get("exception_info")):
        kind, words = text(exception.get("exception_type")), text(exception.get("exception_message"))
        ending = Ending(kind="timed_out" if "Timeout" in kind else "error", moment=moment, text=(words or kind)[:500])
        activity = replace(activity, actions=replace(activity.actions, ending=ending))
    reason = "" if tests is not None else evidence.nothing_to_grade
    inputs = {**evidence.inputs, **files.inputs}
    return replace(evidence, activity=activity, nothing_to_grade=reason, inputs=dict(sorted(inputs.items())))


def benchmark_tests(result: Mapping[str, Any], ctrf: Mapping[str, Any]) -> BenchmarkTests | None:
    """Return the outcome of the benchmark's tests: full reward means that they passed; counts from the test report."""
    rewards = mapping(mapping(result.get("verifier_result")).get("rewards"))
    reward = amount(rewards.get("reward", next(iter(rewards.values()), None)))
    if reward is None:
        return None
    statuses = [test.get("status") for test in mappings(mapping(ctrf.get("results")).get("tests"))]
    passed = statuses.count("passed") if statuses else None
    failed = statuses.count("failed") if statuses else None
    return BenchmarkTests(passed=passed, failed=failed, succeeded=reward >= 1)


def _totals(found: Mapping[str, Any]) -> dict[str, Any]:
    sent, received = whole_number(found.get("n_input_tokens")), whole_number(found.get("n_output_tokens"))
    if sent is None or received is None:
        return {}
    cached = whole_number(found.get("n_cache_tokens")) or 0
    usage = {"input_tokens": max(0, sent - cached), "output_tokens": received, "cache_read_input_tokens": cached}
    cost = amount(found.get("cost_usd"))
    return {"type": "result", "usage": usage} | ({} if cost is None else {"total_cost_usd": cost})
