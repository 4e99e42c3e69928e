"""Real logs of other agents. The figures were read off the logs by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from external_data import external, needs_external
from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers import RunSource, read

pytestmark = needs_external("agent_logs")


def evidence(name: str) -> Evidence:
    return read(RunSource(path=external(f"agent_logs/{name}")))


def test_a_mini_swe_agent_run_is_read_with_its_commands_cost_and_patch() -> None:
    found = evidence("mini-swe-agent/astropy__astropy-12907.traj.json")

    assert found.kind == "mini-swe-agent"
    assert found.activity.tool_calls.count == 35
    assert found.resources.usage.cost_usd == pytest.approx(0.02486904)
    assert found.configuration.model == "deepseek-chat"
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == ["astropy/modeling/separable.py"]
    assert [edit.path for edit in found.activity.edits] == ["astropy/modeling/separable.py"]  # made by the shell
    assert found.spec.title.startswith("Modeling's `separability_matrix` does not compute")


def test_the_first_form_of_mini_swe_agent_has_its_commands_in_the_text() -> None:
    found = evidence("mini-swe-agent/github_issue.traj.json")

    assert found.activity.tool_calls.count == 10
    assert found.spec.title == "GitHub Issue: SyntaxError: invalid syntax"


@pytest.mark.parametrize(
    ("name", "calls", "cost", "path"),
    [
        ("humanevalfix-python-0", 5, None, "main.py"),
        ("pydicom__pydicom-1458", 12, 1.26719, "pydicom/pixel_data_handlers/numpy_handler.py"),
        ("sweagenttestrepo-1c2844", 5, 0.01952, "tests/missing_colon.py"),
    ],
)
def test_swe_agents_trajectories_are_read(name: str, calls: int, cost: float | None, path: str) -> None:
    found = evidence(f"swe-agent/{name}.traj")

    assert found.activity.tool_calls.count == calls
    assert found.resources.usage.cost_usd == (None if cost is None else pytest.approx(cost))
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == [path]


def test_a_trajectory_with_a_history_only_is_read() -> None:
    found = evidence("swe-agent/function_calling_simple.traj")

    assert found.activity.tool_calls.count == 5
    assert found.spec.title == "SyntaxError: invalid syntax"


def test_one_of_several_openhands_runs_is_chosen_by_its_name() -> None:
    with pytest.raises(UserError, match=r"several runs; name one, for example .*#ponylang__ponyc-4595"):
        evidence("openhands/multi_swe_bench_output.jsonl")
    found = evidence("openhands/multi_swe_bench_output.jsonl#ponylang__ponyc-4595")

    assert found.kind == "openhands"
    assert found.resources.usage.input_tokens == 565_158
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == ["src/libponyc/ast/parser.c"]
    assert found.incidents.tool_errors.count == 6


def test_an_old_openhands_history_without_times_is_read() -> None:
    found = evidence("openhands/resolver_mock_output.jsonl#5")

    assert found.resources.usage.cost_usd == pytest.approx(0.070713)
    assert found.resources.duration_ms is None
    assert "time" not in found.recorded


def test_openhands_sdk_events_need_a_spec_where_nobody_asked_for_anything(tmp_path: Path) -> None:
    spec = tmp_path / "SPEC.md"
    spec.write_text("- Build the session URL\n")
    found = read(RunSource(path=external("agent_logs/openhands/sdk_v1_goal_events.jsonl"), spec=spec))

    assert found.kind == "openhands"
    assert found.incidents.tool_errors.count == 3
    assert found.resources.usage.output_tokens == 1_347


def test_codex_commands_that_go_on_running_get_the_exit_code_of_a_later_poll() -> None:
    found = evidence("codex/rollout-2026-05-11T11-26-55-019e1625-789d-76c0-80ab-3724b5ddb799.jsonl")

    assert [(run.passed, run.failed, run.succeeded) for run in found.activity.test_runs] == [
        (0, 1, False),
        (1, 0, True),
        (16, 0, True),
    ]
    assert len(found.activity.edits) == 3
    assert found.resources.usage.output_tokens == 9_118
    assert found.configuration.model == "gpt-5.5"


def test_a_codex_session_without_token_counts_does_not_know_its_tokens() -> None:
    found = evidence("codex/rollout-2026-05-11T13-28-45-019e1695-0522-7c83-8b39-0dd379793f80.jsonl")

    assert "tokens" not in found.recorded


def test_cursors_stream_is_not_taken_for_claude_codes() -> None:
    found = evidence("cursor/stream_parallel-sleep.jsonl")

    assert found.kind == "cursor"
    assert found.activity.tool_calls.count == 2
    assert found.resources.duration_ms is not None


def test_gemini_sessions_are_read_in_both_forms() -> None:
    whole = evidence("gemini/session-2026-01-16T11-01-file-ops-37b7abef.json")
    lines = evidence("gemini/agent-sessions_jsonl_v040.jsonl")

    assert [(edit.path.rpartition("/")[2], edit.count) for edit in whole.activity.edits] == [("hello.md", 3)]
    assert lines.configuration.model == "gemini-3-flash-preview"
    assert lines.activity.tool_calls.count == 1


def test_a_log_that_claims_success_keeps_its_failed_calls() -> None:
    found = evidence("atif/openagents_regex-log_trajectory.json")

    assert found.kind == "atif"
    assert found.incidents.tool_errors.count == 2  # it could not write /app/regex.txt
    assert found.resources.usage.cost_usd == pytest.approx(0.1268215)


def test_the_last_chat_of_aider_that_asks_for_something_is_the_run() -> None:
    found = evidence("aider/afi-core.aider.chat.history.md")

    assert found.spec.title.startswith("You are auditing the AFI Protocol's core repository")
    assert found.resources.usage.cost_usd == pytest.approx(0.40)
    assert len(found.changes.commits) == 3
    assert any("9 chats" in warning for warning in found.warnings)
