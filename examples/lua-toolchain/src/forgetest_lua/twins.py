"""Twins of tests: the same text with one expected number changed, which a sample that earned its pass fails."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from forgetest.toolchains.controls import Twin

_EXPECTED = re.compile(r"(?:==\s*|assert_?[eE]quals\([^\n]*,\s*)(-?\d+)(?=\s*\))")
_BRANCHES = re.compile(r"\b(if|for|while|repeat|return|pcall|or)\b")


def find(tests: str, names: Sequence[str], draw: random.Random) -> dict[Twin, str]:
    """Return the twins of the tests, each with the text of all tests in which its number is changed."""
    starts = {name: re.search(rf"\bfunction[ \t]+{name}[ \t]*\(", tests) for name in names}
    found: dict[Twin, str] = {}
    for test, name in enumerate(names):
        begin = starts[name]
        if begin is None or name.startswith("ignored_"):
            continue
        end = min((other.start() for other in starts.values() if other and other.start() > begin.start()), default=None)
        body = tests[begin.start() : end]
        for match in _EXPECTED.finditer(body):
            number = int(match[1]) + draw.choice((-3, -2, -1, 1, 2, 3))
            at = begin.start() + match.start(1)
            text = f"{tests[:at]}{number}{tests[at + len(match[1]) :]}"
            certain = _BRANCHES.search(body) is None  # every run gets to each of its assertions
            found[Twin(test=test, number=len(found), certain=certain)] = text
    return found
