"""Changed tests of the base of which the code cannot tell whether the spec asks for the change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nerv.findings.changed_files import ChangedFile
from nerv.findings.outdated.adapted_tests import inputs_of, only_loses_values, pieces_of, still_compares
from nerv.findings.test_code import TestCode, called_in, skips_added
from nerv.inspection.languages import name_of
from nerv.matching.test_orders import keeps_everything
from nerv.verification.test_names import is_named

_WORDS = re.compile(r"[A-Za-z_]\w{2,}")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
_PATHS = re.compile(r"(?:[\w.-]+/)*\w[\w-]*\.[a-z]{1,4}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedTests:
    """Tests of the base that the run changed or replaced: the spec may ask for that, or the run got it wrong.

    Which of the two it is only a reader of the spec can tell.
    """

    kept: frozenset[str] = frozenset()
    """Changed, as strict as before, of something that the spec names; or gone together with what they test."""
    replaced: frozenset[str] = frozenset()
    """Gone, while new tests call something that they called."""
    unnamed: frozenset[str] = frozenset()
    """Changed, as strict as before, of something that the spec does not name."""

    def include(self, test: str, is_restorable: bool | None) -> bool:
        """Return whether a test is in doubt, by its name or the full name of a runner.

        `is_restorable` tells whether it passes again without a part of the change that no other test needs. Then
        nothing else that the run tests needed it to break. None: not known.
        """
        names = self.kept
        if not is_restorable:
            names |= self.replaced | (self.unnamed if is_restorable is False else frozenset())
        return bool(test) and any(is_named(test, name) for name in names)


def disputed_tests(files: Sequence[ChangedFile], text: str) -> DisputedTests:
    """Find the tests in doubt; there is no doubt if the spec says that everything that works keeps working."""
    if keeps_everything(text):
        return DisputedTests()
    after = [test for file in files for test in file.new_tests if test.name and not test.skip]
    known = {test.name for file in files for test in file.old_tests}
    taken_up = frozenset(name for test in after if test.name not in known and not test.dead for name in called_in(test))
    by_name = {test.name: test for test in reversed(after)}
    by_place = {(test.path, test.name): test for test in after}
    loose = {file.path: _outside_of_tests(file) for file in files}
    changed_functions = frozenset(_changed_functions(files))
    called = frozenset(name for file in files for test in file.old_tests if test.touched for name in called_in(test))
    named = frozenset(_WORDS.findall(text)) | frozenset(_named_in_words(changed_functions | called, text))
    changed = (named & changed_functions) | frozenset(_changed_modules(files, text))
    gone = frozenset(_vanished_functions(files)) - named
    found: dict[str, set[str]] = {"kept": set(), "replaced": set(), "unnamed": set()}
    for file in files:
        words = frozenset(_WORDS.findall(file.old.text)) if file.old is not None else frozenset()
        uses_changed = not changed.isdisjoint(words)
        if file.kind == "deleted" and gone & words:
            found["kept"].update(test.name for test in file.old_tests if test.name)
            continue
        for test in file.old_tests:
            now = by_place.get((test.path, test.name)) or by_name.get(test.name)
            if not test.name or not test.touched:
                continue
            if now is None and called_in(test) & taken_up:
                found["replaced"].add(test.name)
            elif now is not None and (
                _compares_as_much(test, now, loose.get(now.path, Counter())) or only_loses_values(test, now, text)
            ):
                found["kept" if uses_changed or named & called_in(test) else "unnamed"].add(test.name)
    return DisputedTests(**{kind: frozenset(names) for kind, names in found.items()})


def _compares_as_much(test: TestCode, now: TestCode, shared: Counter[str]) -> bool:
    """Return whether a changed test compares as much of as many inputs; some may be among those that tests share."""
    if skips_added(test, now):
        return False
    inputs, given = inputs_of(test), inputs_of(now)
    elsewhere = (inputs - given) & shared
    has_as_many = given.total() + elsewhere.total() >= inputs.total()
    is_about_them = not inputs or bool((given + elsewhere) & inputs)
    return has_as_many and is_about_them and still_compares(test, now)


def _outside_of_tests(file: ChangedFile) -> Counter[str]:
    """Return the pieces of all values of a test file that are no part of a test: constants that its tests share."""
    inside = {line for test in file.new_tests for line in test.lines}
    lines = file.new.text.split("\n") if file.new is not None and file.is_test else []
    return pieces_of(line for line in lines if line.strip() not in inside)


def _named_in_words(names: Iterable[str], text: str) -> Iterator[str]:
    """Yield the names of several words that the spec has as words: "Jaro-Winkler" for `jaro_winkler`."""
    words = f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "
    for name in names:
        parts = _PARTS.findall(name)
        if len(parts) > 1 and f" {' '.join(parts).lower()} " in words:
            yield name


def _changed_functions(files: Iterable[ChangedFile]) -> Iterator[str]:
    """Yield the names of functions of the base that the run changed."""
    for file in files:
        tree = file.old_tree if not file.is_test else None
        for node in tree.nodes if tree is not None else ():
            if tree is not None and node.type in tree.language.functions and tree.touches(node):
                yield name_of(node)


def _vanished_functions(files: Iterable[ChangedFile]) -> Iterator[str]:
    """Yield the names of functions and types in deleted files of code that no changed file has any more."""
    kept = {word for file in files if file.new is not None for word in _WORDS.findall(file.new.text)}
    for file in files:
        tree = file.old_tree if file.kind == "deleted" and not file.is_test else None
        if tree is None:
            continue
        defined = {name_of(node) for node in tree.nodes if node.type in tree.language.functions | tree.language.types}
        yield from (name for name in defined - kept if not name.startswith("__"))


def _changed_modules(files: Iterable[ChangedFile], text: str) -> Iterator[str]:
    """Yield the names, without their endings, of files that the run changed and whose paths the spec names."""
    paths = frozenset(_PATHS.findall(text))
    for file in files:
        if not file.is_test and file.old_tree is not None and paths & {file.path, file.path.rpartition("/")[2]}:
            yield file.path.rpartition("/")[2].partition(".")[0]
