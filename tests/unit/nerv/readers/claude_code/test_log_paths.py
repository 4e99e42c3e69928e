r"""Sessions on Windows, with `\` and drives in paths and CR and LF in lines, and files in worktrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv.readers import RunSource, read
from nerv.readers.claude_code.log_paths import portable_command, portable_path
from nerv.readers.claude_code.test_commands import is_test_run

ROOT = "C:\\Users\\me\\p"


@pytest.mark.parametrize(
    ("path", "portable"),
    [
        ("c:\\p\\src\\a.py", "C:/p/src/a.py"),
        ("C:/p/src/a.py", "C:/p/src/a.py"),
        ("src\\a.py", "src/a.py"),
        ("/p/odd\\name.py", "/p/odd\\name.py"),
        ("src/a.py", "src/a.py"),
        ("/p/.claude/worktrees/agent-x/src/a.py", "/p/src/a.py"),
        ("C:\\p\\.claude\\worktrees\\agent-x", "C:/p"),
        ("", ""),
    ],
)
def test_a_path_has_slashes(path: str, portable: str) -> None:
    assert portable_path(path) == portable


def test_a_backslash_escapes_elsewhere() -> None:
    assert portable_command("pytest tests\\test_a.py", "C:/p") == "pytest tests/test_a.py"
    assert portable_command("grep a\\.b x", "/p") == "grep a\\.b x"


@pytest.mark.parametrize(
    "command",
    [
        ".venv\\Scripts\\python.exe -m pytest -q",
        "C:\\p\\.venv\\Scripts\\pytest.exe -q",
        ".\\gradlew.bat test",
        "npm.cmd test",
    ],
)
def test_a_program_may_have_a_suffix(command: str) -> None:
    assert is_test_run(portable_command(command, "C:/p"))


def test_a_session_on_windows_is_read_like_any_other(tmp_path: Path) -> None:
    lines = []

    def add(second: int, kind: str, content: object) -> None:
        message = {"role": kind, "content": content}
        stamp = f"2026-01-01T00:00:{second:02}.000Z"
        lines.append({"type": kind, "sessionId": "s", "cwd": ROOT, "timestamp": stamp, "message": message})

    def call(second: int, name: str, output: str, **given: object) -> None:
        add(second, "assistant", [{"type": "tool_use", "id": str(second), "name": name, "input": given}])
        add(second, "user", [{"type": "tool_result", "tool_use_id": str(second), "content": output}])

    add(0, "user", "Add `slug` to src/slug.py.")
    for second, path in ((1, f"{ROOT}\\src\\slug.py"), (2, "c:\\Users\\me\\p\\tests\\test_slug.py")):
        call(second, "Write", f"File created successfully at: {path}", file_path=path, content="a = 1\n")
    call(3, "Write", "ok", file_path="C:\\Users\\me\\AppData\\Local\\Temp\\x.py", content="a = 1\n")
    call(4, "PowerShell", "1 passed in 0.1s\r\n", command="python -m pytest tests\\test_slug.py -q")
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"".join(json.dumps(each).encode() + b"\r\n" for each in lines))

    found = read(RunSource(path=file))

    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == ["src/slug.py", "tests/test_slug.py"]
    (run,) = found.activity.test_runs
    assert run.targets == ("tests/test_slug.py",)
