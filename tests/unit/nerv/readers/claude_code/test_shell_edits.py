"""Files that shell commands write."""

from __future__ import annotations

import pytest

from nerv.readers.claude_code.shell import command_text
from nerv.readers.claude_code.shell_edits import may_write, written_paths


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("echo x > a.txt", ["a.txt"]),
        ("echo x >> 'docs/a.md'", ["docs/a.md"]),
        ("cat <<'EOF' > src/a.py\nif a > b:\n    pass\nEOF", ["src/a.py"]),
        ("make 2>&1 | tee -a build.log", ["build.log"]),
        ("sed -i 's/a/b/g' src/a.py", ["src/a.py"]),
        ("sed -i.bak -e 's/a/b/' src/a.py", ["src/a.py"]),
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
