"""Results folders of nerv: their variants, and damaged ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from forgetest.errors import UserError
from nerv.readers import RunSource, read
from nerv.readers import source_files as source_files_module
from results import SPEC, a_run, event, one_task, results


def evidence_of(folder, **options):
    return read(RunSource(path=folder, **options))


def test_every_fact_of_a_run_has_its_line(tmp_path):
    found = evidence_of(results(tmp_path / "r"))
    assert [(task.id, task.status, task.cycle) for task in found.workflow.tasks] == [
        ("t1", "completed", 1),
        ("t2", "completed", 2),
    ]
    assert [(cycle.number, cycle.goal) for cycle in found.workflow.cycles] == [
        (1, "Create notes"),
        (2, "Refuse empty notes"),
    ]
    assert [(point.checked, point.total, point.cycle) for point in found.workflow.completion] == [(2, 4, 1), (4, 4, 2)]
    assert [(merge.task_id, merge.clean, merge.moment.location.line) for merge in found.workflow.merges] == [
        ("t1", True, 7),
        ("t2", True, 16),
    ]
    assert [review.decision for review in found.workflow.reviews] == ["started", "approved"] * 2
    assert found.workflow.reviews[1].moment.before(found.workflow.merges[0].moment)
    assert [(worktree.task_id, worktree.branch) for worktree in found.workflow.worktrees] == [
        ("t1", "task/t1"),
        ("t2", "task/t2"),
    ]
    assert found.resources.duration_ms == 18_100
    assert found.resources.working_ms == 14_000
    assert found.warnings == ()
    assert set(found.inputs) == {"event-log.jsonl", "spec.md"}


def in_milliseconds(each, start=1_767_225_600_000):
    return {**{key: value for key, value in each.items() if key != "t"}, "timestamp": start + each["t"]}


def in_iso(each):
    moment = datetime.fromtimestamp((1_767_225_600_000 + each["t"]) / 1000, UTC)
    return {**{key: value for key, value in each.items() if key != "t"}, "timestamp": moment.isoformat()}


@pytest.mark.parametrize("form", [in_milliseconds, in_iso])
def test_the_form_of_time_does_not_matter(tmp_path, form):
    plain = evidence_of(results(tmp_path / "plain"))
    other = evidence_of(results(tmp_path / "other", [form(each) for each in a_run()]))
    assert other.workflow.tasks == plain.workflow.tasks
    assert other.workflow.merges == plain.workflow.merges
    assert other.resources.working_ms == plain.resources.working_ms


def test_a_task_may_be_named_in_the_label_alone(tmp_path):
    events = [
        event(0, "task_started", label="Task abc123"),
        event(10, "review_started", label="Review iteration 1/3"),
        event(20, "review_decision", label="Review: Approved (iteration 1)"),
        event(30, "worktree_merged", label="Task abc123 merged"),
        event(40, "task_complete", label="Task abc123"),
    ]
    found = evidence_of(results(tmp_path / "r", events))
    (task,) = found.workflow.tasks
    assert (task.id, task.status, task.attributed) == ("abc123", "completed", False)
    assert {review.task_id for review in found.workflow.reviews} == {"abc123"}
    assert found.workflow.merges[0].task_id == "abc123"


def test_with_two_open_tasks_a_review_without_a_task_belongs_to_none(tmp_path):
    events = [
        event(0, "task_started", taskId="a"),
        event(1, "task_started", taskId="b"),
        event(2, "review_decision", label="Review: Approved"),
    ]
    assert evidence_of(results(tmp_path / "r", events)).workflow.reviews[0].task_id is None


@pytest.mark.parametrize(
    ("label", "decision", "automatic"),
    [
        ("Review: Approved (iteration 2)", "approved", False),
        ("Review: Auto-approved (no worktree)", "approved", True),
        ("Review: Force-approved after 3 iterations", "approved", True),
        ("Review: needs_changes (80% confidence)", "changes_requested", False),
        ("Review: reject", "rejected", False),
        ("Something else", "changes_requested", False),
    ],
)
def test_a_decision_is_read_from_its_label(tmp_path, label, decision, automatic):
    events = [event(0, "task_started", taskId="a"), event(1, "review_decision", label=label)]
    review = evidence_of(results(tmp_path / "r", events)).workflow.reviews[0]
    assert (review.decision, review.automatic) == (decision, automatic)


def test_incidents_are_counted_and_attributed_to_their_task(tmp_path):
    events = [
        *one_task(),
        event(9_000, "task_started", taskId="t2", title="Second"),
        event(9_100, "compaction", taskId="t2"),
        event(9_200, "loop_dialog_dismissed"),
        event(9_300, "tool_error", taskId="t2"),
        event(9_400, "task_timeout", label="Task t2 timed out after 900s"),
        event(9_500, "worktree_merge_failed", label="Task t2: conflict"),
        event(9_600, "phase_error", label="Build failed"),
    ]
    found = evidence_of(results(tmp_path / "r", events))
    second = found.workflow.tasks[1]
    assert (second.status, second.compactions, second.loops.count, second.tool_errors) == ("timed_out", 1, 1, 1)
    assert (
        found.incidents.task_timeouts.count,
        found.resources.compactions.count,
        found.incidents.phase_errors.count,
    ) == (1, 1, 1)
    assert found.incidents.task_timeouts.locations[0].line == 11
    assert [merge.clean for merge in found.workflow.merges] == [True, False]


def test_permission_requests_are_matched_with_their_decisions(tmp_path):
    events = [
        event(0, "task_started", taskId="a"),
        event(1, "permission_requested", taskId="a", tool="Bash", command="rm -rf build"),
        event(2, "permission_requested", taskId="a", tool="Bash", command="npm install"),
        event(3, "permission_approved", taskId="a", tool="Bash", command="npm install"),
        event(4, "permission_denied", taskId="a", tool="Bash", command="rm -rf build"),
        event(5, "tool_call", taskId="a", tool="Bash", input={"command": "rm -rf build"}),
        event(6, "tool_call", taskId="a", tool="Bash", input={"command": "npm install"}),
    ]
    denied, approved = evidence_of(results(tmp_path / "r", events)).workflow.permissions
    assert (denied.decision, denied.request) == ("denied", "rm -rf build")
    assert denied.used_after_denial.location.line == 6
    assert (approved.decision, approved.used_after_denial) == ("approved", None)


def test_a_call_that_was_allowed_after_a_denial_is_not_a_violation(tmp_path):
    events = [
        event(1, "permission_denied", tool="Bash", command="make deploy"),
        event(2, "permission_approved", tool="Bash", command="make deploy"),
        event(3, "tool_call", tool="Bash", command="make deploy"),
    ]
    assert [each.used_after_denial for each in evidence_of(results(tmp_path / "r", events)).workflow.permissions] == [
        None,
        None,
    ]


def test_side_files_add_what_the_log_lacks(tmp_path):
    call = {"tool": "Bash", "input": {"command": "pytest -q"}, "output": "4 passed in 0.1s", "success": True}
    files = {
        "config.json": {"model": "m", "maxCycles": 3, "dangerouslySkipPermissions": True},
        "summary.json": {
            "tokens": {"input": 1000, "output": 500, "cached": 50},
            "cost": {"totalUsd": 1.25},
            "issues": {"compactions": 3, "toolErrors": 0},
        },
        "tasks/t1/metrics.json": {"inputTokens": 600, "outputTokens": 300, "costUsd": 0.75, "toolCalls": 9},
        "tasks/t1/tools.jsonl": json.dumps(call),
        "tasks/t1/errors.json": [{"error": "x"}, {"error": "y"}],
        "tasks/t1/git-diff.patch": "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n",
        "cycles/1/audit-report.json": {
            "passed": True,
            "items": [{"text": "POST /notes creates a note", "met": True}, {"text": "README", "met": False}],
        },
        "worktree-manifest.json": {"t9": {"worktreePath": "/w/t9", "branch": "task/t9"}},
        "git-log.txt": "abc1234 Add notes\ndef5678 Merge branch 'task/t1'\n",
    }
    found = evidence_of(results(tmp_path / "r", files=files))
    assert (found.resources.usage.tokens, found.resources.usage.cost_usd, found.resources.usage.location.file) == (
        1550,
        1.25,
        "summary.json",
    )
    assert (found.resources.compactions.count, found.resources.compactions.locations[0].file) == (3, "summary.json")
    first = found.workflow.tasks[0]
    assert (first.usage.cost_usd, first.tool_calls, first.errors.count) == (0.75, 9, 2)
    (run,) = found.activity.test_runs
    assert (run.passed, run.succeeded, run.task_id, run.strength) == (4, True, "t1", "recorded")
    assert (run.moment.location.file, run.moment.location.line) == ("tasks/t1/tools.jsonl", 1)
    assert [change.path for change in found.changes.diff.files] == ["a.py"]
    assert (found.workflow.audits[0].met, found.workflow.audits[0].missed) == (
        ("POST /notes creates a note",),
        ("README",),
    )
    assert found.workflow.worktrees[-1].task_id == "t9"
    assert [(commit.id, commit.parents) for commit in found.changes.commits] == [("def5678", 2), ("abc1234", 0)]
    assert found.configuration.permissions_bypassed
    assert found.configuration.values["maxCycles"] == 3


def test_the_timeline_adds_and_does_not_double(tmp_path):
    start = 1_767_225_600_000
    timeline = [
        {"timestamp": start, "event": "benchmark_start"},
        {"timestamp": start + 1_000, "event": "task_started", "taskId": "t1"},
        {"timestamp": start + 7_500, "event": "worktree_merged", "taskId": "t1"},
        {"timestamp": start + 2_000, "event": "compaction", "taskId": "t1"},
    ]
    lines = "".join(json.dumps(each) + "\n" for each in timeline)
    found = evidence_of(results(tmp_path / "r", files={"timeline.jsonl": lines}))
    assert len(found.workflow.merges) == 2
    assert found.resources.compactions.count == 1
    assert found.workflow.tasks[0].compactions == 1


def test_the_larger_of_two_totals_counts(tmp_path):
    files = {
        "summary.json": {"tokens": {"input": 1, "output": 1}, "cost": {"totalUsd": 0.01}},
        "tasks/t1/metrics.json": {"inputTokens": 900, "outputTokens": 90, "costUsd": 2.0},
    }
    found = evidence_of(results(tmp_path / "r", files=files))
    assert (found.resources.usage.tokens, found.resources.usage.cost_usd) == (990, 2.0)


def test_a_given_spec_counts_with_the_ticks_of_the_runs_own_copy(tmp_path):
    folder = results(tmp_path / "r", spec="- [x] POST /notes creates a note\n- [x] something of its own\n")
    given = tmp_path / "given.md"
    given.write_text(SPEC)
    found = evidence_of(folder, spec=given)
    assert [item.ticked for item in found.spec.items] == [True, False, False, False]


# --- damaged folders


def refused(folder, **options) -> str:
    with pytest.raises(UserError) as caught:
        evidence_of(folder, **options)
    return str(caught.value)


def test_missing_files_are_named(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "event-log.jsonl: missing" in refused(tmp_path / "empty")
    assert "--spec" in refused(results(tmp_path / "r", spec=None))
    assert "contains no requirements" in refused(results(tmp_path / "s", spec="\n"))
    assert "missing" in refused(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n\n",
        b"not json\n" * 10,
        bytes(range(256)) * 40,
        b"\x7fELF\0\0\0" * 100,
        b"[1,2,3]\n",
        b'{"no":"event"}\n',
        b"null\n",
    ],
)
def test_a_log_without_one_event_is_an_error(tmp_path, content):
    folder = results(tmp_path / "r")
    (folder / "event-log.jsonl").write_bytes(content)
    assert "no usable event" in refused(folder)


def test_a_log_in_another_encoding_is_an_error_that_names_it(tmp_path):
    folder = results(tmp_path / "r")
    (folder / "event-log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in a_run()), encoding="utf-16")
    assert "UTF-16" in refused(folder)


def test_bad_lines_are_counted_with_their_numbers_and_skipped(tmp_path):
    folder = results(tmp_path / "r")
    log = folder / "event-log.jsonl"
    lines = log.read_bytes().splitlines()
    lines[3:3] = [b"garbage", b'{"event": "x", "t": 1', b'{"event":"caf\xe9","t":3}']
    log.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines) + b'\n{"event":"task_star')
    found = evidence_of(folder)
    assert len(found.workflow.tasks) == 2
    assert "event-log.jsonl: 3 lines skipped, not JSON: lines 4, 5, 24" in found.warnings
    assert "event-log.jsonl: 1 line skipped, not UTF-8: line 6" in found.warnings


def test_a_gigantic_line_is_skipped_with_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(source_files_module, "LONGEST_LINE", 100_000)
    folder = results(tmp_path / "r")
    log = folder / "event-log.jsonl"
    lines = log.read_bytes().splitlines()
    lines[2:2] = [
        b'{"event":"tool_call","t":1,"x":"' + b"y" * 3_000_000 + b'"}',
        b'{"event":"z","t":1,"x":"' + b"y" * 150_000 + b'"}',
    ]
    log.write_bytes(b"\n".join(lines))
    found = evidence_of(folder)
    assert len(found.workflow.tasks) == 2
    assert found.workflow.merges[0].moment.location.line == 9
    assert any("2 lines skipped, longer than" in warning and "lines 3, 4" in warning for warning in found.warnings)


def test_deeply_nested_and_odd_values_cause_no_traceback(tmp_path):
    odd = [
        b'{"event":"task_started","t":"soon","taskId":{"id":7}}',
        b'{"event":"cycle_started","cycle":"1e999","t":1e308}',
        b'{"event":"spec_completion","checked":-5,"total":"many","pct":null}',
        b'{"event":"spec_completion","checked":9000000000000000000000,"total":3}',
        b'{"event":"tasks_created","tasks":[1,null,{"id":[]},{"id":"q"}]}',
        b'{"event":"permission_denied","tool":5,"input":{"a":{"b":[1,2]}}}',
        b'{"event":7}',
        b'{"event":"x","t":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"event":"task_completed","taskId":"' + b"z" * 5_000 + b'"}',
    ]
    folder = results(tmp_path / "r")
    (folder / "event-log.jsonl").write_bytes(b"\n".join(odd))
    found = evidence_of(folder)
    assert {task.id for task in found.workflow.tasks} >= {"7", "1", "q"}


def test_broken_side_files_are_warnings(tmp_path):
    files = {
        "summary.json": "{",
        "config.json": [1],
        "tasks/t1/metrics.json": b"\xff\xfe\0",
        "tasks/t1/errors.json": "null",
        "worktree-manifest.json": "5",
        "git-diff.patch": bytes(range(256)),
        "pipeline-result.json": {"cycles": [3, {"tasks": [None, {"taskId": "x", "subtask": 4}]}]},
        "permissions/requests.jsonl": "{}\nx\n",
    }
    found = evidence_of(results(tmp_path / "r", files=files))
    assert any(warning.startswith("summary.json: not JSON") for warning in found.warnings)
    assert "config.json: must be an object, left out" in found.warnings


def test_many_tasks_and_events_stay_within_bounds(tmp_path):
    events = [event(number, "task_started", taskId=f"t{number}") for number in range(6_000)]
    events += [event(number, "review_decision", taskId="t1", decision="approve") for number in range(11_000)]
    found = evidence_of(results(tmp_path / "r", events))
    assert len(found.workflow.tasks) == 5_000
    assert len(found.workflow.reviews) == 10_000
    assert any("1000 more tasks" in warning for warning in found.warnings)
    assert found.event_counts["task_started"] == 6_000


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "git-diff.patch").write_text("diff --git a/a b/a\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+password\n")
    (secret / "summary.json").write_text('{"cost": {"totalUsd": 5}}')
    folder = results(tmp_path / "r")
    (folder / "summary.json").symlink_to(secret / "summary.json")
    (folder / "repo").symlink_to(secret)
    found = evidence_of(folder)
    assert found.resources.usage.cost_usd is None
    assert found.changes.repository is None
    assert sum("leads out of the results folder" in warning for warning in found.warnings) == 2
    (folder / "git-diff.patch").symlink_to(secret / "git-diff.patch")
    assert "leads out of the results folder" in refused(folder)


def test_a_pipe_does_not_block(tmp_path):
    import os

    folder = results(tmp_path / "r", spec=None)
    os.mkfifo(folder / "spec.md")
    assert "spec.md: missing" in refused(folder)
