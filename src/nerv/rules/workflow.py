"""Workflow Quality: progress of the spec, scoping of tasks, delivery in every cycle, alignment with the spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from nerv.evidence import Cycle, Merge, SpecCompletion
from nerv.location import Moment
from nerv.rules.criterion import at, count, listed, no_evidence, not_recorded, scored, tallied
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion, Observation

_ERROR, _TOOL_ERROR = 0.5, 0.03
_SIZE_PENALTIES = ((100, 3.0), (30, 2.0), (10, 1.0))
_SMALLEST_MS = 60_000
_UNFINISHED_AT_MOST = ((1.0, 2), (2 / 3, 4), (1 / 3, 6), (0.0, 10))
"""Limits by the number of unfinished tasks, as a share of the tasks that a spec of this size is expected to take."""
_CONFIRMED_SHARE = 0.25
_ONLY_COMPLETED, _ONLY_MERGED = 0.4, 0.3
_ITEMS_WITH_TASKS = 0.8
_UNRELATED_PENALTY = 0.6


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the four criteria."""
    return (_score_progression(facts), _score_scoping(facts), _score_delivery(facts), _score_alignment(facts))


@dataclass(frozen=True, slots=True)
class _SpecProgress:
    """Completion of the spec, cycle by cycle, as shares of it."""

    reached: Mapping[int, float]
    """The best share in each cycle; 0 where none is recorded."""
    moved: frozenset[int]
    """Cycles that completed more than all before them."""
    lost: float
    final: float
    backed: float
    """The share that tests or audits confirm; the counts themselves are claims of the run."""

    def credited(self, enough: float) -> float:
        """Return the reached share of `enough`; a quarter of it requires tests or audits."""
        claimed = min(1.0, self.final / enough)
        confirmed = min(1.0, min(self.final, self.backed) / enough)
        return (1 - _CONFIRMED_SHARE) * claimed + _CONFIRMED_SHARE * confirmed


def _spec_progress(facts: RunFacts) -> _SpecProgress:
    shares = [
        (point, min(1.0, point.checked / point.total))
        for point in facts.evidence.workflow.completion
        if point.total > 0
    ]
    cycles = sorted(
        {cycle.number for cycle in facts.evidence.workflow.cycles} | {p.cycle for p, _ in shares if p.cycle is not None}
    )
    reached = {number: max((share for p, share in shares if p.cycle == number), default=0.0) for number in cycles}
    best, moved = 0.0, set()
    for number in cycles:
        if reached[number] > best:
            best = reached[number]
            moved.add(number)
    lost = sum(max(0.0, before - after) for (_, before), (_, after) in pairwise(shares))
    contradicted = sum(value < 0 for value in facts.requirements.values) / max(1, len(facts.requirements.each))
    final = min(shares[-1][1], 1 - contradicted) if shares else 0.0
    return _SpecProgress(reached, frozenset(moved), lost, final, facts.requirements.backed)


def _score_progression(facts: RunFacts) -> Criterion:
    if not facts.records("spec_completion"):
        return not_recorded("progression", "this kind of source does not record the completion of the spec over time.")
    completion = facts.evidence.workflow.completion
    if not completion:
        return no_evidence("progression", "the completion of the spec is not recorded.")
    progress = _spec_progress(facts)
    rising = len(progress.moved) / len(progress.reached) if progress.reached else 0.0
    cycles = f"{len(progress.moved)} of {count(len(progress.reached), 'cycle')} raised it"
    fell = f", and {progress.lost:.0%} of it was lost again" if progress.lost else ""
    return scored(
        "progression",
        0.6 * progress.credited(1) + 0.4 * rising - progress.lost,
        facts.lacking_text(
            f"The spec's completion ended at {progress.final:.0%}, {_backing_text(facts)}; {cycles}{fell}."
        ),
        observations=[_completion_observation(point) for point in _last_of_each_cycle(completion)],
        certainty="claimed",
        at_most=facts.lacking_at_most,
    )


