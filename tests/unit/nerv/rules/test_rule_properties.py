"""Properties of the rules that must hold for any run, checked with generated runs."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import nerv_runs
from nerv import rules
from nerv.changes import Repository
from nerv.evidence import Evidence
from nerv_runs import Run, TaskPlan, evidence, runs, scored
from notes_service import BAD_CODE, CODE, README, TESTS, TITLES


def for_all(*strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Return a property test: few examples in the default lane, fifty in the slow one."""

    def of(check: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("examples", [6, pytest.param(50, marks=pytest.mark.slow)])
        def test(examples: int) -> None:
            quietly = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
            how = settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=quietly)
            how(given(*strategies)(check))()

        test.__doc__ = check.__doc__
        return test

    return of


def never_raises(before: Run, after: Run, *, except_for: frozenset[str] = frozenset()) -> None:
    """Check that no criterion and no category scores higher afterwards."""
    old, new = scored(before), scored(after)
    raised = {key: (old[key], new[key]) for key in old if key not in except_for and (new[key] or 0) > (old[key] or 0)}
    assert not raised


# --- taking evidence of quality away never raises a score


def without(run: Run, names: object) -> Run:
    return run.changed(code=tuple((path, text) for path, text in run.code if path not in names))  # type: ignore[operator]


@for_all(runs())
def test_without_its_tests_no_run_is_better(run: Run) -> None:
    never_raises(run, without(run, TESTS))


@for_all(runs(), st.sampled_from(sorted(TESTS)))
def test_without_some_tests_no_run_is_better(run: Run, gone: str) -> None:
    never_raises(run, without(run, {gone}))


@for_all(runs())
def test_without_its_readme_no_run_is_better(run: Run) -> None:
    never_raises(run, without(run, {"README.md"}))


@for_all(runs(), st.integers(0, 4))
def test_without_a_review_no_run_is_better(run: Run, which: int) -> None:
    assume(which < len(run.tasks) and run.tasks[which].reviewed == "approved")
    never_raises(run, _with_task(run, which, reviewed="none"))


@for_all(runs())
def test_without_any_review_no_run_is_better(run: Run) -> None:
    never_raises(run, run.changed(tasks=tuple(replace(task, reviewed="none") for task in run.tasks)))


@for_all(runs(), st.integers(0, 4))
def test_without_a_worktree_no_run_is_better(run: Run, which: int) -> None:
    assume(which < len(run.tasks) and run.tasks[which].tree == "own")
    never_raises(run, _with_task(run, which, tree="none"))


@for_all(runs(), st.integers(0, 7))
def test_one_finished_item_less_makes_no_run_better(run: Run, item: int) -> None:
    """Only boxes that nothing contradicts: removing a false one is an improvement."""
    assume(item in run.boxes and item not in run.missed and (item > 1 or CODE.items() <= dict(run.code).items()))
    never_raises(run, run.changed(boxes=run.boxes - {item}))


@for_all(runs(), st.integers(0, 1))
def test_a_lower_count_of_finished_items_makes_no_run_better(run: Run, cycle: int) -> None:
    assume(len(run.ticked) == 2 and run.ticked[1] > run.ticked[0] and not run.missed)
    less = (run.ticked[0], run.ticked[1] - 1) if cycle else (max(0, run.ticked[0] - 1), run.ticked[1])
    assume(less[0] or not run.ticked[0])  # the cycle still makes progress
    never_raises(run, run.changed(ticked=less))


@for_all(runs(), st.integers(0, 7))
def test_without_an_audit_of_an_item_no_run_is_better(run: Run, item: int) -> None:
    assume(item in run.audited)
    never_raises(run, run.changed(audited=run.audited - {item}))


@for_all(runs())
def test_without_passing_test_runs_no_run_is_better(run: Run) -> None:
    assume(not any(claim for _, _, claim in run.test_runs))
    never_raises(run, run.changed(test_runs=tuple(one for one in run.test_runs if one[1])))


@for_all(runs(), st.integers(0, 4))
def test_deleting_the_usage_of_a_task_never_raises_a_score(run: Run, which: int) -> None:
    assume(which < len(run.tasks) and run.tasks[which].finished)
    never_raises(run, _with_task(run, which, tokens=None, cost=None))


