"""User Experience: UX and documentation, isolation of tasks, reviews before merges, clean merges, permissions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from nerv.evidence import Evidence, Merge, Review
from nerv.location import Moment
from nerv.rules.criterion import at, count, no_evidence, not_recorded, scored
from nerv.rules.documents import score_ux_and_docs
from nerv.rules.permissions_criterion import score_permissions
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion

_UNCHANGED_APPROVAL = 0.5
_DIRECT_COMMIT = 0.5
_NEVER_MERGED = 0.5


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the five criteria."""
    return (
        score_ux_and_docs(facts),
        _score_isolation(facts),
        _score_review(facts),
        _score_merges(facts),
        score_permissions(facts),
    )


def _score_isolation(facts: RunFacts) -> Criterion:
    if not facts.records("worktrees", "tasks"):
        return not_recorded("isolation", "this kind of source does not record worktrees.")
    evidence = facts.evidence
    if not facts.started_tasks:
        return no_evidence("isolation", "no task was started.")
    if not evidence.workflow.worktrees:
        return no_evidence("isolation", f"no worktree is recorded for {count(len(facts.started_tasks), 'task')}.")
    users = Counter(path for path, _ in {(tree.path, tree.task_id) for tree in evidence.workflow.worktrees})
    own = {
        tree.task_id: tree
        for tree in evidence.workflow.worktrees
        if tree.task_id is not None and (not tree.path or users[tree.path] == 1)
    }
    shared = {tree.task_id for tree in evidence.workflow.worktrees} - own.keys()
    without = [task for task in facts.started_tasks if task.id not in own]
    if len(without) == len(facts.started_tasks):
        return no_evidence("isolation", "no task has its own worktree.")
    observations = [
        at(f"{'shares a worktree' if task.id in shared else 'no worktree'}: {task.title or task.id}", task.location)
        for task in without[:8]
    ]
    observations += [
        at(f"{tree.path or tree.branch or 'a worktree'} for {task}", tree.location)
        for task, tree in sorted(own.items())[:5]
    ]
    isolated = len(facts.started_tasks) - len(without)
    reason = f"{isolated} of {count(len(facts.started_tasks), 'task')} had their own worktree."
    return scored("isolation", len(without) / facts.expected_tasks, reason, observations=observations)


def _score_review(facts: RunFacts) -> Criterion:
    if not facts.records("reviews", "merges"):
        return not_recorded("review", "this kind of source does not record reviews.")
    evidence = facts.evidence
    merged = [merge for merge in evidence.workflow.merges if merge.clean]
    if not merged:
        return no_evidence("review", "nothing was merged, so no review could precede a merge.")
    decided = [review for review in evidence.workflow.reviews if review.decision != "started"]
    if not decided:
        return no_evidence("review", f"{count(len(merged), 'merge')}, but no review has a decision.")
    automatic = [review for review in decided if review.automatic]
    decisions = _decisions_by_task(decided)
    if evidence.workflow.tasks:  # two that belong to no known task need not belong together
        decisions.pop(None, None)
    unapproved = [merge for merge in merged if not _is_approved(merge, decisions)]
    unchanged = _approved_unchanged(evidence, decisions)
    if len(unapproved) == len(merged):
        return no_evidence("review", f"none of {count(len(merged), 'merge')} follows an approval of the same task.")
    observations = [
        at(f"merged without a prior approval: {_merge_name(merge)}", merge.moment) for merge in unapproved[:8]
    ]
    observations += [
        at("approved after a rejection, without a recorded change in between", review.moment)
        for review in unchanged[:4]
    ]
    observations += [at("approved automatically, without a review", review.moment) for review in automatic[:4]]
    approvals = [review for review in decided if review.decision == "approved" and not review.automatic]
    observations += [at(f"approved: {review.task_id or 'the current task'}", review.moment) for review in approvals[:5]]
    again = f"; {count(len(unchanged), 'approval')} of rejected work without a recorded change" if unchanged else ""
    return scored(
        "review",
        (len(unapproved) + _UNCHANGED_APPROVAL * len(unchanged)) / facts.expected_tasks,
        f"{len(merged) - len(unapproved)} of {count(len(merged), 'merge')} followed an approval of its task{again}.",
        observations=observations,
    )


def _merge_name(merge: Merge) -> str:
    return merge.task_id or merge.branch or merge.commit[:10] or merge.text[:60] or "a branch without a name"


def _decisions_by_task(reviews: Iterable[Review]) -> dict[str | None, list[Review]]:
    """Return the decisions on each task."""
    found: dict[str | None, list[Review]] = {}
    for review in reviews:
        if review.decision != "started":
            found.setdefault(review.task_id, []).append(review)
    return found


def _is_approved(merge: Merge, decisions: Mapping[str | None, list[Review]]) -> bool:
    """Return whether the last decision on the merge's task before it was an approval."""
    before = [
        review
        for review in decisions.get(merge.task_id, ())
        if merge.after_review or review.moment.before(merge.moment)
    ]
    if not before:
        return False
    last = before[0]
    for review in before[1:]:
        last = last if review.moment.before(last.moment) else review
    return last.decision == "approved" and not last.automatic


def _approved_unchanged(evidence: Evidence, decisions: Mapping[str | None, list[Review]]) -> list[Review]:
    """Return approvals after a rejection of the same task, without a commit, edit or end of the task in between."""
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
        return not_recorded("merges", "this kind of source does not record merges.")
    evidence = facts.evidence
    clean = [merge for merge in evidence.workflow.merges if merge.clean]
    failed = [merge for merge in evidence.workflow.merges if not merge.clean]
    if not clean:
        text = f"{count(len(failed), 'merge')} failed, and none succeeded." if failed else "nothing was merged."
        return no_evidence("merges", text, [at(f"failed: {_merge_name(merge)}", merge.moment) for merge in failed])
    direct = [commit for commit in evidence.changes.commits if commit.on_main]
    merged = {merge.task_id for merge in clean}
    # started tasks, not only finished ones: a log without completions must not look better
    left = [task for task in facts.started_tasks if task.id not in merged] if merged != {None} else []
    observations = [at(f"the merge failed: {_merge_name(merge)}", merge.moment) for merge in failed[:8]]
    observations += [
        at(f"committed directly to main: {commit.subject[:80] or commit.id[:10]}", commit.moment)
        for commit in direct[:6]
    ]
    observations += [at(f"started and never merged: {task.title or task.id}", task.location) for task in left[:6]]
    observations += [at(f"merged: {_merge_name(merge)}", merge.moment) for merge in clean[:4]]
    violations = len(failed) + _DIRECT_COMMIT * len(direct) + _NEVER_MERGED * len(left)
    return scored(
        "merges",
        violations / facts.expected_tasks,
        f"{count(len(clean), 'clean merge')}, {len(failed)} failed, {count(len(direct), 'direct commit')} to main, "
        f"{count(len(left), 'started task')} never merged.",
        observations=observations,
    )
