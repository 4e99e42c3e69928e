"""Inputs that may tell two programs apart: the calls of existing tests, with their literals changed a little."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from forgetest.toolchains.probe_edits import Constants, changes

DIFFERS = "forgetest-differs"
"""Begins the message of a probing test: then come the number of the first call that differs, and what is expected."""
INSTEAD = "forgetest-instead"
"""Follows in the message, before the program's own result."""

_MESSAGE = re.compile(rf"{DIFFERS} (\d+) (.*?)(?:\s{INSTEAD} (.*))?\Z", re.DOTALL)
_LONGEST_RESULT = 200
_LONGEST_CALL = 2_000
_MOST_AT_ONCE = 20
"""Changes of one call that is a change already."""
_SINGLE_SHARE = 0.7
"""The rest are changes of changes: some conditions hold only if two values are right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A call for which a mutant's result is not the reference solution's."""

    call: int
    """Its index among the calls of the probe."""
    expected: str
    """The reference solution's result, as the language writes it."""
    actual: str = ""
    """The program's own result, shortened; empty where the message does not tell it."""


def difference(message: str) -> Difference | None:
    """Return what a probing test has found, from the message of its failure."""
    found = _MESSAGE.search(message)
    if found is None:
        return None
    actual = (found[3] or "").strip()
    shortened = actual if len(actual) <= _LONGEST_RESULT else f"{actual[:_LONGEST_RESULT]} …"
    return Difference(call=int(found[1]), expected=found[2].strip(), actual=shortened)


def calls_in(text: str, names: Sequence[str]) -> list[str]:
    """Return the calls of these functions in a text, each once."""
    found: dict[str, None] = {}
    for name in names:
        for call in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", text):
            end = closing(text, call.end())
            if end is not None:
                found[text[call.start() : end]] = None
    return list(found)


def closing(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the one before `start`; None if there is none nearby."""
    depth, quote = 1, ""
    for index in range(start, min(len(text), start + _LONGEST_CALL)):
        letter = text[index]
        if quote:
            quote = "" if letter == quote and text[index - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def variations(calls: Sequence[str], grammar: str, most: int, seed: int, code: str = "") -> list[str]:
    """Return the calls and variations of them, at most that many, the shortest first.

    First single changes, of each call as many as of the others, then changes of changes, all at random. The constants
    of the code that is called are values like any other: conditions compare with them. Negative numbers occur only
    where a call has one: an input that the task excludes proves nothing.
    """
    constants = Constants.of(code, grammar)
    signed = any(re.search(r"(?<![\w)\]\"'])\s*-\s*\d", call) for call in calls)
    chooser = random.Random(seed)  # noqa: S311  (a search that can be repeated)
    changed = [list(dict.fromkeys(changes(call, grammar, constants, signed=signed))) for call in calls]
    for of_call in changed:
        chooser.shuffle(of_call)
    found = dict.fromkeys(calls)
    singles = [each for turn in zip_longest(*changed) for each in turn if each is not None]
    found |= dict.fromkeys(singles[: int(most * _SINGLE_SHARE)])
    for _ in range(most):
        if len(found) >= most or not found:
            break
        further = list(changes(chooser.choice(list(found)), grammar, constants, signed=signed))
        found |= dict.fromkeys(chooser.sample(further, min(len(further), _MOST_AT_ONCE)))
    return sorted(list(found)[:most], key=lambda call: (len(call), call))
