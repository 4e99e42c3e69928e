"""Decisions of reviews: their wording, and approvals that nobody reviewed."""

from __future__ import annotations

import re

from nerv.evidence import Review, ReviewDecision
from nerv.location import Moment
from nerv.readers.run_record import RunRecord

_PREFIX = re.compile(r"\s*review\s*:\s*", re.I)
_APPROVED = re.compile(r"(?:(?:human )?reviewer )?(?:auto|force)?[- ]?approve", re.I)
_AUTOMATIC = re.compile(
    r"auto[- ]?approve|force[- ]?approve|approved? via api|approved? after .*\b(?:iterations?|time-?out)\b"
    r"|review agent unavailable|agent error|no code changes to review|no worktree|no diff|code quality verified"
    r"|\(mock\)",
    re.I,
)
"""Wordings of nerv for an approval after the last round, without a reviewer, or without anything to review."""

_BARE = re.compile(r"\s*review: approved\s*", re.I)

_NO_REVIEWER = re.compile(
    r"review (?:output|response|agent\w*)\b.*\b(?:could not be parsed|unavailable|failed|timed out)|auto-approved", re.I
)
"""Wordings of nerv in the justification of an approval that no reviewer gave."""


def decision_in(text: str) -> ReviewDecision:
    """Return the decision that a text states: `approve`, `needs_changes`, `reject`, or a variant of these."""
    words = _PREFIX.sub("", text, count=1).lower().replace("_", " ")
    if _APPROVED.match(words):
        return "approved"
    if "reject" in words or "denied" in words or "not approved" in words:
        return "rejected"
    if "change" in words or "revise" in words or "fail" in words:
        return "changes_requested"
    if "approve" in words or "accept" in words or "lgtm" in words or words.strip() in ("pass", "passed", "yes", "ok"):
        return "approved"
    return "changes_requested" if words.strip() else "started"


def is_automatic(text: str) -> bool:
    """Return whether an approval was given by the machinery instead of a reviewer."""
    return _AUTOMATIC.search(text) is not None


def is_bare_approval(text: str) -> bool:
    """Return whether this is what nerv writes for an approval without any review, in a log that has no other review."""
    return _BARE.fullmatch(text) is not None


def add_decision(record: RunRecord, task_id: str, wording: str, moment: Moment, text: str = "") -> None:
    """Add a decision from a file, unless the same decision on the task is already recorded."""
    decision = decision_in(wording)
    if any(review.task_id == task_id and review.decision == decision for review in record.reviews):
        return
    automatic = decision == "approved" and (is_automatic(wording) or _NO_REVIEWER.search(text) is not None)
    review = Review(task_id=task_id, moment=moment, decision=decision, automatic=automatic, text=text)
    record.keep(record.reviews, review, "reviews")
