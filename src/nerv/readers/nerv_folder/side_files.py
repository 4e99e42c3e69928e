"""The files beside an event log: summary, configuration, tasks, cycles, permissions, worktrees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from nerv.evidence import Audit, Configuration, TestSuiteRun, TokenUsage
from nerv.location import Location, Moment
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.claude_code.spending import usage_from_nerv
from nerv.readers.clock import Clock
from nerv.readers.event_fields import as_request, shorten, whole_number
from nerv.readers.nerv_folder.permissions import PermissionMatcher, decision_of
from nerv.readers.nerv_folder.pipeline import PIPELINE_RESULT, is_command_line_pipeline, read_pipeline_result
from nerv.readers.nerv_folder.reviews import add_decision, decision_in
from nerv.readers.nerv_folder.task_files import TaskFiles, test_totals
from nerv.readers.nerv_folder.worktrees import read_manifest
from nerv.readers.run_record import MOST_CYCLES, MOST_TASKS, RunRecord
from nerv.readers.source_files import SourceFiles, is_file

_MOST_VALUES = 500
_MOST_NAMED = 200
_BYPASS = ("dangerouslySkipPermissions", "skipPermissions", "autoApproveAll", "bypassPermissions", "yolo")
_MANIFEST = "worktree-manifest.json"
_CYCLE_FOLDER = re.compile(r"(?:cycle[-_]?)?(\d{1,6})")
_OBJECT = msgspec.json.Decoder(dict[str, Any])


class SideFiles:
    """Reads these files into a run's record."""

    def __init__(self, folder: Path, files: SourceFiles, record: RunRecord, clock: Clock) -> None:
        self._folder = folder
        self._files = files
        self._record = record
        self._clock = clock
        self.test_runs: list[TestSuiteRun] = []
        self.conversations: list[Conversation] = []
        self.usage = TokenUsage()
        self.configuration = Configuration(has_permission_system=True)
        self.command_line_pipeline = is_command_line_pipeline(self._object(PIPELINE_RESULT))

    def read(self) -> None:
        """Read all files that exist."""
        self._configuration()
        for name in sorted(each.name for each in self._folder.glob("benchmark-results-*.json")):
            self._summary(name)
        self._summary("summary.json")
        self._pipeline()
        tasks = TaskFiles(self._folder, self._files, self._record, self._clock)
        for task_folder in folders_in(self._folder / "tasks", MOST_TASKS):
            conversation = tasks.read(task_folder)
            if conversation:
                self.conversations.append(conversation)
        self.test_runs += tasks.test_runs
        for cycle_folder in folders_in(self._folder / "cycles", MOST_CYCLES):
            self._cycle(cycle_folder)
        self._permissions()
        manifest = self._files.document(self._folder / _MANIFEST, _MANIFEST)
        read_manifest(manifest, self._record, Location(file=_MANIFEST))

    def _object(self, name: str) -> Mapping[str, Any] | None:
        return self._files.mapping(self._folder / name, name)

    # --- the whole run

    def _configuration(self) -> None:
        found = self._object("config.json")
        location = Location(file="config.json") if found is not None else None
        summary = self._object("summary.json") or {}
        if found is None:
            nested = summary.get("config")
            found, location = (nested, Location(file="summary.json")) if isinstance(nested, dict) else ({}, None)
        values = dict(_plain_values(found))
        model = found.get("model") or summary.get("model")
        self.configuration = Configuration(
            location=location,
            values=values,
            has_permission_system=True,
            permissions_bypassed=any(_says_bypass(key, value) for key, value in values.items()),
            model=shorten(model) if isinstance(model, str) else "",
        )

    def _summary(self, name: str) -> None:
        found = self._object(name)
        if found is None:
            return
        location = Location(file=name)
        cost = found.get("cost") if isinstance(found.get("cost"), dict) else {}
        totals = usage_from_nerv({**found, **(cost or {})})
        if totals.tokens or totals.cost_usd:  # zeros mean that nothing was counted
            self.usage = TokenUsage(
                input_tokens=totals.input_tokens,
                output_tokens=totals.output_tokens,
                cache_read_tokens=totals.cache_read_tokens,
                cost_usd=totals.cost_usd or None,
                location=location,
            )
        issues = found.get("issues")
        if isinstance(issues, dict):
            moment = Moment(location=location)
            self._record.compactions.at_least(whole_number(issues.get("compactions")) or 0, moment)
            if not self.command_line_pipeline:  # it writes 0 without counting
                self._record.compactions_counted = whole_number(issues.get("compactions")) is not None
            self._record.tool_errors.at_least(whole_number(issues.get("toolErrors")) or 0, moment)
            stuck = [whole_number(issues.get(name)) or 0 for name in ("loopsDetected", "stuckDetections")]
            self._record.loops.at_least(sum(stuck), moment)
        workflow = found.get("workflow")
        if isinstance(workflow, dict):
            self._record.permissions_requested = whole_number(workflow.get("permissionsRequested"))
        duration = whole_number(found.get("totalDuration"))
        if duration is not None and self._record.latest_ms is None:  # benchmark-results-*.json without a log
            self._record.earliest_ms, self._record.latest_ms = 0, max(0, duration)
        self._add_tests(test_totals(found.get("tests"), location, None))

    def _add_tests(self, run: TestSuiteRun | None) -> None:
        if run:
            self.test_runs.append(run)

    def _pipeline(self) -> None:
        found = self._object(PIPELINE_RESULT)
        if found is None:
            return
        self.test_runs += read_pipeline_result(found, self._record)
        if self.usage.cost_usd is None and (cost := usage_from_nerv(found).cost_usd):
            self.usage = replace(self.usage, cost_usd=cost, location=Location(file=PIPELINE_RESULT))

    # --- cycles

    def _cycle(self, folder: Path) -> None:
        number = self._record.cycle_ids.get(folder.name)
        if number is None:
            match = _CYCLE_FOLDER.fullmatch(folder.name)
            number = int(match[1]) if match else None
        audit = self._object(f"cycles/{folder.name}/audit-report.json")
        if audit is not None:
            found = _audit(audit, number, Location(file=f"cycles/{folder.name}/audit-report.json"))
            if found.passed is not None or found.met or found.missed:  # the pipeline's own report is only figures
                self._record.keep(self._record.audits, found, "audits", MOST_CYCLES)
        self._cycle_reviews(f"cycles/{folder.name}/review-report.json")

    def _cycle_reviews(self, name: str) -> None:
        """Read the review of one task, or a list of reviews."""
        report = self._object(name) or {}
        listed = report.get("reviews")
        for review in listed if isinstance(listed, list) else (report,):
            task_id, decision = (
                (review.get("taskId"), review.get("decision")) if isinstance(review, dict) else (None, None)
            )
            if isinstance(task_id, str | int) and isinstance(decision, str):
                add_decision(self._record, str(task_id), decision, Moment(location=Location(file=name)))

    # --- permissions

    def _permissions(self) -> None:
        """Read the permission files, unless the event log has the same permissions."""
        if self._record.permissions:
            return
        matcher = PermissionMatcher(self._record)
        for name in ("permissions/requests.jsonl", "permissions/decisions.jsonl"):
            file = self._folder / name
            if not is_file(file):
                continue
            for number, line in self._files.records(file, name, _OBJECT):
                moment = Moment(location=Location(file=name, line=number), ms=self._clock.known(line.get("timestamp")))
                tool = line.get("tool") if isinstance(line.get("tool"), str) else ""
                asked = line.get("command") or line.get("input") or line.get("pattern")
                task = line.get("taskId")
                about = (
                    str(line.get("requestId", line.get("id")) or "")[:200],
                    str(tool)[:100],
                    as_request(asked) if asked else "",
                    str(task) if isinstance(task, str | int) else None,
                    moment,
                )
                if name.endswith("requests.jsonl"):
                    matcher.ask(*about)
                else:
                    matcher.answer(*about, decision_of(line.get("decision")))