def _backing_text(facts: RunFacts) -> str:
    backed = facts.requirements.backed
    return f"with {backed:.0%} confirmed by tests or audits" if backed else "by the run's own count alone"


def _last_of_each_cycle(completion: tuple[SpecCompletion, ...]) -> Iterable[SpecCompletion]:
    """Return the last count of each cycle."""
    return {point.cycle: point for point in completion}.values()


def _completion_observation(point: SpecCompletion) -> Observation:
    cycle = f"cycle {point.cycle}: " if point.cycle is not None else ""
    return at(f"{cycle}{point.checked} of {point.total} ticked off", point.moment)


def _score_scoping(facts: RunFacts) -> Criterion:
    if not facts.records("tasks"):
        return not_recorded("scoping", "this kind of source has no tasks.")
    if not facts.started_tasks:
        return no_evidence("scoping", "no task was started.")
    if not facts.finished_tasks:
        return no_evidence("scoping", f"none of {count(len(facts.started_tasks), 'started task')} was finished.")
    if not facts.completed_items:
        return no_evidence(
            "scoping", f"{count(len(facts.started_tasks), 'task')}, but no item of the spec was completed."
        )
    evidence = facts.evidence
    # an incident counts whether the log or a task's own files mention it
    timeouts = max(evidence.incidents.task_timeouts.count, sum(task.timeouts.count for task in evidence.workflow.tasks))
    errors = max(evidence.incidents.task_errors.count, sum(task.errors.count for task in evidence.workflow.tasks))
    loops = max(evidence.incidents.loops.count, sum(task.loops.count for task in evidence.workflow.tasks))
    tool_errors = max(evidence.incidents.tool_errors.count, sum(task.tool_errors for task in evidence.workflow.tasks))
    unfinished = [task for task in evidence.workflow.tasks if task.status != "completed"]
    apart, sizes = _size_spread(facts)
    violations = (
        len(unfinished)
        + timeouts
        + loops
        + _ERROR * (errors + evidence.incidents.phase_errors.count)
        + _TOOL_ERROR * tool_errors
        + apart
    )
    observations = [
        *(
            at(f"not finished: {task.title or task.id} ({task.status.replace('_', ' ')})", task.location)
            for task in unfinished[:5]
        ),
        *tallied(evidence.incidents.task_timeouts, "a task timed out"),
        *tallied(evidence.incidents.loops, "a task was stuck in a loop"),
        *tallied(evidence.incidents.task_errors, "an error in a task"),
        *tallied(evidence.incidents.phase_errors, "an error in a phase"),
        *tallied(evidence.incidents.tool_errors, "a tool error", most=2),
        *sizes,
    ]
    counts = (
        f"{len(facts.finished_tasks)} of {count(len(evidence.workflow.tasks), 'task')} finished, "
        f"{count(timeouts, 'time-out')}, {count(errors, 'error')}, {count(loops, 'loop')}, "
        f"{count(tool_errors, 'tool error')}"
    )
    figure = violations / facts.completed_items
    at_most = next(score for share, score in _UNFINISHED_AT_MOST if len(unfinished) >= share * facts.expected_tasks)
    return scored(
        "scoping",
        figure,
        f"{counts}: {figure:.2f} per completed item, where small ones count in part.",
        observations=observations,
        at_most=at_most,
    )


def _size_spread(facts: RunFacts) -> tuple[float, list[Observation]]:
    """Return the penalty for finished tasks of very different sizes; more tasks can only raise it."""
    sized = [(max(task.working_ms, _SMALLEST_MS), task) for task in facts.finished_tasks if task.working_ms is not None]
    if len(sized) < 2:
        return 0.0, []
    (least, small), (most, large) = min(sized, key=lambda one: one[0]), max(sized, key=lambda one: one[0])
    for times, violations in _SIZE_PENALTIES:
        if most > times * least:
            text = f"{large.title or large.id} took {most / least:.0f} times as long as {small.title or small.id}"
            return violations, [at(text, large.location)]
    return 0.0, []


