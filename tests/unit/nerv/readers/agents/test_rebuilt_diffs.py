"""The diff of a run, rebuilt from the edits that its log holds, where it has no patch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.changes import Diff
from nerv.readers import RunSource, read


def diff_of(folder: Path, name: str, document: object) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the kind and the added lines of every changed file."""
    file = folder / name
    if isinstance(document, list) and name.endswith(".jsonl"):
        file.write_text("".join(f"{json.dumps(record)}\n" for record in document))
    else:
        file.write_text(json.dumps(document, indent=1))
    diff = read(RunSource(path=file)).changes.diff
    assert isinstance(diff, Diff)
    return {
        change.path: (
            change.kind,
            tuple(line for hunk in change.hunks for at, line in enumerate(hunk.lines) if at in hunk.added),
        )
        for change in diff.files
    }


def mini_run(*commands: str) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a helper."},
        {"role": "user", "content": "Add a greeting."},
    ]
    for number, command in enumerate(commands):
        call = {"id": str(number), "function": {"name": "bash", "arguments": json.dumps({"command": command})}}
        messages.append({"role": "assistant", "content": "Next.", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(number), "content": "", "extra": {"returncode": 0}})
    return {"info": {"mini_version": "2.0", "exit_status": "Submitted"}, "messages": messages}


def test_files_from_heredocs_are_part_of_the_diff(tmp_path: Path) -> None:
    found = diff_of(
        tmp_path,
        "run.traj.json",
        mini_run(
            "cat > hello.py <<'EOF'\nprint('hello')\nEOF",
            "cat <<EOF >> hello.py\nprint('again')\nEOF",
            "cat > scratch.py <<'EOF'\nx = 1\nEOF\npython scratch.py",
            "rm -f scratch.py",
            "cat > /tmp/notes.txt <<'EOF'\nnothing\nEOF",
        ),
    )

    assert found == {"hello.py": ("added", ("print('hello')", "print('again')"))}


def test_a_command_that_failed_wrote_nothing(tmp_path: Path) -> None:
    run = mini_run("cat > hello.py <<'EOF'\nx = 1\nEOF", "cat > gone/hello.py <<'EOF'\nx = 1\nEOF")
    run["messages"][-1]["extra"]["returncode"] = 1

    assert list(diff_of(tmp_path, "run.traj.json", run)) == ["hello.py"]


def test_swe_agents_editor_calls_are_rebuilt(tmp_path: Path) -> None:
    steps = [
        {"action": "str_replace_editor create /r/a.py --file_text 'x = 1\ny = 2\n'", "observation": "File created"},
        {"action": "str_replace_editor str_replace /r/a.py --old_str 'x = 1' --new_str 'x = 3'", "observation": "ok"},
        {
            "action": "edit 1:1\nz = 5\nend_of_edit",
            "observation": "[File: /r/b.py]",
            "state": json.dumps({"open_file": "/r/b.py"}),
        },
    ]
    document = {
        "trajectory": steps,
        "history": [{"role": "user", "content": "Set x.", "agent": "primary"}],
        "info": {"exit_status": "submitted"},
    }
    found = diff_of(tmp_path, "a.traj", document)

    assert found["r/a.py"] == ("added", ("x = 3", "y = 2"))
    assert found["r/b.py"][1] == ("z = 5",)


def test_a_history_with_editor_calls_is_rebuilt(tmp_path: Path) -> None:
    arguments = json.dumps({"command": "create", "path": "/r/a.py", "file_text": "x = 1\n"})
    call = {"id": "1", "function": {"name": "str_replace_editor", "arguments": arguments}}
    view = json.dumps({"command": "view", "path": "/r/b.py"})
    history = [
        {"role": "user", "content": "Set x.", "agent": "primary"},
        {"role": "assistant", "content": "", "agent": "primary", "tool_calls": [call]},
        {"role": "tool", "content": "New file created", "agent": "primary", "tool_call_ids": ["1"]},
        {
            "role": "assistant",
            "content": "",
            "agent": "primary",
            "tool_calls": [{"id": "2", "function": {"name": "str_replace_editor", "arguments": view}}],
        },
        {"role": "tool", "content": "text", "agent": "primary", "tool_call_ids": ["2"]},
    ]
    assert diff_of(tmp_path, "a.traj", {"history": history}) == {"r/a.py": ("added", ("x = 1",))}
    reads = read(RunSource(path=tmp_path / "a.traj")).activity.actions.reads
    assert [one.path for one in reads] == ["/r/b.py"]


def test_openhands_holds_the_file_before_and_after_an_edit(tmp_path: Path) -> None:
    run = {
        "instance_id": "a",
        "instruction": "Set x.",
        "history": [
            {"id": 1, "source": "user", "action": "message", "args": {"content": "Set x."}},
            {"id": 2, "source": "agent", "action": "edit", "args": {"path": "/w/a.py", "command": "str_replace"}},
            {
                "id": 3,
                "cause": 2,
                "observation": "edit",
                "content": "edited",
                "extras": {
                    "path": "/w/a.py",
                    "prev_exist": True,
                    "old_content": "a\nx = 1\n",
                    "new_content": "a\nx = 2\n",
                },
            },
        ],
    }
    assert diff_of(tmp_path, "output.jsonl", [run]) == {"w/a.py": ("modified", ("x = 2",))}
    assert read(RunSource(path=tmp_path / "output.jsonl")).activity.actions.commands == ()  # `str_replace` is none


def test_an_atif_patch_changes_all_of_its_files(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** Update File: b.py\n@@\n-y = 1\n+y = 2\n*** End Patch"
    step = {
        "step_id": 2,
        "source": "agent",
        "message": "",
        "tool_calls": [{"tool_call_id": "1", "function_name": "apply_patch", "arguments": {"input": patch}}],
        "observation": {"results": [{"source_call_id": "1", "content": "Done"}]},
    }
    document = {
        "schema_version": "ATIF-v1.5",
        "session_id": "s",
        "agent": {"name": "codex"},
        "steps": [{"step_id": 1, "source": "user", "message": "Set x and y."}, step],
    }

    found = diff_of(tmp_path, "trajectory.json", document)
    assert found == {"a.py": ("added", ("x = 1",)), "b.py": ("modified", ("y = 2",))}


def test_a_file_that_is_written_twice_has_its_last_text(tmp_path: Path) -> None:
    run = mini_run("cat > a.py <<'EOF'\nx = 1\nEOF", "cat > a.py <<'EOF'\nx = 2\ny = 3\nEOF")

    assert diff_of(tmp_path, "run.traj.json", run) == {"a.py": ("added", ("x = 2", "y = 3"))}
