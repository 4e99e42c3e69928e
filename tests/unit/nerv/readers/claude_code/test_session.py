"""Claude Code's session logs and streams."""

from __future__ import annotations

import json

import pytest

from external_data import external, needs_external
from forgetest.errors import UserError
from nerv.readers import RunSource, read

SESSIONS = external("claude_code")


def line(second, kind, content, **more):
    message = {"role": kind, "content": content}
    message.update(more.pop("message", {}))
    stamp = f"2026-01-01T00:{second // 60:02}:{second % 60:02}.000Z"
    return {"type": kind, "sessionId": "s1", "timestamp": stamp, "message": message, **more}


def use(name, use_id, **given):
    return [{"type": "tool_use", "id": use_id, "name": name, "input": given}]


def result(use_id, text, error=False):
    return [{"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": error}]


SESSION = [
    line(0, "user", "Please add a login page. Add tests for it."),
    line(
        5,
        "assistant",
        use("Write", "1", file_path="/p/login.py", content="x"),
        message={
            "id": "m1",
            "model": "claude-sonnet-4-5",
            "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 100},
        },
    ),
    line(
        6,
        "assistant",
        [{"type": "text", "text": "…"}],
        message={
            "id": "m1",
            "model": "claude-sonnet-4-5",
            "usage": {"input_tokens": 10, "output_tokens": 40, "cache_read_input_tokens": 100},
        },
    ),
    line(7, "user", result("1", "ok")),
    line(10, "assistant", use("Bash", "2", command="pytest -q")),
    line(20, "user", result("2", "1 failed, 3 passed in 2.0s", error=True)),
    line(25, "assistant", use("Bash", "3", command="pytest -q && git commit -am x")),
    line(40, "user", result("3", "4 passed in 2.0s\n[feature 1234567] Add login\n 1 file changed")),
    line(45, "assistant", use("Bash", "4", command="rm -rf /")),
    line(
        46,
        "user",
        result("4", "The user doesn't want to proceed with this tool use. The tool use was rejected", error=True),
    ),
    line(47, "user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
    {"type": "system", "subtype": "compact_boundary", "sessionId": "s1", "timestamp": "2026-01-01T00:01:00.000Z"},
    line(61, "user", "This session is being continued from a previous conversation", isCompactSummary=True),
    line(900, "user", "Thanks, and write a README"),
]


def written(file, lines):
    file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    return file


def test_a_session_is_read(tmp_path):
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", SESSION)))
    assert found.kind == "claude-code"
    assert [item.text for item in found.spec.items] == [
        "Please add a login page.",
        "Add tests for it.",
        "Thanks, and write a README",
    ]
    assert [item.location.line for item in found.spec.items] == [1, 1, 14]
    assert not found.spec.given
    assert (
        found.activity.tool_calls.count,
        found.incidents.tool_errors.count,
        found.incidents.interruptions.count,
    ) == (4, 1, 1)  # the rejection and the interruption that follows it are one
    assert [(run.passed, run.failed, run.succeeded) for run in found.activity.test_runs] == [
        (3, 1, False),
        (4, 0, True),
    ]
    assert [(edit.path, edit.count) for edit in found.activity.edits] == [("/p/login.py", 1)]
    assert [(commit.id, commit.subject, commit.on_main) for commit in found.changes.commits] == [
        ("1234567", "Add login", False)
    ]
    assert found.resources.compactions.count == 1
    assert [permission.decision for permission in found.workflow.permissions] == ["denied"]
    assert found.configuration.model == "claude-sonnet-4-5"


REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected"


@pytest.mark.parametrize(
    ("outputs", "interruptions", "denied"),
    [
        ([REJECTED, REJECTED], 1, 2),
        (["Error: The user doesn't want to take this action right now. STOP what you are doing"], 1, 1),
        (["[Request interrupted by user for tool use]"], 1, 1),
        (["Permission to use Bash with command rm x has been denied."], 0, 1),
        (["rm: x: No such file or directory"], 0, 0),
    ],
)
def test_an_answer_of_the_user_to_calls_counts_once(tmp_path, outputs, interruptions, denied):
    """Calls that were asked for together are rejected together; the rules may deny one without the user."""
    calls = [call for number in range(len(outputs)) for call in use("Bash", str(number), command=f"rm {number}")]
    answers = [line(2, "user", result(str(number), output, error=True)) for number, output in enumerate(outputs)]
    stop = line(3, "user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    lines = [line(0, "user", "Please clean up."), line(1, "assistant", calls), *answers]
    found = read(RunSource(path=written(tmp_path / "s.jsonl", [*lines, *([stop] if interruptions else [])])))
    assert found.incidents.interruptions.count == interruptions
    assert [permission.decision for permission in found.workflow.permissions] == ["denied"] * denied


def test_two_rejections_one_after_the_other_are_two(tmp_path):
    lines = [line(0, "user", "Please clean up.")]
    for number in "12":
        lines += [line(1, "assistant", use("Bash", number, command="rm x")), line(2, "user", result(number, REJECTED))]
    assert read(RunSource(path=written(tmp_path / "s.jsonl", lines))).incidents.interruptions.count == 2


def test_a_run_that_spent_its_budget_ended_at_a_limit(tmp_path):
    end = {"type": "result", "subtype": "error_max_budget_usd", "is_error": True, "session_id": "s1"}
    found = read(RunSource(path=written(tmp_path / "s.jsonl", [line(0, "user", "Please clean up."), end])))
    assert found.activity.actions.ending.kind == "turn_limit"


def test_an_answer_that_was_streamed_counts_once(tmp_path):
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", SESSION)))
    usage = found.resources.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (10, 40, 100)
    assert usage.cost_usd == pytest.approx((10 * 3 + 40 * 15 + 100 * 0.3) / 1_000_000)
    assert usage.cost_is_estimated
    assert "cost" in found.recorded


def test_long_pauses_are_not_working_time(tmp_path):
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", SESSION)))
    assert (found.resources.duration_ms, found.resources.working_ms) == (900_000, 61_000)


def test_a_session_does_not_record_the_subjects_it_cannot_know(tmp_path):
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", SESSION)))
    assert not found.recorded & {
        "cycles",
        "tasks",
        "worktrees",
        "reviews",
        "merges",
        "permissions",
        "spec_completion",
    }


def test_files_of_subagents_belong_to_their_session(tmp_path):
    main = written(tmp_path / "s1.jsonl", SESSION)
    answer = {"id": "a1", "model": "claude-sonnet-4-5", "usage": {"input_tokens": 5, "output_tokens": 7}}
    side = [line(30, "assistant", use("Grep", "9", pattern="x"), isSidechain=True, agentId="a", message=answer)]
    (tmp_path / "s1" / "subagents").mkdir(parents=True)
    written(tmp_path / "s1" / "subagents" / "agent-a.jsonl", side)
    written(
        tmp_path / "agent-b.jsonl",
        [{**side[0], "agentId": "b", "message": {**answer, "id": "a2", "role": "assistant", "content": []}}],
    )
    written(tmp_path / "agent-other.jsonl", [{**side[0], "sessionId": "another"}])
    found = read(RunSource(path=main))
    assert found.resources.usage.output_tokens == 40 + 7 + 7
    assert found.activity.tool_calls.count == 5
    assert [session.id for session in found.activity.sessions if session.subagent] == ["a", "b"]


def test_a_patch_with_the_sessions_name_is_its_diff(tmp_path):
    main = written(tmp_path / "s1.jsonl", SESSION)
    (tmp_path / "s1_abc.diff").write_text("diff --git a/a b/a\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n")
    found = read(RunSource(path=main))
    assert found.changes.diff.added == 1
    assert "diff" in found.recorded


def test_a_stream_is_read(tmp_path):
    lines = [
        {
            "type": "system",
            "subtype": "init",
            "session_id": "s",
            "model": "claude-opus-5",
            "permissionMode": "bypassPermissions",
        },
        {
            "type": "assistant",
            "session_id": "s",
            "message": {
                "id": "m",
                "model": "claude-opus-5",
                "content": use("Bash", "1", command="npm test"),
                "usage": {"input_tokens": 3, "output_tokens": 4},
            },
        },
        {"type": "user", "session_id": "s", "message": {"content": result("1", "Tests:       5 passed, 5 total")}},
        {
            "type": "result",
            "subtype": "success",
            "session_id": "s",
            "total_cost_usd": 0.5,
            "duration_ms": 7_000,
            "usage": {"input_tokens": 3},
        },
    ]
    spec = tmp_path / "spec.md"
    spec.write_text("- [ ] it works\n")
    found = read(RunSource(path=written(tmp_path / "stream.jsonl", lines), spec=spec))
    assert found.kind == "stream-json"
    assert (found.resources.usage.cost_usd, found.resources.usage.cost_is_estimated, found.resources.duration_ms) == (
        0.5,
        False,
        7_000,
    )
    assert found.configuration.permissions_bypassed
    assert found.activity.test_runs[0].passed == 5


@pytest.mark.parametrize(
    ("prompt", "asks_for_work"),
    [
        ("Do we even need this function then?", False),
        ("Is it slow?", False),
        ("Could we reuse the other template?", True),
        ("Would you mind fixing the types?", True),
        ("I think we should run it on every push?", True),
        ("The pages need dark colours", True),
    ],
)
def test_a_question_is_not_an_item_unless_it_asks_for_work(tmp_path, prompt, asks_for_work):
    lines = [line(0, "user", "Please add a login page."), line(5, "user", prompt)]
    items = [item.text for item in read(RunSource(path=written(tmp_path / "s.jsonl", lines))).spec.items]
    assert items == ["Please add a login page.", prompt][: 1 + asks_for_work]


@pytest.mark.parametrize(
    "prompt",
    ["Oh no, we lost the navigation", "No, use the other template", "Yes, go on.", "run the tests again", "show me"],
)
def test_corrections_and_steering_belong_to_the_item_before_them(tmp_path, prompt):
    lines = [line(0, "user", "Please add a login page."), line(5, "user", prompt)]
    items = [item.text for item in read(RunSource(path=written(tmp_path / "s.jsonl", lines))).spec.items]
    assert items == ["Please add a login page."]


def test_a_prompt_that_was_typed_during_the_work_is_a_prompt(tmp_path):
    attached = {"type": "queued_command", "prompt": "no, that is wrong: keep one dash", "commandMode": "prompt"}
    queued = {"type": "attachment", "sessionId": "s1", "timestamp": "2026-01-01T00:00:08.000Z", "attachment": attached}
    lines = [line(0, "user", "Add a function `slug`."), *SESSION[1:2], SESSION[3], queued]

    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))

    assert [item.text for item in found.spec.items] == ["Add a function `slug`."]
    assert [message.text for message in found.activity.actions.corrections] == [attached["prompt"]]


