"""`--grade-claude` with the real `claude`, where it is installed, against a scripted server on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from forgetest.testing.loopback import Received, Reply, Server, as_json
from model_apis import anthropic_block, anthropic_events, anthropic_start
from nerv.cli.main import run
from results import results

ANSWER = {"score": 9, "strengths": ["clear"], "weaknesses": ["short"], "evidence": "the log"}


def is_real(program: str | None) -> bool:
    if program is None:
        return False
    version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    return "Claude Code" in version.stdout


@pytest.fixture(scope="module")
def claude() -> str:
    program = shutil.which("claude")
    if not is_real(program):
        pytest.skip("no claude on the PATH: `npm install -g @anthropic-ai/claude-code` brings it")
    assert program
    return program


def scripted(received: Received) -> Reply:
    if not received.path.startswith("/v1/messages"):
        return as_json({})
    if "count_tokens" in received.path:
        return as_json({"input_tokens": 10})
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 20},
    }
    return anthropic_events(
        anthropic_start(), *anthropic_block(0, "text", json.dumps(ANSWER)), end, {"type": "message_stop"}
    )


def test_the_real_program_is_asked_four_times_without_tools(tmp_path, monkeypatch, capfd, claude):
    with Server(scripted) as server:
        for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE"))]:
            monkeypatch.delenv(name)
        for name, value in {
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "HOME": str(tmp_path / "home"),
            "NERV_HOME": str(tmp_path / "nerv"),
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "home").mkdir()
        code = run(["benchmark", "score", str(results(tmp_path / "run")), "--grade-claude"])
        out, err = capfd.readouterr()
        asked = [
            each.body
            for each in server.received
            if each.path.startswith("/v1/messages?") or each.path == "/v1/messages"
        ]
    assert (code, err) == (0, "")
    assert "Result: PASS" in out
    assert len(asked) == 4
    assert all(not body.get("tools") for body in asked)
    words = [json.dumps(body["messages"]) for body in asked]
    assert sum("POST /notes creates a note" in text for text in words) == 1
    assert sum("BEGIN MATERIAL" in text for text in words) == 4
    report = json.loads((tmp_path / "run/score-report.json").read_text())
    assert set(report["scores"].values()) == {9}
    assert report["judge"]["tokens"]["output"] == 80
