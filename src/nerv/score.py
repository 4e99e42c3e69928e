"""Scoring of one run, from its source to the report and the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from forgetest.errors import UserError
from forgetest.files.printable import printable
from nerv import config
from nerv.readers import EVENT_LOG, TIMELINE, RunSource, main_file
from nerv.rubric import WEIGHTS
from nerv.scorecard import CATEGORIES, CategoryScore, Criterion, Scorecard, history, score_report
from nerv.scorecard.history import HistoryLine
from nerv.scorecard.score_report import MOCK_NOTICE, ScoreReport
from nerv.verification.result import Verification

if TYPE_CHECKING:
    from nerv.verification.experiments import FunctionProbe
    from nerv.verification.renamed_tests import WordProbe
    from nerv.verification.repository import RepositorySource
    from nerv.verification.suite_memory import SuiteMemory

if TYPE_CHECKING:  # imported when a run is scored: mock mode and --help do without
    from nerv.evidence import Evidence
    from nerv.finding import Finding
    from nerv.findings.outdated.outdated_tests import OutdatedTests
    from nerv.judge.ask import JudgeSetup
    from nerv.rules.run_facts import RunFacts
    from nerv.spec.examples import Example

Say = Callable[[str], None]
_MOCK_SCORE = 8
_MOST_NAMES = 3
_COUNTS = ("", "one category", "two categories", "three categories", "four categories")
_LEAST_RECORD, _VERIFIED_RECORD = Fraction(1, 2), Fraction(1, 3)
"""Shares of the weight that a pass needs: what matters most is not only recorded but run where it is verified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingOptions:
    """Options for grading a run."""

    grader: str | None = None
    """None: by rules. `claude`: by the command line of that name. Else `provider/model`."""
    prd: Path | None = None
    timeout_s: float = 300.0
    budget: int = 120_000
    """Characters of material in one question: about 30,000 tokens, which every judge can read."""
    votes: int = 1
    """Number of answers to each question; the median counts."""
    trust_judge: bool = False
    """Let a judge decide that was not calibrated."""
    threshold: Fraction = Fraction(7)
    verify: bool | None = None
    """Run the repository's tests in the sandbox; None: if there is a repository."""
    tests: str | None = None
    """Command of the user's acceptance tests."""
    tests_folder: Path | None = None
    """Folder with their files."""
    test_timeout_s: float = 300.0
    """CPU time that one run of the repository's tests may take."""
    mutants: int = 10
    """Number of small changes to the code that the tests are tried on; 0: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRun:
    """A report, and what it rests on."""

    report: ScoreReport
    facts: RunFacts | None
    """None in mock mode, which reads nothing."""

    @property
    def evidence(self) -> Evidence | None:
        """Everything that is known of the run; None in mock mode."""
        return None if self.facts is None else self.facts.evidence


def score(source: RunSource, grading: GradingOptions, say: Say, memory: SuiteMemory | None = None) -> ScoredRun:
    """Read a run and grade it. Writes nothing. `memory`: suites that need not be run again, for many runs alike."""
    if config.mock_mode():
        return _mock(source, grading, say)
    from nerv import findings, readers, rules
    from nerv.inspection import inspect
    from nerv.rules.run_facts import RunFacts

    evidence = readers.read(source)
    for warning in evidence.warnings:
        say(f"warning: {warning}")
    # before tests run for minutes, for a judge that there is not
    asking = _judge_setup(grading, say) if grading.grader is not None else None
    inspection = inspect(evidence.changes.written)
    outdated = findings.find_outdated_tests(evidence, inspection)
    verified = _verify(source, evidence, grading, say, outdated, memory)
    verification = outdated.excuse(verified)
    if verification.early_exits:
        say(f"notice: {_early_exits_text(verification.early_exits)}")
    if verification.disputed:
        say(f"notice: {_disputed_text(verification.disputed)}")
    found = findings.find(evidence, inspection, verification)
    facts = RunFacts.derive(evidence, inspection, verification, found)
    card = Scorecard(
        categories=rules.score_facts(facts),
        weights=WEIGHTS,
        threshold=grading.threshold,
        vetoes=tuple(_vetoes(facts, verification, found)),
        least_recorded=_VERIFIED_RECORD if verification.rest_is_verified else _LEAST_RECORD,
        failure_is_shown=facts.failure_is_shown,
    )
    for veto in card.vetoes:
        say(f"cannot pass: {veto}")
    report = ScoreReport(
        card=card,
        benchmark_dir=printable(source.path),
        created_at=_now(),
        mode="rules",
        inputs=evidence.inputs,
        warnings=evidence.warnings,
        findings=found,
        verification=verification,
    )
    if asking is None:
        return ScoredRun(report=report, facts=facts)
    from nerv.judge import ask, decision

    asked = ask.asked_categories(card)
    if not asked:
        say("warning: the judge is not asked, because there is nothing to grade")
        return ScoredRun(report=report, facts=facts)
    votes = f", {grading.votes} times each" if grading.votes > 1 else ""
    say(f"judging: {asking.judge.name} is asked about {_COUNTS[len(asked)]}{votes}")
    judged = ask.judge_run(report, facts, readers.main_file(source.path), asking)
    judged = decision.decided(judged, config.home(), trust_judge=grading.trust_judge)
    for veto in judged.card.vetoes[len(card.vetoes) :]:
        say(f"{'notice' if judged.untrusted else 'cannot pass'}: {veto}")
    for warning in judged.warnings[len(report.warnings) :]:
        say(f"warning: {warning}")
    if judged.untrusted:
        say(f"notice: {judged.untrusted}")
    return ScoredRun(report=judged, facts=facts)


def _judge_setup(grading: GradingOptions, say: Say) -> JudgeSetup:
    from nerv.judge.ask import JudgeSetup, workflow_rules
    from nerv.judge.judges import find_judge

    return JudgeSetup(
        judge=find_judge(grading.grader or "", grading.timeout_s, say),
        rules=workflow_rules(grading.prd),
        budget=grading.budget,
        votes=grading.votes,
    )


def _early_exits_text(places: tuple[str, ...]) -> str:
    """Return why tests that pass say nothing, and what to do."""
    return (
        "new code ends its process, and these tests pass whenever a process ends with 0; read whether they still come "
        f"to compare anything, or name acceptance tests with --tests: {', '.join(places[:5])}"
    )


def _disputed_text(tests: tuple[str, ...]) -> str:
    """Return what is open about tests that only a reader of the spec can judge, and what would decide it."""
    more = f" and {len(tests) - _MOST_NAMES} more" if len(tests) > _MOST_NAMES else ""
    return (
        "tests of the base fail on the result, and the run changed or replaced them; read in the spec whether it asks "
        f"for that, or name acceptance tests with --tests: {', '.join(tests[:_MOST_NAMES])}{more}"
    )


def _vetoes(facts: RunFacts, verification: Verification, found: Iterable[Finding]) -> Iterator[str]:
    """Yield the reasons why a run cannot pass: by our own runs, by its own words, and by what is proven."""
    yield from verification.vetoes
    if facts.requirements.veto:
        yield facts.requirements.veto
    yield from (finding.text for finding in found if finding.level == "proven")


def _verify(
    source: RunSource,
    evidence: Evidence,
    grading: GradingOptions,
    say: Say,
    outdated: OutdatedTests,
    memory: SuiteMemory | None,
) -> Verification:
    """Run the tests of the run's repository, or say why not."""
    if grading.verify is False:
        return Verification(skipped="not asked for: --no-verify")
    repository = _repository(source, evidence)
    if repository is None:
        reason = "there is no repository to run tests in; name it with --repo and --base"
        if grading.verify or grading.tests:
            say(f"warning: the tests were not run: {reason}")
        return Verification(skipped=reason)
    from nerv.inspection.mutations import mutations
    from nerv.spec.examples import examples
    from nerv.verification.verify import VerificationOptions, verify

    options = VerificationOptions(
        tests=grading.tests,
        tests_folder=grading.tests_folder,
        spec=evidence.spec.text,
        examples=(*examples(evidence.spec), *_stated_calls(evidence)),
        mutate=mutations if grading.mutants else None,
        probe=_function_probe(evidence) if grading.mutants else None,
        words=_word_probe() if grading.mutants else None,
        is_superseded=outdated.includes,
        is_disputed=outdated.disputes,
        mutants=grading.mutants,
        cpu_s=grading.test_timeout_s,
        memory=memory,
    )
    verification = verify(repository, options, say)
    if verification.skipped:
        say(f"warning: the tests were not run: {verification.skipped}")
    for problem in verification.problems:
        say(f"warning: {problem}")
    return verification


