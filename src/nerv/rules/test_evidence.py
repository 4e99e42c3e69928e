"""Evidence from tests: the requirements they cover, and the results of their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nerv.evidence import Evidence, FileEdits, TestSuiteRun
from nerv.inspection import Inspection
from nerv.inspection.source import is_test_path
from nerv.location import Location, Moment
from nerv.matching.code_names import words_of
from nerv.matching.edits_by_prompt import edits_by_item
from nerv.matching.stated_cases import StatedCase, TriedCases, stated_cases
from nerv.matching.text_similarity import Vocabulary, covered_items
from nerv.rules.covering_runs import covers, last_source_edit
from nerv.rules.other_deliveries import delivered_otherwise
from nerv.scorecard import Observation
from nerv.verification.result import LEAST_NOTICED, ExampleResult, Verification

_OWN_RUN = Moment(location=Location(file="nerv's own test run"), ms=None)

_MOST_FILES = 50
"""Test files that the run left alone and that are looked at for what they try."""
_OUTDATED = 0.5
"""Credit for a pass before the last edit of the code."""
_MOSTLY_TRIED, _FEWEST_CASES = 0.6, 2
"""Share of an item's cases that tests try, from which on they cover it whatever their words; of so many at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestEvidence:
    """Everything known about a run's tests."""

    covered: Mapping[int, Observation] = field(default_factory=dict)
    """The items (by index) that tests cover, each with the test that matches it best."""
    untried: Mapping[int, tuple[StatedCase, ...]] = field(default_factory=dict)
    """What each item (by index) states and no test tries; no entry where the code of the tests is not known."""
    stated: Mapping[int, int] = field(default_factory=dict)
    """The number of cases that each item states, where the code of the tests is known."""
    words: frozenset[str] = frozenset()
    """Names that these tests mention, as `plain_name` has them."""
    count: int = 0
    """Number of different tests that can fail."""
    verified: bool | None = None
    """What our own run of the tests showed, which then is `last`; None: nothing."""
    accepted: bool = False
    """Our own run of the user's acceptance tests passed, or a benchmark's run of its own."""
    rejected: bool = False
    """Our own run of the tests failed, or a benchmark's run of its own."""
    why_rejected: str = ""
    """The reason for that, as the end of a sentence."""
    shows_change: bool = False
    """Our own runs show that the change works: tests fail without it, pass with it, and notice changes to its code.
    Words in which a spec and its tests differ then say little."""
    proves_change: bool = True
    """False: all new and changed tests pass without the change as well, or they miss most changes to the code."""
    noticed_share: float | None = None
    """The share of small changes to the code that the tests notice in our own runs; None: not tried, or too few."""
    disputed: int = 0
    """Tests of the base that fail on the result, of which only a reader of the spec can tell whether they had to go."""
    unheld: frozenset[str] = frozenset()
    """Functions that the spec names and whose failure no test notices in our own runs."""
    examples: Mapping[int, tuple[ExampleResult, ...]] = field(default_factory=dict)
    """The spec's own examples that were run on the result, by the number of their item."""
    last: TestSuiteRun | None = None
    """The deciding run: our own, or else the worst failure that no later run repaired, or else the last
    run."""
    widest: TestSuiteRun | None = None
    """The run to show: if `last` passed, the one with the most tests since the last edit."""
    not_started: TestSuiteRun | None = None
    """The last run that could not be started, if no run was."""
    claimed: TestSuiteRun | None = None
    """The last claim that tests passed, without a recorded run."""
    outdated: bool = False
    """The deciding run passed before the last edit of the code, and so says nothing about the end."""
    unrelated: TestSuiteRun | None = None
    """The last run, if no run covers the change."""

    @property
    def tried_share(self) -> float | None:
        """The share of all cases that the spec states and tests try; None if that is not known."""
        stated = sum(self.stated.values())
        return 1 - sum(map(len, self.untried.values())) / stated if stated else None

    @property
    def passed(self) -> bool:
        """Return whether the tests are recorded to pass at the end."""
        return self.last is not None and self.last.succeeded and not self.outdated

    @property
    def misses_changes(self) -> bool:
        """True if the tests miss most of the small changes to the code that were tried."""
        return self.noticed_share is not None and self.noticed_share < LEAST_NOTICED

    @property
    def pass_rate(self) -> float | None:
        """The share that passed in the deciding run, half of it if that is outdated; None where no run is recorded."""
        return None if self.last is None else _pass_rate(self.last) * (_OUTDATED if self.outdated else 1)