def test_a_prompt_that_was_taken_back_is_no_item(tmp_path):
    lines = [
        line(0, "user", "Add a menu.", uuid="1", parentUuid=None),
        {**SESSION[1], "uuid": "2", "parentUuid": "1"},
        {**SESSION[3], "uuid": "3", "parentUuid": "2"},
        line(8, "user", "Add a footer.", uuid="4", parentUuid="3"),
        line(9, "user", "Add a header.", uuid="5", parentUuid="3"),  # rewound, and asked again
        line(10, "user", "Add a logo.", uuid="6", parentUuid="5"),
    ]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))
    assert [item.text for item in found.spec.items] == ["Add a menu.", "Add a header.", "Add a logo."]


def test_lines_that_a_resumed_session_repeats_count_once(tmp_path):
    lines = [{**each, "uuid": str(number)} for number, each in enumerate(SESSION[:6])]
    again = [{**each, "sessionId": "s2"} for each in lines]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", [*lines, *again])))
    assert len(found.activity.test_runs) == 1
    assert [item.text for item in found.spec.items] == ["Please add a login page.", "Add tests for it."]


def test_what_a_correction_asks_for_in_addition_is_an_item(tmp_path):
    prompt = "That's wrong, it must be blue. Also, would you mind fixing the types?"
    lines = [line(0, "user", "Please add a login page."), line(5, "user", prompt)]
    items = [item.text for item in read(RunSource(path=written(tmp_path / "s.jsonl", lines))).spec.items]
    assert items == ["Please add a login page.", "Also, would you mind fixing the types?"]