def _function_probe(evidence: Evidence) -> FunctionProbe:
    """Return how functions are disabled; those that the spec names should each be needed by a test."""
    from nerv.inspection.broken_assertions import break_assertions
    from nerv.inspection.disabled_code import disable_code, functions_in
    from nerv.inspection.hollow_code import hollow_results, refuse_calls
    from nerv.inspection.skewed_code import skew_results
    from nerv.inspection.undone_doubles import replaceable_names, undo_doubles
    from nerv.matching.code_names import called_in, names_of
    from nerv.verification.experiments import FunctionProbe

    items = evidence.spec.items if evidence.spec.given else ()
    names = frozenset(name for item in items for name in (*names_of(item.text), *called_in(item.text)))
    return FunctionProbe(
        disable=disable_code,
        locate=functions_in,
        names=names,
        refuse=refuse_calls,
        hollow=hollow_results,
        break_assertions=break_assertions,
        undo_doubles=undo_doubles,
        # a variable that the spec names is a part of what was asked for
        replaceable_names=lambda files: {
            name for name in replaceable_names(files) if not (name[0] == "$" and name[1:] in evidence.spec.text)
        },
        skew=skew_results,
    )


def _word_probe() -> WordProbe:
    """Return how names in tests are exchanged."""
    from nerv.inspection import renamed_words
    from nerv.verification.renamed_tests import WordProbe

    return WordProbe(
        written=renamed_words.written_words,
        flowing=renamed_words.flowing_words,
        outside=renamed_words.other_words,
        new_names=renamed_words.new_names,
        rename=renamed_words.rename_words,
    )