@for_all(
    runs(),
    st.sampled_from(("code", "usage", "times", "permissions", "test runs", "completion", "tasks", "compaction count")),
)
def test_deleting_all_records_of_a_kind_makes_no_run_better(run: Run, kind: str) -> None:
    """Missing evidence must not score higher than evidence of problems."""
    gone = {
        "code": run.changed(code=()),
        "usage": run.changed(
            usage_known=False, tasks=tuple(replace(task, tokens=None, cost=None) for task in run.tasks)
        ),
        "times": run.changed(times_known=False),
        "permissions": run.changed(permissions=()),
        "test runs": run.changed(test_runs=()),
        "completion": run.changed(ticked=()),
        "tasks": run.changed(tasks=()),
        "compaction count": run.changed(compactions_counted=False),
    }[kind]
    if kind == "completion":
        assume(not run.missed)  # removing a count that cannot be true is an improvement
    if kind == "tasks":
        assume(not run.missed and not run.boxes)
    if kind == "test runs":
        assume(not any(claim for _, _, claim in run.test_runs))  # removing a contradicted claim is an improvement
    never_raises(run, gone)


# --- adding trouble never raises a score


@for_all(runs(), st.integers(1, 5))
def test_compactions_never_help(run: Run, more: int) -> None:
    never_raises(run, run.changed(compactions=run.compactions + more))


@for_all(runs(), st.integers(0, 4))
def test_a_failed_merge_never_helps(run: Run, which: int) -> None:
    assume(which < len(run.tasks) and run.tasks[which].ending in ("merged", "open"))
    ending = "failed then merged" if run.tasks[which].ending == "merged" else "failed"
    never_raises(run, _with_task(run, which, ending=ending))


@for_all(runs(), st.sampled_from(("timeouts", "errors", "loops", "tool_errors", "on_main")), st.integers(1, 5))
def test_time_outs_errors_and_loops_never_help(run: Run, kind: str, more: int) -> None:
    never_raises(run, run.changed(**{kind: getattr(run, kind) + more}))


@for_all(runs(), st.integers(0, 4), st.integers(1, 500_000), st.floats(0.01, 9))
def test_more_tokens_and_money_for_the_same_never_help(run: Run, which: int, tokens: int, cost: float) -> None:
    assume(which < len(run.tasks))
    task = run.tasks[which]
    never_raises(run, _with_task(run, which, tokens=(task.tokens or 0) + tokens, cost=(task.cost or 0) + cost))


@for_all(runs(), st.integers(0, 4))
def test_a_merge_before_its_review_never_helps(run: Run, which: int) -> None:
    assume(which < len(run.tasks) and run.tasks[which].reviewed == "approved")
    never_raises(run, _with_task(run, which, reviewed="too late"))


@for_all(runs(), st.sampled_from(("denied and used", "pending", "unasked", "bypassed")))
def test_ignored_and_undecided_permissions_never_help(run: Run, kind: str) -> None:
    assume("approved" in run.permissions)  # otherwise the change adds evidence
    never_raises(run, run.changed(permissions=(*run.permissions, kind)))


@for_all(runs(), st.integers(0, 9), st.integers(1, 9))
def test_a_failing_run_of_the_tests_at_the_end_never_helps(run: Run, passed: int, failed: int) -> None:
    assume(any(not claim for _, _, claim in run.test_runs))
    old = [one for one in run.test_runs if not one[2]][-1]
    assume(old[1] == 0)
    never_raises(run, run.changed(test_runs=(*run.test_runs, (passed, failed, False))))


@for_all(runs(), st.sampled_from(sorted(BAD_CODE)))
def test_bad_code_never_helps(run: Run, bad: str) -> None:
    assume(dict(run.code).keys() & CODE.keys() and bad not in dict(run.code))
    never_raises(run, run.changed(code=(*run.code, (bad, BAD_CODE[bad]))))


@for_all(runs(), st.integers(0, 7))
def test_an_audit_that_finds_an_item_missing_never_helps(run: Run, item: int) -> None:
    never_raises(run, run.changed(missed=run.missed | {item}))


# --- volume alone never raises a score


@for_all(runs(), st.sampled_from((2, 10)))
def test_the_same_tests_again_do_not_help(run: Run, times: int) -> None:
    again = tuple(
        (f"tests/test_copy_{number}.py", text.replace("def test_", f"def test_again_{number}_"))
        for number in range(times)
        for path, text in run.code
        if path in TESTS
    )
    never_raises(run, run.changed(code=(*run.code, *again)))