def test_a_session_with_only_questions_has_them_as_items(tmp_path):
    file = written(tmp_path / "s.jsonl", [line(0, "user", "Is it slow?")])
    assert [item.text for item in read(RunSource(path=file)).spec.items] == ["Is it slow?"]


def test_a_stream_without_a_question_needs_a_spec(tmp_path):
    lines = [{"type": "system", "session_id": "s"}, {"type": "result", "session_id": "s", "result": "done"}]
    with pytest.raises(UserError, match="--spec"):
        read(RunSource(path=written(tmp_path / "stream.jsonl", lines)))


def test_a_spec_without_a_requirement_is_named_as_it_was_given(tmp_path):
    spec = tmp_path / "EMPTY.md"
    spec.write_text("# Notes\n\n## Out of scope\n\n- everything\n")
    with pytest.raises(UserError, match=r"EMPTY\.md: nothing in it is a requirement; write what was asked for"):
        read(RunSource(path=written(tmp_path / "s.jsonl", SESSION), spec=spec))


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\0\1\2" * 1000, b'{"event":"x","t":1}\n'])
def test_other_files_are_refused_with_a_reason(tmp_path, content):
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(UserError, match="is no log of an agent that nerv knows"):
        read(RunSource(path=file))


def test_one_of_several_sessions_must_be_named(tmp_path):
    written(tmp_path / "a.jsonl", SESSION)
    written(tmp_path / "b.jsonl", SESSION)
    with pytest.raises(UserError, match="several logs"):
        read(RunSource(path=tmp_path))