def _stated_calls(evidence: Evidence) -> tuple[Example, ...]:
    """Return calls that the spec describes in words, where the code and the tests of the whole project are at hand."""
    from nerv.inspection.calls import callees
    from nerv.matching.stated_calls import stated_calls

    repository = evidence.changes.repository
    if repository is None or not evidence.spec.given:
        return ()
    return stated_calls(evidence.spec, callees((file.path, file.text) for file in repository.files))


def _repository(source: RunSource, evidence: Evidence) -> RepositorySource | None:
    """Return where the result is: the repository that the user names, or `repo/` of the results folder."""
    from nerv.verification.repository import RepositorySource

    patch = source.path / "git-diff.patch"
    known_patch = patch if patch.is_file() and not patch.is_symlink() else None
    if source.repository is not None:
        return RepositorySource(
            folder=source.repository,
            base=source.base,
            patch=source.diff,
            fallback_patch=known_patch,
            recorded=evidence.changes.diff,
        )
    own = source.path / "repo"
    if own.is_dir() and not own.is_symlink():
        return RepositorySource(folder=own, base=source.base, is_untrusted=True, fallback_patch=known_patch)
    return None


def write_report(scored: ScoredRun, source: RunSource, say: Say) -> None:
    """Write the report into the results folder, or next to the log; warn if it cannot be written."""
    file = score_report.report_file(source.path)
    try:
        score_report.write(scored.report, file)
    except OSError as error:
        say(f"warning: {file} was not written: {error.strerror}")


def add_to_history(scored: ScoredRun, source: RunSource, say: Say) -> None:
    """Append a line to the history; warn if that is not possible."""
    file = history.history_file(config.home())
    report, evidence = scored.report, scored.evidence
    entry = history.HistoryEntry(
        timestamp=report.created_at,
        benchmark_dir=report.benchmark_dir,
        spec=_spec_name(evidence),
        mode=report.mode,
        scores={str(key): value for key, value in report.card.scores.items()},
        overall=report.card.overall,
        passed=report.deciding.passed,
        benchmarkDir=printable(source.path.absolute()),
        weightedTotal=report.card.overall,
        cycles=len(evidence.workflow.cycles) if evidence and "cycles" in evidence.recorded else None,
        cost_usd=evidence.resources.usage.cost_usd if evidence else None,
        duration_ms=evidence.resources.duration_ms if evidence else None,
    )
    try:
        history.append(file, entry)
    except OSError as error:
        say(f"warning: {file} has no line for this run: {error.strerror}")


def earlier_scores(scored: ScoredRun, say: Say) -> list[HistoryLine]:
    """Return the history's scores of the same spec, oldest first, without mock scores; ask before adding this run's."""
    spec = _spec_name(scored.evidence)
    file = history.history_file(config.home())
    try:
        entries, _ = history.read(file)
    except OSError as error:
        say(f"warning: {file} cannot be read, so earlier scores are missing: {error.strerror}")
        return []
    lines = map(history.parse_line, entries)
    return [line for line in lines if spec and line.spec == spec and line.mode != "mock"]


def _spec_name(evidence: Evidence | None) -> str:
    if evidence is None:
        return ""
    return printable(evidence.spec.title or evidence.spec.file)


def _mock(source: RunSource, grading: GradingOptions, say: Say) -> ScoredRun:
    """Return a score of 8 in every category; the required files must still exist."""
    main = source.path if source.path.is_file() else main_file(source.path)  # raises if there is no log
    if main.name in (EVENT_LOG, TIMELINE):
        for file, advice in (
            (main, "a results folder contains the event log"),
            (source.spec or main.parent / "spec.md", "name the spec with --spec FILE"),
        ):
            if not file.is_file():
                raise UserError(f"{file}: missing; {advice}")
    say(f"notice: {MOCK_NOTICE}")
    criterion = Criterion(key="mock", share=100, status="scored", score=_MOCK_SCORE, reason=MOCK_NOTICE)
    categories = tuple(CategoryScore(key=key, criteria=(criterion,)) for key in CATEGORIES)
    report = ScoreReport(
        card=Scorecard(categories=categories, weights=WEIGHTS, threshold=grading.threshold),
        benchmark_dir=printable(source.path),
        created_at=_now(),
        mode="mock",
        warnings=(MOCK_NOTICE,),
    )
    return ScoredRun(report=report, facts=None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
