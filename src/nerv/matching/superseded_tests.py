"""Tests of the base that must fail on the result, because the spec changes what they expect."""

from __future__ import annotations

import re
from dataclasses import replace

from nerv.matching.text_similarity import stems
from nerv.spec import Spec
from nerv.verification.result import Verification

_CHANGES = re.compile(
    r"\b(?:was|were|used to|no longer|instead of|rather than|previously|formerly|so far|any ?more"
    r"|chang(?:e|es|ed) from)\b",
    re.I,
)
"""Words by which a requirement says that something was different before."""
_REMOVES = re.compile(r"\b(?:gone|remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?|goes away)\b", re.I)
"""Words by which a requirement that names a test file says that it goes."""
_SHARED = 2
"""The number of words that a test's name and such a requirement must have in common."""


def excuse_superseded(verification: Verification, spec: Spec) -> Verification:
    """Return the verification without the broken tests that the spec supersedes.

    The run must have replaced or removed such a test, and have a test of its own that shows the change: a test that is
    left behind failing is broken.
    """
    if not verification.shown:
        return verification
    left_behind = {
        name
        for suite in verification.suites
        if suite.tree == "result" and suite.source == "changed"
        for name, outcome in suite.outcomes.items()
        if outcome == "failed"
    }
    superseded = tuple(name for name in verification.broken if name not in left_behind and is_superseded(name, spec))
    if not superseded:
        return verification
    return replace(
        verification,
        broken=tuple(name for name in verification.broken if name not in superseded),
        rewritten=tuple(name for name in verification.rewritten if name not in superseded),
        superseded=superseded,
    )


def is_superseded(test: str, spec: Spec) -> bool:
    """Return whether an item of the spec says that what a test is about was different before, or that its file goes."""
    file = test.partition("::")[0].rpartition("/")[2]
    if "." in file and any(file in item.text and _REMOVES.search(item.text) for item in spec.items):
        return True
    words = stems(_words(test))
    return any(
        len(words & stems(item.text)) >= _SHARED for item in spec.items if _CHANGES.search(item.text) is not None
    )


def _words(name: str) -> str:
    return re.sub(r"\W+|_", " ", name)
