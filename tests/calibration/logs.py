"""Logs of a generated run, in the forms that agents write."""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from calibration.agent import Agent, Step
from calibration.nerv_results import write_nerv_folder
from calibration.sessions import MODEL, claude_messages

_START = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
_SECONDS_PER_STEP = 9


def write_log(agent: Agent, form: str, folder: Path) -> Path:
    """Write the run's log into its folder, and return its path."""
    return _FORMS[form](agent, folder)


def forms() -> tuple[str, ...]:
    """Return the names of all forms."""
    return tuple(_FORMS)


def _write_claude_code(agent: Agent, folder: Path) -> Path:
    lines: list[dict[str, Any]] = []
    common = {"isSidechain": False, "userType": "external", "cwd": str(agent.repo), "sessionId": "5e55a0-cal"}
    parent = None
    for number, message in enumerate(claude_messages(agent.steps, agent.repo, agent.prompt)):
        uuid = f"u-{number:04}"
        line = {
            "parentUuid": parent,
            **common,
            "version": "2.0.31",
            **message,
            "uuid": uuid,
            "timestamp": _time(number),
        }
        lines.append(line)
        parent = uuid
    return _write_lines(folder / "session.jsonl", lines)


def _write_nerv(agent: Agent, folder: Path) -> Path:
    return write_nerv_folder(agent, folder)


def _write_codex(agent: Agent, folder: Path) -> Path:
    lines: list[dict[str, Any]] = []

    def emit(kind: str, payload: Mapping[str, Any]) -> None:
        lines.append({"timestamp": _time(len(lines)), "type": kind, "payload": payload})

    cwd = str(agent.repo)
    meta = {"id": "019e1625-cal", "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.125.0", "source": "cli"}
    emit("session_meta", meta)
    policy = {"type": "workspace-write", "writable_roots": [], "network_access": True}
    emit(
        "turn_context", {"cwd": cwd, "approval_policy": "on-request", "sandbox_policy": policy, "model": "gpt-5-codex"}
    )
    content = [{"type": "input_text", "text": agent.prompt}]
    emit("response_item", {"type": "message", "role": "user", "content": content})
    emit("event_msg", {"type": "user_message", "message": agent.prompt, "images": []})
    for number, step in enumerate(agent.steps):
        call = f"call_{number:04}"
        if step.kind in ("say", "final"):
            said = [{"type": "output_text", "text": step.text}]
            emit("event_msg", {"type": "agent_message", "message": step.text})
            emit("response_item", {"type": "message", "role": "assistant", "content": said})
        elif step.kind in ("write", "edit"):
            patch = _apply_patch(step)
            emit("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": call})
            done = {"output": f"Success. Updated the following files:\nM {step.path}\n", "metadata": {"exit_code": 0}}
            emit("response_item", {"type": "custom_tool_call_output", "call_id": call, "output": json.dumps(done)})
        else:
            command, output, code = _as_command(step)
            arguments = json.dumps({"cmd": command, "workdir": cwd, "yield_time_ms": 1000})
            emit(
                "response_item",
                {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call},
            )
            shown = (
                f"Chunk ID: a{number:05}\nWall time: 0.4 seconds\nProcess exited with code {code}\nOutput:\n{output}"
            )
            emit("response_item", {"type": "function_call_output", "call_id": call, "output": shown})
        usage = {"input_tokens": 9_000 + 300 * number, "cached_input_tokens": 8_000, "output_tokens": 180}
        emit("event_msg", {"type": "token_count", "info": {"last_token_usage": usage}})
    last = next((step.text for step in reversed(agent.steps) if step.kind == "final"), None)
    emit("event_msg", {"type": "task_complete", "last_agent_message": last})
    return _write_lines(folder / "rollout-2026-03-02T09-30-00-019e1625-cal.jsonl", lines)


