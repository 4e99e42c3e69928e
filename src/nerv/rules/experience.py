"""User Experience: UX and documents, isolation of tasks, reviews before merges, clean merges, permissions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from nerv.evidence import Evidence, Merge, Review
from nerv.location import Moment
from nerv.rules.criterion import at, count, no_evidence, not_applicable, not_recorded, scored
from nerv.rules.documents import score_ux_and_docs
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion, Observation

_UNCHANGED = 0.5
_STRAIGHT_TO_MAIN = 0.5
_NEVER_MERGED = 0.5
_DONE_ALL_THE_SAME, _SWITCHED_OFF = 4.0, 8.0
_HALF_A_DECISION = 0.5
_ALLOWED_FOR_GOOD, _ALLOWED_FOR_GOOD_AT_MOST = 0.5, 1.5


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the five criteria."""
    return (
        score_ux_and_docs(facts),
        _score_isolation(facts),
        _score_review(facts),
        _score_merges(facts),
        _score_permissions(facts),
    )


def _score_isolation(facts: RunFacts) -> Criterion:
    if not facts.records("worktrees", "tasks"):
        return not_recorded("isolation", "this kind of source knows no worktrees.")
    evidence = facts.evidence
    if not facts.started_tasks:
        return no_evidence("isolation", "no task was begun.")
    if not evidence.workflow.worktrees:
        return no_evidence("isolation", f"no worktree is recorded for {count(len(facts.started_tasks), 'task')}.")
    users = Counter(path for path, _ in {(tree.path, tree.task_id) for tree in evidence.workflow.worktrees})
    own = {
        tree.task_id: tree for tree in evidence.workflow.worktrees if tree.task_id is not None and users[tree.path] == 1
    }
    shared = {tree.task_id for tree in evidence.workflow.worktrees} - own.keys()
    without = [task for task in facts.started_tasks if task.id not in own]
    if len(without) == len(facts.started_tasks):
        return no_evidence("isolation", "no task has a worktree of its own.")
    observations = [
        at(f"{'shares a worktree' if task.id in shared else 'no worktree'}: {task.title or task.id}", task.location)
        for task in without[:8]
    ]
    observations += [
        at(f"{tree.path or tree.branch} for {task}", tree.location) for task, tree in sorted(own.items())[:5]
    ]
    isolated = len(facts.started_tasks) - len(without)
    reason = f"{isolated} of {count(len(facts.started_tasks), 'task')} had a worktree of their own."
    return scored("isolation", len(without) / facts.expected_tasks, reason, observations=observations)


def _score_review(facts: RunFacts) -> Criterion:
    if not facts.records("reviews", "merges"):
        return not_recorded("review", "this kind of source knows no reviews.")
    evidence = facts.evidence
    merged = [merge for merge in evidence.workflow.merges if merge.clean]
    if not merged:
        return no_evidence("review", "nothing was merged that a review could have come before.")
    decided = [review for review in evidence.workflow.reviews if review.decision != "started"]
    if not decided:
        return no_evidence("review", f"{count(len(merged), 'merge')}, and no review decided on anything.")
    waved = [review for review in decided if review.automatic]
    decisions = _decisions_by_task(decided)
    unapproved = [merge for merge in merged if not _is_approved(merge, decisions)]
    unchanged = _approved_unchanged(evidence, decisions)
    if len(unapproved) == len(merged):
        return no_evidence("review", f"none of {count(len(merged), 'merge')} came after an approval of the same task.")
    observations = [
        at(f"merged without an approval before it: {_merge_name(merge)}", merge.moment) for merge in unapproved[:8]
    ]
    observations += [
        at("approved after a rejection, with no change seen between", review.moment) for review in unchanged[:4]
    ]
    observations += [at("approved without anybody having looked", review.moment) for review in waved[:4]]
    approvals = [review for review in decided if review.decision == "approved" and not review.automatic]
    observations += [
        at(f"approved: {review.task_id or 'the task under way'}", review.moment) for review in approvals[:5]
    ]
    again = f"; {count(len(unchanged), 'approval')} of rejected work in which no change is seen" if unchanged else ""
    return scored(
        "review",
        (len(unapproved) + _UNCHANGED * len(unchanged)) / facts.expected_tasks,
        f"{len(merged) - len(unapproved)} of {count(len(merged), 'merge')} came after an approval of its task{again}.",
        observations=observations,
    )


def _merge_name(merge: Merge) -> str:
    return merge.task_id or merge.branch or merge.commit[:10] or merge.text[:60]


def _decisions_by_task(reviews: Iterable[Review]) -> dict[str | None, list[Review]]:
    """The decisions on each task."""
    found: dict[str | None, list[Review]] = {}
    for review in reviews:
        if review.decision != "started":
            found.setdefault(review.task_id, []).append(review)
    return found


def _is_approved(merge: Merge, decisions: Mapping[str | None, list[Review]]) -> bool:
    """Return whether the last decision on the merge's task before it was an approval."""
    before = [review for review in decisions.get(merge.task_id, ()) if review.moment.before(merge.moment)]
    if not before:
        return False
    last = before[0]
    for review in before[1:]:
        last = last if review.moment.before(last.moment) else review
    return last.decision == "approved" and not last.automatic