def _score_delivery(facts: RunFacts) -> Criterion:
    if not facts.records("cycles", "merges", "spec_completion"):
        return not_recorded("delivery", "this kind of source does not record what each cycle completed.")
    progress = _spec_progress(facts)
    if not progress.reached:
        return no_evidence("delivery", "no cycle is recorded.")
    cycles = {task.id: task.cycle for task in facts.evidence.workflow.tasks}
    merged = {
        number for merge in facts.evidence.workflow.merges if merge.clean for number in _cycle_of(merge, cycles, facts)
    }
    worth, observations = 0.0, []
    for number in progress.reached:
        has_merged, has_moved = number in merged, number in progress.moved
        worth += 1 if has_merged and has_moved else _ONLY_COMPLETED * has_moved + _ONLY_MERGED * has_merged
        if not (has_merged and has_moved):
            missing = ["merged nothing"] * (not has_merged) + ["completed no item"] * (not has_moved)
            observations.append(at(f"cycle {number} {' and '.join(missing)}", _start_of(number, facts)))
    both = sorted(merged & progress.moved)
    observations += [at(f"cycle {number} merged work and completed items", _start_of(number, facts)) for number in both]
    of_all = count(len(progress.reached), "cycle")
    return scored(
        "delivery",
        worth / len(progress.reached) * progress.credited(0.5),
        facts.lacking_text(
            f"{len(both)} of {of_all} merged work and completed items, up to {progress.final:.0%} of the spec, "
            f"{_backing_text(facts)}."
        ),
        observations=observations,
        at_most=facts.lacking_at_most,
    )


def _start_of(number: int, facts: RunFacts) -> Moment | None:
    found = next((cycle for cycle in facts.evidence.workflow.cycles if cycle.number == number), None)
    return (found.started or found.completed) if found is not None else None


def _cycle_of(merge: Merge, cycles: Mapping[str, int | None], facts: RunFacts) -> list[int]:
    """Return the cycle of a merge: that of its task, or else the one in progress at the time."""
    cycle = cycles.get(merge.task_id) if merge.task_id is not None else None
    if cycle is not None:
        return [cycle]
    return [cycle.number for cycle in facts.evidence.workflow.cycles if _during(merge, cycle)][-1:]


def _during(merge: Merge, cycle: Cycle) -> bool:
    begun = cycle.started is None or cycle.started.before(merge.moment)
    over = cycle.completed is not None and cycle.completed.before(merge.moment)
    return begun and not over


def _score_alignment(facts: RunFacts) -> Criterion:
    if not facts.records("tasks"):
        return not_recorded("alignment", "this kind of source has no tasks.")
    items = facts.evidence.spec.items
    if not facts.evidence.workflow.tasks or not items:
        return no_evidence("alignment", "no task is recorded.")
    items_by_task = {index for task in facts.finished_tasks for index in facts.items_by_task[task.id]}
    unrelated = [task for task in facts.evidence.workflow.tasks if not facts.items_by_task[task.id]]
    share = min(1.0, len(items_by_task) / len(items) / _ITEMS_WITH_TASKS)
    penalty = _UNRELATED_PENALTY * min(1.0, len(unrelated) / facts.expected_tasks)
    alone = [item for index, item in enumerate(items) if index not in items_by_task]
    reason = (
        f"{len(items_by_task)} of {count(len(items), 'item')} have a finished task; "
        f"{len(unrelated)} of {count(len(facts.evidence.workflow.tasks), 'task')} serve none"
    )
    named = f" ({listed(task.title or task.id for task in unrelated)})" if unrelated else ""
    return scored(
        "alignment",
        share * (1 - penalty),
        facts.lacking_text(f"{reason}{named}."),
        observations=[
            *(at(f"serves no item: {task.title or task.id}", task.location) for task in unrelated[:5]),
            *(at(f"no finished task for: {item.text}", item.location) for item in alone[:8]),
        ],
        certainty="inferred",
        at_most=facts.lacking_at_most,
    )