def _audit(fields: Mapping[str, Any], cycle: int | None, location: Location) -> Audit:
    """Return an audit from its report: its result, and the requirements that it found met or missing."""
    passed = fields.get("passed")
    if not isinstance(passed, bool):
        status = fields.get("status", fields.get("verdict", fields.get("result")))
        passed = decision_in(status) == "approved" if isinstance(status, str) else None
    met: list[str] = []
    missed: list[str] = []
    for key in ("items", "criteria", "requirements", "specItems", "checks"):
        listed = fields.get(key)
        for each in listed if isinstance(listed, list) else ():
            if not isinstance(each, dict):
                continue
            text = next(
                (
                    each[name]
                    for name in ("text", "criterion", "requirement", "title", "name", "item")
                    if isinstance(each.get(name), str)
                ),
                None,
            )
            state = next((each[name] for name in ("met", "passed", "satisfied", "status") if name in each), None)
            if text is None or state is None:
                continue
            good = state if isinstance(state, bool) else str(state).lower() in ("met", "pass", "passed", "done", "ok")
            where = met if good else missed
            if len(where) < _MOST_NAMED * 10:
                where.append(shorten(text))
    summary = fields.get("summary")
    return Audit(
        location=location,
        cycle=cycle,
        passed=passed,
        met=tuple(met),
        missed=tuple(missed),
        text=shorten(summary) if isinstance(summary, str) else "",
    )


def _plain_values(found: object, prefix: str = "") -> Iterator[tuple[str, str | int | float | bool]]:
    """Yield every scalar value of a document by dotted key, up to a limit."""
    waiting: list[tuple[str, object]] = [(prefix, found)]
    given = 0
    while waiting and given < _MOST_VALUES:
        path, value = waiting.pop(0)
        if isinstance(value, dict):
            waiting += [(f"{path}.{key}" if path else str(key), value[key]) for key in sorted(value)][:_MOST_VALUES]
        elif isinstance(value, str | int | float):
            given += 1
            yield path[:200], shorten(value) if isinstance(value, str) else value


def _says_bypass(key: str, value: object) -> bool:
    last = key.rsplit(".", 1)[-1]
    if last in _BYPASS and value is True:
        return True
    return last in ("permissionMode", "permission_mode") and value in ("bypassPermissions", "yolo", "auto-approve")


def folders_in(parent: Path, most: int) -> list[Path]:
    """Return the folders in a folder, by name; none if it is absent. Links are not followed."""
    try:
        return sorted(each for each in parent.iterdir() if each.is_dir() and not each.is_symlink())[:most]
    except OSError:
        return []