def _approved_unchanged(evidence: Evidence, decisions: Mapping[str | None, list[Review]]) -> list[Review]:
    """Approvals that follow a rejection of the same task with no commit, edit or end of it seen between the two."""
    changes = [commit.moment for commit in evidence.changes.commits if commit.added != 0 or commit.removed != 0]
    changes += [edit.first for edit in evidence.activity.edits]
    times = sorted(moment.ms for moment in changes if moment.ms is not None)
    ends = {task.id: task.ended for task in evidence.workflow.tasks}
    found = []
    for task_id, reviews in decisions.items():
        ended = ends.get(task_id) if task_id is not None else None
        for rejection, after in pairwise(reviews):
            rejected = rejection.decision != "approved" and after.decision == "approved"
            if rejected and not _is_change_between(rejection.moment, after.moment, times, ended):
                found.append(after)
    return found


def _is_change_between(begin: Moment, end: Moment, times: list[int], ended: Moment | None) -> bool:
    if ended is not None and begin.before(ended) and ended.before(end):
        return True
    if begin.ms is None or end.ms is None:
        return False
    return bisect_right(times, begin.ms) < bisect_left(times, end.ms)


def _score_merges(facts: RunFacts) -> Criterion:
    if not facts.records("merges"):
        return not_recorded("merges", "this kind of source knows no merges.")
    evidence = facts.evidence
    clean = [merge for merge in evidence.workflow.merges if merge.clean]
    failed = [merge for merge in evidence.workflow.merges if not merge.clean]
    if not clean:
        text = f"{count(len(failed), 'merge')} failed, and none was clean." if failed else "nothing was merged."
        return no_evidence("merges", text, [at(f"failed: {_merge_name(merge)}", merge.moment) for merge in failed])
    straight = [commit for commit in evidence.changes.commits if commit.on_main]
    merged = {merge.task_id for merge in clean}
    # started ones, not only finished ones: a log without its completions must not look better
    left = [task for task in facts.started_tasks if task.id not in merged] if merged != {None} else []
    observations = [at(f"the merge failed: {_merge_name(merge)}", merge.moment) for merge in failed[:8]]
    observations += [at(f"straight to main: {commit.subject[:80]}", commit.moment) for commit in straight[:6]]
    observations += [at(f"started and never merged: {task.title or task.id}", task.location) for task in left[:6]]
    observations += [at(f"merged: {_merge_name(merge)}", merge.moment) for merge in clean[:4]]
    violations = len(failed) + _STRAIGHT_TO_MAIN * len(straight) + _NEVER_MERGED * len(left)
    return scored(
        "merges",
        violations / facts.expected_tasks,
        f"{count(len(clean), 'clean merge')}, {len(failed)} failed, {count(len(straight), 'commit')} straight to main, "
        f"{count(len(left), 'started task')} never merged.",
        observations=observations,
    )


def _score_permissions(facts: RunFacts) -> Criterion:
    evidence, configuration = facts.evidence, facts.evidence.configuration
    if configuration.has_permission_system is False:
        return not_applicable("permissions", "the configuration says that this agent has no permission system.")
    switched_off = (
        [at("permissions are switched off wholesale", configuration.location)]
        if configuration.permissions_bypassed
        else []
    )
    if not facts.records("permissions"):
        if switched_off:
            return scored(
                "permissions", _SWITCHED_OFF, "Permissions were switched off wholesale.", observations=switched_off
            )
        return not_recorded("permissions", "this kind of source writes down no permission that was granted.")
    asked = evidence.workflow.permissions
    if not asked and not switched_off:
        return no_evidence("permissions", "nothing was asked and nothing decided.")
    used = [one for one in asked if one.used_after_denial is not None]
    half = [one for one in asked if one.decided is None or one.asked is None or one.decision == "pending"]
    good = {one.tool for one in asked if one.decision == "always_allowed"}
    violations = (
        _SWITCHED_OFF * len(switched_off)
        + _DONE_ALL_THE_SAME * len(used)
        + _HALF_A_DECISION * len(half)
        + min(_ALLOWED_FOR_GOOD_AT_MOST, _ALLOWED_FOR_GOOD * len(good))
    )
    observations: list[Observation] = [
        *switched_off,
        *(
            at(f"denied and done all the same: {one.tool} {one.request[:80]}", one.used_after_denial)
            for one in used[:6]
        ),
        *(
            at(f"asked or decided, not both: {one.tool} {one.request[:60]}", one.asked or one.decided)
            for one in half[:5]
        ),
        *(at(f"allowed for good: {one.tool}", one.decided) for one in asked if one.decision == "always_allowed"),
    ]
    decided = sum(one.asked is not None and one.decided is not None for one in asked)
    return scored(
        "permissions",
        violations,
        f"{decided} of {count(len(asked), 'request')} asked and decided, {len(used)} done although denied, "
        f"{count(len(good), 'tool')} allowed for good{', and switched off wholesale' if switched_off else ''}.",
        observations=observations,
    )
