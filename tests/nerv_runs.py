"""Generated runs for property tests: a plan that is easy to vary, and the Evidence for it."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import strategies as st

from nerv import rules
from nerv.changes import Repository, RepositoryFile
from nerv.evidence import (
    Activity,
    AgentSession,
    Audit,
    Changes,
    Commit,
    Configuration,
    Cycle,
    Evidence,
    Incidents,
    Merge,
    Permission,
    Resources,
    Review,
    SpecCompletion,
    Subject,
    Task,
    TestSuiteRun,
    TokenUsage,
    Workflow,
    Worktree,
)
from nerv.inspection import Inspection, inspect
from nerv.location import Location, Moment, Occurrences
from nerv.spec import markdown
from notes_service import BAD_CODE, CODE, README, SPEC, TESTS, TITLES

RECORDED: frozenset[Subject] = frozenset(
    [
        "cycles",
        "spec_completion",
        "tasks",
        "worktrees",
        "reviews",
        "merges",
        "permissions",
        "compactions",
        "tools",
        "tests",
        "tokens",
        "cost",
        "time",
        "commits",
        "diff",
        "repository",
    ]  # type: ignore[arg-type]
)

WorktreeUse = Literal["own", "shared", "none"]
Ending = Literal["merged", "failed", "failed then merged", "open"]


@dataclass(frozen=True)
class TaskPlan:
    title: str
    cycle: int = 1
    tree: WorktreeUse = "own"
    reviewed: Literal["approved", "rejected first", "too late", "none"] = "approved"
    ending: Ending = "merged"
    finished: bool = True
    minutes: int = 10
    tokens: int | None = 40_000
    cost: float | None = 0.2


@dataclass(frozen=True)
class Run:
    tasks: tuple[TaskPlan, ...]
    cycles: int = 2
    ticked: tuple[int, ...] = ()
    """Items ticked off at the end of each cycle."""
    boxes: frozenset[int] = frozenset()
    """Items ticked one by one in the run's copy of the spec."""
    audited: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    code: tuple[tuple[str, str], ...] = ()
    test_runs: tuple[tuple[int, int, bool], ...] = ()
    """Passed, failed, whether it is a claim."""
    permissions: tuple[str, ...] = ()
    compactions: int = 0
    compactions_counted: bool = True
    timeouts: int = 0
    errors: int = 0
    loops: int = 0
    tool_errors: int = 0
    on_main: int = 0
    empty_commits: int = 0
    usage_known: bool = True
    times_known: bool = True
    sessions_known: bool = True

    def changed(self, **changes: object) -> Run:
        """Return the run with these changes."""
        return replace(self, **changes)  # type: ignore[arg-type]


@functools.lru_cache(maxsize=500)
def inspected(code: tuple[tuple[str, str], ...]) -> Inspection:
    return inspect(evidence(Run(tasks=(), code=code)).changes.written)


def scored(run: Run) -> dict[str, int | None]:
    """Return the score of every criterion and category; the same code is inspected once."""
    found: dict[str, int | None] = {}
    for category in rules.score(evidence(run), inspected(run.code)):
        found[category.key] = category.score
        found.update({criterion.key: criterion.score for criterion in category.criteria})
    return found


def evidence(run: Run) -> Evidence:
    """Return the evidence for a run."""
    writer = _Writer(run)
    spec = markdown.parse(SPEC, "spec.md")
    items = tuple(replace(item, ticked=item.number - 1 in run.boxes) for item in spec.items)
    return writer.evidence(replace(spec, items=items), [item.text for item in items])


