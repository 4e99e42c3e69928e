"""The statuses of a requirement, and what each of them is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

RequirementStatus = Literal[
    "verified", "audited", "checked", "ticked", "shown", "claimed", "unfinished", "open", "missed", "contradicted"
]

VALUES: Mapping[RequirementStatus, float] = {
    "verified": 1.0,
    "audited": 0.85,
    "checked": 0.85,
    "ticked": 0.55,
    "shown": 0.55,
    "claimed": 0.3,
    "unfinished": 0.2,
    "open": 0.0,
    "missed": 0.0,
    "contradicted": -0.2,
}
"""Value of a requirement by its status.

Verified: tests are about it, and our own run of them passed, or else the last recorded one; or our run of the
acceptance tests passed. Audited: somebody else compared the result with the
spec. Ticked: the run says so itself. Shown: files were changed after it was requested, or the changes mention it; only
for sources without checkboxes and audits. Checked: shown, and the tests passed after that. Claimed: a finished task has
its name. Unfinished: files were changed for it, but the run ended in an error, at a limit or without an answer, and no
tests passed after the last change. Missed: an audit says so. Contradicted: claimed to be met, but the evidence says no;
or the result gives something else for an example of the item. If our own run of the tests fails, nothing that only the
record says is worth more than a claim.
"""
MEANINGS: Mapping[RequirementStatus, str] = {
    "verified": "covered by passing tests",
    "audited": "found met by an audit",
    "checked": "changed, and the tests passed afterwards",
    "ticked": "ticked off without other evidence",
    "shown": "changed, but no test is about it",
    "claimed": "only claimed",
    "unfinished": "changed, but left unfinished",
    "open": "without any evidence",
    "missed": "found missing by an audit",
    "contradicted": "claimed against the evidence",
}
"""Each status in plain words, as a reader sees it."""
COMPLETED = VALUES["ticked"]
"""The least value of a requirement that counts as completed."""