@for_all(runs(), st.integers(1, 20))
def test_empty_commits_do_not_help(run: Run, many: int) -> None:
    assume(not any(task.reviewed == "rejected first" for task in run.tasks))
    never_raises(run, run.changed(empty_commits=many))


@for_all(
    runs(), st.sampled_from(("reviews", "merges", "worktrees", "completion", "audits", "permissions", "test_runs"))
)
def test_repeated_events_do_not_help(run: Run, kind: str) -> None:
    once = evidence(run)
    group = "activity" if kind == "test_runs" else "workflow"
    events = getattr(getattr(once, group), kind)
    twice = _with_group(once, group, {kind: tuple(event for event in events for _ in range(2))})
    assert _raised(once, twice) == {}


@for_all(runs(), st.integers(2, 5), st.booleans())
def test_longer_labels_do_not_help(run: Run, times: int, filler: bool) -> None:
    words = " synergy leverage quarterly roadmap stakeholder offsite" if filler else ""
    longer = tuple(replace(task, title=f"{' '.join([task.title] * times)}{words}") for task in run.tasks)
    never_raises(run, run.changed(tasks=longer))


@for_all(runs(), st.integers(0, 4), st.integers(2, 6))
def test_more_tasks_for_the_same_result_do_not_help(run: Run, which: int, pieces: int) -> None:
    """Split one task into several with the same name, each with worktree, review and merge, at the same total cost."""
    assume(which < len(run.tasks))
    task = run.tasks[which]
    assume(task.minutes >= pieces)
    piece = replace(
        task,
        minutes=-(-task.minutes // pieces),
        tokens=-(-(task.tokens or 0) // pieces),
        cost=(task.cost or 0) / pieces,
    )
    cut = (*run.tasks[:which], *[piece] * pieces, *run.tasks[which + 1 :])
    others = [one.minutes for index, one in enumerate(run.tasks) if index != which and one.finished]
    # splitting the one task that is far larger than the others is an improvement
    assume(not task.finished or (others and max(others) >= task.minutes))
    never_raises(run, run.changed(tasks=cut), except_for=frozenset({"tokens", "cost", "efficiency"}))
    assert (scored(run.changed(tasks=cut))["cost"] or 0) <= (scored(run)["cost"] or 0)


@for_all(runs(), st.sampled_from((1, 6)))
def test_more_code_of_no_use_does_not_help(run: Run, many: int) -> None:
    assume(dict(run.code).keys() & CODE.keys())
    padding = tuple(
        (
            f"notes/padding_{number}.py",
            f"def padding_{number}_of_text(text: str) -> str:\n    return text + '{number}'\n",
        )
        for number in range(many)
    )
    never_raises(run, run.changed(code=(*run.code, *padding)))


@for_all(runs(), st.sampled_from((2, 30)))
def test_a_longer_readme_does_not_help(run: Run, times: int) -> None:
    longer = tuple((path, text * times if path == "README.md" else text) for path, text in run.code)
    never_raises(run, run.changed(code=longer))


# --- order does not matter


@for_all(runs(), st.integers(0, 3))
def test_the_order_of_files_does_not_matter(run: Run, chance: int) -> None:
    shuffled = list(run.code)
    random.Random(chance).shuffle(shuffled)
    once, again = evidence(run), evidence(run.changed(code=tuple(shuffled)))
    assert rules.score(once, nerv_runs.inspected(run.code)) == rules.score(again, nerv_runs.inspected(tuple(shuffled)))


@for_all(runs(), st.integers(0, 999))
def test_the_order_of_unrelated_events_does_not_matter(run: Run, chance: int) -> None:
    """Shuffle worktrees, permissions, tasks and merges; each keeps its time."""
    once = evidence(run)
    moved = {}
    for kind in ("worktrees", "permissions", "tasks", "merges"):
        events = list(getattr(once.workflow, kind))
        random.Random(chance).shuffle(events)
        moved[kind] = tuple(events)
    assert _scores(_with_group(once, "workflow", moved), run) == _scores(once, run)


@for_all(runs())
def test_the_same_run_gives_the_same_scores_and_reasons(run: Run) -> None:
    assert rules.score(evidence(run)) == rules.score(evidence(run)) if len(run.code) < 2 else scored(run) == scored(run)


# --- claims


@for_all(runs(), st.integers(2, 7))
def test_verified_is_worth_more_than_audited_than_ticked_than_nothing(run: Run, item: int) -> None:
    """Only the evidence for one item gets better."""
    bare = run.changed(boxes=run.boxes - {item}, audited=run.audited - {item}, missed=run.missed - {item}, ticked=())
    ticked = bare.changed(boxes=bare.boxes | {item})
    audited = ticked.changed(audited=bare.audited | {item})
    worth = [_met(each) for each in (bare, ticked, audited)]
    assert worth == sorted(worth)
    for lower, higher in ((bare, ticked), (ticked, audited)):
        never_raises(higher, lower)


@for_all(runs(), st.integers(0, 7))
def test_a_false_claim_is_worth_less_than_none(run: Run, item: int) -> None:
    """If an audit says that an item is missing, ticking it off is worse than leaving it open."""
    honest = run.changed(boxes=run.boxes - {item}, missed=run.missed | {item}, tasks=(), ticked=())
    false = honest.changed(boxes=honest.boxes | {item})
    assert _met(false) < _met(honest) or _met(honest) == 0
    never_raises(honest, false)


@for_all(runs(), st.integers(1, 9), st.integers(1, 9))
def test_a_claim_of_passing_tests_against_the_record_is_worth_less_than_none(
    run: Run, passed: int, failed: int
) -> None:
    honest = run.changed(test_runs=((passed, failed, False),))
    false = run.changed(test_runs=((passed, failed, False), (passed, 0, True)))
    never_raises(honest, false)


@for_all(runs(), st.integers(1, 9))
def test_a_claim_of_passing_tests_is_worth_less_than_a_recorded_run(run: Run, passed: int) -> None:
    claimed, recorded = run.changed(test_runs=((passed, 0, True),)), run.changed(test_runs=((passed, 0, False),))
    never_raises(recorded, claimed)


def test_each_kind_of_evidence_changes_the_score() -> None:
    """Each kind of evidence makes a visible difference in the score of a simple run."""
    tasks = tuple(TaskPlan(title=title, cycle=1 + index // 4) for index, title in enumerate(TITLES[:8]))
    everything = frozenset(range(8))
    code = (*CODE.items(), *TESTS.items(), ("README.md", README))
    verified = Run(tasks=tasks, boxes=everything, code=code, test_runs=((6, 0, False),))
    audited = verified.changed(audited=everything, test_runs=())
    ticked = verified.changed(test_runs=())
    claimed = ticked.changed(boxes=frozenset())
    nothing = claimed.changed(tasks=())
    contradicted = nothing.changed(boxes=everything, missed=everything)
    worth = [_met(run) for run in (contradicted, nothing, claimed, ticked, audited)]
    assert worth == sorted(worth)
    assert len(set(worth[1:])) == 4
    assert scored(verified)["requirements"] == 9
    assert scored(ticked)["requirements"] == 6
    failing = verified.changed(test_runs=((4, 2, False),))
    false = failing.changed(test_runs=((4, 2, False), (6, 0, True)))
    assert (scored(false)["tests"] or 0) < (scored(failing)["tests"] or 0)


def _met(run: Run) -> float:
    from nerv.rules.run_facts import RunFacts

    return RunFacts.derive(evidence(run), nerv_runs.inspected(run.code)).requirements.met


def _with_task(run: Run, which: int, **changes: object) -> Run:
    changed = replace(run.tasks[which], **changes)  # type: ignore[arg-type]
    return run.changed(tasks=(*run.tasks[:which], changed, *run.tasks[which + 1 :]))


def _with_group(found: Evidence, group: str, changes: dict[str, Any]) -> Evidence:
    changed: Any = {group: replace(getattr(found, group), **changes)}
    return replace(found, **changed)


def _scores(found: Evidence, run: Run) -> list[tuple[str, int | None]]:
    categories = rules.score(found, nerv_runs.inspected(run.code))
    return [(criterion.key, criterion.score) for category in categories for criterion in category.criteria]


def _raised(before: Evidence, after: Evidence) -> dict[str, object]:
    assert isinstance(before.changes.repository, Repository | None)
    code = (
        tuple((file.path, file.text) for file in before.changes.repository.files) if before.changes.repository else ()
    )
    inspection = nerv_runs.inspected(code)
    old = {c.key: c.score for category in rules.score(before, inspection) for c in category.criteria}
    new = {c.key: c.score for category in rules.score(after, inspection) for c in category.criteria}
    return {key: (old[key], new[key]) for key in old if (new[key] or 0) > (old[key] or 0)}
