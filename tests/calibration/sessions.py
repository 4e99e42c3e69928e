"""Messages of a Claude Code session for the steps of a run."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from calibration.agent import Step

MODEL = "claude-sonnet-4-20250514"


def claude_messages(steps: Sequence[Step], repo: Path, prompt: str) -> Iterator[dict[str, Any]]:
    """Return the lines of a session, without the members that only a stored session has."""
    yield {"type": "user", "message": {"role": "user", "content": prompt}}
    for number, step in enumerate(steps):
        usage = {
            "input_tokens": 5,
            "cache_creation_input_tokens": 600 + len(step.output) // 4,
            "cache_read_input_tokens": 15_000 + 500 * number,
            "output_tokens": 60 + (len(step.text) + len(step.new) + len(step.after)) // 4,
        }
        if step.kind in ("say", "final"):
            yield _assistant(number, [{"type": "text", "text": step.text}], usage, last=step.kind == "final")
            continue
        call, shown, detail = _CALLS[step.kind](step, repo)
        id_ = f"toolu_{number:04}"
        yield _assistant(number, [{"type": "tool_use", "id": id_, **call}], usage)
        failed = step.kind == "run" and step.exit_code != 0
        result = {"tool_use_id": id_, "type": "tool_result", "content": shown, "is_error": failed}
        yield {"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": detail}


def _assistant(number: int, content: list[dict[str, Any]], usage: dict[str, int], last: bool = False) -> dict[str, Any]:
    message = {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": "end_turn" if last else "tool_use",
        "stop_sequence": None,
        "usage": usage,
    }
    return {"message": message, "requestId": f"req_{number:04}", "type": "assistant"}


def _bash(step: Step, repo: Path) -> tuple[dict[str, Any], str, Any]:
    call = {"name": "Bash", "input": {"command": step.text, "description": "Run a command"}}
    if step.exit_code:
        shown = f"Exit code {step.exit_code}\n{step.output}"
        return call, shown, f"Error: {shown}"
    detail = {"stdout": step.output, "stderr": "", "interrupted": False, "isImage": False}
    return call, step.output, detail


def _read(step: Step, repo: Path) -> tuple[dict[str, Any], str, Any]:
    path = str(repo / step.path)
    lines = step.output.splitlines()
    shown = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))
    file = {"filePath": path, "content": step.output, "numLines": len(lines), "startLine": 1, "totalLines": len(lines)}
    return {"name": "Read", "input": {"file_path": path}}, shown, {"type": "text", "file": file}


def _write(step: Step, repo: Path) -> tuple[dict[str, Any], str, Any]:
    path = str(repo / step.path)
    call = {"name": "Write", "input": {"file_path": path, "content": step.after}}
    detail = {
        "type": "update" if step.before else "create",
        "filePath": path,
        "content": step.after,
        "structuredPatch": _hunks(step) if step.before else [],
        "originalFile": step.before or None,
    }
    return call, f"File created successfully at: {path}", detail


def _edit(step: Step, repo: Path) -> tuple[dict[str, Any], str, Any]:
    path = str(repo / step.path)
    call = {"name": "Edit", "input": {"file_path": path, "old_string": step.old, "new_string": step.new}}
    detail = {
        "filePath": path,
        "oldString": step.old,
        "newString": step.new,
        "originalFile": step.before,
        "structuredPatch": _hunks(step),
        "userModified": False,
        "replaceAll": False,
    }
    return call, f"The file {path} has been updated.", detail


def _fetch(step: Step, repo: Path) -> tuple[dict[str, Any], str, Any]:
    call = {"name": "WebFetch", "input": {"url": step.text, "prompt": "Return the code on this page verbatim"}}
    detail = {"bytes": len(step.output), "code": 200, "codeText": "OK", "result": step.output, "url": step.text}
    return call, step.output, detail


_CALLS = {"run": _bash, "read": _read, "write": _write, "edit": _edit, "fetch": _fetch}


def _hunks(step: Step) -> list[dict[str, Any]]:
    before, after = step.before.splitlines(), step.after.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    hunks = []
    for group in matcher.get_grouped_opcodes(3):
        lines: list[str] = []
        for kind, start, end, other_start, other_end in group:
            if kind == "equal":
                lines += [f" {line}" for line in before[start:end]]
            else:
                lines += [f"-{line}" for line in before[start:end]]
                lines += [f"+{line}" for line in after[other_start:other_end]]
        first, last = group[0], group[-1]
        hunks.append(
            {
                "oldStart": first[1] + 1,
                "oldLines": last[2] - first[1],
                "newStart": first[3] + 1,
                "newLines": last[4] - first[3],
                "lines": lines,
            }
        )
    return hunks
