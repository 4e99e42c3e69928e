"""Whether a sample passes, as an audit asks it."""

from __future__ import annotations

from forgetest.verdict import Verdict


def passes(verdict: Verdict) -> bool:
    """Return whether nothing but lints could speak against a sample: mutants show what tests notice."""
    counted = [test for test in verdict.tests if test.status != "ignored"]
    return (
        verdict.compiled
        and bool(counted)
        and all(test.status == "passed" for test in counted)
        and all(condition.holds for condition in verdict.conditions)
    )
