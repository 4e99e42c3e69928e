"""A run that ended in an error, at a limit or without an answer did not deliver what it was working on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read
from nerv.rules.run_facts import RunFacts

HEADER = {"format": "nerv-log", "format_version": 1}
ASK = {"type": "prompt", "text": "Add a login page."}
EDIT = {"type": "edit", "path": "login.py"}
PATCH = "diff --git a/login.py b/login.py\n--- a/login.py\n+++ b/login.py\n@@ -0,0 +1 @@\n+page = 1\n"
ANSWER = {"type": "answer", "text": "Done."}


def evidence(folder: Path, *lines: object) -> Evidence:
    file = folder / "log.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (HEADER, *lines)))
    return read(RunSource(path=file))


def statuses(found: Evidence) -> list[str]:
    return [one.status for one in RunFacts.derive(found).requirements.each]


@pytest.mark.parametrize("status", ["no_answer", "error", "turn_limit", "timed_out", "interrupted"])
def test_what_was_under_way_is_unfinished(tmp_path: Path, status: str) -> None:
    found = evidence(tmp_path, ASK, EDIT, ANSWER, {"type": "end", "patch": PATCH, "status": status})

    facts = RunFacts.derive(found)
    assert [one.status for one in facts.requirements.each] == ["unfinished"]
    assert facts.completed_items == 0


def test_an_answer_delivers(tmp_path: Path) -> None:
    assert statuses(evidence(tmp_path, ASK, EDIT, ANSWER, {"type": "end", "patch": PATCH})) == ["shown"]


def test_an_end_that_the_log_cannot_know_counts_for_nothing(tmp_path: Path) -> None:
    assert statuses(evidence(tmp_path, ASK, EDIT, {"type": "end", "patch": PATCH})) == ["shown"]


def test_only_the_items_of_the_last_prompt_are_unfinished(tmp_path: Path) -> None:
    later = {"type": "prompt", "text": "Add a logout page."}
    end = {"type": "end", "patch": PATCH, "status": "error", "text": "API Error"}
    found = evidence(tmp_path, ASK, EDIT, ANSWER, later, EDIT, end)

    assert statuses(found) == ["shown", "unfinished"]
    last = RunFacts.derive(found).requirements.each[1].observation
    assert last.text == "the run ended with an error (API Error) while it worked on: Add a logout page."


def test_work_whose_tests_passed_afterwards_is_done_whatever_the_end(tmp_path: Path) -> None:
    tests = {"type": "command", "command": "pytest", "output": "3 passed in 0.1s", "exit_code": 0}

    end = {"type": "end", "patch": PATCH, "status": "turn_limit"}
    assert statuses(evidence(tmp_path, ASK, EDIT, tests, end)) == ["checked"]


def test_a_tool_that_hands_in_the_result_is_an_answer(tmp_path: Path) -> None:
    finish = {"type": "tool", "name": "finish", "input": {"message": "Added."}}
    found = evidence(tmp_path, ASK, EDIT, ANSWER, finish, {"type": "end", "patch": PATCH})

    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Added."


def test_a_correction_that_nothing_was_changed_after_leaves_the_item_unfinished(tmp_path: Path) -> None:
    correction = {"type": "prompt", "text": "That's wrong, the button is missing."}
    ignored = evidence(tmp_path, ASK, EDIT, ANSWER, correction, ANSWER, {"type": "end", "patch": PATCH})

    assert statuses(ignored) == ["unfinished"]
    assert "the user corrected it" in RunFacts.derive(ignored).requirements.each[0].observation.text
    heeded = evidence(tmp_path, ASK, EDIT, ANSWER, correction, EDIT, ANSWER, {"type": "end", "patch": PATCH})
    assert statuses(heeded) == ["shown"]


TESTED = """diff --git a/login.py b/login.py
new file mode 100644
--- /dev/null
+++ b/login.py
@@ -0,0 +1,2 @@
+def login_page():
+    return 1
diff --git a/test_login.py b/test_login.py
new file mode 100644
--- /dev/null
+++ b/test_login.py
@@ -0,0 +1,4 @@
+from login import login_page
+
+def test_login_page():
+    assert login_page() == 1
"""


def test_a_correction_that_was_never_answered_outweighs_the_tests_before_it(tmp_path: Path) -> None:
    run = {"type": "command", "command": "pytest", "output": "1 passed in 0.1s", "exit_code": 0}
    done = [ASK, EDIT, {"type": "edit", "path": "test_login.py"}, run, ANSWER]
    end = {"type": "end", "patch": TESTED}
    assert statuses(evidence(tmp_path, *done, end)) == ["verified"]
    correction = {"type": "prompt", "text": "That's wrong, the button is missing."}
    assert statuses(evidence(tmp_path, *done, correction, {**end, "status": "no_answer"})) == ["unfinished"]
    explained = {"type": "answer", "text": "It is on the other page."}
    assert statuses(evidence(tmp_path, *done, correction, explained, end)) == ["verified"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("It seems that I am unable to make the necessary changes to login.py.", "unfinished"),
        ("Sorry, I couldn't finish the page.", "unfinished"),
        ("Done. I could not run the tests, because pytest is not installed.", "shown"),
        ("The page is there. " * 20 + "I could not fix an unrelated warning.", "shown"),
    ],
)
def test_an_agent_that_says_first_that_it_could_not_do_it_did_not(tmp_path: Path, words: str, status: str) -> None:
    said = {"type": "answer", "text": words}
    assert statuses(evidence(tmp_path, ASK, EDIT, said, {"type": "end", "patch": PATCH})) == [status]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I did a part; the login page is not done yet.", "unfinished"),
        ("Everything works. I left out the login page for now.", "unfinished"),
        ("Done. The login page works, nothing is missing.", "shown"),
        ("Done. The old database was not implemented by us.", "shown"),
    ],
)
def test_what_the_agent_says_it_left_out_is_unfinished(tmp_path: Path, answer: str, expected: str) -> None:
    said = {"type": "answer", "text": answer}
    found = evidence(tmp_path, ASK, EDIT, said, {"type": "end", "patch": PATCH})

    assert statuses(found) == [expected]


def test_an_admission_names_items_by_their_code_names(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    spec.write_text("- `login` prints page\n- `logout` ends the session\n")
    said = {"type": "answer", "text": "`login` works, with tests. `logout` is still missing."}
    evidence(tmp_path, ASK, EDIT, said, {"type": "end", "patch": PATCH.replace("page = 1", "login = logout = 1")})
    found = read(RunSource(path=tmp_path / "log.jsonl", spec=spec))

    each = RunFacts.derive(found).requirements.each
    assert [one.status == "unfinished" for one in each] == [False, each[1].status != "open"]
