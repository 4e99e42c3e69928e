"""Confirming shared failures: a sample must not fail because of the samples that it was judged with.

A toolchain keeps samples that it judges together apart. That it does is checked here, on samples that nobody can
foresee: now and then a shared failure, drawn at random, is judged again alone before anything of its group is
reported. See docs/decisions/0021-neighbours.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from forgetest.verdict import Verdict

AUDIT_CHANCE = 1 / 16
"""The share of groups of which a failure is judged again. A call of its own costs as much as five shared samples, so
this costs a group of sixteen about two percent of its time."""

_random = secrets.SystemRandom()


def has_failed(verdict: Verdict) -> bool:
    """Return whether the verdict holds anything against the sample."""
    return (
        not verdict.compiled
        or any(test.status == "failed" for test in verdict.tests)
        or any(not condition.holds for condition in verdict.conditions)
    )


def draw_audit(failed: Sequence[int], chance: float) -> int | None:
    """Return the index of the failure to judge again; None for none."""
    return _random.choice(failed) if failed and _random.random() < chance else None
