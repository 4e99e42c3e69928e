"""Confirming shared failures: a sample must not fail because of the samples that it was judged with.

A toolchain keeps samples that it judges together apart. That it does is checked here, on samples that nobody can
foresee: now and then a shared failure, drawn at random, is judged again alone before anything of its group is
reported. See docs/decisions/0021-neighbours.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from forgetest.verdict import Verdict

_random = secrets.SystemRandom()


def has_failed(verdict: Verdict) -> bool:
    """Return whether the verdict holds anything against the sample."""
    return (
        not verdict.compiled
        or any(test.status == "failed" for test in verdict.tests)
        or any(not condition.holds for condition in verdict.conditions)
    )


def audit_chance(group: int, samples_per_audit: int) -> float:
    """Return the chance that a failure of a group of this size is judged again; see `Language.samples_per_audit`."""
    return min(1.0, group / samples_per_audit)


def draw_audit(failed: Sequence[int], chance: float) -> int | None:
    """Return the index of the failure to judge again; None for none."""
    return _random.choice(failed) if failed and _random.random() < chance else None
