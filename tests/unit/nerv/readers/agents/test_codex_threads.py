"""Codex's threads: subagents beside their parents, forks, and what each of them copied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]

PARENT, CHILD, NESTED = "01a0b3da-c522-7af2", "01a0b3db-7463-7ff0", "01a0b3dc-9b19-7ff0"


def line(second: float, kind: str, payload: Line, **members: object) -> Line:
    stamp = f"2026-09-18T09:{int(second) // 60:02}:{second % 60:06.3f}Z"
    return {"timestamp": stamp, **members, "type": kind, "payload": payload}


def meta(second: float, id_: str, **members: object) -> Line:
    header = {"session_id": PARENT, "id": id_, "cwd": "/r", "originator": "codex-tui", "cli_version": "0.146.0"}
    return line(second, "session_meta", {**header, "source": "cli", **members})


def spawned_by(parent: str) -> dict[str, Any]:
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_path": "/root/tester", "agent_nickname": "Carson"}
    return {"source": {"subagent": {"thread_spawn": spawn}}, "thread_source": "subagent"}


def typed(second: float, words: str) -> Line:
    return line(second, "event_msg", {"type": "user_message", "message": words, "images": [], "text_elements": []})


def started(second: float, turn: str) -> Line:
    return line(second, "event_msg", {"type": "task_started", "turn_id": turn, "model_context_window": 353_400})


def said(second: float, words: str) -> Line:
    return line(second, "event_msg", {"type": "agent_message", "message": words, "phase": "final_answer"})


def ran(second: float, id_: str, command: str, output: str, code: int = 0) -> list[Line]:
    """A command and its output, as `exec_command` writes them."""
    call = {"type": "function_call", "name": "exec_command", "arguments": json.dumps({"cmd": command}), "call_id": id_}
    shown = f"Chunk ID: 1\nWall time: 0.5 seconds\nProcess exited with code {code}\nOutput:\n{output}"
    ended = {"type": "function_call_output", "call_id": id_, "output": shown}
    return [line(second, "response_item", call), line(second + 0.2, "response_item", ended)]


def patched(second: float, id_: str, path: str) -> list[Line]:
    patch = f"*** Begin Patch\n*** Add File: {path}\n+a = 1\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": id_, "status": "completed"}
    ended = {"type": "custom_tool_call_output", "call_id": id_, "output": f"Success. Updated files:\nA {path}"}
    return [line(second, "response_item", call), line(second + 0.2, "response_item", ended)]


def spent(second: float, total: int, last: int) -> Line:
    counts = [{"input_tokens": count, "cached_input_tokens": 0, "output_tokens": 0} for count in (total, last)]
    info = {"total_token_usage": counts[0], "last_token_usage": counts[1], "model_context_window": 353_400}
    return line(second, "event_msg", {"type": "token_count", "info": info, "rate_limits": None})


HISTORY = [
    started(1, "t1"),
    typed(1, "Add a function `slug`."),
    *patched(3, "call_1", "slug.py"),
    *ran(5, "call_2", "pytest -q", "1 failed, 1 passed in 0.1s", 1),
    spent(6, 100, 100),
]
SPAWNS = line(7, "response_item", {"type": "function_call", "name": "spawn_agent", "arguments": "{}", "call_id": "c3"})
PARENTS = [meta(0, PARENT, thread_source="user"), *HISTORY, SPAWNS, said(30, "Done.")]
OWN = [
    *patched(12, "call_4", "test_slug.py"),
    *ran(14, "call_5", "pytest -q", "3 passed in 0.1s"),
    spent(15, 150, 50),
    said(16, "The tests are there."),
]


def copied(second: float) -> list[Line]:
    """The parent's lines as a fork writes them again, all at once."""
    stamps = [f"2026-09-18T09:00:{second + index / 1000:06.3f}Z" for index in range(len(PARENTS[:-1]))]
    return [{**each, "timestamp": stamp} for each, stamp in zip(PARENTS[:-1], stamps, strict=True)]


def rollout(folder: Path, id_: str, lines: list[Line]) -> Path:
    file = folder / f"rollout-2026-09-18T09-00-00-{id_}.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def outline(found: Evidence) -> tuple[list[str], list[int | None], list[str], int | None]:
    """The items, the passed tests of each run, the edited files, and the tokens of a run."""
    items = [item.text for item in found.spec.items]
    passed = [run.passed for run in found.activity.test_runs]
    return items, passed, [edit.path for edit in found.activity.edits], found.resources.usage.input_tokens


WHOLE = (["Add a function `slug`."], [1, 3], ["slug.py", "test_slug.py"], 150)


def numbered(lines: list[Line]) -> list[Line]:
    return [{**each, "ordinal": number} for number, each in enumerate(lines)]


