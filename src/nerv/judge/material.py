"""Material for a judge: what each category needs, cut to a budget by importance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from nerv.changes import Diff, FileChange, Hunk
from nerv.evidence import Commit, Evidence, TestSuiteRun, TokenUsage, UsagePoint
from nerv.location import Location
from nerv.scorecard import CategoryKey
from nerv.verification.result import TestSource, Verification

_TEST = re.compile(r"(^|/)(tests?|__tests__|spec|e2e)/|(^|/)test_|[._-](test|spec)\.[a-z]+$|_test\.go$", re.I)
_CODE = re.compile(r"\.(pyi?|[mc]?[jt]sx?|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|sql|vue|svelte)$", re.I)
_LEAST_OF_A_FILE = 1_500
_LEAST_SHOWN = 300
_SUITES: dict[TestSource, str] = {
    "base": "the base's own tests",
    "changed": "new and changed tests",
    "acceptance": "acceptance tests",
}
_LAST_RUNS = 5
_WEIGHTS = (4, 2, 1)
"""Weights of source, tests and the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialPart:
    """One piece of material."""

    title: str
    """Our own words, never text of the run."""
    text: str
    left_out: str = ""
    """A sentence with counts about what was left out; empty where nothing was."""


LogLines = Callable[[int], MaterialPart]
"""Returns the event log, cut to a number of characters."""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """What there is to show of a run."""

    evidence: Evidence
    verification: Verification | None
    log: LogLines
    rules: str
    """The workflow rules that the run was meant to follow."""
    completed_items: float = 0
    """Items of the spec that are completed, as our rules count them."""


