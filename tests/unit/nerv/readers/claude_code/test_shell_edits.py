"""Files that shell commands write."""

from __future__ import annotations

import pytest

from nerv.location import Location
from nerv.readers.claude_code.rebuilt_files import FileEdit, RebuiltFiles, edit_of
from nerv.readers.claude_code.shell import command_text
from nerv.readers.claude_code.shell_edits import is_scratch, may_write
from nerv.readers.claude_code.written_files import substitutions, written_paths


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("echo x > a.txt", ["a.txt"]),
        ("echo x >> 'docs/a.md'", ["docs/a.md"]),
        ("cat <<'EOF' > src/a.py\nif a > b:\n    pass\nEOF", ["src/a.py"]),
        ("make 2>&1 | tee -a build.log", ["build.log"]),
        ("sed -i 's/a/b/g' src/a.py", ["src/a.py"]),
        ("sed -i.bak -e 's/a/b/' src/a.py", ["src/a.py"]),
        ("sed -i 's/f()/f():/' a.py", ["a.py"]),
        ("sed -i -e 's/a/b/' -e 's/c d/e/' src/a.py b.py", ["src/a.py", "b.py"]),
        ("sed -E -i '' 's/a/b/' a.py && sed --in-place=.bak '/x/d' c.py", ["a.py", "c.py"]),
        ("perl -pi -e 's/a/b/' a.py", ["a.py"]),
        ("perl -0pi -e 's/a/b/' a.py", ["a.py"]),
        ("sed -n 's/a/b/p' a.py", []),
        ("git mv a.py b.py && git rm c.py", ["a.py", "b.py", "c.py"]),
        ("rm -rf node_modules build && rm old.py x.log", ["old.py"]),
        ("cp a.py b.py; touch pkg/__init__.py", ["b.py", "pkg/__init__.py"]),
        ("git apply <<'EOF'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\nEOF", ["a.py"]),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: q.py\n+z\n*** End Patch\nEOF", ["q.py"]),
        ("python3 -c \"open('z.py', 'w').write('x')\"", ["z.py"]),
        ("python - <<'EOF'\np = Path('a.py')\np.write_text('x')\nf = 'b.py'\nopen(f, mode='a')\nEOF", ["b.py", "a.py"]),
        ("node -e \"fs.writeFileSync('a.js', x)\"", ["a.js"]),
        ("python -c \"print(open('a.py', 'r').read())\"", []),
        ("pytest > /tmp/out 2>/dev/null", []),
        ("node -e 'x => y'", []),
        ("ls -la", []),
    ],
)
def test_targets_of_redirections_tee_and_sed_are_written(command: str, paths: list[str]) -> None:
    assert list(written_paths(command)) == paths


@pytest.mark.parametrize(
    ("command", "writes"),
    [("python fix.py", True), ("git apply x.patch", True), ("cp a b", True), ("ls", False), ("git status", False)],
)
def test_commands_that_may_change_files_are_recognised(command: str, writes: bool) -> None:
    assert may_write(command) is writes


def test_text_that_a_command_only_carries_is_removed() -> None:
    assert "pytest" not in command_text("cat > x <<EOF\npytest\nEOF")
    assert "pytest" not in command_text("echo 'now; pytest'")
    assert "pytest -q" in command_text("bash -c 'cd a && pytest -q'")


def test_a_folder_of_the_run_may_be_a_temporary_one() -> None:
    assert list(written_paths("echo x > /tmp/project/a.py; echo y > /tmp/b.py", "/tmp/project")) == [
        "/tmp/project/a.py"
    ]
    assert not is_scratch("/tmp/project/a.py", "/tmp/project")
    assert is_scratch("/tmp/try.py", "/home/me/project")
    assert not is_scratch("/tmp/try.py", "")


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("sed -i 's/a b/c/' x.py", [("x.py", "a b", "c", False)]),
        ("sed -i 's|/usr|/opt|g' x.py && ls", [("x.py", "/usr", "/opt", True)]),
        (r"sed -i 's/1\.2/1.3/' x.py", [("x.py", "1.2", "1.3", False)]),
        ("sed -i 's/a.*b/c/' x.py", []),
        ("sed -i 's/a/&b/' x.py", []),
    ],
)
def test_a_plain_substitution_is_known_by_its_texts(command: str, found: list[tuple[str, str, str, bool]]) -> None:
    assert list(substitutions(command)) == found


APPLIED = "@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 5\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n a = 1\n-b = 2\n+b = 5\n*** End Patch"


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/b = 2/b = 5/' a.py",
        f"git apply <<'EOF'\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n{APPLIED}EOF",
        f"patch -p1 <<'EOF'\n--- a/a.py\n+++ b/a.py\n{APPLIED}EOF",
        f"apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"apply_patch '{PATCH}'",
    ],
)
def test_what_a_command_does_to_a_file_that_was_written_is_part_of_the_diff(command: str) -> None:
    files = RebuiltFiles()
    here = Location(file="s.jsonl", line=1)
    files.take(FileEdit(path="/p/a.py", location=here, after="a = 1\nb = 2\n", created=True))
    files.take_command(command, "/p", here)

    (change,) = files.diff("/p").files
    assert [line for hunk in change.hunks for line in hunk.lines] == ["a = 1", "b = 5"]


def test_a_file_that_a_patch_moves_has_its_new_name() -> None:
    files = RebuiltFiles()
    text = PATCH.replace("a.py\n", "a.py\n*** Move to: new.py\n")
    for edit in edit_of("a.py", {"patch": text}, {}, "", Location(file="s")):
        files.take(edit)

    assert {change.path: change.kind for change in files.diff("").files} == {"a.py": "deleted", "new.py": "modified"}
