"""Evidence: everything known about a run, whatever its source. Rules and judges see nothing else.

Bounded by construction: a log of 1 GB becomes counts, with the first few locations of each thing counted.
Every list is in chronological order (in the order of the source's lines where there is no time) and states its limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nerv.actions import NO_ACTIONS, Actions
from nerv.changes import Diff, OtherCommit, Repository, SourceText, written_sources
from nerv.location import NEVER, Location, Moment, Occurrences
from nerv.spec import Spec

Subject = Literal[
    "cycles",  # cycles, their beginnings and ends
    "spec_completion",  # how much of the spec was done, over time
    "tasks",  # tasks, their beginnings and ends, time-outs, errors
    "worktrees",  # which task worked where
    "reviews",  # decisions before merges
    "merges",  # of a task's branch into the main one, clean or failed
    "permissions",  # asked, decided, respected
    "compactions",  # of the model's context
    "tools",  # tool calls and their errors
    "tests",  # test runs and their results
    "tokens",
    "cost",
    "time",
    "commits",
    "diff",
    "repository",
]
"""Subjects that a kind of source can know. Each reader states its own once; the content of a log never changes that."""

TaskStatus = Literal["created", "started", "completed", "failed", "timed_out"]
ReviewDecision = Literal["started", "approved", "changes_requested", "rejected"]
PermissionDecision = Literal["pending", "approved", "always_allowed", "denied"]
Strength = Literal["recorded", "claimed"]
"""`recorded`: a machine wrote down what happened (an exit code, a test runner's summary). `claimed`: a label or a
model's sentence says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens and cost; None, never 0, where a figure is not known."""

    input_tokens: int | None = None
    """Fresh input: neither read from nor written to the cache."""
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_usd: float | None = None
    cost_is_estimated: bool = False
    """Computed from list prices, because the source has tokens and no cost."""
    location: Location | None = None
    """Location of the figure; None where it is a sum over many lines."""

    @property
    def tokens(self) -> int | None:
        """The total of input, output, cache reads and cache writes; None where none of them is known."""
        known = [
            count
            for count in (self.input_tokens, self.output_tokens, self.cache_read_tokens, self.cache_write_tokens)
            if count is not None
        ]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A review's start or its decision."""

    task_id: str | None
    moment: Moment
    decision: ReviewDecision
    by_person: bool = False
    automatic: bool = False
    """Approved by a machine without a review ("auto-approved", "force-approved")."""
    text: str = ""
    """The label or the justification, cut to 500 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """One attempt to merge a branch into the main branch."""

    task_id: str | None
    moment: Moment
    clean: bool
    """False: it failed, or left conflicts."""
    branch: str = ""
    commit: str = ""
    """The merge commit, if git has it."""
    text: str = ""
    after_review: bool = False
    """Recorded without a time, by a pipeline that reviews every task before it merges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worktree:
    """A working copy, and the task that used it."""

    path: str
    """Empty if it is not recorded."""
    branch: str
    task_id: str | None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """A permission that the agent asked for, and the decision."""

    tool: str
    request: str
    """The command or the input, cut to 500 characters."""
    task_id: str | None
    asked: Moment | None
    """None: a decision without a recorded request."""
    decided: Moment | None
    decision: PermissionDecision
    used_after_denial: Moment | None = None
    """A later call of the same tool with the same input that went through although it had been denied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSuiteRun:
    """One run of a test suite."""

    moment: Moment
    command: str
    passed: int | None
    """None: it ran, and the counts are not known."""
    failed: int | None
    """Failures and errors."""
    succeeded: bool
    """The runner's exit code, or its summary: at least one test ran and none failed."""
    task_id: str | None = None
    strength: Strength = "recorded"
    ran: bool = True
    """False: the tests could not be started (no runner, a missing module), which is not a failure of theirs."""
    acceptance: bool = False
    """Tests of a benchmark, which the agent did not see, run by the benchmark."""
    targets: tuple[str, ...] = ()
    """Files, folders and modules that the command was limited to; none: the whole suite."""

    __test__ = False  # for pytest, which collects by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of the run."""

    id: str
    subject: str
    moment: Moment
    parents: int
    """2 and more: a merge. 0: the root, or not known."""
    on_main: bool
    """Made straight on the main branch: not a merge, on its first-parent line, and not its first commit."""
    added: int | None = None
    removed: int | None = None
    """None: not known (a plain git-log.txt). Both 0: an empty commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecCompletion:
    """The number of spec items that were ticked off at a moment."""

    moment: Moment
    checked: int
    total: int
    cycle: int | None
    """The number of the cycle that was under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """An audit of a cycle: somebody other than the worker compared the result with the spec."""

    location: Location
    cycle: int | None
    passed: bool | None
    met: tuple[str, ...] = ()
    """Texts of the requirements that it found met; empty if it names none."""
    missed: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """One round of plan, work, review."""

    number: int
    goal: str
    started: Moment | None
    completed: Moment | None
    usage: TokenUsage = TokenUsage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One piece of work that was given to an agent."""

    id: str
    title: str
    """The longest label or title that is not just the task's id, cut to 500 characters."""
    status: TaskStatus
    """The last one: a task that timed out and was completed later is completed, with its time-out counted below."""
    location: Location
    """Location of the first event that names it."""
    cycle: int | None = None
    """The number of the cycle it started in, where that is known."""
    started: Moment | None = None
    ended: Moment | None = None
    errors: Occurrences = NEVER
    """task_error events, and what errors.json lists."""
    timeouts: Occurrences = NEVER
    loops: Occurrences = NEVER
    """Number of detected loops (loop_dialog_dismissed)."""
    completions: int = 0
    """The number of times that it was reported as completed; more than once is a bad sign."""
    working_ms: int | None = None
    """Time at work: from its own metrics, else from start to end."""
    usage: TokenUsage = TokenUsage()
    tool_calls: int = 0
    tool_errors: int = 0
    compactions: int = 0
    diff: Diff | None = None
    """Its own git-diff.patch."""
    attributed: bool = True
    """False: some of its reviews or merges carry no task id and were given to it as the one task under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSession:
    """One conversation of an agent."""

    id: str
    location: Location
    model: str = ""
    started: Moment | None = None
    ended: Moment | None = None
    usage: TokenUsage = TokenUsage()
    subagent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UsagePoint:
    """Total spending up to a moment."""

    ms: int
    tokens: int | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The run's settings. Only these and the spec can make a criterion not applicable."""

    location: Location | None = None
    """None: the source has no configuration."""
    values: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """Every plain value of config.json and summary.json's `config`, by dotted key; at most 500."""
    has_permission_system: bool | None = None
    """True if logs of this agent know of permissions, as those of Claude Code do; None if that is not known."""
    permissions_bypassed: bool = False
    """Disabled altogether (`dangerouslySkipPermissions`, `bypassPermissions`, auto-approval of everything)."""
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdits:
    """Edits of one file by an agent's own tools, over the whole run."""

    path: str
    count: int
    first: Moment
    moments: tuple[Moment, ...] = ()
    """When it was edited; the first 200 times."""
    exact: bool = True
    """False: the moments are those of commands that name the file, which may not have changed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """Planning, reviews and merges of the work."""

    cycles: tuple[Cycle, ...] = ()
    """By number; at most 1,000."""
    completion: tuple[SpecCompletion, ...] = ()
    """Each change of it; at most 2,000 (the first 1,000 and the last)."""
    audits: tuple[Audit, ...] = ()
    """At most 1,000."""
    tasks: tuple[Task, ...] = ()
    """By their first event; at most 5,000."""
    reviews: tuple[Review, ...] = ()
    """At most 10,000, as merges, worktrees and permissions."""
    merges: tuple[Merge, ...] = ()
    worktrees: tuple[Worktree, ...] = ()
    permissions: tuple[Permission, ...] = ()
    permissions_requested: int | None = None
    """Number of requests that a summary counts; None if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Sessions of the agents: edits, test runs, tool calls."""

    sessions: tuple[AgentSession, ...] = ()
    """At most 5,000."""
    edits: tuple[FileEdits, ...] = ()
    """By path; at most 5,000."""
    test_runs: tuple[TestSuiteRun, ...] = ()
    """The last 500: the latest results are what counts."""
    tool_calls: Occurrences = NEVER
    actions: Actions = NO_ACTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Incidents:
    """Errors, time-outs, loops and interruptions, counted over the whole run."""

    tool_errors: Occurrences = NEVER
    task_errors: Occurrences = NEVER
    """Of all tasks, and errors that name no task."""
    task_timeouts: Occurrences = NEVER
    loops: Occurrences = NEVER
    phase_errors: Occurrences = NEVER
    interruptions: Occurrences = NEVER
    """The user stopped the agent, or denied a tool call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Tokens, cost, compactions and time that the run consumed."""

    usage: TokenUsage = TokenUsage()
    """Of the whole run, including subagents."""
    usage_over_time: tuple[UsagePoint, ...] = ()
    """At most 500 points, evenly thinned."""
    compactions: Occurrences = NEVER
    compactions_counted: bool = False
    """True if a source counts all compactions (a whole conversation, metrics, a summary), so that 0 means none."""
    duration_ms: int | None = None
    """From the first event to the last."""
    working_ms: int | None = None
    """The time in which somebody worked: the union of the tasks' spans. In a session, gaps of over five minutes between
    two lines (a person was away) do not count. None where no time is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The result of the run: commits, diff, repository."""

    commits: tuple[Commit, ...] = ()
    """At most 10,000."""
    base_commit: str = ""
    """The commit at which the run began; empty if that is not known."""
    head_commit: str = ""
    """The commit that is graded; empty if that is not known."""
    other_commits: tuple[OtherCommit, ...] = ()
    """At most 20 commits of the repository that are part of neither, with what they change in the same files."""
    diff: Diff | None = None
    """Of the whole run; the joined diffs of the tasks where the run has no git-diff.patch; None where there is none."""
    repository: Repository | None = None

    @property
    def written(self) -> tuple[SourceText, ...]:
        """The files that the run wrote, including tests and documents."""
        return written_sources(self.diff, self.repository)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything that is known of a run."""

    kind: str
    """The format of the source: `nerv`, `claude-code`, `stream-json`, or the name of another agent."""
    recorded: frozenset[Subject]
    """Subjects that this kind of source can know at all (with a repository, also what git knows). A recorded subject
    with nothing to show is *no evidence*; any other is *not recorded*."""
    spec: Spec
    nothing_to_grade: str = ""
    """Why there is nothing to grade, if so: then no criterion has a score."""
    configuration: Configuration = Configuration()
    workflow: Workflow = Workflow()
    activity: Activity = Activity()
    incidents: Incidents = Incidents()
    resources: Resources = Resources()
    changes: Changes = Changes()
    event_counts: Mapping[str, int] = field(default_factory=dict)
    """The number of events of each kind, including unknown kinds; at most 200 kinds."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Each file that was read, with its sha256."""
    warnings: tuple[str, ...] = ()
    """Reasons why something was left out: lines that are not JSON, unreadable files, limits that were reached."""
