"""Comparison of test runs: which tests a run broke, and which of its own tests show something about the change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from nerv.verification.ecosystems import SuiteReport
from nerv.verification.result import TestOutcome
from nerv.verification.test_names import outcome_as_rewritten


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRuns:
    """Up to four runs of one project's tests; None: it was not needed, or could not be made."""

    baseline: SuiteReport | None = None
    """The base's tests on the base."""
    guarded: SuiteReport | None = None
    """The base's tests on the result."""
    own: SuiteReport | None = None
    """The result's tests on the result."""
    transplanted: SuiteReport | None = None
    """The result's tests on the base."""
    changed_files: Collection[str] = field(default_factory=frozenset)
    """Test files that the run added or changed, relative to the project's folder."""


def broken_tests(runs: ProjectRuns) -> tuple[str, ...]:
    """Return the tests that pass on the base, and fail, are skipped or are gone on the result."""
    if runs.baseline is None or runs.guarded is None or runs.guarded.unavailable:
        return ()
    outcomes = runs.guarded.outcomes
    passed = [name for name, outcome in runs.baseline.outcomes.items() if outcome == "passed"]
    return tuple(sorted(name for name in passed if outcomes.get(name) != "passed" and not _is_renamed(name, outcomes)))


def _is_renamed(name: str, outcomes: Mapping[str, TestOutcome]) -> bool:
    """Return whether a part of a test is gone, and the test passes as a whole: the code has its name in a value."""
    return name not in outcomes and "/" in name and outcomes.get(name.rpartition("/")[0]) == "passed"


def rewritten_tests(runs: ProjectRuns, broken: Collection[str]) -> tuple[str, ...]:
    """Return the broken tests that pass as the run has rewritten them."""
    own: Mapping[str, str] = runs.own.outcomes if runs.own else {}
    return tuple(name for name in sorted(broken) if outcome_as_rewritten(name, own) == "passed")


def unbuilt_tests(runs: ProjectRuns, broken: Collection[str]) -> tuple[str, ...]:
    """Return the broken tests that no longer build or load beside the result's code, while the result's own tests pass.

    What they use is another now, and nobody knows what they would have said.
    """
    own, guarded = runs.own, runs.guarded
    if own is None or guarded is None or own.problem or own.broken_build or own.unloadable or not own.outcomes:
        return ()
    if any(outcome == "failed" for name, outcome in own.outcomes.items() if not _failed_before(runs, name)):
        return ()
    if guarded.broken_build:
        return tuple(name for name in sorted(broken) if name not in guarded.outcomes)
    return tuple(name for name in sorted(broken) if name.partition("::")[0] in guarded.unloadable)


def _failed_before(runs: ProjectRuns, name: str) -> bool:
    return runs.baseline is not None and runs.baseline.outcomes.get(name) == "failed"


def removed_tests(runs: ProjectRuns, broken: Collection[str]) -> tuple[str, ...]:
    """Return the base's tests that the result passes, but no longer runs: they were deleted, or are skipped."""
    if runs.baseline is None or runs.own is None or runs.own.unavailable:
        return ()
    if runs.own.problem and not runs.own.outcomes:
        return ()  # of a run that never ended, nobody knows which tests it has
    guarded = runs.guarded.outcomes if runs.guarded is not None else {}
    passed = [name for name, outcome in runs.baseline.outcomes.items() if outcome == "passed" and name not in broken]
    gone = [name for name in passed if outcome_as_rewritten(name, runs.own.outcomes) in (None, "skipped")]
    return tuple(sorted(name for name in gone if not _is_renamed(name, guarded)))


def changed_tests(runs: ProjectRuns) -> tuple[str, ...]:
    """Return the result's tests that are new, or whose file was changed."""
    if runs.own is None:
        return ()
    changed = {name for name in runs.own.outcomes if runs.own.files.get(name) in runs.changed_files}
    return tuple(sorted({*new_tests(runs), *changed}))


def new_tests(runs: ProjectRuns) -> tuple[str, ...]:
    """Return the result's tests that the base does not have."""
    if runs.own is None:
        return ()
    known = runs.baseline.outcomes if runs.baseline else {}
    return tuple(sorted(name for name in runs.own.outcomes if name not in known and name not in runs.own.unloadable))


def failing_tests(runs: ProjectRuns) -> tuple[str, ...]:
    """Return the new or changed tests that fail on the result, unless they fail on the base in the same way."""
    if runs.own is None or (runs.own.problem and not runs.own.broken_build):
        return ()
    known = runs.baseline.outcomes if runs.baseline else {}
    outcomes = runs.own.outcomes
    failed = (name for name in changed_tests(runs) if outcomes[name] == "failed" and known.get(name) != "failed")
    return tuple(name for name in failed if not _is_unknown_on_base(name, runs))


def _is_unknown_on_base(name: str, runs: ProjectRuns) -> bool:
    """Return whether a test is in a file that the run left alone, and that could not be loaded on the base."""
    file = runs.own.files.get(name, "") if runs.own is not None else ""
    if runs.baseline is None or not file or file in runs.changed_files:
        return False
    unloadable = {runs.baseline.files.get(each, each) for each in runs.baseline.unloadable}
    return runs.baseline.broken_build or file in unloadable


def shown_and_idle_tests(runs: ProjectRuns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the new or changed tests that fail on the base and pass on the result, and those that pass on both."""
    if runs.own is None or runs.transplanted is None:
        return (), ()
    if runs.transplanted.problem and not runs.transplanted.broken_build:
        return (), ()
    known = runs.baseline.outcomes if runs.baseline else {}
    on_base, shown, idle = runs.transplanted, [], []
    for name in changed_tests(runs):
        if runs.own.outcomes[name] != "passed":
            continue
        outcome = on_base.outcomes.get(name)
        # a file that cannot be loaded on the base has no outcome for its tests: that shows something for new ones only
        if outcome == "failed" or (outcome is None and name not in known):
            shown.append(name)
        elif outcome == "passed":
            idle.append(name)
    return tuple(shown), tuple(idle)


def builds(runs: ProjectRuns) -> bool | None:
    """Return whether the result builds; None if that is not known, or the base does not build either."""
    on_result = [report for report in (runs.guarded, runs.own) if report is not None]
    if any(report.outcomes and not report.broken_build and not report.unavailable for report in on_result):
        return True
    if not any(report.broken_build for report in on_result):
        return None
    return None if runs.baseline is not None and runs.baseline.broken_build else False


def is_forged(runs: ProjectRuns) -> bool:
    """Return whether something on the result turns failures into passes, which the base does not do."""
    if runs.baseline is not None and runs.baseline.is_forged:
        return False
    return any(report is not None and report.is_forged for report in (runs.guarded, runs.own))