def _write_mini_swe_agent(agent: Agent, folder: Path) -> Path:
    task = f"<pr_description>\nConsider the following PR description:\n{agent.prompt}\n</pr_description>"
    system = "You are a helpful assistant that can interact with a computer shell to solve programming tasks.\n"
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}, {"role": "user", "content": task}]
    thought = ""
    stamp = _START.timestamp()
    for number, step in enumerate(agent.steps):
        if step.kind in ("say", "final"):
            thought = step.text
            if step.kind == "say":
                continue
            command, output, code = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt", "", 0
        else:
            command, output, code = _as_command(step)
        call = {"id": f"call_{number:04}", "type": "function"}
        call["function"] = {"name": "bash", "arguments": json.dumps({"command": command})}  # type: ignore[assignment]
        usage = {"prompt_tokens": 4_000 + 300 * number, "completion_tokens": 120, "total_tokens": 4_120 + 300 * number}
        extra = {"timestamp": stamp + _SECONDS_PER_STEP * number, "cost": 0.002, "response": {"usage": usage}}
        messages.append({"role": "assistant", "content": thought, "tool_calls": [call], "extra": extra})
        thought = ""
        if step.kind == "final":
            continue
        raw = {"raw_output": output, "returncode": code, "timestamp": stamp + _SECONDS_PER_STEP * number + 2}
        shown = f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"
        messages.append({"role": "tool", "content": shown, "tool_call_id": call["id"], "extra": raw})
    diff = agent.git("diff", agent.base, "HEAD")
    messages.append({"role": "exit", "content": diff, "extra": {"exit_status": "Submitted", "submission": diff}})
    calls = sum(message["role"] == "assistant" for message in messages)
    info = {
        "model_stats": {"instance_cost": round(0.002 * calls, 4), "api_calls": calls},
        "config": {"model": {"model_name": "deepseek/deepseek-chat"}},
        "mini_version": "2.2.7",
        "exit_status": "Submitted",
        "submission": diff,
    }
    file = folder / "run.traj.json"
    file.write_text(
        json.dumps({"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}), encoding="utf-8"
    )
    return file


def _write_own(agent: Agent, folder: Path) -> Path:
    lines: list[dict[str, Any]] = [{"format": "nerv-log", "format_version": 1, "model": MODEL}]
    lines.append({"type": "prompt", "text": agent.prompt, "time": _time(0)})
    for number, step in enumerate(agent.steps):
        line: dict[str, Any] = {"time": _time(number)}
        if step.kind in ("say", "final"):
            usage = {"input_tokens": 5_000, "output_tokens": 80}
            line |= {"type": "answer", "text": step.text, "usage": usage}
        elif step.kind in ("write", "edit"):
            line |= {"type": "edit", "path": step.path, "diff": _unified(step)}
        else:
            command, output, code = _as_command(step)
            line |= {"type": "command", "command": command, "output": output, "exit_code": code}
        lines.append(line)
    diff = agent.git("diff", agent.base, "HEAD")
    lines.append({"type": "end", "patch": diff, "cost_usd": 0.21, "duration_ms": 9_000 * len(agent.steps)})
    return _write_lines(folder / "log.jsonl", lines)


_FORMS: dict[str, Callable[[Agent, Path], Path]] = {
    "claude_code": _write_claude_code,
    "nerv": _write_nerv,
    "codex": _write_codex,
    "mini_swe_agent": _write_mini_swe_agent,
    "own": _write_own,
}


def _as_command(step: Step) -> tuple[str, str, int]:
    """Return a step as a shell command with its output and exit code, for agents that only have a shell."""
    if step.kind == "read":
        return f"cat {shlex.quote(step.path)}", step.output, 0
    if step.kind == "fetch":
        return f"curl -sL {shlex.quote(step.text)}", step.output, 0
    if step.kind in ("write", "edit"):
        return f"cat > {shlex.quote(step.path)} <<'EOF'\n{step.after}EOF", "", 0
    return step.text, step.output, step.exit_code


def _apply_patch(step: Step) -> str:
    if step.kind == "write" and not step.before:
        body = "".join(f"+{line}\n" for line in step.after.splitlines())
        return f"*** Begin Patch\n*** Add File: {step.path}\n{body}*** End Patch\n"
    lines = list(_diff_lines(step))[2:]
    body = "".join("@@\n" if line.startswith("@@") else line for line in lines)
    return f"*** Begin Patch\n*** Update File: {step.path}\n{body}*** End Patch\n"


def _unified(step: Step) -> str:
    return "".join(_diff_lines(step))


def _diff_lines(step: Step) -> Iterator[str]:
    before, after = step.before.splitlines(keepends=True), step.after.splitlines(keepends=True)
    source = f"a/{step.path}" if step.before else "/dev/null"
    return difflib.unified_diff(before, after, source, f"b/{step.path}")


def _time(number: int) -> str:
    moment = _START + timedelta(seconds=_SECONDS_PER_STEP * number)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _write_lines(file: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file
