"""Meaning of each kind of event; independent of files."""

from __future__ import annotations

import re
from collections.abc import Callable

from nerv.evidence import Audit, Merge, Review, ReviewDecision, SpecCompletion, Worktree
from nerv.readers.event_fields import Event, amount, shorten, whole_number
from nerv.readers.nerv_folder.permissions import PermissionMatcher
from nerv.readers.nerv_folder.reviews import decision_in, is_automatic, is_bare_approval
from nerv.readers.run_record import MOST_CYCLES, RunRecord, TaskRecord

_MOST_COMPLETIONS = 2_000
_COUNT_IN_LABEL = re.compile(r"\b(\d{1,6})\s*/\s*(\d{1,6})\b")


class EventCollector:
    """Collects the events of one log, in the order of its lines, into a RunRecord."""

    def __init__(self, record: RunRecord, spec_items: int) -> None:
        self.record = record
        self.matcher = PermissionMatcher(record)
        self._spec_items = spec_items
        self._cycle: int | None = None
        self._open: dict[str, None] = {}
        """Tasks that have started and not ended, in order."""
        self._last_ended: str | None = None
        self._approved_unseen: set[str | None] = set()
        """Tasks whose latest review says at its start that it approves without looking."""
        self._looked_at: set[str | None] = set()
        """Tasks with a review that has begun, or has a result."""
        self._kinds: dict[str, Callable[[Event], object]] = {
            "cycle_started": self._cycle_started,
            "cycle_transition": self._cycle_started,
            "cycle_completed": self._cycle_completed,
            "tasks_created": self._tasks_created,
            "task_created": self._task_of,
            "task_started": self._task_started,
            "task_completed": self._task_completed,
            "task_error": self._task_error,
            "task_timeout": self._task_timeout,
            "loop_dialog_dismissed": self._loop,
            "worktree_created": self._worktree_created,
            "worktree_merged": lambda event: self._merge(event, clean=True),
            "worktree_merge_failed": lambda event: self._merge(event, clean=False),
            "review_started": lambda event: self._review(event, "started"),
            "review_decision": lambda event: self._review(event, _decision(event)),
            "review_result": lambda event: self._review(event, _decision(event)),
            "review_rejected": lambda event: self._review(event, "rejected"),
            "human_review_approved": lambda event: self._review(event, "approved"),
            "human_review_changes_requested": lambda event: self._review(event, "changes_requested"),
            "permission_requested": self.matcher.requested,
            "permission_approved": lambda event: self.matcher.decided(event, "approved"),
            "permission_always_allowed": lambda event: self.matcher.decided(event, "always_allowed"),
            "permission_denied": lambda event: self.matcher.decided(event, "denied"),
            "permission_decision": self.matcher.decision_named,
            "spec_completion": self._spec_completion,
            "audit_completed": self._audit,
            "audit_passed": self._audit,
            "audit_failed": self._audit,
            "compaction": self._compaction,
            "tool_call": self._tool_call,
            "tool_error": self._count_tool_error,
            "phase_error": lambda event: self.record.phase_errors.add(event.moment),
        }

    def take(self, event: Event) -> None:
        """Record the next event."""
        self.record.count_event(event.kind, event.ms)
        handler = self._kinds.get(event.kind)
        if handler:
            handler(event)

    # --- cycles

    def _cycle_started(self, event: Event) -> None:
        number = event.cycle
        if number is None:
            known = self.record.cycle_ids.get(str(event.line.cycleId)) if event.line.cycleId else None
            number = known if known is not None else (self._cycle if self._cycle is not None else 0) + 1
        if isinstance(event.line.cycleId, str) and len(self.record.cycle_ids) < MOST_CYCLES:
            self.record.cycle_ids[event.line.cycleId[:200]] = number
        self._cycle = number
        cycle = self.record.cycle(number)
        if cycle:
            cycle.started = cycle.started or event.moment
            goal = event.line.goal if isinstance(event.line.goal, str) else event.label
            cycle.goal = cycle.goal or shorten(goal)

    def _cycle_completed(self, event: Event) -> None:
        number = event.cycle
        if number is None and isinstance(event.line.cycleId, str):
            number = self.record.cycle_ids.get(event.line.cycleId[:200])
        if number is None:
            number = self._cycle
        if number is None:
            return
        cycle = self.record.cycle(number)
        if cycle:
            cycle.completed = event.moment

    def _spec_completion(self, event: Event) -> None:
        total = whole_number(event.line.total) or self._spec_items
        checked = whole_number(event.line.checked)
        if checked is None and (match := _COUNT_IN_LABEL.search(event.label)):  # a timeline has only the label
            checked, total = int(match[1]), int(match[2])
        percent = amount(event.line.pct)
        if checked is None and percent is not None:
            checked = round(percent * total / 100)
        if checked is None or not total:
            return
        cycle = event.cycle if event.cycle is not None else self._cycle
        point = SpecCompletion(moment=event.moment, checked=max(0, min(checked, total)), total=total, cycle=cycle)
        kept = self.record.completion
        if kept and (kept[-1].checked, kept[-1].total, kept[-1].cycle) == (point.checked, point.total, point.cycle):
            return
        if len(kept) == _MOST_COMPLETIONS:
            del kept[_MOST_COMPLETIONS // 2]
        kept.append(point)

    def _audit(self, event: Event) -> None:
        passed = event.line.passed if isinstance(event.line.passed, bool) else None
        if event.kind != "audit_completed":
            passed = event.kind == "audit_passed"
        audit = Audit(
            location=event.moment.location,
            cycle=event.cycle if event.cycle is not None else self._cycle,
            passed=passed,
            text=shorten(event.label),
        )
        self.record.keep(self.record.audits, audit, "audits", MOST_CYCLES)

    # --- tasks

    def _tasks_created(self, event: Event) -> None:
        listed = event.line.tasks if isinstance(event.line.tasks, list) else event.line.taskIds
        for each in listed if isinstance(listed, list) else ():
            fields = each if isinstance(each, dict) else {"id": each}
            if isinstance(fields.get("id"), str | int):
                task = self.record.task(str(fields["id"])[:200], event.moment.location)
                if task:
                    task.cycle = self._cycle if task.cycle is None else task.cycle
                    self._name(task, str(fields.get("title") or fields.get("description") or ""))

    def _task_started(self, event: Event) -> None:
        task = self._task_of(event)
        if task is None:
            return
        task.started = task.started or event.moment
        if task.status in ("created", "failed", "timed_out"):
            task.status = "started"
        number = event.cycle if event.cycle is not None else self._cycle
        task.cycle = number if task.cycle is None else task.cycle
        self._open[task.id] = None
        worktree = event.line.worktree or event.line.worktreePath
        if isinstance(worktree, str) and worktree:
            self._add_worktree(event, task.id, worktree)

    def _task_completed(self, event: Event) -> None:
        task = self._task_of(event) or self._only_open_task()
        if task is None:
            return
        failed = isinstance(event.line.status, str) and event.line.status.lower() in ("failed", "error", "cancelled")
        task.status = "failed" if failed or event.line.success is False else "completed"
        task.completions += task.status == "completed"
        self._end(task, event)

    def _task_error(self, event: Event) -> None:
        self.record.task_errors.add(event.moment)
        task = self._task_of(event, make=False) or self._only_open_task()
        if task:
            task.errors.add(event.moment)
            if task.status != "completed":
                task.status = "failed"
            self._end(task, event)

    def _task_timeout(self, event: Event) -> None:
        self.record.task_timeouts.add(event.moment)
        task = self._task_of(event, make=False) or self._only_open_task()
        if task:
            task.timeouts.add(event.moment)
            if task.status != "completed":
                task.status = "timed_out"
            self._end(task, event)

    def _loop(self, event: Event) -> None:
        self.record.loops.add(event.moment)
        task = self._task_of(event, make=False) or self._only_open_task()
        if task:
            task.loops.add(event.moment)

    def _compaction(self, event: Event) -> None:
        self.record.compactions.add(event.moment)
        task = self._task_of(event, make=False) or self._only_open_task()
        if task:
            task.compactions += 1

    def _tool_call(self, event: Event) -> None:
        self.record.tool_calls.happened(lambda: event.moment)
        task = self._task_of(event, make=False)
        if task:
            task.tool_calls += 1
        if event.line.success is False:
            self._count_tool_error(event)

    def _count_tool_error(self, event: Event) -> None:
        self.record.tool_errors.happened(lambda: event.moment)
        task = self._task_of(event, make=False)
        if task:
            task.tool_errors += 1

    # --- worktrees, reviews, merges

    def _worktree_created(self, event: Event) -> None:
        path = event.line.worktreePath or event.line.path or event.line.worktree
        task = self._task_of(event, make=False)
        self._add_worktree(event, task.id if task else event.task_id, path if isinstance(path, str) else "")

    def _add_worktree(self, event: Event, task_id: str | None, path: str) -> None:
        branch = event.line.branch if isinstance(event.line.branch, str) else ""
        worktree = Worktree(path=shorten(path), branch=shorten(branch), task_id=task_id, location=event.moment.location)
        self.record.keep(self.record.worktrees, worktree, "worktrees")

    def _review(self, event: Event, decision: ReviewDecision) -> None:
        task_id = self._attributed(event)
        text = event.label or (event.line.message if isinstance(event.line.message, str) else "")
        if decision == "started":
            (self._approved_unseen.add if is_automatic(text) else self._approved_unseen.discard)(task_id)
        bare = is_bare_approval(text) and task_id not in self._looked_at
        if decision == "started" or event.kind == "review_result":
            self._looked_at.add(task_id)
        review = Review(
            task_id=task_id,
            moment=event.moment,
            decision=decision,
            by_person=event.kind.startswith("human_") or event.line.reviewer == "human",
            automatic=decision == "approved" and (bare or task_id in self._approved_unseen or is_automatic(text)),
            text=shorten(text),
        )
        self.record.keep(self.record.reviews, review, "reviews")

    def _merge(self, event: Event, *, clean: bool) -> None:
        task_id = self._attributed(event)
        merge = Merge(
            task_id=task_id,
            moment=event.moment,
            clean=clean,
            branch=shorten(event.line.branch) if isinstance(event.line.branch, str) else "",
            text=shorten(event.label),
        )
        self.record.keep(self.record.merges, merge, "merges")
        if task_id in self.record.tasks and clean:
            self.record.tasks[task_id].merged = True

    # --- attribution to tasks

    def _task_of(self, event: Event, *, make: bool = True) -> TaskRecord | None:
        """Return the task that an event names; a task without an id is identified by its label."""
        task_id = event.task_id
        if task_id is None and make:
            task_id = shorten(event.label)[:200] or None
        if task_id is None:
            return None
        task = self.record.tasks.get(task_id)
        if task is None and make:
            task = self.record.task(task_id, event.moment.location)
        if task and make:
            self._name(task, event.title)
        return task

    def _name(self, task: TaskRecord, title: str) -> None:
        if len(title) > len(task.title) and title != task.id:
            task.title = shorten(title)

    def _only_open_task(self) -> TaskRecord | None:
        return self.record.tasks.get(next(iter(self._open))) if len(self._open) == 1 else None

    def _attributed(self, event: Event) -> str | None:
        """Return the task of a review or merge: the named one, the only open one, or the last one if unmerged."""
        if event.task_id is not None:
            return event.task_id
        task = self._only_open_task()
        if ((task is None and not self._open) or (task is not None and task.merged)) and self._last_ended:
            last = self.record.tasks.get(self._last_ended)
            task = last if last and not last.merged else task
        if task is None:
            return None
        task.attributed = False
        return task.id

    def _end(self, task: TaskRecord, event: Event) -> None:
        task.ended = event.moment
        self._open.pop(task.id, None)
        self._last_ended = task.id


def _decision(event: Event) -> ReviewDecision:
    """Return a review's decision, by its field or else its label; an unclear one is not an approval."""
    if isinstance(event.line.approved, bool):
        return "approved" if event.line.approved else "changes_requested"
    return decision_in(event.line.decision if isinstance(event.line.decision, str) else event.label)
