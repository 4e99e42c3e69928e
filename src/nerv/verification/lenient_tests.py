"""Tests that accept too much: they pass although the code that they call refuses, or gives empty values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nerv.verification import comparison
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Disable, Experiments, Hollow
from nerv.verification.mutants import Mutation
from nerv.verification.trees import Tree

_SHARED = re.compile(r"(?:conftest|setup|config|rc|customize|helpers?|support|main)[^/]*$")


def find_dulled_tests(experiments: Experiments, refuse: Disable) -> tuple[str, ...]:
    """Return the tests of the base that fail on disabled code as they were, and pass as the run has changed them.

    Each of them passes on the result in both versions: the change was not needed.
    """
    base = experiments.trees.base
    candidates = _unchanged_in_meaning(experiments)
    if base is None or not candidates or not _may_be_dulled(experiments, base):
        return ()
    broken = experiments.changed_code(refuse)
    if not broken:
        return ()
    experiments.host.say("verifying: do changed tests notice what they noticed before?")
    tree = {**experiments.trees.result, **broken}
    as_changed = experiments.run(tree)
    if as_changed is None or not any(as_changed.outcomes.get(name) == "passed" for name in candidates):
        return ()
    as_it_was = experiments.run(experiments.trees.overlay(experiments.project, tree, base))
    if as_it_was is None:
        return ()
    return tuple(
        name
        for name in sorted(candidates)
        if as_changed.outcomes.get(name) == "passed" and as_it_was.outcomes.get(name) == "failed"
    )


def find_slackened_tests(experiments: Experiments, survivors: Sequence[Mutation]) -> tuple[str, ...]:
    """Return the tests of the base that notice, as they were, small changes to the code that no test notices now.

    Each of them passes on the result in both versions: the change was not needed.
    """
    base = experiments.trees.base
    candidates = _unchanged_in_meaning(experiments)
    if base is None or not candidates or not survivors or not _may_be_dulled(experiments, base):
        return ()
    experiments.host.say("verifying: do changed tests notice the small changes that they noticed before?")
    found: set[str] = set()
    for mutation in survivors:
        tree = experiments.trees.overlay(experiments.project, experiments.with_mutation(mutation), base)
        noticing = _failed(experiments.run(tree), candidates)
        if noticing:
            found |= noticing & _failed(experiments.run(tree, is_repeated=True), candidates)  # it may fail by chance
    return tuple(sorted(found))


def _failed(report: SuiteReport | None, names: Iterable[str]) -> set[str]:
    return {name for name in names if report is not None and report.outcomes.get(name) == "failed"}


def find_unmoved_tests(experiments: Experiments, hollow: Hollow) -> tuple[str, ...]:
    """Return the new tests that pass although the functions that they call give empty values of the same kind."""
    own = experiments.runs.own
    new = [name for name in comparison.new_tests(experiments.runs) if own and own.outcomes.get(name) == "passed"]
    names = frozenset(re.findall(r"[A-Za-z_]\w*", "\n".join(experiments.written_test_lines())) if new else ())
    changed = experiments.changed_code(lambda path, text, lines: hollow(path, text, lines, names))
    if not changed:
        return ()
    experiments.host.say("verifying: do the new tests look at what the code gives?")
    report = experiments.run({**experiments.trees.result, **changed})
    if report is None or report.problem:
        return ()
    return tuple(name for name in new if report.outcomes.get(name) == "passed")


def _unchanged_in_meaning(experiments: Experiments) -> list[str]:
    """Return the tests of the base that pass on the base, and on the result in both versions."""
    runs = experiments.runs
    if runs.baseline is None or runs.guarded is None or runs.own is None:
        return []
    reports = (runs.guarded, runs.own)
    passed = (name for name, outcome in runs.baseline.outcomes.items() if outcome == "passed")
    return [name for name in passed if all(report.outcomes.get(name) == "passed" for report in reports)]


def _may_be_dulled(experiments: Experiments, base: Tree) -> bool:
    """Return whether the run changed a file of the base's tests, or added one that all tests load."""
    known = experiments.project.files(base)
    return any(path in known or _SHARED.search(path) for path in experiments.runs.changed_files)
