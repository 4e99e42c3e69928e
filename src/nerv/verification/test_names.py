"""The names of tests, as code has them and as runners print them."""

from __future__ import annotations

import re
from collections.abc import Mapping


def is_named(full: str, test: str) -> bool:
    """Return whether a runner's full name (`a/test_b.py::test_c[1]`, `mod::tests::c`, `Group > c`) is the test's."""
    plain = full.partition("[")[0].strip()
    return plain == test or re.search(rf"(?:^|\W){re.escape(test)}$", plain) is not None


def outcome_as_rewritten(name: str, outcomes: Mapping[str, str]) -> str | None:
    """Return the outcome of a test, which may run with parameters now, or without: the worst of all of them."""
    if name in outcomes:
        return outcomes[name]
    plain, bracket, _ = name.partition("[")
    if bracket:
        return outcomes.get(plain)
    found = {outcome for each, outcome in outcomes.items() if each.startswith(f"{plain}[")}
    return next((outcome for outcome in ("failed", "skipped", "passed") if outcome in found), None)