@pytest.mark.parametrize("named", ["folder", "parent"])
@pytest.mark.parametrize(
    "childs",
    [
        pytest.param([meta(10, CHILD, **spawned_by(PARENT)), typed(10, "Write tests."), *OWN], id="without history"),
        pytest.param(
            [
                meta(10, CHILD, forked_from_id=PARENT, **spawned_by(PARENT)),
                *copied(10.001),
                started(10.02, "t2"),
                typed(10.03, "Write tests."),
                *OWN,
            ],
            id="with the parent's history, written again at once",
        ),
        pytest.param(
            numbered(
                [
                    meta(10, CHILD, forked_from_id=PARENT, subagent_history_start_ordinal=11, **spawned_by(PARENT)),
                    *copied(10.001)[:-1],
                    SPAWNS,
                    typed(10.03, "Write tests."),
                    *OWN,
                ]
            ),
            id="with the parent's history, numbered",
        ),
        pytest.param(
            [
                meta(10, CHILD, source={"subagent": "review"}, thread_source="subagent", parent_thread_id=PARENT),
                typed(10, "Review it."),
                *OWN,
            ],
            id="in the older form of a review",
        ),
    ],
)
def test_a_subagent_beside_its_parent_belongs_to_the_run(tmp_path: Path, childs: list[Line], named: str) -> None:
    parent = rollout(tmp_path, PARENT, PARENTS)
    rollout(tmp_path, CHILD, childs)

    found = read(RunSource(path=tmp_path if named == "folder" else parent))

    assert outline(found) == WHOLE
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."
    assert [(each.id, each.subagent) for each in found.activity.sessions] == [(PARENT, False), (CHILD, True)]


def test_subagents_of_subagents_belong_to_the_run(tmp_path: Path) -> None:
    rollout(tmp_path, PARENT, PARENTS)
    rollout(tmp_path, CHILD, [meta(10, CHILD, **spawned_by(PARENT)), *OWN[:2]])
    rollout(tmp_path, NESTED, [meta(11, NESTED, **spawned_by(CHILD)), *OWN[2:]])

    assert outline(read(RunSource(path=tmp_path))) == WHOLE


def test_other_threads_in_the_folder_are_other_runs(tmp_path: Path) -> None:
    parent = rollout(tmp_path, PARENT, PARENTS)
    rollout(tmp_path, CHILD, [meta(10, CHILD), typed(10, "Something else."), *OWN])

    assert outline(read(RunSource(path=parent)))[1] == [1]
    with pytest.raises(UserError, match="contains several logs"):
        read(RunSource(path=tmp_path))


def test_a_subagent_alone_has_only_its_own_lines(tmp_path: Path) -> None:
    lines = [meta(10, CHILD, forked_from_id=PARENT, **spawned_by(PARENT)), *copied(10.001)]
    child = rollout(tmp_path, CHILD, [*lines, started(10.02, "t2"), typed(10.03, "Write tests."), *OWN])

    assert outline(read(RunSource(path=child))) == (["Write tests."], [3], ["test_slug.py"], 50)


def test_a_fork_goes_on_with_what_it_copied(tmp_path: Path) -> None:
    rollout(tmp_path, PARENT, PARENTS)
    lines = [meta(10, CHILD, forked_from_id=PARENT, cwd="/fork"), *copied(10.001)]
    fork = rollout(tmp_path, CHILD, [*lines, typed(11, "Write tests for `slug`."), *OWN])

    found = read(RunSource(path=fork))

    assert outline(found) == (["Add a function `slug`.", "Write tests for `slug`."], *WHOLE[1:])
    assert [each.id for each in found.activity.sessions] == [CHILD]


def test_a_fork_without_a_copy_says_what_it_goes_on_from(tmp_path: Path) -> None:
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 9, "end_byte_offset": 4_000}
    lines = [meta(10, CHILD, history_base=base), typed(11, "Write tests for `slug`."), *OWN]

    found = read(RunSource(path=rollout(tmp_path, CHILD, lines)))

    assert any(f"goes on from the thread {PARENT}" in warning for warning in found.warnings)


def test_prompts_that_were_rolled_back_are_no_items(tmp_path: Path) -> None:
    back = line(8, "event_msg", {"type": "thread_rolled_back", "num_turns": 1})
    stopped = line(7, "event_msg", {"type": "turn_aborted", "reason": "interrupted"})
    lines = [*PARENTS[:-1], typed(6, "Use a class."), stopped, back, typed(9, "Write tests for `slug`."), *OWN]

    items, *_ = outline(read(RunSource(path=rollout(tmp_path, PARENT, lines))))

    assert items == ["Add a function `slug`.", "Write tests for `slug`."]


def test_a_command_that_never_returned_does_not_hide_how_the_run_ended(tmp_path: Path) -> None:
    stopped = line(7, "event_msg", {"type": "turn_aborted", "reason": "interrupted"})
    found = read(RunSource(path=rollout(tmp_path, PARENT, [*PARENTS[:6], *ran(6, "call_9", "make", "")[:1], stopped])))

    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "interrupted"
