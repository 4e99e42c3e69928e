"""The diff that a session's own edits make, and the files that its commands write."""

from __future__ import annotations

import json
import shutil
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from external_data import external, needs_external
from nerv import rules
from nerv.location import Location
from nerv.readers import RunSource, read
from nerv.readers.claude_code.rebuilt_files import FileEdit, RebuiltFiles, edit_of

KEYS = (
    *("content", "old_string", "new_string", "edits", "replace_all", "patch", "new_source"),
    *("originalFile", "structuredPatch", "lines", "oldStart", "oldLines", "newStart", "newLines", "type"),
)


def line(second, kind, content, **more):
    stamp = f"2026-01-01T00:00:{second:02}.000Z"
    return {"type": kind, "sessionId": "s1", "timestamp": stamp, "message": {"role": kind, "content": content}, **more}


def use(name, use_id, **given):
    return [{"type": "tool_use", "id": use_id, "name": name, "input": given}]


def result(use_id, text, error=False):
    return [{"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": error}]


def written(file, lines):
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def edited(*calls, folder="/work/app"):
    """A session with these calls: name, input, what Claude Code records of the result, output."""
    lines = [line(0, "user", "Add a greeting.", cwd=folder)]
    for number, (name, arguments, recorded, output) in enumerate(calls):
        lines.append(line(10 + number, "assistant", use(name, f"u{number}", **arguments)))
        lines.append(line(10 + number, "user", result(f"u{number}", output), toolUseResult=recorded))
    return lines


def diff_of(tmp_path, lines):
    return read(RunSource(path=written(tmp_path / "s1.jsonl", lines))).changes.diff


def test_the_diff_is_rebuilt_from_the_edits_of_a_session(tmp_path):
    calls = [
        (
            "Write",
            {"file_path": "/work/app/hello.py", "content": "def hello():\n    return 1\n"},
            {"type": "create", "filePath": "/work/app/hello.py", "structuredPatch": []},
            "File created successfully at: /work/app/hello.py",
        ),
        (
            "Edit",
            {"file_path": "/work/app/hello.py", "old_string": "return 1", "new_string": "return 2"},
            {"originalFile": "def hello():\n    return 1\n"},
            "ok",
        ),
        (
            "Edit",
            {"file_path": "/work/app/main.py", "old_string": "a", "new_string": "b", "replace_all": True},
            {"originalFile": "a\nmiddle\na\n"},
            "ok",
        ),
    ]
    hello, main = diff_of(tmp_path, edited(*calls)).files
    assert (hello.path, hello.kind, hello.added, hello.removed) == ("hello.py", "added", 2, 0)
    assert hello.hunks[0].lines == ("def hello():", "    return 2")
    assert (main.path, main.kind, main.added, main.removed) == ("main.py", "modified", 2, 2)
    assert (hello.location.file, hello.location.line) == ("s1.jsonl", 2)


def test_an_edit_that_was_undone_and_files_elsewhere_are_not_part_of_the_diff(tmp_path):
    calls = [
        ("Edit", {"file_path": "/work/app/a.py", "old_string": "x", "new_string": "y"}, {"originalFile": "x\n"}, "ok"),
        ("Edit", {"file_path": "/work/app/a.py", "old_string": "y", "new_string": "x"}, {"originalFile": "y\n"}, "ok"),
        ("Write", {"file_path": "/tmp/scratch.py", "content": "1\n"}, {"type": "create"}, "File created successfully"),
    ]
    assert diff_of(tmp_path, edited(*calls)) is None


def test_without_the_file_before_it_an_edit_is_a_hunk_of_the_diff(tmp_path):
    given = {"file_path": "/work/app/a.py", "old_string": "x = 1\ny = 2", "new_string": "x = 1\ny = 3"}
    (change,) = diff_of(tmp_path, edited(("Edit", given, None, "ok"))).files
    assert (change.kind, change.added, change.removed) == ("modified", 1, 1)
    patch = [{"oldStart": 7, "oldLines": 1, "newStart": 7, "newLines": 2, "lines": [" x = 1", "+y = 3"]}]
    (change,) = diff_of(tmp_path, edited(("Edit", given, {"structuredPatch": patch}, "ok"))).files
    assert (change.hunks[0].new_start, change.hunks[0].lines) == (7, ("x = 1", "y = 3"))


def test_several_edits_in_one_call_and_cells_of_a_notebook_are_read(tmp_path):
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    calls = [
        ("MultiEdit", {"file_path": "/work/app/a.py", "edits": edits}, {"originalFileContents": "a\nc\n"}, "ok"),
        ("NotebookEdit", {"notebook_path": "/work/app/n.ipynb", "new_source": "print(1)"}, None, "ok"),
    ]
    code, notebook = diff_of(tmp_path, edited(*calls)).files
    assert code.hunks[0].lines == ("b", "d")
    assert (notebook.path, notebook.added) == ("n.ipynb", 1)


