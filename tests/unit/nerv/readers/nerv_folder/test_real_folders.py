"""Results folders with exactly what nerv's own runners write, and the scores for them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import nerv_folders
from nerv import rules
from nerv.evidence import Evidence
from nerv.readers import RunSource, read
from nerv.scorecard import Criterion
from nerv_folders import UI_TASKS, UiTask, old_results, pipeline_run, ui_run


def evidence_of(folder: Path, spec: Path | None = None) -> Evidence:
    return read(RunSource(path=folder, spec=spec))


def criteria(folder: Path, spec: Path | None = None) -> dict[str, Criterion]:
    found = rules.score(evidence_of(folder, spec))
    return {criterion.key: criterion for category in found for criterion in category.criteria}


def unfinished(count: int, of: int) -> list[UiTask]:
    return [UiTask(f"task-{n}", f"Part {n}", finished=n >= count, checked=n) for n in range(of)]


# --- worktrees


def test_worktrees_without_a_recorded_path_are_not_shared(tmp_path: Path) -> None:
    isolation = criteria(ui_run(tmp_path / "r", **{"worktree-manifest.json": None}))["isolation"]
    assert isolation.score == 10
    assert isolation.observations[0].text == "a worktree for task-mcx1a2"


def test_the_manifest_completes_the_paths_and_titles_that_the_log_lacks(tmp_path: Path) -> None:
    found = evidence_of(ui_run(tmp_path / "r"))
    assert [(tree.task_id, tree.path) for tree in found.workflow.worktrees] == [
        ("task-mcx1a2", "/tmp/nerv/worktrees/task-mcx1a2"),
        ("task-mcx9z8", "/tmp/nerv/worktrees/task-mcx9z8"),
    ]
    assert [task.title for task in found.workflow.tasks] == ["Create and list notes", "Refuse empty notes"]


def test_a_manifest_shows_that_two_tasks_shared_a_worktree(tmp_path: Path) -> None:
    manifest = [
        {"taskId": task.id, "title": task.title, "worktreePath": "/tmp/nerv/worktrees/one"} for task in UI_TASKS
    ]
    assert criteria(ui_run(tmp_path / "r", **{"worktree-manifest.json": manifest}))["isolation"].score == 1


def test_titles_of_the_manifest_serve_alignment(tmp_path: Path) -> None:
    without = criteria(ui_run(tmp_path / "without", **{"worktree-manifest.json": None}))["alignment"]
    alignment = criteria(ui_run(tmp_path / "r"))["alignment"]
    assert alignment.reason == "2 of 4 items have a finished task; 0 of 2 tasks serve none."
    assert (alignment.score or 0) > (without.score or 0)


# --- tasks that never finish


@pytest.mark.parametrize(("never", "scoping"), [(4, 1), (3, 2), (2, 4), (1, 6), (0, 10)])
def test_unfinished_tasks_limit_scoping_as_its_guide_says(tmp_path: Path, never: int, scoping: int) -> None:
    """Even with every item ticked off, so that there are few problems per completed item."""
    spec = "".join(f"- [x] Requirement {number}\n" for number in range(18))
    folder = ui_run(tmp_path / "r", unfinished(never, of=4), **{"spec.md": spec, "repo/SPEC.md": None})
    assert criteria(folder)["scoping"].score == scoping


def test_without_a_finished_task_nothing_counts_as_completed(tmp_path: Path) -> None:
    found = criteria(ui_run(tmp_path / "r", unfinished(4, of=4)))
    assert found["scoping"].reason == "No evidence: none of 4 started tasks was finished."
    assert {key: found[key].score for key in ("tokens", "cost", "speed")} == {"tokens": 1, "cost": 1, "speed": 1}


def test_no_compaction_in_a_run_that_completed_nothing_is_not_the_worst_score(tmp_path: Path) -> None:
    compaction = criteria(ui_run(tmp_path / "r", unfinished(4, of=4)))["compaction"]
    assert compaction.score == 5
    assert compaction.reason == "0 compactions, but no item of the spec was completed."


def test_the_cost_is_given_per_item_and_per_finished_task(tmp_path: Path) -> None:
    assert criteria(ui_run(tmp_path / "r"))["cost"].reason == (
        "$0.20 per completed item (1 completed item, counted as 0.5), $0.05 per finished task (2 tasks); at most 5, as "
        "nothing shows that it works."
    )


# --- permissions


def with_approvals(*counts: int) -> list[UiTask]:
    return [replace(task, approvals=count) for task, count in zip(UI_TASKS, counts, strict=True)]


def test_approvals_match_the_requests_that_the_summary_counts(tmp_path: Path) -> None:
    permissions = criteria(ui_run(tmp_path / "r", with_approvals(9, 3)))["permissions"]
    assert permissions.score == 10
    assert permissions.reason == "12 of 12 requests were decided, 0 denied but done anyway, 0 tools always allowed."


def test_approvals_without_recorded_requests_are_not_denials(tmp_path: Path) -> None:
    permissions = criteria(ui_run(tmp_path / "r", with_approvals(9, 3), **{"summary.json": None}))["permissions"]
    assert permissions.score == 8
    assert permissions.observations[0].text == "decided without a recorded request: a tool without a recorded name"


def test_requests_that_only_the_summary_counts_and_nobody_decided_cost_points(tmp_path: Path) -> None:
    summary = {"workflow": {"permissionsRequested": 4, "permissionsApproved": 1}}
    permissions = criteria(ui_run(tmp_path / "r", with_approvals(1, 0), **{"summary.json": summary}))["permissions"]
    assert permissions.score == 7
    assert permissions.reason.startswith("1 of 4 requests were decided")


def test_a_summary_that_counts_no_request_is_not_the_worst_score(tmp_path: Path) -> None:
    assert criteria(ui_run(tmp_path / "r"))["permissions"].score == 7
    assert criteria(ui_run(tmp_path / "s", **{"summary.json": None}))["permissions"].score == 1


# --- reviews


@pytest.mark.parametrize(
    "wording",
    [
        "Review: Approved after 3 review iterations",
        "Review: Approved after iteration timeout (iteration 2)",
        "Review: Approved (review agent unavailable, tests passed)",
        "Review: Approved (no code changes to review)",
        "Review: Approved (tests passed, code quality verified)",
        "Review: Approved via API (modal not accessible)",
        "Review: Auto-approved (no worktree)",
        "Review: Force-approved after 3 iterations",
    ],
)
def test_a_forced_approval_is_no_approval(tmp_path: Path, wording: str) -> None:
    folder = ui_run(tmp_path / "r", [replace(task, review=wording) for task in UI_TASKS])
    reviews = [review for review in evidence_of(folder).workflow.reviews if review.decision != "started"]
    assert [(review.decision, review.automatic) for review in reviews] == [("approved", True)] * 2
    assert criteria(folder)["review"].score == 1


def test_a_forced_approval_in_a_tasks_own_file_is_none_either(tmp_path: Path) -> None:
    events = [event for event in nerv_folders.ui_events(UI_TASKS) if event["event"] != "review_decision"]
    tasks = [replace(task, review="Review: Approved after 3 review iterations") for task in UI_TASKS]
    found = evidence_of(ui_run(tmp_path / "r", tasks, **{"event-log.jsonl": events, "timeline.jsonl": None}))
    assert [review.automatic for review in found.workflow.reviews if review.decision == "approved"] == [True, True]


def test_without_a_reviewer_every_approval_is_automatic(tmp_path: Path) -> None:
    folder = ui_run(tmp_path / "r", **{"config.json": {"reviewMode": "none"}})
    assert criteria(folder)["review"].score == 1


# --- usage, merges and ticks


def test_cache_reads_of_a_task_are_counted(tmp_path: Path) -> None:
    task = evidence_of(ui_run(tmp_path / "r")).workflow.tasks[0]
    assert (task.usage.input_tokens, task.usage.cache_read_tokens) == (1_000, 20_000)


@pytest.mark.parametrize("name", ["worktree-manifest.json", "tasks/task-mcx1a2/metrics.json", "pipeline-result.json"])
def test_a_merge_may_be_recorded_as_a_flag_alone(tmp_path: Path, name: str) -> None:
    entry = {"taskId": "task-mcx1a2", "worktreePath": "/tmp/w", "merged": True}
    content = {
        "worktree-manifest.json": [entry],
        "tasks/task-mcx1a2/metrics.json": entry,
        "pipeline-result.json": {"cycles": [{"cycleNumber": 0, "tasks": [entry]}]},
    }[name]
    events = [event for event in nerv_folders.ui_events(UI_TASKS) if not event["event"].startswith("worktree_merge")]
    files = {"event-log.jsonl": events, "timeline.jsonl": None, name: content}
    (merge,) = evidence_of(ui_run(tmp_path / "r", **files)).workflow.merges
    assert (merge.task_id, merge.clean, merge.moment.location.file) == ("task-mcx1a2", True, name)


def test_a_flag_does_not_add_to_a_merge_that_the_log_records(tmp_path: Path) -> None:
    events = nerv_folders.ui_events(UI_TASKS)
    for event in events:
        if event["event"] == "worktree_merged":
            event["event"] = "worktree_merge_failed"
    manifest = [{"taskId": task.id, "worktreePath": f"/tmp/{task.id}", "merged": True} for task in UI_TASKS]
    files = {"event-log.jsonl": events, "timeline.jsonl": None, "worktree-manifest.json": manifest}
    assert [merge.clean for merge in evidence_of(ui_run(tmp_path / "r", **files)).workflow.merges] == [False, False]


def test_ticks_in_the_repositorys_own_spec_are_read(tmp_path: Path) -> None:
    ticked = (
        "- [x] POST /notes creates a note\n- [x] GET /notes lists the notes\n- [ ] An empty note is refused with 400\n"
    )
    found = evidence_of(ui_run(tmp_path / "r", **{"repo/SPEC.md": ticked}))
    assert [item.ticked for item in found.spec.items] == [True, True, False, False]


def test_the_repositorys_own_spec_is_the_last_count_of_the_spec(tmp_path: Path) -> None:
    folder = ui_run(tmp_path / "r", [replace(task, checked=None) for task in UI_TASKS])
    (point,) = evidence_of(folder).workflow.completion
    assert (point.checked, point.total, point.cycle, point.moment.location.file) == (2, 3, 1, "repo/SPEC.md")
    lost = ui_run(tmp_path / "lost", **{"repo/SPEC.md": "- [ ] a\n- [ ] b\n- [ ] c\n"})
    assert [point.checked for point in evidence_of(lost).workflow.completion] == [1, 2, 0]


def test_a_copy_of_the_spec_without_ticks_says_nothing(tmp_path: Path) -> None:
    folder = ui_run(
        tmp_path / "r", [replace(task, checked=None) for task in UI_TASKS], **{"repo/SPEC.md": nerv_folders.SPEC}
    )
    assert evidence_of(folder).workflow.completion == ()


# --- the command-line pipeline


def test_a_pipelines_folder_is_read_without_an_event_log(tmp_path: Path) -> None:
    found = evidence_of(pipeline_run(tmp_path / "r"))
    assert [(task.id, task.status, task.cycle, task.title) for task in found.workflow.tasks] == [
        ("cycle1-task1", "completed", 1, "Create and list notes"),
        ("cycle1-task2", "completed", 1, "Refuse empty notes"),
    ]
    assert [(merge.task_id, merge.branch) for merge in found.workflow.merges] == [
        ("cycle1-task1", "nerv/cycle1-task1"),
        ("cycle1-task2", "nerv/cycle1-task2"),
    ]
    assert [review.decision for review in found.workflow.reviews] == ["approved", "approved"]
    assert [cycle.number for cycle in found.workflow.cycles] == [1]
    assert found.workflow.audits == ()
    assert found.resources.usage.cost_usd == pytest.approx(0.4)
    assert [change.path for change in found.changes.diff.files] == ["notes.py"] if found.changes.diff else False
    assert [commit.subject for commit in found.changes.commits] == ["feat: notes"]


def test_a_pipeline_is_scored_by_what_it_records(tmp_path: Path) -> None:
    found = criteria(pipeline_run(tmp_path / "r"))
    assert found["progression"].status == found["delivery"].status == "not_recorded"
    assert (found["isolation"].score, found["review"].score, found["merges"].score) == (10, 10, 10)
    assert found["permissions"].reason == "Permissions were disabled altogether."
    assert found["compaction"].score == 5  # the 0 in its summary is not a count, and nothing shows that it works


def test_a_pipeline_that_merges_without_an_approval_is_not_approved(tmp_path: Path) -> None:
    found = criteria(pipeline_run(tmp_path / "r", decision="needs_changes"))
    assert found["review"].score == 1
    assert found["merges"].score == 10


def test_a_task_of_a_pipeline_that_failed_is_not_finished(tmp_path: Path) -> None:
    found = evidence_of(pipeline_run(tmp_path / "r", decision="reject", exit_code=1))
    assert [task.status for task in found.workflow.tasks] == ["failed", "failed"]
    assert found.workflow.merges == ()


def test_without_its_event_log_the_folder_of_the_ui_runner_is_no_pipeline(tmp_path: Path) -> None:
    folder = ui_run(tmp_path / "r", **{"event-log.jsonl": None})
    whole, without = criteria(ui_run(tmp_path / "whole")), criteria(folder)
    assert {key: found.status for key, found in without.items()} == {key: found.status for key, found in whole.items()}
    assert without["progression"].score == whole["progression"].score


# --- the oldest form


def test_a_folder_with_only_old_results_is_read_but_not_scored(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    spec.write_text(nerv_folders.SPEC)
    folder = old_results(tmp_path / "r")
    assert evidence_of(folder, spec).resources.duration_ms == 42_000
    assert {found.status for found in criteria(folder, spec).values()} == {"not_recorded"}


def test_old_results_need_no_spec(tmp_path: Path) -> None:
    found = evidence_of(old_results(tmp_path / "r"))
    assert found.resources.duration_ms == 42_000
    assert found.nothing_to_grade


# --- evidence


def test_no_observation_has_a_blank(tmp_path: Path) -> None:
    """Every observation names something, also where nerv's files name nothing."""
    bare = [{key: value for key, value in event.items() if key in ("t", "event")} for event in bare_events()]
    folders = [
        ui_run(tmp_path / "ui", with_approvals(2, 0)),
        ui_run(tmp_path / "unfinished", unfinished(2, of=4)),
        pipeline_run(tmp_path / "pipeline"),
        ui_run(tmp_path / "bare", **{"event-log.jsonl": bare, "timeline.jsonl": None, "git-log.txt": "abc1234 \n"}),
    ]
    for folder in folders:
        for criterion in criteria(folder).values():
            for observation in criterion.observations:
                assert "“”" not in observation.text
                assert not observation.text.rstrip().endswith((":", "for"))
                assert not observation.text.startswith((" ", ":"))
                assert "  " not in observation.text


def bare_events() -> list[dict[str, object]]:
    kinds = ("permission_always_allowed", "permission_denied", "permission_requested", "worktree_merged")
    more = [{"t": 900_000 + number, "event": kind} for number, kind in enumerate(kinds)]
    return [*nerv_folders.ui_events(UI_TASKS), *more]


def test_the_generated_folders_have_the_fields_of_real_ones(tmp_path: Path) -> None:
    """The fields that the tests above rely on, as nerv's sources write them."""
    folder = ui_run(tmp_path / "r", with_approvals(1, 0))
    lines = [json.loads(line) for line in (folder / "event-log.jsonl").read_text().splitlines()]
    created = [line for line in lines if line["event"] == "worktree_created"]
    assert all(set(line) == {"t", "event", "label", "region"} for line in created)
    approved = [line for line in lines if line["event"] == "permission_approved"]
    assert [set(line) for line in approved] == [{"t", "event", "region"}]
    assert not any(line["event"] == "permission_requested" for line in lines)
    pipeline = pipeline_run(tmp_path / "p")
    assert not (pipeline / "event-log.jsonl").exists()