class _Writer:
    """Writes the facts of the plan in chronological order, one line each."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.line = 0

    def moment(self, ms: int | None = None) -> Moment:
        self.line += 1
        return Moment(
            location=Location(file="event-log.jsonl", line=self.line), ms=self.line * 1_000 if ms is None else ms
        )

    def occurrences(self, count: int) -> Occurrences:
        return Occurrences.of(self.moment() for _ in range(count))

    def evidence(self, spec: object, texts: list[str]) -> Evidence:
        run = self.run
        cycles, completion, tasks = [], [], []
        reviews: list[Review] = []
        merges: list[Merge] = []
        trees: list[Worktree] = []
        for number in range(1, run.cycles + 1):
            started = self.moment()
            for index, plan in enumerate(run.tasks):
                if plan.cycle == number:
                    tasks.append(self._task(index, plan, reviews, merges, trees))
            if number <= len(run.ticked):
                point = SpecCompletion(
                    moment=self.moment(), checked=run.ticked[number - 1], total=len(texts), cycle=number
                )
                completion.append(point)
            cycles.append(Cycle(number=number, goal="", started=started, completed=self.moment()))
        files = tuple(
            RepositoryFile(path=path, text=text, location=Location(file=f"repo/{path}")) for path, text in run.code
        )
        known = [task.usage for task in tasks if task.usage.tokens is not None]
        return Evidence(
            kind="nerv",
            recorded=RECORDED,
            spec=spec,  # type: ignore[arg-type]
            configuration=Configuration(has_permission_system=True, permissions_bypassed="bypassed" in run.permissions),
            workflow=Workflow(
                cycles=tuple(cycles),
                completion=tuple(completion),
                audits=self._audits(texts),
                tasks=tuple(tasks),
                reviews=tuple(reviews),
                merges=tuple(merges),
                worktrees=tuple(trees),
                permissions=tuple(self._permission(kind) for kind in run.permissions if kind != "bypassed"),
            ),
            changes=Changes(
                commits=self._commits(),
                repository=Repository(paths=tuple(path for path, _ in run.code), files=files) if files else None,
            ),
            activity=Activity(
                test_runs=tuple(
                    TestSuiteRun(
                        moment=self.moment(),
                        command="pytest",
                        passed=passed,
                        failed=failed,
                        succeeded=failed == 0,
                        strength="claimed" if claim else "recorded",
                    )
                    for passed, failed, claim in run.test_runs
                ),
                sessions=(AgentSession(id="s", location=Location(file="stream.jsonl", line=1)),)
                if run.sessions_known
                else (),
            ),
            resources=Resources(
                compactions=self.occurrences(run.compactions),
                compactions_counted=run.compactions_counted,
                usage=TokenUsage(
                    input_tokens=sum(usage.tokens or 0 for usage in known),
                    cost_usd=sum(usage.cost_usd or 0 for usage in known),
                )
                if known and run.usage_known
                else TokenUsage(),
                working_ms=sum(task.working_ms or 0 for task in tasks) if run.times_known and tasks else None,
            ),
            incidents=Incidents(
                tool_errors=self.occurrences(run.tool_errors),
                task_errors=self.occurrences(run.errors),
                task_timeouts=self.occurrences(run.timeouts),
                loops=self.occurrences(run.loops),
            ),
        )

    def _task(
        self, index: int, plan: TaskPlan, reviews: list[Review], merges: list[Merge], trees: list[Worktree]
    ) -> Task:
        key = f"t{index}"
        started = self.moment()
        if plan.tree != "none":
            path = f"trees/{key}" if plan.tree == "own" else "trees/shared"
            trees.append(Worktree(path=path, branch=key, task_id=key, location=started.location))
        ended = self.moment()
        if plan.reviewed == "rejected first":
            reviews.append(Review(task_id=key, moment=self.moment(), decision="changes_requested"))
        if plan.reviewed in ("approved", "rejected first"):
            reviews.append(Review(task_id=key, moment=self.moment(), decision="approved"))
        if plan.ending in ("failed", "failed then merged"):
            merges.append(Merge(task_id=key, moment=self.moment(), clean=False))
        if plan.ending in ("merged", "failed then merged"):
            merges.append(Merge(task_id=key, moment=self.moment(), clean=True))
        if plan.reviewed == "too late":
            reviews.append(Review(task_id=key, moment=self.moment(), decision="approved"))
        return Task(
            id=key,
            title=plan.title,
            status="completed" if plan.finished else "timed_out",
            location=started.location,
            cycle=plan.cycle,
            started=started,
            ended=ended,
            working_ms=plan.minutes * 60_000,
            usage=TokenUsage(input_tokens=plan.tokens, cost_usd=plan.cost),
        )

    def _audits(self, texts: list[str]) -> tuple[Audit, ...]:
        if not self.run.audited and not self.run.missed:
            return ()
        met = tuple(texts[index] for index in sorted(self.run.audited - self.run.missed))
        missed = tuple(texts[index] for index in sorted(self.run.missed))
        return (
            Audit(
                location=Location(file="cycles/1/audit-report.json"), cycle=1, passed=not missed, met=met, missed=missed
            ),
        )

    def _permission(self, kind: str) -> Permission:
        asked = self.moment() if kind != "unasked" else None
        decided = self.moment() if kind != "pending" else None
        return Permission(
            tool="Bash",
            request="rm -r build",
            task_id=None,
            asked=asked,
            decided=decided,
            decision="pending" if kind == "pending" else "denied" if "denied" in kind else "approved",
            used_after_denial=self.moment() if kind == "denied and used" else None,
        )

    def _commits(self) -> tuple[Commit, ...]:
        straight = [
            Commit(id=f"m{n}", subject="fix", moment=self.moment(), parents=1, on_main=True, added=3, removed=0)
            for n in range(self.run.on_main)
        ]
        empty = [
            Commit(id=f"e{n}", subject="again", moment=self.moment(), parents=1, on_main=False, added=0, removed=0)
            for n in range(self.run.empty_commits)
        ]
        return (*straight, *empty)


_CODE_BASES = (
    (),
    tuple(CODE.items()),
    tuple(TESTS.items()),
    (*CODE.items(), *TESTS.items()),
    (*CODE.items(), *TESTS.items(), *BAD_CODE.items()),
    (*list(CODE.items())[:1], *list(TESTS.items())[:1], *list(BAD_CODE.items())[:2]),
    (*list(CODE.items())[1:], *list(TESTS.items())[1:], *list(BAD_CODE.items())[2:]),
    tuple(BAD_CODE.items()),
)
"""A small number, so that each is inspected only once for all examples."""


task_plans = st.builds(
    TaskPlan,
    title=st.sampled_from(TITLES),
    cycle=st.integers(1, 2),
    tree=st.sampled_from(("own", "own", "own", "shared", "none")),
    reviewed=st.sampled_from(("approved", "approved", "rejected first", "too late", "none")),
    ending=st.sampled_from(("merged", "merged", "merged", "failed", "failed then merged", "open")),
    finished=st.sampled_from((True, True, True, False)),
    minutes=st.integers(1, 200),
    tokens=st.one_of(st.integers(1_000, 900_000), st.just(40_000)),
    cost=st.floats(0.01, 5),
)
items = st.frozensets(st.integers(0, 7))


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Strategy for any run, from excellent to useless."""
    ticked = sorted(draw(st.lists(st.integers(0, 8), min_size=0, max_size=2)))
    code = draw(st.sampled_from(_CODE_BASES))
    readme = draw(st.sampled_from(("", README, "# Notes\n")))
    return Run(
        tasks=tuple(draw(st.lists(task_plans, min_size=0, max_size=5))),
        ticked=tuple(ticked),
        boxes=draw(items),
        audited=draw(items),
        missed=draw(st.one_of(st.just(frozenset()), items)),
        code=code + ((("README.md", readme),) if readme else ()),
        test_runs=tuple(
            draw(st.lists(st.tuples(st.integers(0, 9), st.sampled_from((0, 0, 0, 1, 5)), st.booleans()), max_size=3))
        ),
        permissions=tuple(draw(st.lists(st.sampled_from(("approved", "pending", "denied", "unasked")), max_size=3))),
        compactions=draw(st.integers(0, 4)),
        compactions_counted=draw(st.booleans()),
        timeouts=draw(st.integers(0, 3)),
        errors=draw(st.integers(0, 3)),
        loops=draw(st.integers(0, 2)),
        tool_errors=draw(st.integers(0, 30)),
        on_main=draw(st.integers(0, 3)),
        usage_known=draw(st.sampled_from((True, True, True, False))),
        times_known=draw(st.sampled_from((True, True, True, False))),
    )