EDIT = ("Edit", {"file_path": "/work/app/a.py", "old_string": "1", "new_string": "2"}, {"originalFile": "1\n"}, "ok")
NEW = ("Write", {"file_path": "/work/app/new.py", "content": "3\n"}, {"type": "create"}, "ok")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git checkout a.py", ["new.py"]),
        ("git checkout HEAD -- a.py", ["new.py"]),
        ("git restore .", ["new.py"]),
        ("git reset --hard", ["new.py"]),
        ("git stash", ["new.py"]),
        ("git stash && pytest; git stash pop", ["a.py", "new.py"]),
        ("git clean -fd", ["a.py"]),
        ("git add -A && git commit -m x && git reset --hard", ["a.py", "new.py"]),
        ("git checkout main", ["a.py", "new.py"]),
        ("git checkout HEAD~3 -- a.py", ["a.py", "new.py"]),
        ("git restore --staged .", ["a.py", "new.py"]),
        ("git log -- a.py", ["a.py", "new.py"]),
    ],
)
def test_what_git_puts_back_is_not_changed(tmp_path, command, left):
    calls = [EDIT, NEW, ("Bash", {"command": command}, None, "")]
    assert [change.path for change in diff_of(tmp_path, edited(*calls)).files] == left


def test_a_session_that_takes_everything_back_has_nothing_to_grade(tmp_path):
    commands = ["git add -A && git commit -m x", "git reset --hard HEAD~1"]
    calls = [EDIT, NEW, *(("Bash", {"command": command}, None, "") for command in commands)]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", edited(*calls))))
    assert found.nothing_to_grade == "the session changed no file."


def test_editors_of_other_servers_are_read(tmp_path):
    edits = [{"oldText": "a", "newText": "b"}]
    calls = [
        ("mcp__filesystem__write_file", {"path": "/work/app/a.py", "content": "x = 1\n"}, None, "ok"),
        ("mcp__filesystem__edit_file", {"path": "/work/app/b.py", "edits": edits}, None, "ok"),
        ("mcp__filesystem__edit_file", {"path": "/work/app/c.py", "edits": edits, "dryRun": True}, None, "ok"),
        ("mcp__filesystem__create_directory", {"path": "/work/app/sub"}, None, "ok"),
        ("mcp__serena__replace_symbol_body", {"relative_path": "d.py", "name_path": "f", "body": "x"}, None, "ok"),
        ("mcp__desktop-commander__write_file", {"path": "/work/app/g.py", "content": "1\n"}, None, "ok"),
        ("mcp__morph__edit_file", {"path": "/work/app/h.py", "code_edit": "// ...\nx = 1"}, None, "ok"),
        ("mcp__ide__replace_text", {"pathInProject": "i.py", "oldText": "a", "newText": "b"}, None, "ok"),
        ("str_replace_editor", {"command": "create", "path": "/work/app/e.py", "file_text": "1\n"}, None, "ok"),
        ("str_replace_editor", {"command": "view", "path": "/work/app/f.py"}, None, "1"),
    ]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", edited(*calls))))
    assert [change.path for change in found.changes.diff.files] == ["a.py", "b.py", "e.py", "g.py", "i.py"]
    edited_paths = {edit.path.rpartition("/")[2] for edit in found.activity.edits}
    assert edited_paths == {"a.py", "b.py", "d.py", "e.py", "g.py", "h.py", "i.py"}
    assert [one.path for one in found.activity.actions.reads] == ["/work/app/f.py"]


def test_a_failed_edit_changes_nothing(tmp_path):
    lines = edited()
    lines.append(line(10, "assistant", use("Write", "u1", file_path="/work/app/a.py", content="x")))
    lines.append(line(11, "user", result("u1", "no permission", error=True)))
    assert diff_of(tmp_path, lines) is None


def test_a_patch_that_is_given_counts_instead_of_the_rebuilt_diff(tmp_path):
    (tmp_path / "s1.diff").write_text("--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n-a\n+b\n")
    calls = [("Write", {"file_path": "/work/app/a.py", "content": "1\n"}, {"type": "create"}, "ok")]
    assert [change.path for change in diff_of(tmp_path, edited(*calls)).files] == ["other.py"]


def test_a_session_without_any_edit_has_nothing_to_grade(tmp_path):
    lines = [line(0, "user", "Explain the code."), line(5, "assistant", [{"type": "text", "text": "It adds."}])]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))
    assert found.nothing_to_grade == "the session changed no file."
    assert {category.score for category in rules.score(found)} == {None}


def test_files_that_the_shell_writes_are_edited(tmp_path):
    commands = ["cat > app/new.py <<'EOF'\nif a > b: pass\nEOF", "sed -i 's/a/b/' app/old.py", "pytest > /tmp/out"]
    calls = [("Bash", {"command": command}, None, "") for command in commands]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", edited(*calls))))
    assert [edit.path for edit in found.activity.edits] == ["app/new.py", "app/old.py"]
    assert found.nothing_to_grade == ""


