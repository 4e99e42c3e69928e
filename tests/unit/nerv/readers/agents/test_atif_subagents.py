"""Subagents in ATIF: embedded trajectories, trajectories in other files, and steps that are marked as a subagent's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Step = dict[str, Any]
Trajectory = dict[str, Any]

ASKED = {"step_id": 1, "source": "user", "message": "Add a function `slug`."}


def called(second: int | None, id_: str, name: str, output: str, **given: object) -> Step:
    """A step of the agent with a call and its result."""
    call = {"tool_call_id": id_, "function_name": name, "arguments": given}
    stamp = {} if second is None else {"timestamp": f"2026-01-01T00:00:{second:02}Z"}
    observed = {"results": [{"source_call_id": id_, "content": output}]}
    metrics = {"prompt_tokens": 100, "completion_tokens": 10}
    agent = {"source": "agent", "message": "I work.", "metrics": metrics}
    return {**stamp, **agent, "tool_calls": [call], "observation": observed}


def ran_tests(second: int | None, id_: str, output: str) -> Step:
    return called(second, id_, "Bash", output, command="pytest -q")


def wrote(second: int | None, id_: str, path: str) -> Step:
    return called(second, id_, "Write", "", file_path=path, content="a = 1\n")


def started(second: int | None, **reference: str) -> Step:
    """A step whose call started a subagent."""
    step = called(second, "task", "Task", "It works.", prompt="Write tests for `slug`.")
    step["observation"]["results"][0]["subagent_trajectory_ref"] = [reference]
    return step


def trajectory(steps: list[Step], **members: object) -> Trajectory:
    numbered = [{**step, "step_id": number} for number, step in enumerate(steps, 1)]
    return {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": numbered, **members}


def written(folder: Path, document: Trajectory, name: str = "trajectory.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(document))
    return file


def steps_of_tester(subagent: list[int | None]) -> list[Step]:
    """The steps of a subagent that was asked to write tests: its request is not the user's."""
    asked = {"source": "user", "message": "Write tests for `slug`."}
    last = {"source": "agent", "message": "The subagent is done."}
    return [asked, wrote(subagent[0], "s1", "test_slug.py"), ran_tests(subagent[1], "s2", "1 failed in 0.1s"), last]


def run_of(first: int | None, second: int | None, third: int | None, **reference: str) -> list[Step]:
    steps = [
        ASKED,
        wrote(first, "c1", "slug.py"),
        started(second, **reference),
        ran_tests(third, "c2", "3 passed in 0.1s"),
    ]
    return [*steps, {"source": "agent", "message": "Done."}]


def outline(found: Evidence) -> tuple[list[str], list[tuple[int | None, int | None]], list[str]]:
    runs = [(run.passed, run.failed) for run in found.activity.test_runs]
    return [item.text for item in found.spec.items], runs, [edit.path for edit in found.activity.edits]


WHOLE = (["Add a function `slug`."], [(0, 1), (3, 0)], ["slug.py", "test_slug.py"])
TIMES = [pytest.param([None] * 5, id="without times"), pytest.param([1, 2, 9, 3, 5], id="with times")]


@pytest.mark.parametrize("times", TIMES)
def test_the_work_of_an_embedded_subagent_belongs_to_the_run_in_order(tmp_path: Path, times: list[int | None]) -> None:
    child = trajectory(steps_of_tester(times[3:]), trajectory_id="tester", session_id="run")
    document = trajectory(run_of(*times[:3], trajectory_id="tester", session_id="run"), subagent_trajectories=[child])

    found = read(RunSource(path=written(tmp_path, document)))

    assert outline(found) == WHOLE
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."
    assert found.resources.usage.input_tokens == 500
    failed = found.activity.test_runs[0].moment.location
    assert str(failed) == "trajectory.json#tester:3"


def test_an_embedded_subagent_may_be_named_by_its_session(tmp_path: Path) -> None:
    child = trajectory(steps_of_tester([None, None]), session_id="child")
    document = trajectory(run_of(None, None, None, session_id="child"), subagent_trajectories=[child])

    assert outline(read(RunSource(path=written(tmp_path, document)))) == WHOLE


def test_subagents_of_embedded_subagents_belong_to_the_run(tmp_path: Path) -> None:
    nested = trajectory([wrote(None, "n1", "README.md")], trajectory_id="writer")
    child = trajectory(steps_of_tester([None, None]), trajectory_id="tester", subagent_trajectories=[nested])
    document = trajectory(run_of(None, None, None, trajectory_id="tester"), subagent_trajectories=[child])

    _, _, edits = outline(read(RunSource(path=written(tmp_path, document))))

    assert edits == ["README.md", "slug.py", "test_slug.py"]


