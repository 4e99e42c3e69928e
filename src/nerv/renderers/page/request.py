"""What was asked, item by item, and what changed, file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nerv.changes import FileChange
from nerv.evidence import Evidence
from nerv.renderers.page.html import (
    bullets,
    cut,
    escaped,
    folded,
    location_html,
    more_html,
    quantity,
    section,
    with_code,
)
from nerv.rules.requirement_status import MEANINGS, RequirementStatus
from nerv.rules.requirements import Requirement
from nerv.rules.run_facts import RunFacts

_MOST_ITEMS = 500
_OPEN_ITEMS = 12
"""A list that is not longer than this is shown opened."""
_MOST_FILES = 40
_MOST_CORRECTIONS = 10

TONES: Mapping[RequirementStatus, str] = {
    "verified": "good",
    "audited": "good",
    "checked": "good",
    "shown": "fair",
    "ticked": "poor",
    "claimed": "poor",
    "unfinished": "poor",
    "open": "none",
    "missed": "bad",
    "contradicted": "bad",
}
"""The colour of each status, best first."""


def request_html(facts: RunFacts) -> str:
    """Return what was asked: the items of the spec with their status, and the user's corrections."""
    spec, each = facts.evidence.spec, facts.requirements.each
    origin = f"From {spec.file}" if spec.given and spec.file else "From the user's messages"
    summary = f"<p>{escaped(origin)}: {quantity(len(each), 'item')}. {escaped(_counts(each))}</p>"
    rows = "".join(_item_html(one, graded=not facts.evidence.nothing_to_grade) for one in each[:_MOST_ITEMS])
    listed = f'<ol class="items">{rows}</ol>{more_html(len(each), _MOST_ITEMS, "items")}'
    if len(each) > _OPEN_ITEMS:
        listed = f"<details><summary>All {len(each)} items</summary>{listed}</details>"
    if facts.evidence.nothing_to_grade:
        summary = f"<p>{escaped(origin)}.</p>"
    return section("What was asked", f"{summary}{listed}{_corrections_html(facts.evidence)}", key="asked")


def _counts(each: tuple[Requirement, ...]) -> str:
    counted = Counter(one.status for one in each)
    texts = [f"{counted[status]} {MEANINGS[status]}" for status in TONES if counted[status]]
    return f"{'; '.join(texts)}." if texts else ""


def _item_html(one: Requirement, *, graded: bool) -> str:
    chip = f'<span class="chip {TONES[one.status]}">{escaped(MEANINGS[one.status])}</span> ' if graded else ""
    where = location_html(one.observation.location) if graded and one.status != "open" else ""
    return f"<li>{with_code(cut(one.item.text, 400))} {chip}{where}</li>"


def _corrections_html(evidence: Evidence) -> str:
    corrections = evidence.activity.actions.corrections
    if not corrections:
        return ""
    listed = bullets(
        f"{escaped(' '.join(message.text.split())[:300])}{location_html(message.moment.location)}"
        for message in corrections[:_MOST_CORRECTIONS]
    )
    return f"<h3>Corrections by the user</h3>{listed}{more_html(len(corrections), _MOST_CORRECTIONS, 'corrections')}"


def changes_html(evidence: Evidence) -> str:
    """Return the changed files with their lines, and the commits."""
    diff, edits = evidence.changes.diff, evidence.activity.edits
    if diff is not None and diff.files:
        summary = (
            f"<p>{quantity(len(diff.files), 'file')}: <b>{quantity(diff.added, 'line')} added</b>, "
            f"{quantity(diff.removed, 'line')} removed.</p>"
        )
        largest = sorted(diff.files, key=lambda change: (-(change.added + change.removed), change.path))
        rows = "".join(_file_row(change) for change in largest[:_MOST_FILES])
        head = "<tr><th>file</th><th>change</th><th>added</th><th>removed</th></tr>"
        table = f'<table class="files"><thead>{head}</thead><tbody>{rows}</tbody></table>'
        body = f"{summary}{table}{more_html(len(largest), _MOST_FILES, 'files')}"
    elif edits:
        listed = bullets(
            f"{escaped(edit.path)}, edited {quantity(edit.count, 'time')}{location_html(edit.first.location)}"
            for edit in edits[:_MOST_FILES]
        )
        note = f"<p>{quantity(len(edits), 'file')} edited; how many lines is not recorded.</p>"
        body = f"{note}{listed}{more_html(len(edits), _MOST_FILES, 'files')}"
    elif evidence.nothing_to_grade:
        body = f"<p>Nothing: {escaped(evidence.nothing_to_grade)}</p>"
    elif diff is not None:
        body = "<p>No file was changed.</p>"
    else:
        body = "<p>Not recorded: there is no diff.</p>"
    return section("What changed", body, key="changed")


def commits_html(evidence: Evidence) -> str:
    """Return the commits, closed at first; empty where there are none."""
    commits = evidence.changes.commits
    if not commits:
        return ""
    listed = bullets(
        f"<code>{escaped(commit.id[:10])}</code> {escaped(commit.subject[:200])}" for commit in commits[:_MOST_FILES]
    )
    return folded(f"Commits: {len(commits)}", f"{listed}{more_html(len(commits), _MOST_FILES, 'commits')}")


def _file_row(change: FileChange) -> str:
    renamed = f" (was {change.old_path})" if change.kind == "renamed" and change.old_path else ""
    kind = "binary" if change.binary else change.kind
    return (
        f"<tr><td>{escaped(change.path)}{escaped(renamed)}</td><td>{kind}</td>"
        f'<td class="plus">+{change.added:,}</td><td class="minus">&minus;{change.removed:,}</td></tr>'
    )
