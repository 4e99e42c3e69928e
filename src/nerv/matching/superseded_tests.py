"""Tests of the base that must fail on the result, because the spec changes what they expect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from nerv.matching.text_similarity import stems
from nerv.spec import Spec
from nerv.verification.result import Verification

_CHANGES = re.compile(
    r"\b(?:used to|no longer|instead of|rather than|previously|formerly|so far|any ?more|chang(?:e|es|ed) from)\b"
    r"|\((?:was|were)\b|\b(?:was|were):|\b(?:was|were)\b[^.;]*\b(?:before|until now|is now|are now)\b",
    re.I,
)
"""Words by which a requirement says that something was different before."""
_REMOVES = re.compile(r"\b(?:gone|remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?|goes away)\b", re.I)
"""Words by which a requirement that names a test file or a function says that it goes."""
_ORDERS = re.compile(
    r"\b(?:updat|adjust|adapt|chang|rewrit|remov|delet|skip|replac|correct|drop|migrat|convert|disabl|renam|mov|split|fix)"
    r"(?:e|es|ed|ing|s)?\b|\b(?:wrong|outdated|obsolete|no longer|old)\b",
    re.I,
)
"""Words by which a sentence that names a test says that it is to be changed."""
_KEEPS = re.compile(
    r"(?:\b(?:not|never|without|keeps?|kept|stays?|unchanged|untouched|still|must pass)|n't)\b"
    r"(?![^.;\n]*\b(?:change|update|adjust) them\b)",
    re.I,
)
"""Words by which it says the opposite."""
_CODE = re.compile(r"`([A-Za-z_][\w./-]{3,})(?:\(\))?`")
_SHARED = 2
"""The number of words that a test's name and such a requirement must have in common."""


def excuse_superseded(
    verification: Verification, spec: Spec, is_outdated: Callable[[str], bool] = lambda _: False
) -> Verification:
    """Return the verification without the broken tests that the spec supersedes, or outdates by the code.

    The run must have replaced or removed such a test, and have a test of its own that shows the change, unless the spec
    itself removes the test: a test that is left behind failing is broken.
    """
    left_behind = {
        name
        for suite in verification.suites
        if suite.tree == "result" and suite.source == "changed"
        for name, outcome in suite.outcomes.items()
        if outcome == "failed"
    }
    superseded = tuple(
        name
        for name in verification.broken
        if name not in left_behind
        and (_is_removed(name, spec) or is_outdated(name) or (verification.shown and is_superseded(name, spec)))
    )
    if not superseded:
        return verification
    return replace(
        verification,
        broken=tuple(name for name in verification.broken if name not in superseded),
        rewritten=tuple(name for name in verification.rewritten if name not in superseded),
        superseded=superseded,
    )


def is_superseded(test: str, spec: Spec) -> bool:
    """Return whether an item of the spec says that what a test is about was different before, or that it goes.

    Or it names the test, and says that it is to be changed.
    """
    asked = (each for item in spec.items for each in sentences(item.text))
    if _is_removed(test, spec) or orders_change_of(test, asked):
        return True
    words = stems(_words(test))
    return any(
        len(words & stems(item.text)) >= _SHARED for item in spec.items if _CHANGES.search(item.text) is not None
    )


def orders_change_of(test: str, sentences: Iterable[str]) -> bool:
    """Return whether one of these sentences names a test and says that it is to be changed."""
    name = re.split(r"::|/|\.| > ", re.sub(r"\[.*\]$", "", test))[-1]
    if not re.search(r"[_\s]|[a-z][A-Z]", name):
        return False  # a word that may mean anything
    named = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
    return any(
        _ORDERS.search(rest) and not _KEEPS.search(rest)
        for rest in (named.sub("", each) for each in sentences if named.search(each))
    )


def sentences(text: str) -> list[str]:
    """Split a spec into sentences, paragraphs and items of lists."""
    return re.split(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d+[.)])\s)", text)


def _is_removed(test: str, spec: Spec) -> bool:
    """Return whether an item of the spec says that a test's file goes, or the function in its name."""
    return any(
        _goes(name, test) for item in spec.items if _REMOVES.search(item.text) for name in _CODE.findall(item.text)
    )


def _goes(name: str, test: str) -> bool:
    """Return whether a test is in the file of this name, or has the name of this function in its own."""
    file, _, rest = test.partition("::")
    if "." in name:
        module = name.rpartition("/")[2].rpartition(".")[0]
        return file.rpartition("/")[2] == name.rpartition("/")[2] or (not rest and f".{test}".startswith(f".{module}."))
    return _plain(name) in _plain(test)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _words(name: str) -> str:
    return re.sub(r"\W+|_", " ", name)
