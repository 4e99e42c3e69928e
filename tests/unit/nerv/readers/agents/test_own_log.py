from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv.readers import RunSource, read

PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
HEADER = {"format": "nerv-log", "format_version": 1, "model": "acme/small"}
LOG: list[dict[str, Any]] = [
    HEADER,
    {"type": "prompt", "text": "Add a test for `x`.", "time": "2026-01-01T10:00:00Z"},
    {"type": "answer", "text": "I will.", "usage": {"input_tokens": 100, "output_tokens": 20}},
    {"type": "edit", "path": "a.py"},
    {"type": "command", "command": "pytest", "output": "1 failed, 2 passed in 0.1s", "exit_code": 1},
    {"type": "command", "command": "pytest", "output": "3 passed in 0.1s", "exit_code": 0},
    {"type": "end", "patch": PATCH, "cost_usd": 0.5, "duration_ms": 60_000},
]


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_our_own_form_holds_everything_that_the_rules_look_at(tmp_path: Path) -> None:
    found = read(RunSource(path=write(tmp_path / "run.jsonl", LOG)))

    assert found.kind == "nerv-log"
    assert found.spec.title == "Add a test for `x`."
    assert [(run.passed, run.failed, run.succeeded) for run in found.activity.test_runs] == [
        (2, 1, False),
        (3, 0, True),
    ]
    assert found.resources.usage.cost_usd == 0.5
    assert found.resources.usage.output_tokens == 20
    assert found.changes.diff is not None
    assert found.incidents.tool_errors.count == 1
    assert found.recorded >= {"tests", "tools", "tokens", "cost", "time", "diff"}


@pytest.mark.parametrize(
    ("last", "ending"),
    [
        ([{"type": "end", "cost_usd": 0.5}], None),
        ([{"type": "answer", "text": "Done."}, {"type": "end"}], "answered"),
        ([{"type": "end", "status": "timed_out"}], "timed_out"),
        ([], "no_answer"),
    ],
)
def test_how_a_run_ended_is_not_guessed(tmp_path: Path, last: list[dict[str, Any]], ending: str | None) -> None:
    """An `end` without a status says only that the run is over; without an `end`, the log stops in the middle."""
    actions = read(RunSource(path=write(tmp_path / "run.jsonl", [*LOG[:-1], *last]))).activity.actions

    assert (actions.ending.kind if actions.ending else None) == ending


def test_what_a_log_does_not_hold_is_not_recorded(tmp_path: Path) -> None:
    found = read(RunSource(path=write(tmp_path / "run.jsonl", [HEADER, {"type": "prompt", "text": "Add a test."}])))

    assert found.recorded == {"tests", "tools"}


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{**HEADER, "format_version": 2}], r"run.jsonl:1: format_version 2; this nerv reads 1"),
        ([HEADER, {"type": "promt", "text": "x"}], r"run.jsonl:2: type 'promt' is unknown; docs/agent-logs.md"),
        ([HEADER, {"type": "command", "cmd": "pytest"}], r"run.jsonl:2: command without 'command'; docs/agent-logs.md"),
        ([HEADER, {"type": "edit"}], r"run.jsonl:2: edit without 'path'"),
        (
            [HEADER, {"type": "command", "command": "x", "exit_code": "0"}],
            r"run.jsonl:2: 'exit_code' has to be a number",
        ),
        ([HEADER, {"type": "answer", "text": ["x"]}], r"run.jsonl:2: 'text' has to be a text"),
        ([HEADER, {"type": "answer", "usage": 5}], r"run.jsonl:2: 'usage' has to be an object"),
        ([HEADER, {"type": "edit", "path": "a", "failed": "no"}], r"run.jsonl:2: 'failed' has to be true or false"),
    ],
)
def test_a_log_that_is_wrong_is_refused_with_its_line(
    tmp_path: Path, records: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read(RunSource(path=write(tmp_path / "run.jsonl", records)))


def test_a_result_without_a_log_is_a_row(tmp_path: Path) -> None:
    row = {"task": "Set x to 2.", "patch": PATCH, "usage": {"input_tokens": 7, "output_tokens": 3}, "cost_usd": 0.1}
    file = tmp_path / "row.json"
    file.write_text(json.dumps(row, indent=2))
    found = read(RunSource(path=file))

    assert found.kind == "row"
    assert found.changes.diff is not None
    assert (found.resources.usage.input_tokens, found.resources.usage.cost_usd) == (7, 0.1)


def test_an_unknown_log_gets_the_list_of_those_that_are_known(tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    file.write_text('{"something": "else"}')
    with pytest.raises(UserError, match=r"is no log of an agent that nerv knows; it reads .*SWE-agent .*Aider"):
        read(RunSource(path=file))


def test_a_pipe_is_refused_without_reading_it(tmp_path: Path) -> None:
    pipe = tmp_path / "log.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match="is no log of an agent that nerv knows"):
        read(RunSource(path=pipe))


def test_a_log_in_utf_16_is_named(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text('{"format": "nerv-log", "format_version": 1}\n', encoding="utf-16")
    with pytest.raises(UserError, match=r"log\.jsonl: is UTF-16; convert it to UTF-8"):
        read(RunSource(path=file))


def test_a_log_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = write(tmp_path / "run.jsonl", LOG)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read(RunSource(path=file)).spec.title == "Add a test for `x`."


def test_a_log_whose_prompt_is_no_json_names_the_line_that_was_skipped(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(f'{json.dumps(HEADER)}\n{{"type": "prompt", "text": "a \\` b"}}\n{json.dumps(LOG[3])}\n')
    with pytest.raises(UserError, match=r"contains no request; .*1 line skipped, not JSON: line 2"):
        read(RunSource(path=log))
