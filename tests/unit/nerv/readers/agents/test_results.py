"""Results without a log, and the folders of Harbor's trials."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv import rules
from nerv.evidence import Evidence
from nerv.readers import RunSource, main_file, read
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion

PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
TRIAL = {
    "id": "e26b16f8",
    "trial_name": "fix-permissions.1-of-1",
    "task_id": "fix-permissions",
    "instruction": "A script called 'process_data.sh' won't run. Fix it so the script can run.",
    "is_resolved": True,
    "failure_mode": "unset",
    "parser_results": {"test_permissions": "passed", "test_output": "passed"},
    "total_input_tokens": 9_000,
    "total_output_tokens": 1_000,
    "agent_started_at": "2025-08-08T05:18:56.214210+00:00",
    "agent_ended_at": "2025-08-08T05:20:56.214210+00:00",
}


def written(file: Path, document: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document, indent=1))
    return file


def criteria(found: Evidence) -> dict[str, Criterion]:
    return {criterion.key: criterion for category in rules.score(found) for criterion in category.criteria}


def trial(folder: Path, **changes: Any) -> Evidence:
    return read(RunSource(path=written(folder / "results.json", {**TRIAL, **changes})))


def test_a_terminal_bench_result_has_the_benchmarks_tests_tokens_and_time(tmp_path: Path) -> None:
    found = trial(tmp_path)

    assert found.kind == "terminal-bench"
    (run,) = found.activity.test_runs
    assert (run.passed, run.failed, run.succeeded, run.acceptance) == (2, 0, True, True)
    assert found.resources.usage.tokens == 10_000
    assert found.resources.working_ms == 120_000
    assert found.nothing_to_grade == ""
    assert found.activity.actions.ending is None  # not recorded


def test_the_benchmarks_own_tests_decide_whether_the_requirements_are_met(tmp_path: Path) -> None:
    passed = criteria(trial(tmp_path))
    failed = criteria(
        trial(tmp_path, is_resolved=False, parser_results={"test_permissions": "failed", "test_output": "passed"})
    )

    assert passed["requirements"].score == 10
    assert passed["tests"].reason == "The code of the tests is not looked at; the benchmark's own tests pass."
    assert failed["requirements"].score == 1
    assert [failed[key].score for key in ("tokens", "speed")] == [1, 1]


def test_a_time_out_of_the_agent_is_an_ending_and_one_of_the_tests_is_not(tmp_path: Path) -> None:
    agent = trial(tmp_path, failure_mode="agent_timeout", is_resolved=None, parser_results=None)
    tests = trial(tmp_path, failure_mode="test_timeout", is_resolved=None, parser_results=None)

    assert agent.activity.actions.ending is not None
    assert agent.activity.actions.ending.kind == "timed_out"
    assert tests.activity.actions.ending is None
    assert tests.activity.test_runs == ()


def test_one_of_several_trials_is_chosen_by_its_name(tmp_path: Path) -> None:
    other = {**TRIAL, "trial_name": "other.1-of-1", "is_resolved": False}
    file = written(tmp_path / "results.json", {"id": "run", "accuracy": 0.5, "results": [TRIAL, other]})

    with pytest.raises(UserError, match=r"holds several runs; name one, for example .*#fix-permissions.1-of-1"):
        read(RunSource(path=file))
    found = read(RunSource(path=tmp_path / "results.json#other.1-of-1"))
    assert not found.activity.test_runs[0].succeeded


def test_swe_bench_predictions_are_rows_that_need_a_spec(tmp_path: Path) -> None:
    prediction = {"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": PATCH}
    by_id = written(tmp_path / "preds.json", {"a__b-1": prediction, "a__b-2": {**prediction, "instance_id": "a__b-2"}})
    lines = tmp_path / "predictions.jsonl"
    lines.write_text(f"{json.dumps(prediction)}\n")
    spec = tmp_path / "spec.md"
    spec.write_text("- Fix x\n")

    for file in (Path(f"{by_id}#a__b-2"), lines):
        found = read(RunSource(path=file, spec=spec))
        assert found.kind == "row"
        assert found.changes.diff is not None
        assert [change.path for change in found.changes.diff.files] == ["a.py"]
    with pytest.raises(UserError, match="--spec"):
        read(RunSource(path=lines))


def test_a_row_knows_nothing_of_tools_tests_and_its_end(tmp_path: Path) -> None:
    row = {"task": "Fix x.", "patch": PATCH, "usage": {"input_tokens": 5, "output_tokens": 5}}
    found = read(RunSource(path=written(tmp_path / "row.json", row)))

    assert found.recorded == frozenset({"tokens", "diff"})
    assert found.activity.actions.ending is None
    assert [one.status for one in RunFacts.derive(found).requirements.each] == ["shown"]


TRAJECTORY = {
    "schema_version": "ATIF-v1.5",
    "session_id": "s",
    "agent": {"name": "terminus-2", "version": "2", "model_name": "m"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Write hello.py."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "I write it.",
            "tool_calls": [
                {"tool_call_id": "1", "function_name": "bash_command", "arguments": {"keystrokes": "touch hello.py\n"}}
            ],
            "observation": {"results": [{"source_call_id": "1", "content": "$"}]},
        },
        {
            "step_id": 3,
            "source": "agent",
            "message": "Done.",
            "tool_calls": [{"tool_call_id": "2", "function_name": "mark_task_complete", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "2", "content": ""}]},
        },
    ],
}


def harbor_trial(folder: Path, **result: Any) -> Path:
    written(folder / "agent" / "trajectory.json", TRAJECTORY)
    written(folder / "result.json", {"task_name": "t", "verifier_result": {"rewards": {"reward": 1.0}}, **result})
    return folder


def test_the_folder_of_a_harbor_trial_has_the_outcome_of_its_verifier(tmp_path: Path) -> None:
    tests = [{"name": "a", "status": "passed"}, {"name": "b", "status": "passed"}]
    folder = harbor_trial(tmp_path / "t__1", agent_result={"n_input_tokens": 10, "n_output_tokens": 5, "cost_usd": 0.1})
    written(folder / "verifier" / "ctrf.json", {"results": {"tests": tests}})
    found = read(RunSource(path=folder))

    assert found.kind == "atif"
    (run,) = found.activity.test_runs
    assert (run.passed, run.failed, run.succeeded, run.acceptance) == (2, 0, True, True)
    assert found.resources.usage.cost_usd == 0.1
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"


def test_an_exception_of_a_harbor_trial_is_its_end(tmp_path: Path) -> None:
    exception = {"exception_type": "AgentTimeoutError", "exception_message": "Agent execution timed out after 900 s"}
    found = read(RunSource(path=harbor_trial(tmp_path / "t__1", exception_info=exception, verifier_result=None)))

    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "timed_out"


def test_a_session_of_claude_code_in_a_trial_has_its_outcome(tmp_path: Path) -> None:
    exception = {"exception_type": "AgentTimeoutError", "exception_message": "timed out"}
    written(tmp_path / "result.json", {"verifier_result": {"rewards": {"reward": 0.0}}, "exception_info": exception})
    log = tmp_path / "agent" / "sessions" / "projects" / "-app" / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(json.dumps({"type": "user", "sessionId": "s", "message": {"content": "Write hello.py."}}) + "\n")
    found = read(RunSource(path=tmp_path))

    assert found.kind == "claude-code"
    (run,) = found.activity.test_runs
    assert (run.acceptance, run.succeeded) == (True, False)
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "timed_out"
    assert "result.json" in found.inputs


def test_the_files_of_subagents_are_no_runs_of_their_own(tmp_path: Path) -> None:
    sessions = tmp_path / "trial" / "agent" / "sessions" / "projects" / "-app"
    line = {"type": "user", "sessionId": "s1", "message": {"role": "user", "content": "Add a test."}}
    for file in (sessions / "s1.jsonl", sessions / "s1" / "subagents" / "agent-a.jsonl"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(line) + "\n")

    assert main_file(tmp_path / "trial") == sessions / "s1.jsonl"


def test_a_job_of_several_trials_lists_them(tmp_path: Path) -> None:
    harbor_trial(tmp_path / "a__1")
    harbor_trial(tmp_path / "b__1")

    with pytest.raises(UserError, match=r"several logs \(a__1/agent/trajectory.json, b__1/agent/trajectory.json\)"):
        read(RunSource(path=tmp_path))


def test_an_unknown_kind_is_refused_with_what_would_do(tmp_path: Path) -> None:
    file = written(tmp_path / "x.json", {"hello": "world"})

    with pytest.raises(UserError) as error:
        read(RunSource(path=file))
    for name in ("SWE-agent", "OpenHands", "Harbor", "Terminal-Bench", "opencode", "Aider", "docs/agent-logs.md"):
        assert name in str(error.value)