def material(category: CategoryKey, run: JudgedRun, budget: int) -> tuple[MaterialPart, ...]:
    """Return the material for one category."""
    evidence = run.evidence
    if category == "implementation_quality":
        spec, tests = _spec_part(evidence, budget // 4), _tests_part(run, budget // 10)
        left = budget - len(spec.text) - len(tests.text)
        return (spec, tests, diff_part(evidence.changes.diff, left, evidence.changes.commits))
    if category == "workflow_quality":
        spec = _spec_part(evidence, budget // 3)
        return (spec, run.log(budget - len(spec.text)))
    if category == "efficiency":
        return (_figures_part(run, budget),)
    requirements = _cut_text("the workflow rules that the run was meant to follow", run.rules, budget // 4)
    left = budget - len(requirements.text)
    if evidence.kind == "nerv":
        return (requirements, run.log(left))
    # other agents log no reviews and merges, so that what counts is what people get: documents and messages
    return (requirements, diff_part(evidence.changes.diff, left // 2), run.log(left - left // 2))


# --- the diff


def diff_part(diff: Diff | None, budget: int, commits: Sequence[Commit] = ()) -> MaterialPart:
    """Return the diff: every file is listed; source comes before tests and the rest; large files are cut by hunks."""
    title = "the git diff of all changes"
    if diff is None or not diff.files:
        return MaterialPart(title=title, text="(there is no diff)")
    listing = _listing("commits:", [_one_line(commit.subject) for commit in commits], budget // 20)
    listing += _listing("changed files:", [_change_line(change) for change in diff.files], budget // 5)
    left = budget - len(listing) - 200
    shown = sorted((change for change in diff.files if change.hunks), key=_diff_rank)
    texts = _divide_budget(shown, max(0, left))
    body = "".join(texts[change.path] for change in sorted(shown, key=lambda each: each.path) if change.path in texts)
    whole = sum(len(texts.get(change.path, "")) >= _full_size(change) for change in shown)
    cut = len(texts) - whole
    left_out = ""
    if whole < len(diff.files) or diff.left_out:
        left_out = (
            f"of {len(diff.files)} changed files {whole} are whole, {cut} cut to their largest hunks and "
            f"{len(diff.files) - whole - cut} without their text (binary, generated, or too much for the budget of "
            f"{budget} characters); all are listed with their counts"
        )
    return MaterialPart(title=title, text=f"{listing}\n{body}", left_out=left_out)


def _listing(heading: str, names: list[str], budget: int) -> str:
    if not names:
        return ""
    lines: list[str] = []
    used = 0
    for index, name in enumerate(names):
        used += len(name) + 1
        if used > budget:
            lines.append(f"… and {len(names) - index} more")
            break
        lines.append(name)
    return "\n".join([heading, *lines, ""])


def _change_line(change: FileChange) -> str:
    note = " (binary)" if change.binary else " (text left out)" if change.text_left_out else ""
    return f"{change.kind} {_one_line(change.path)} +{change.added} -{change.removed}{note}"


def _diff_rank(change: FileChange) -> tuple[int, int, str]:
    """Sort key: source, then tests, then the rest; the largest changes first."""
    rank = 2 if not _CODE.search(change.path) else 1 if _TEST.search(change.path) else 0
    return rank, -change.added, change.path


def _divide_budget(changes: list[FileChange], budget: int) -> dict[str, str]:
    """Give every file a fair share by its rank; unused shares go to the most important files."""
    sizes = {change.path: _full_size(change) for change in changes}
    total = sum(_WEIGHTS[_diff_rank(change)[0]] for change in changes)
    given: dict[str, int] = {}
    left = budget
    for change in changes:
        fair = max(_LEAST_OF_A_FILE, budget * _WEIGHTS[_diff_rank(change)[0]] // total)
        share = min(sizes[change.path], fair, left)
        if share >= min(sizes[change.path], _LEAST_SHOWN):
            given[change.path] = share
            left -= share
    for change in changes:
        if change.path in given:
            more = min(left, sizes[change.path] - given[change.path])
            given[change.path] += more
            left -= more
    return {change.path: _render_change(change, given[change.path]) for change in changes if change.path in given}


def _full_size(change: FileChange) -> int:
    return len(_file_header(change)) + sum(len(_hunk_text(hunk)) for hunk in change.hunks)


def _file_header(change: FileChange) -> str:
    return f"--- {_one_line(change.old_path or change.path)}\n+++ {_one_line(change.path)}\n"


def _render_change(change: FileChange, budget: int) -> str:
    """Return a file within a budget: the hunks with the most new lines, in their order."""
    pieces: dict[int, str] = {}
    notes = 0 if _full_size(change) <= budget else 80  # room for the note about missing hunks
    left = budget - notes - len(_file_header(change))
    by_weight = sorted(range(len(change.hunks)), key=lambda index: (-len(change.hunks[index].added), index))
    for index in by_weight:
        text = _hunk_text(change.hunks[index])
        if len(text) > left:
            if pieces:
                continue
            text = text[: max(0, left)].rpartition("\n")[0] + "\n… (hunk cut here)\n"
        pieces[index] = text
        left -= len(text)
    missing = len(change.hunks) - len(pieces)
    note = f"… ({missing} more hunks of this file left out)\n" if missing else ""
    return _file_header(change) + "".join(pieces[index] for index in sorted(pieces)) + note


def _hunk_text(hunk: Hunk) -> str:
    lines = [f"@@ line {hunk.new_start} @@"]
    lines += [f"-{line}" for line in hunk.removed]
    lines += [f"{'+' if index in hunk.added else ' '}{line}" for index, line in enumerate(hunk.lines)]
    return "\n".join(lines) + "\n"


# --- tests, spec, figures


def _tests_part(run: JudgedRun, budget: int) -> MaterialPart:
    """Return what our own run of the tests showed, counts before names; without one, what the log has of them."""
    title, verification = "the results of the tests, run by us in a sandbox and not by the run", run.verification
    if verification is None or verification.skipped:
        reason = verification.skipped if verification else "not asked for"
        recorded = [_recorded_run(each) for each in run.evidence.activity.test_runs[-_LAST_RUNS:]]
        lines = [f"(the tests were not run: {_one_line(reason)})", *recorded]
        return _cut_text(title, "\n".join(lines), budget)
    lines = [f"cannot pass: {_one_line(veto)}" for veto in verification.vetoes]
    for suite in verification.suites:
        counts = ", ".join(f"{suite.count(outcome)} {outcome}" for outcome in ("passed", "failed", "skipped"))
        shown = _one_line(suite.problem) if suite.problem else counts
        lines.append(f"{_SUITES[suite.source]} on the {suite.tree}: {shown}")
    for heading, names in (
        ("tests of the base that the result breaks", verification.broken),
        ("of these, rewritten by the run so as to pass", verification.rewritten),
        (
            "broken tests of the base that the run changed or replaced: decide by the spec whether they had to go",
            verification.disputed,
        ),
        ("tests of the base that the run deleted or skips", verification.removed),
        ("tests of the run that fail on the result", verification.failing),
        ("tests of the run that fail on the base and pass on the result", verification.shown),
        ("tests of the run that pass on both, and prove nothing", verification.notable_idle),
        ("tests of the run that pass although its code was made to fail", verification.detached),
        ("tests of the run that pass although all comparisons were made to fail", verification.silent),
        ("tests of the run that fail with its code in the place of their doubles of it", verification.doubled),
        ("tests that fail where nothing shows that they are tests", verification.watched),
        ("tests that are skipped by a variable of the environment, and fail with it", verification.switched_off),
        ("functions of the spec whose failure no test notices", verification.unheld),
        ("functions of the spec that may give other values without a test noticing", verification.unseen),
        ("functions that only have a namesake in the tests", verification.replaced),
        ("examples of the spec that do not hold", tuple(map(str, verification.wrong_examples))),
        ("small changes to the code that no test notices", tuple(map(str, verification.survivors))),
    ):
        if names:
            lines += [f"{heading}: {len(names)}", *(f"  {_one_line(name)[:200]}" for name in names)]
    return _cut_text(title, "\n".join(lines), budget)


def _recorded_run(run: TestSuiteRun) -> str:
    counts = f"{_count(run.passed)} passed, {_count(run.failed)} failed" if run.ran else "could not be started"
    how = "the log records" if run.strength == "recorded" else "the run says"
    return f"{how} ({run.moment.location}): `{_one_line(run.command)[:200]}`: {counts}"


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)


def _spec_part(evidence: Evidence, budget: int) -> MaterialPart:
    """Return the spec: complete if it fits, otherwise all items before any other text."""
    title = "the spec"
    text = evidence.spec.text
    if len(text) <= budget:
        return MaterialPart(title=title, text=text)
    items = "\n".join(f"{item.number}. [{'x' if item.ticked else ' '}] {item.text}" for item in evidence.spec.items)
    if len(items) > budget:
        return _cut_text(title, items, budget)
    room = budget - len(items) - 100
    return MaterialPart(
        title=title,
        text=f"items:\n{items}\n\nfrom its beginning:\n{text[:room]}",
        left_out=f"{len(text) - room} of {len(text)} characters of its text, but none of its items",
    )


def _figures_part(run: JudgedRun, budget: int) -> MaterialPart:
    """Return tokens, cost, compactions and time, with the size of the work."""
    evidence = run.evidence
    last = evidence.workflow.completion[-1] if evidence.workflow.completion else None
    figures: dict[str, object] = {
        "total": _usage_fields(evidence.resources.usage),
        "duration_ms": evidence.resources.duration_ms,
        "working_ms": evidence.resources.working_ms,
        "compactions": evidence.resources.compactions.count,
        "tool_calls": evidence.activity.tool_calls.count,
        "tool_errors": evidence.incidents.tool_errors.count,
        "spec_items": len(evidence.spec.items),
        "spec_items_completed_by_our_count": round(run.completed_items, 1),
    }
    if "spec_completion" in evidence.recorded:
        figures["spec_items_ticked_at_the_end"] = (
            last.checked if last else sum(item.ticked for item in evidence.spec.items)
        )
    if "tasks" in evidence.recorded:
        figures["tasks_completed"] = sum(task.status == "completed" for task in evidence.workflow.tasks)
        figures["tasks"] = [
            {
                "number": number,
                "status": task.status,
                "working_ms": task.working_ms,
                "compactions": task.compactions,
                **_usage_fields(task.usage),
            }
            for number, task in enumerate(evidence.workflow.tasks[:400], 1)
        ]
    figures["over_time"] = [
        {"ms": point.ms, "tokens": point.tokens, "cost_usd": point.cost_usd}
        for point in _every_nth_point(evidence.resources.usage_over_time, 60)
    ]
    text = msgspec.json.format(msgspec.json.encode(figures), indent=1).decode()
    more = len(evidence.workflow.tasks) - 400
    part = _cut_text("token usage and cost", text, budget)
    return (
        part
        if more <= 0
        else MaterialPart(title=part.title, text=part.text, left_out=f"{more} more tasks, in the totals")
    )


def _usage_fields(usage: TokenUsage) -> dict[str, object]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "cost_usd": usage.cost_usd,
    }


def _every_nth_point(points: tuple[UsagePoint, ...], most: int) -> tuple[UsagePoint, ...]:
    return points[:: max(1, -(-len(points) // most))]


def _cut_text(title: str, text: str, budget: int) -> MaterialPart:
    """Return the beginning and the end of a text that is too long."""
    if len(text) <= budget:
        return MaterialPart(title=title, text=text)
    head, tail = budget * 2 // 3, budget // 3 - 50
    return MaterialPart(
        title=title,
        text=f"{text[:head]}\n… (cut here)\n{text[len(text) - tail :]}",
        left_out=f"{len(text) - head - tail} of {len(text)} characters in the middle",
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def passages(evidence: Evidence) -> Iterator[tuple[str, Location]]:
    """Yield everything except the log that a judge may see, to search it for injections."""
    for number, line in enumerate(evidence.spec.text.splitlines(), 1):
        yield line, Location(file=evidence.spec.file, line=number if evidence.spec.given else None)
    for change in evidence.changes.diff.files if evidence.changes.diff else ():
        yield re.sub(r"[_\-./]+", " ", change.path), change.location
        for hunk in change.hunks:
            for index in sorted(hunk.added):
                yield hunk.lines[index], Location(file=change.path, line=hunk.new_start + index)
    for commit in evidence.changes.commits:
        yield commit.subject, commit.moment.location