@needs_external("claude_code")
@pytest.mark.parametrize(
    ("name", "calls", "errors", "asks", "changed"),
    [("937c6e6b", 26, 3, 1, 1), ("fe869ecb", 32, 6, 2, 8), ("37f83ec9", 101, 19, 2, 10)],
)
def test_real_sessions_are_read_completely(name, calls, errors, asks, changed):
    found = read(RunSource(path=SESSIONS / f"{name}.jsonl"))
    assert (found.activity.tool_calls.count, found.incidents.tool_errors.count) == (calls, errors)
    assert len(found.spec.items) == asks
    assert len(found.changes.diff.files) == changed
    assert found.warnings == ()


def test_a_rewind_to_the_very_first_prompt_takes_back_all(tmp_path):
    lines = [
        line(0, "user", "Add a menu.", uuid="1", parentUuid=None),
        {**SESSION[1], "uuid": "2", "parentUuid": "1"},
        line(8, "user", "Add a footer.", uuid="3", parentUuid="2"),
        line(9, "user", "Add a header.", uuid="4", parentUuid=None),
        line(10, "user", "Add a logo.", uuid="5", parentUuid="4"),
    ]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))
    assert [item.text for item in found.spec.items] == ["Add a header.", "Add a logo."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),  # a stream has no chain of messages
        ({"parentUuid": None, "uuid": "1"}, {"parentUuid": None, "uuid": "2", "sessionId": "s2"}),
        ({"parentUuid": "hook", "uuid": "1"}, {"parentUuid": None, "uuid": "2"}),
    ],
)
def test_prompts_of_other_chains_take_nothing_back(tmp_path, first, second):
    lines = [line(0, "user", "Add a menu.", **first), line(5, "user", "Add a footer.", **second)]
    found = read(RunSource(path=written(tmp_path / "s1.jsonl", lines)))
    assert [item.text for item in found.spec.items] == ["Add a menu.", "Add a footer."]
