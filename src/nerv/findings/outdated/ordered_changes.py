"""Which existing tests a spec wants to be changed: by their names, by values in them, or by a description."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from nerv.findings.changed_files import ChangedFile
from nerv.findings.test_code import TestCode
from nerv.matching.test_orders import (
    announced_changes,
    asks_for_changes,
    is_mentioned,
    names_to_be_changed,
    orders_change_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedChanges:
    """What a spec, and what the user asked later, says about changes of existing tests."""

    text: str
    named: frozenset[str]
    """Tests of which a sentence says, by their names or by values in them, that they are to be changed."""

    @property
    def at_all(self) -> bool:
        """True if it asks to change, remove or skip tests, whichever these are."""
        return asks_for_changes(self.text)

    def asks_for(self, test: str) -> bool:
        """Return whether a test may have to change: it asks for that, or names the test without asking to keep it."""
        return self.include(test) or is_mentioned(test, self.text)

    def include(self, test: str) -> bool:
        """Return whether it asks to change this test; where it names some, it asks for changes of these alone."""
        return test in self.named if self.named else self.at_all

    @classmethod
    def of(cls, text: str, files: Sequence[ChangedFile]) -> OrderedChanges:
        """Return what a spec says about the tests that these files had before."""
        tests = [test for file in files for test in file.old_tests if test.name]
        by_values = {test.name for test in tests if orders_change_of(_values(test), text)}
        named = {*names_to_be_changed({test.name for test in tests}, text), *by_values}
        kept = {test.name for file in files for test in file.new_tests}
        named |= _meant([test for test in tests if test.touched], kept, text) if not named else set()
        return cls(text=text, named=frozenset(named))


def _meant(changed: Sequence[TestCode], kept: Collection[str], text: str) -> set[str]:
    """Return the changed tests that a spec most likely speaks of where it says that a test has to change.

    Of two that resemble what it says, it is the one that is still there.
    """
    found: set[str] = set()
    for announced in announced_changes(text):
        alike = {test.name: announced.resemblance(test.name, test.lines) for test in changed}
        most = max(alike.values(), default=0)
        if most == 0:
            found |= set(alike) if announced.several or len(alike) == 1 else set()
        elif announced.several:
            found |= {name for name, much in alike.items() if much}
        else:
            best = {name for name, much in alike.items() if much == most}
            found |= best & set(kept) or best
    return found


def _values(test: TestCode) -> Iterator[str]:
    """Yield the values in a test's assertions, without quotes."""
    yield from (literal.strip("\"'`") for each in test.assertions for literal in each.literals)
