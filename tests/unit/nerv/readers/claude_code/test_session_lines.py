"""Sessions whose subagents have files of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.readers import RunSource, read

FILE = "/p/slug.py"
FIRST, LAST = "def slug(s):\n    return s\n", "def slug(s):\n    return s.rstrip('-')\n"
Line = dict[str, Any]


def line(second: int | None, kind: str, content: object, **more: object) -> Line:
    stamp = {} if second is None else {"timestamp": f"2026-01-01T00:00:{second:02}.000Z"}
    return {"type": kind, "sessionId": "s1", "cwd": "/p", "message": {"role": kind, "content": content}} | stamp | more


def call(
    second: int | None, use_id: str, name: str, output: str, *, failed: bool = False, **given: object
) -> list[Line]:
    block = {"type": "tool_result", "tool_use_id": use_id, "content": output, "is_error": failed}
    use = {"type": "tool_use", "id": use_id, "name": name, "input": given}
    return [line(second, "assistant", [use]), line(second, "user", [block])]


def session(folder: Path, *, subagent_at: int | None) -> Path:
    """A session that corrects what its subagent wrote, and whose tests pass after that."""
    edit = {"old_string": "return s\n", "new_string": "return s.rstrip('-')\n"}
    main = [
        line(0, "user", "Add a function `slug` to slug.py, with a test."),
        *call(40, "1", "Edit", "updated", file_path=FILE, **edit),
        *call(50, "2", "Bash", "3 passed in 0.1s", command="pytest -q"),
        line(55, "assistant", [{"type": "text", "text": "Done."}]),
    ]
    side = [
        *call(subagent_at, "8", "Write", f"File created successfully at: {FILE}", file_path=FILE, content=FIRST),
        *call(subagent_at, "9", "Bash", "Exit code 1\n2 failed in 0.1s", failed=True, command="pytest -q"),
    ]
    file = folder / "s1.jsonl"
    for log, lines in ((file, main), (folder / "s1" / "subagents" / "agent-a.jsonl", side)):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def test_what_a_session_made_of_a_subagents_work_counts_in_the_end(tmp_path: Path) -> None:
    found = read(RunSource(path=session(tmp_path, subagent_at=20)))

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert [text for hunk in change.hunks for text in hunk.lines] == LAST.splitlines()
    assert [run.succeeded for run in found.activity.test_runs] == [False, True]


def test_a_subagent_whose_lines_have_no_time_comes_last(tmp_path: Path) -> None:
    found = read(RunSource(path=session(tmp_path, subagent_at=None)))

    assert [run.succeeded for run in found.activity.test_runs] == [True, False]


def test_a_subagent_of_a_workflow_belongs_to_its_session(tmp_path: Path) -> None:
    file = session(tmp_path, subagent_at=20)
    nested = tmp_path / "s1" / "subagents" / "workflows" / "wf_1" / "agent-a.jsonl"
    nested.parent.mkdir(parents=True)
    (tmp_path / "s1" / "subagents" / "agent-a.jsonl").rename(nested)

    assert len(read(RunSource(path=file)).activity.test_runs) == 2
