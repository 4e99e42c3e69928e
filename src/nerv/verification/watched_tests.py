"""Tests whose outcome depends on who is watching, by running them once more in other surroundings."""

from __future__ import annotations

from nerv.verification import mutants
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Experiments
from nerv.verification.inline_tests import test_lines
from nerv.verification.surroundings import Surroundings, looks_around, names_marks, switched, unwatched, variables_read


def find_watched_tests(experiments: Experiments, spec: str) -> tuple[str, ...]:
    """Return the tests that pass on the result, and fail where nothing shows that they are tests.

    They are only run where the run wrote code that looks around. A test of the base must pass there on the base, and
    a new one counts only if that code names what was changed.
    """
    lines = _written_lines(experiments)
    if not looks_around(lines):
        return ()
    experiments.host.say("verifying: do the tests pass in other surroundings?")
    surroundings = unwatched((spec, *_test_texts(experiments)))
    failed = _failed_in(experiments, surroundings)
    if failed:
        failed &= _failed_in(experiments, surroundings, is_repeated=True)  # a test may fail by chance
    known = experiments.runs.baseline.outcomes if experiments.runs.baseline is not None else {}
    if not names_marks(lines):
        failed = {name for name in failed if name in known}
    base = experiments.trees.base
    if base is not None and any(name in known for name in failed):
        on_base = experiments.run(base, surroundings)
        if on_base is None:
            return ()
        failed = {name for name in failed if name not in known or on_base.outcomes.get(name) == "passed"}
    return tuple(sorted(failed))


def find_switched_off_tests(experiments: Experiments) -> tuple[str, ...]:
    """Return the tests of the base that the run skips by a variable of the environment, and that fail without it."""
    baseline, own = experiments.runs.baseline, experiments.runs.own
    if baseline is None or own is None:
        return ()
    skipped = {
        name
        for name, outcome in own.outcomes.items()
        if outcome == "skipped" and baseline.outcomes.get(name) == "passed"
    }
    names = variables_read(experiments.written_test_lines()) if skipped else frozenset()
    if not names:
        return ()
    experiments.host.say(f"verifying: do the skipped tests pass with {', '.join(sorted(names))}?")
    report = experiments.run(experiments.trees.result, switched(names))
    return tuple(sorted(name for name in skipped if _outcome(report, name) == "failed"))


def _failed_in(experiments: Experiments, surroundings: Surroundings, *, is_repeated: bool = False) -> set[str]:
    own = experiments.runs.own
    report = experiments.run(experiments.trees.result, surroundings, is_repeated=is_repeated)
    if own is None or report is None or not any(outcome == "passed" for outcome in report.outcomes.values()):
        return set()
    passed = (name for name, outcome in own.outcomes.items() if outcome == "passed")
    return {name for name in passed if report.outcomes.get(name) == "failed"}


def _outcome(report: SuiteReport | None, name: str) -> str | None:
    return None if report is None else report.outcomes.get(name)


def _written_lines(experiments: Experiments) -> list[str]:
    """Return the lines of code that the run wrote, without tests."""
    found = []
    trees = experiments.trees
    for path, text, written in mutants.written_code(trees.base, trees.result, experiments.is_left_alone):
        numbers = written - test_lines(path, trees.result[path])
        found += [line for number, line in enumerate(text.splitlines(), 1) if number in numbers]
    return found


def _test_texts(experiments: Experiments) -> list[str]:
    """Return the texts of all tests of the result, also of those in its source files."""
    found = []
    for path, file in experiments.project.files(experiments.trees.result).items():
        if experiments.project.is_test_file(path) and file.link is None:
            found.append(file.text)
        elif file.link is None and (numbers := test_lines(path, file)):
            found += [line for number, line in enumerate(file.text.splitlines(), 1) if number in numbers]
    return found
