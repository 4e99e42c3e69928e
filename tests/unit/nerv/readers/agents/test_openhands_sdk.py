"""Events of OpenHands' SDK: a file of their own, or the history of a run in a benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Event = dict[str, Any]
PATCH = "diff --git a/slug.py b/slug.py\n--- a/slug.py\n+++ b/slug.py\n@@ -1 +1 @@\n-return s\n+return s.strip('-')\n"
ASKED = (
    "<uploaded_files>/w/x</uploaded_files>\n<issue_description>\nMake `slug` drop dashes.\n</issue_description>\nHelp!"
)
METRICS = {"accumulated_cost": 0.4, "accumulated_token_usage": {"prompt_tokens": 1000, "completion_tokens": 100}}


def event(second: int, kind: str, source: str, **members: object) -> Event:
    return {"id": str(second), "timestamp": f"2026-01-01T00:00:{second:02}", "kind": kind, "source": source, **members}


def call(second: int, tool: str, action: Event, observation: Event) -> list[Event]:
    id_ = f"call-{second}"
    return [
        event(second, "ActionEvent", "agent", tool_name=tool, tool_call_id=id_, action=action, thought=[]),
        event(second + 1, "ObservationEvent", "environment", tool_call_id=id_, observation=observation),
    ]


EVENTS = [
    event(0, "MessageEvent", "user", llm_message={"role": "user", "content": [{"type": "text", "text": ASKED}]}),
    *call(
        1,
        "file_editor",
        {"command": "str_replace", "path": "/w/x/slug.py", "old_str": "return s", "new_str": "return s.strip('-')"},
        {"content": [], "old_content": "a = 1\nreturn s\n", "new_content": "a = 1\nreturn s.strip('-')\n"},
    ),
    *call(
        3,
        "terminal",
        {"command": "pytest -q"},
        {"content": [{"type": "text", "text": "2 failed, 3 passed in 0.1s"}], "exit_code": 1},
    ),
    *call(5, "finish", {"message": "One test still fails."}, {"content": []}),
]


def events(folder: Path, lines: list[Event]) -> Evidence:
    (folder / "events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return read(RunSource(path=folder / "events.jsonl"))


def run(folder: Path, **members: object) -> Evidence:
    """Read a run of a benchmark that uses the SDK."""
    record = {"instance_id": "a__b-1", "instruction": "Add a test.", "history": EVENTS, "error": None, **members}
    (folder / "output.jsonl").write_text(json.dumps(record) + "\n")
    return read(RunSource(path=folder / "output.jsonl"))


def test_a_run_of_a_benchmark_has_the_events_of_the_sdk(tmp_path: Path) -> None:
    metadata = {"llm": {"model": "litellm_proxy/claude-sonnet-4-5"}}
    found = run(tmp_path, test_result={"git_patch": PATCH}, metrics=METRICS, metadata=metadata)

    assert [item.text for item in found.spec.items] == ["Make `slug` drop dashes."]
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(3, 2)]
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"
    assert found.configuration.model == "litellm_proxy/claude-sonnet-4-5"
    assert (found.resources.usage.cost_usd, found.resources.usage.output_tokens) == (0.4, 100)
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == ["slug.py"]


def test_a_run_whose_history_lacks_the_request_has_its_instruction(tmp_path: Path) -> None:
    assert [item.text for item in run(tmp_path, history=EVENTS[1:]).spec.items] == ["Add a test."]


def test_an_edit_has_the_file_before_and_after_it(tmp_path: Path) -> None:
    found = events(tmp_path, EVENTS)

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert [hunk.lines for hunk in change.hunks] == [("a = 1", "return s.strip('-')")]
    assert [command.exit_code for command in found.activity.actions.commands] == [1]


def test_a_rejected_action_is_an_interruption(tmp_path: Path) -> None:
    asked = {"tool_call_id": "r", "tool_name": "terminal", "action": {"command": "rm x"}, "thought": []}
    rejected = event(8, "UserRejectObservation", "user", tool_call_id="r", rejection_reason="not that file")
    found = events(tmp_path, [*EVENTS, event(7, "ActionEvent", "agent", **asked), rejected])

    assert found.incidents.interruptions.count == 1
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.text == "not that file"


def test_editors_of_other_models_are_editors(tmp_path: Path) -> None:
    written = {"file_path": "/w/x/new.py", "content": "a = 1\n"}
    patch = "*** Begin Patch\n*** Add File: added.py\n+b = 2\n*** End Patch"
    found = events(
        tmp_path,
        [
            EVENTS[0],
            *call(1, "write_file", written, {"content": [], "prev_exist": False, "new_content": "a = 1\n"}),
            *call(3, "apply_patch", {"patch": patch}, {"content": []}),
        ],
    )

    assert [edit.path for edit in found.activity.edits] == ["/w/x/new.py", "added.py"]


def test_a_conversation_that_is_kept_in_a_file_for_each_event_is_read(tmp_path: Path) -> None:
    (tmp_path / "base_state.json").write_text("{}")
    (tmp_path / "events").mkdir()
    for number, each in enumerate(EVENTS):
        (tmp_path / "events" / f"event-{number:05}-1a2b3c4d.json").write_text(json.dumps(each))

    found = read(RunSource(path=tmp_path))

    assert [item.text for item in found.spec.items] == ["Make `slug` drop dashes."]
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(3, 2)]
    assert len(found.inputs) == len(EVENTS)
