"""Functions to which a run gave other names: what their tests expect is compared all the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nerv.findings.changed_files import ChangedFile
from nerv.findings.test_code import Assertion
from nerv.inspection.languages import name_of
from nerv.inspection.values import ParsedFile


@dataclass(frozen=True, slots=True, kw_only=True)
class RenamedFunctions:
    """Names of functions that only one side of the changed code defines."""

    gone: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()

    def have_same_form(self, old: Assertion, new: Assertion) -> bool:
        """Return whether two assertions differ in values alone, or also in the name of a function."""
        if old.skeleton == new.skeleton:
            return True
        was, now = old.skeleton.split(), new.skeleton.split()
        return len(was) == len(now) and all(
            one == two or (one in self.gone and two in self.fresh) for one, two in zip(was, now, strict=True)
        )

    def pairs(self, lost: Iterable[Assertion], gained: Iterable[Assertion]) -> list[tuple[Assertion, Assertion]]:
        """Return each assertion with the one of the same form in its place: that with most of its values."""
        left, found = list(gained), []
        for one in lost:
            alike = [two for two in left if self.have_same_form(one, two)]
            if alike:
                two = max(alike, key=lambda each: _values_kept(one, each))
                left.remove(two)
                found.append((one, two))
        return found


def _values_kept(old: Assertion, new: Assertion) -> int:
    return sum(was == now for was, now in zip(old.literals, new.literals, strict=False))


def renamed_functions(files: Iterable[ChangedFile]) -> RenamedFunctions:
    """Compare the functions that both sides of the changed code define."""
    before: set[str] = set()
    after: set[str] = set()
    for file in files:
        if not file.is_test:
            before |= _functions(file.old_tree)
            after |= _functions(file.new_tree)
    return RenamedFunctions(gone=frozenset(before - after), fresh=frozenset(after - before))


def _functions(tree: ParsedFile | None) -> set[str]:
    if tree is None:
        return set()
    return {name_of(node) for node in tree.nodes if node.type in tree.language.functions} - {""}
