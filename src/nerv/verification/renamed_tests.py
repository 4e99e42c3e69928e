"""Tests with other names: a function that looks its answers up in the tests knows only the names that these have.

Words that a test gives to the code and expects back, and that the code itself has in a string, are exchanged in the
tests for others of the same order. Code that works its answers out does not care.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from nerv.verification import mutants
from nerv.verification.experiments import Experiments
from nerv.verification.inline_tests import test_lines
from nerv.verification.trees import Tree

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ALL = range(1, 1_000_000)
Words = Callable[[str, str, Collection[int]], frozenset[str]]
"""Returns words of some lines (from 1) of a file, given its path and text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordProbe:
    """How words in the strings of files are found and exchanged."""

    written: Words
    """Words that code has in its strings, without the keys by which it looks something up."""
    flowing: Words
    """Words that a test gives to a call, and expects."""
    outside: Callable[[str, str], frozenset[str]]
    """Words of a file that are not in its strings."""
    new_names: Callable[[Collection[str], Collection[str]], Mapping[str, str]]
    rename: Callable[[str, str, Mapping[str, str], Collection[int]], bytes]


def find_tests_by_name(
    experiments: Experiments, probe: WordProbe, spec: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the new tests that fail with other names and pass if the code has these, too; and the names they need."""
    names = _names(experiments, probe, spec)
    new = _new_tests(experiments)
    if not names or not new:
        return (), ()
    experiments.host.say("verifying: do the tests pass with other names?")
    changed = _renamed(experiments, probe, names, in_code=False)
    report = experiments.run({**experiments.trees.result, **changed})
    if report is None or report.problem or "passed" not in report.outcomes.values():
        return (), ()
    failed = {name for name in new if report.outcomes.get(name) == "failed"}
    if not failed:
        return (), ()
    in_both = experiments.run(
        {**experiments.trees.result, **changed, **_renamed(experiments, probe, names, in_code=True)}
    )
    found = sorted(name for name in failed if in_both is not None and in_both.outcomes.get(name) == "passed")
    return tuple(found), tuple(sorted(names)) if found else ()


def _new_tests(experiments: Experiments) -> list[str]:
    own, baseline = experiments.runs.own, experiments.runs.baseline
    known = baseline.outcomes if baseline is not None else {}
    outcomes = own.outcomes if own is not None else {}
    return [name for name, outcome in outcomes.items() if outcome == "passed" and name not in known]


def _names(experiments: Experiments, probe: WordProbe, spec: str) -> Mapping[str, str]:
    """Return new names for the words that only the tests can have told the code."""
    trees = experiments.trees
    code: set[str] = set()
    flowing: set[str] = set()
    taken = {*_WORD.findall(spec)}
    for path, text, written in mutants.written_code(trees.base, trees.result, lambda _: False):
        inline = test_lines(path, trees.result[path])
        if experiments.is_left_alone(path):
            flowing |= probe.flowing(path, text, written)
        else:
            flowing |= probe.flowing(path, text, written & inline)
            code |= probe.written(path, text, written - inline)
    if not code & flowing:
        return {}
    for path, file in (trees.base or {}).items():
        if file.link is None and not experiments.is_left_alone(path):
            taken |= set(_WORD.findall(file.text))
    for path, file in _files(experiments, are_tests=True).items():
        taken |= probe.outside(path, file.text)
    others = {word for file in trees.result.values() if file.link is None for word in _WORD.findall(file.text)}
    return probe.new_names((code & flowing) - taken, others)


def _renamed(experiments: Experiments, probe: WordProbe, names: Mapping[str, str], *, in_code: bool) -> Tree:
    """Return the tests with other names, or the code of which the tests have other names."""
    found: Tree = {}
    for path, file in _files(experiments, are_tests=not in_code).items():
        found = {**found, path: replace(file, content=probe.rename(path, file.text, names, _ALL))}
    for path, file in _files(experiments, are_tests=False).items():
        inline = test_lines(path, file)
        if inline and not in_code:
            found = {**found, path: replace(file, content=probe.rename(path, file.text, names, inline))}
    return found


def _files(experiments: Experiments, *, are_tests: bool) -> Tree:
    files = experiments.trees.result.items()
    return {path: file for path, file in files if file.link is None and experiments.is_left_alone(path) == are_tests}