def gather_test_evidence(
    evidence: Evidence, inspection: Inspection, vocabulary: Vocabulary, verification: Verification | None = None
) -> TestEvidence:
    """Match the tests with the spec, and find the runs that decide: our own, if there is one."""
    about: dict[int, Observation] = {}
    closest: dict[int, float] = {}
    for test in inspection.tests:
        for index, share in covered_items(test.mentions, vocabulary).items():
            if share > closest.get(index, 0.0):
                text = f"the test “{test.name}” covers: {evidence.spec.items[index].text}"
                closest[index], about[index] = share, Observation(text=text, location=test.location)
    written = {test.location.file for test in inspection.tests}
    cases = _tried_cases(evidence, inspection)
    untried, stated = _cases_of_items(evidence, cases)
    for index, edits in edits_by_item(evidence).items():
        nothing_tried = stated.get(index, 0) > 0 and len(untried[index]) == stated[index]
        for path, moment in edits:
            if path in written and not nothing_tried:
                about.setdefault(
                    index,
                    Observation(text=f"tests in {path} were written after the request", location=moment.location),
                )
    for index in _mostly_tried(untried, stated) if inspection.tests else ():
        tried, item = stated[index] - len(untried[index]), evidence.spec.items[index]
        text = f"tests try {tried} of {stated[index]} cases of: {item.text}"
        about.setdefault(index, Observation(text=text, location=inspection.tests[0].location))
    changed = {source.path for source in evidence.changes.written} if evidence.changes.diff is not None else set()
    every = [run for run in evidence.activity.test_runs if run.strength == "recorded" and run.ran]
    recorded = [run for run in every if covers(run, changed)]
    not_started = [run for run in evidence.activity.test_runs if not run.ran]
    claims = [run for run in evidence.activity.test_runs if run.strength == "claimed" and run.succeeded]
    verified = verification.rest_is_verified if verification is not None else None
    if verification is not None and verification.passes_as_rewritten:
        verified = True  # in doubt is what these tests expect, not what the others show
    last = _deciding(recorded)
    if verification is not None and verified is not None:
        last = _own_run(verification, verified)
        recorded, not_started = [last], []
    benchmark = next((run for run in reversed(every) if run.acceptance), None) if verified is None else None
    if benchmark is not None:
        last, recorded = benchmark, [benchmark]
    edited = last_source_edit(evidence.activity.edits, changed)
    return TestEvidence(
        covered=about,
        untried=untried,
        stated=stated,
        words=words_of(test.mentions for test in inspection.tests),
        count=len(inspection.tests),
        verified=verified,
        accepted=(verification is not None and verification.accepted is True)
        or (benchmark is not None and benchmark.succeeded),
        rejected=verified is False or (benchmark is not None and not benchmark.succeeded),
        why_rejected=_why_rejected(verification if verified is False else None),
        shows_change=verification is not None and _shows_change(verification),
        proves_change=verification is None or _proves_change(verification),
        noticed_share=None if verification is None else verification.noticed_share,
        disputed=len(verification.disputed) if verification is not None and not verification.accepted else 0,
        unheld=frozenset(verification.unheld) if verification is not None else frozenset(),
        examples=_examples_by_item(verification),
        last=last,
        widest=_widest(last, recorded, evidence.activity.edits),
        not_started=not_started[-1] if not_started and not every else None,
        outdated=last is not None and last.succeeded and edited is not None and last.moment.before(edited),
        unrelated=every[-1] if every and not recorded else None,
        claimed=claims[-1] if claims else None,
    )


def _tried_cases(evidence: Evidence, inspection: Inspection) -> TriedCases | None:
    """Return which stated cases tests try; None if the spec states none, or the tests' code is not at hand."""
    is_list = all(item.kind != "sentence" for item in evidence.spec.items)
    if not (evidence.spec.given or is_list) or inspection.unparsed or not evidence.recorded & {"diff", "repository"}:
        return None
    files = {source.path: source.text for source in evidence.changes.written}
    repository = evidence.changes.repository
    others = [file for file in repository.files if is_test_path(file.path)] if repository is not None else []
    return TriedCases.of(
        inspection.tests, files, (file.text for file in others[:_MOST_FILES] if file.path not in files)
    )