def test_a_file_of_the_diff_that_a_script_names_was_edited_by_it(tmp_path):
    (tmp_path / "s1.diff").write_text("--- a/app/x.py\n+++ b/app/x.py\n@@ -1 +1 @@\n-a\n+b\n")
    command = "python - <<'EOF'\nopen('app/x.py', 'w').write('b')\nEOF"
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", edited(("Bash", {"command": command}, None, "")))))
    assert [(edit.path, edit.first.location.line) for edit in found.activity.edits] == [("app/x.py", 2)]


def test_tests_that_could_not_be_started_did_not_fail(tmp_path):
    lines = edited(("Write", {"file_path": "/work/app/a.py", "content": "1\n"}, {"type": "create"}, "ok"))
    lines.append(line(20, "assistant", use("Bash", "t", command="pytest -q")))
    lines.append(line(21, "user", result("t", "bash: pytest: command not found", error=True)))
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))
    (run,) = found.activity.test_runs
    assert (run.ran, run.succeeded) == (False, False)
    tests = next(each for category in rules.score(found) for each in category.criteria if each.key == "tests")
    assert tests.reason == "No evidence: the code contains no tests, and the tests could not be run."
    assert tests.observations[0].text == "the tests could not be run: pytest -q"


texts = st.lists(st.sampled_from(["a", "b", "", "    c", "+d", "-e", "@@ -1 +1 @@"]), max_size=12)


def rebuilt(before, after):
    edit = FileEdit(path="/r/x", location=Location(file="s", line=1), before="\n".join(before), after="\n".join(after))
    files = RebuiltFiles()
    files.take(edit)
    return files.diff("/r")


@given(texts, texts)
def test_the_rebuilt_diff_leads_from_the_first_text_to_the_last(before, after):
    diff = rebuilt(before, after)
    if not diff.files:
        assert "\n".join(before) == "\n".join(after)
        return
    (change,) = diff.files
    old, new = "\n".join(before).splitlines(), "\n".join(after).splitlines()
    assert change.added - change.removed == len(new) - len(old)
    for hunk in change.hunks:
        begin = hunk.new_start - 1
        assert list(hunk.lines) == new[begin : begin + len(hunk.lines)] or not hunk.lines


def test_large_texts_that_differ_throughout_are_compared_in_no_time():
    before, after = [f"a{n % 150}" for n in range(20_000)], [f"b{n % 150}" for n in range(20_000)]
    started = time.perf_counter()
    (change,) = rebuilt(before, after).files
    assert (change.added, change.removed) == (20_000, 20_000)
    assert time.perf_counter() - started < 10


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), odd), st.dictionaries(st.sampled_from(KEYS), odd))
def test_odd_inputs_of_tools_cause_no_error(given_input, recorded):
    files = RebuiltFiles()
    for edit in edit_of("/r/x", given_input, recorded, "", Location(file="s", line=1)):
        files.take(edit)
    files.diff("/r")


def added_lines(change):
    """Return the added lines, sorted: of two equal diffs one may begin a line earlier."""
    return sorted(hunk.lines[index] for hunk in change.hunks for index in hunk.added)


@needs_external("claude_code")
@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("fe869ecb", [".github/workflows/ci.yml", "claude_code_log/converter.py"]),
        (
            "37f83ec9",
            ["claude_code_log/templates/components/session_nav_styles.css", "test/test_combined_transcript_link.py"],
        ),
    ],
)
def test_rebuilt_changes_of_real_sessions_are_those_of_their_commits(tmp_path, name, paths):
    """Files that nobody changed afterwards: the rebuilt diff has the same lines as the commit."""
    log = external("claude_code") / f"{name}.jsonl"
    committed = {change.path: change for change in read(RunSource(path=log)).changes.diff.files}
    shutil.copy(log, tmp_path)
    rebuilt = {change.path: change for change in read(RunSource(path=tmp_path / log.name)).changes.diff.files}
    for path in paths:
        assert added_lines(rebuilt[path]) == added_lines(committed[path])
        assert (rebuilt[path].added, rebuilt[path].removed) == (committed[path].added, committed[path].removed)


def test_a_patch_of_several_files_is_read():
    text = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** Update File: b.py\n@@\n y = 1\n-z = 1\n+z = 2\n"
    files = RebuiltFiles()
    for edit in edit_of("a.py", {"patch": f"{text}*** Delete File: c.py\n*** End Patch"}, {}, "", Location(file="s")):
        files.take(edit)
    added, changed = files.diff("").files[:2]
    assert (added.path, added.kind, added.added) == ("a.py", "added", 1)
    assert (changed.path, changed.added, changed.removed) == ("b.py", 1, 1)
