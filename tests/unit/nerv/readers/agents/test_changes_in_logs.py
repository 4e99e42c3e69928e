"""Changes that a log shows in its own way: a diff that was printed at the end, blocks of an answer, shell commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.matching.edits_by_prompt import edits_by_item
from nerv.readers import RunSource, read
from nerv.readers.agents.aider_edits import EditBlock, edit_blocks
from nerv.readers.agents.transcript import diff_in

DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-def f()\n+def f():\n"


def read_document(folder: Path, name: str, document: object) -> Evidence:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return read(RunSource(path=file))


def added(found: Evidence) -> list[tuple[str, int]]:
    assert found.changes.diff is not None
    return [(change.path, change.added) for change in found.changes.diff.files]


def test_a_diff_is_cut_out_of_the_output_around_it() -> None:
    assert diff_in(f"Submitted.\r\n{DIFF}\n(Open file: a.py)\nbash-$") == DIFF
    assert diff_in("no diff here") == ""


def test_a_history_of_swe_agent_has_its_diff_in_what_submit_printed(tmp_path: Path) -> None:
    call = {"id": "1", "function": {"name": "submit", "arguments": "{}"}}
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "You edit files.", "agent": "primary"},
        {"role": "user", "content": "ISSUE:\nFix the colon.\n\nINSTRUCTIONS:\nGo."},
        {"role": "assistant", "content": "Submit.", "tool_calls": [call]},
        {"role": "tool", "content": f"\n{DIFF}\n(Open file: /r/a.py)", "tool_call_ids": ["1"]},
    ]
    found = read_document(tmp_path, "a.traj", {"history": history})
    assert added(found) == [("a.py", 1)]
    assert found.nothing_to_grade == ""
    (edit,) = found.activity.edits
    assert (edit.first.location.line, edit.exact) == (4, False)


def test_the_first_form_of_mini_swe_agent_has_its_diff_in_the_last_message(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "You can use the shell."},
        {"role": "user", "content": "Please solve this issue: Fix it.\n\nYou can execute bash commands and so on"},
        {"role": "assistant", "content": "Fix it.\n\n```bash\nsed -i 's/f()/f():/' a.py\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\n</output>"},
        {
            "role": "assistant",
            "content": "It works.\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```",
        },
        {"role": "user", "content": DIFF},
    ]
    found = read_document(tmp_path, "a.traj.json", messages)
    assert added(found) == [("a.py", 1)]
    (edit,) = found.activity.edits
    assert (edit.first.location.line, edit.exact) == (4, True)
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "It works."


def test_the_blocks_of_an_answer_are_the_lines_that_aider_wrote(tmp_path: Path) -> None:
    chat = """# aider chat started at 2026-01-01 10:00:00

> Main model: gpt-x with diff edit format

#### Add a page, and say hello

page.py
```python
<<<<<<< SEARCH
=======
def page():
    return 1
>>>>>>> REPLACE
```

hello.py
```python
<<<<<<< SEARCH
print("bye")
=======
print("hello")
print("again")
>>>>>>> REPLACE
```

> Tokens: 1k sent, 20 received.
> Applied edit to page.py
> Applied edit to hello.py
"""
    assert added(read_document(tmp_path, ".aider.chat.history.md", chat)) == [("hello.py", 2), ("page.py", 2)]


def test_a_file_that_aider_wrote_whole_has_the_text_of_its_fence(tmp_path: Path) -> None:
    file = tmp_path / ".aider.chat.history.md"
    file.write_text(
        "# aider chat started at 2026-01-01 10:00:00\n\n#### Add a function `slug`.\n\n"
        "For example:\n\n```python\nslug('a-')\n```\n\n"
        "slug.py\n```python\ndef slug(s):\n    return s\n```\n\n"
        "> Tokens: 1k sent, 100 received.\n> Applied edit to slug.py\n"
    )
    found = read(RunSource(path=file))

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert [hunk.lines for hunk in change.hunks] == [("def slug(s):", "    return s")]
    assert change.kind == "modified"  # nothing says that it is new


def test_edit_blocks_name_their_file_before_the_fence_or_inside_it() -> None:
    block = ["<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"]
    outside = ["Change it:", "src/a.py", "```python", *block, "```", "```python", *block, "```"]
    inside = ["```python", "src/a.py", *block, "```"]
    wanted = EditBlock(path="src/a.py", before="a\n", after="b\n")
    assert edit_blocks(outside) == [wanted, wanted]
    assert edit_blocks(inside) == [wanted]
    assert edit_blocks(outside[:6]) == []


def test_the_resolver_of_openhands_was_asked_for_the_issue_and_not_for_its_rules(tmp_path: Path) -> None:
    rules = "Please fix the following issue.\n\nAdd a page.\n\nIMPORTANT: You SHOULD INCLUDE PROPER INDENTATION."
    record = {
        "issue": {"number": 5, "title": "Add a page", "body": "With a button."},
        "instruction": rules,
        "history": [{"action": "message", "args": {"content": rules}}],
        "git_patch": DIFF,
    }
    found = read_document(tmp_path, "output.jsonl", record)
    assert found.spec.title == "Add a page"
    assert not [item for item in found.spec.items if "INDENTATION" in item.text]


def test_an_edit_of_a_generated_file_counts_for_what_was_asked(tmp_path: Path) -> None:
    chat = """# aider chat started at 2026-01-01 10:00:00

#### Add dist/index.js with an export

dist/index.js
```
<<<<<<< SEARCH
=======
export const a = 1;
>>>>>>> REPLACE
```

> Tokens: 1k sent, 20 received.
> Applied edit to dist/index.js
"""
    found = read_document(tmp_path, ".aider.chat.history.md", chat)
    assert [path for path, _ in edits_by_item(found)[0]] == ["dist/index.js"]


def test_the_model_of_openhands_is_the_one_that_answered(tmp_path: Path) -> None:
    answered = {"model_response": {"model": "llama-4"}}
    record = {
        "instance_id": "a-1",
        "instruction": "Fix it.",
        "metadata": {"llm_config": {"model": "openai/proxy"}},
        "history": [
            {"action": "message", "source": "user", "args": {"content": "Fix it."}},
            {"action": "finish", "source": "agent", "message": "Done.", "tool_call_metadata": answered},
        ],
    }
    assert read_document(tmp_path, "output.jsonl", record).configuration.model == "llama-4"


def test_a_codex_session_names_the_commit_at_which_it_began(tmp_path: Path) -> None:
    lines = [
        {"type": "session_meta", "payload": {"id": "s", "git": {"commit_hash": "a" * 40}}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Add a page."}},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    assert read_document(tmp_path, "rollout-1.jsonl", text).changes.base_commit == "a" * 40