def _cases_of_items(
    evidence: Evidence, cases: TriedCases | None
) -> tuple[dict[int, tuple[StatedCase, ...]], dict[int, int]]:
    """Return what each item states and no test tries, and how much it states; nothing where tests are not known."""
    items = enumerate(evidence.spec.items) if cases is not None else ()
    untried, stated = {}, {}
    others = delivered_otherwise(evidence) if cases is not None else {}
    for index, item in items:
        assert cases is not None
        if index in others:
            continue  # no test has to try that something is gone
        untried[index], stated[index] = cases.untried(item), len(stated_cases(item))
    return untried, stated


def _mostly_tried(untried: Mapping[int, tuple[StatedCase, ...]], stated: Mapping[int, int]) -> list[int]:
    """Return the items of whose cases tests try most: a test may say in code what the spec says in words."""
    return [
        index
        for index, number in stated.items()
        if number >= _FEWEST_CASES and number - len(untried[index]) >= _MOSTLY_TRIED * number
    ]


def _proves_change(verification: Verification) -> bool:
    noticed = verification.noticed_share
    return (bool(verification.shown) or not verification.idle) and (noticed is None or noticed >= LEAST_NOTICED)


def _shows_change(verification: Verification) -> bool:
    if not verification.rest_is_verified and not verification.passes_as_rewritten:
        return False
    return verification.accepted is True or (bool(verification.shown) and _proves_change(verification))


def _why_rejected(verification: Verification | None) -> str:
    if verification is None:
        return "the benchmark's own tests fail"
    if not verification.tests_fail:
        return f"the result contradicts an example of the spec ({verification.wrong_examples[0]})"
    return "nerv's own run of the tests fails"


def _examples_by_item(verification: Verification | None) -> dict[int, tuple[ExampleResult, ...]]:
    known = [each for each in verification.examples if each.status != "unknown"] if verification is not None else []
    return {number: tuple(each for each in known if each.item == number) for number in {each.item for each in known}}


def _own_run(verification: Verification, verified: bool) -> TestSuiteRun:
    """Return the verification as a run: the tests that decide, each counted once."""
    passed = {name for suite in verification.suites if suite.tree == "result" for name in suite.passed}
    failed = {*verification.broken, *verification.failing, *map(str, verification.wrong_examples)}
    if verification.accepted is False:
        failed.add("acceptance tests")
    command = next((suite.command for suite in verification.suites if suite.tree == "result"), "")
    return TestSuiteRun(
        moment=_OWN_RUN,
        command=command,
        passed=len(passed - failed) if verification.builds is not False and not verification.forged else 0,
        failed=len(failed),
        succeeded=verified,
    )


def _deciding(runs: list[TestSuiteRun]) -> TestSuiteRun | None:
    """Return the worst failure that no later run repaired, or else the last run.

    A failure counts until a later run of at least half as many tests succeeds: running fewer tests repairs nothing.
    """
    unrepaired = [
        run
        for index, run in enumerate(runs)
        if not run.succeeded and not any(later.succeeded and _as_many(later, run) for later in runs[index + 1 :])
    ]
    if unrepaired:
        return min(reversed(unrepaired), key=_pass_rate)
    return runs[-1] if runs else None


def _widest(last: TestSuiteRun | None, runs: list[TestSuiteRun], edits: Sequence[FileEdits]) -> TestSuiteRun | None:
    """Return the run with the most tests after the last edit; all of them passed, and the last may be of one test."""
    known = all(edit.moments and len(edit.moments) == edit.count for edit in edits)
    if last is None or not last.succeeded or not edits or not known:
        return last
    ends = [edit.moments[-1] for edit in edits]
    final = [run for run in runs if run.succeeded and all(end.before(run.moment) for end in ends)]
    return max(final, key=lambda run: run.passed or 0, default=last)


def _pass_rate(run: TestSuiteRun) -> float:
    if run.succeeded:
        return 1.0
    passed, failed = run.passed or 0, run.failed or 0
    return passed / (passed + max(failed, 1))


def _as_many(later: TestSuiteRun, failed: TestSuiteRun) -> bool:
    if later.passed is None or failed.passed is None or failed.failed is None:
        return True
    return 2 * later.passed >= failed.passed + failed.failed
