"""Values of scored runs for tests of the page."""

from __future__ import annotations

from typing import Any

from nerv import rules
from nerv.actions import Actions
from nerv.changes import Diff, FileChange
from nerv.evidence import Activity, Changes, Evidence, FileEdits, TestSuiteRun
from nerv.finding import Finding
from nerv.location import Location, Moment
from nerv.rubric import WEIGHTS
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Scorecard
from nerv.scorecard.score_report import ScoreReport
from nerv.spec import Spec, SpecItem
from nerv.verification.result import SuiteResult, TestOutcome, Verification


def moment(line: int) -> Moment:
    return Moment(location=Location(file="log.jsonl", line=line), ms=line * 1_000)


def suite_run(*, passed: int, failed: int = 0, **fields: Any) -> TestSuiteRun:
    given = {"command": "pytest -q", "succeeded": failed == 0, **fields}
    return TestSuiteRun(moment=moment(9), passed=passed, failed=failed, **given)


def facts(
    *items: str,
    test_runs: tuple[TestSuiteRun, ...] = (),
    actions: Actions | None = None,
    edits: tuple[FileEdits, ...] = (),
    changed: Diff | None = None,
    verification: Verification | None = None,
    base_commit: str = "",
    head_commit: str = "",
    **fields: Any,
) -> RunFacts:
    """The facts of a session in which these items were asked for."""
    asked = items or ("Add roman numerals",)
    spec = Spec(
        file="log.jsonl",
        title=asked[0],
        text="\n".join(asked),
        items=tuple(
            SpecItem(number=number, text=text, location=Location(file="log.jsonl", line=1), kind="sentence")
            for number, text in enumerate(asked, 1)
        ),
        given=False,
    )
    evidence = Evidence(
        kind="claude-code",
        recorded=frozenset({"tests", "diff", "time", "tokens", "tools"}),
        spec=spec,
        activity=Activity(edits=edits, test_runs=test_runs, actions=actions or Actions()),
        changes=Changes(diff=changed, base_commit=base_commit, head_commit=head_commit),
        **fields,
    )
    return RunFacts.derive(evidence, None, verification, ())


def report(of: RunFacts, *findings: Finding, vetoes: tuple[str, ...] = (), **fields: Any) -> ScoreReport:
    card = Scorecard(categories=rules.score_facts(of), weights=WEIGHTS, vetoes=vetoes)
    return ScoreReport(
        card=card,
        benchmark_dir="log.jsonl",
        created_at="2026-01-05T10:00:00.000Z",
        mode="rules",
        findings=findings,
        verification=of.verification,
        **fields,
    )


def suite(source: Any = "base", **outcomes: TestOutcome) -> SuiteResult:
    return SuiteResult(tree="result", source=source, command="pytest -q", outcomes=outcomes)


def diff(*paths: str) -> Diff:
    return Diff(
        files=tuple(
            FileChange(path=path, kind="modified", location=Location(file="log.jsonl"), added=12, removed=3)
            for path in paths
        )
    )