def test_a_subagent_to_which_no_step_refers_is_not_lost(tmp_path: Path) -> None:
    child = trajectory(steps_of_tester([None, None]), trajectory_id="tester")
    steps = run_of(None, None, None, trajectory_id="other")

    items, runs, edits = outline(
        read(RunSource(path=written(tmp_path, trajectory(steps, subagent_trajectories=[child]))))
    )

    assert (items, sorted(edits)) == (WHOLE[0], WHOLE[2])
    assert sorted(runs) == sorted(WHOLE[1])


def test_the_trajectory_of_a_subagent_may_be_another_file(tmp_path: Path) -> None:
    steps = run_of(1, 2, 9, session_id="s-summary", trajectory_path="trajectory.summary.json")
    copied = [ASKED, steps[1]]
    child = trajectory([*copied, *steps_of_tester([3, 5])], session_id="s-summary")
    written(tmp_path, child, "trajectory.summary.json")

    found = read(RunSource(path=written(tmp_path, trajectory(steps))))

    assert outline(found) == WHOLE
    assert found.activity.edits[0].count == 1
    assert "trajectory.summary.json" in found.inputs


@pytest.mark.parametrize("name", ["missing.json", "../../etc/passwd", "a\0b"])
def test_a_file_that_is_missing_is_told(tmp_path: Path, name: str) -> None:
    document = trajectory(run_of(1, 2, 9, trajectory_path=name))

    found = read(RunSource(path=written(tmp_path, document)))

    assert any("a subagent's trajectory is in" in warning for warning in found.warnings)


def test_the_total_of_a_run_without_others_has_its_subagents_in_it(tmp_path: Path) -> None:
    child = trajectory(steps_of_tester([None, None]), trajectory_id="tester")
    total = {"total_prompt_tokens": 5_000, "total_completion_tokens": 50, "total_cost_usd": 0.5}
    steps = [{name: value for name, value in step.items() if name != "metrics"} for step in run_of(None, None, None)]
    document = trajectory(steps, subagent_trajectories=[child], final_metrics=total)

    usage = read(RunSource(path=written(tmp_path, document))).resources.usage

    assert (usage.input_tokens, usage.cost_usd) == (5_000, 0.5)


def test_steps_that_are_marked_as_a_subagents_are_no_words_of_the_user(tmp_path: Path) -> None:
    side = [{**step, "extra": {"is_sidechain": True}} for step in steps_of_tester([3, 5])]
    steps = run_of(1, 2, 9)

    found = read(RunSource(path=written(tmp_path, trajectory([*steps[:3], *side, *steps[3:4]]))))

    assert outline(found) == WHOLE
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "I work."


def test_a_result_of_claude_codes_counts_once_and_may_be_a_failure(tmp_path: Path) -> None:
    output = "Exit code 1\n1 failed, 2 passed in 0.1s"
    shown = f'{output}\n\n[stdout]\n{output}\n[metadata] {{"noOutputExpected": false}}\n\n[error] tool reported failure'
    raw = {"type": "tool_result", "tool_use_id": "c1", "content": output, "is_error": True}
    recorded = {
        "tool_result_metadata": {"tool_use_result": {"stdout": output}, "raw_tool_result": raw, "is_error": True}
    }
    step = {**ran_tests(1, "c1", shown), "message": "Executed Bash toolu_01JZ", "extra": recorded}
    said = {"source": "agent", "message": "One test fails."}

    found = read(RunSource(path=written(tmp_path, trajectory([ASKED, wrote(0, "c0", "slug.py"), said, step]))))

    (command,) = found.activity.actions.commands
    assert (command.output, command.exit_code, command.failed) == (output, 1, True)
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(2, 1)]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "One test fails."


@pytest.mark.parametrize("value", [None, 5, "x", [5], {"steps": 5}, [{"steps": [None], "trajectory_id": []}]])
def test_subagents_that_are_no_trajectories_are_left_out(tmp_path: Path, value: object) -> None:
    steps = run_of(1, 2, 9)
    steps[2]["observation"]["results"][0]["subagent_trajectory_ref"] = value

    found = read(RunSource(path=written(tmp_path, trajectory(steps, subagent_trajectories=value))))

    assert outline(found)[1] == [(3, 0)]
