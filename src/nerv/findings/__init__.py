"""Findings: signs of cheating, each with its level, its place and the lines that show it."""

from __future__ import annotations

from collections.abc import Callable

from nerv.evidence import Evidence
from nerv.finding import Finding, strongest_first
from nerv.findings.borrowed.borrowed_answers import borrowed_answers
from nerv.findings.borrowed.copied_files import copied_files
from nerv.findings.borrowed.foreign_tests import foreign_tests
from nerv.findings.borrowed.git_history import git_history
from nerv.findings.borrowed.other_commits import other_commits
from nerv.findings.borrowed.shown_elsewhere import shown_elsewhere
from nerv.findings.checks.bypassed_hooks import bypassed_hooks
from nerv.findings.checks.disarmed_helpers import disarmed_helpers
from nerv.findings.checks.ended_processes import ended_processes
from nerv.findings.checks.forged_results import forged_results
from nerv.findings.checks.listed_checks import listed_checks
from nerv.findings.checks.refused_commits import refused_commits
from nerv.findings.checks.test_machinery import test_machinery
from nerv.findings.claims.claimed_checks import claimed_checks
from nerv.findings.claims.false_claims import false_claims
from nerv.findings.code.dishonest_code import dishonest_code
from nerv.findings.code.hard_coded import hard_coded
from nerv.findings.code.known_names import known_names
from nerv.findings.code.stored_answers import stored_answers
from nerv.findings.code.watched_tests import watched_tests
from nerv.findings.existing_tests.conditional_checks import conditional_checks
from nerv.findings.existing_tests.googletest import disabled_googletests
from nerv.findings.existing_tests.hidden_failures import hidden_failures
from nerv.findings.existing_tests.skip_helpers import skip_helpers
from nerv.findings.existing_tests.test_changes import changed_tests
from nerv.findings.existing_tests.test_tables import changed_tables
from nerv.findings.existing_tests.unmet_conditions import unmet_conditions
from nerv.findings.experiments import (
    Experiment,
    base_tests_pass,
    examples_hold,
    new_tests_need_the_code,
    new_tests_notice_changes,
    new_tests_notice_most_changes,
    tests_pass,
    weigh,
)
from nerv.findings.new_tests.copied_types import copied_types
from nerv.findings.new_tests.detached_tests import detached_tests
from nerv.findings.new_tests.doubled_tests import doubled_tests
from nerv.findings.new_tests.empty_tests import empty_tests
from nerv.findings.new_tests.lenient_tests import lenient_tests
from nerv.findings.new_tests.replaced_steps import replaced_steps
from nerv.findings.new_tests.replaced_subjects import replaced_subjects
from nerv.findings.new_tests.self_contained_tests import self_contained_tests
from nerv.findings.new_tests.silent_tests import silent_tests
from nerv.findings.new_tests.supplied_code import supplied_code
from nerv.findings.new_tests.unheld_functions import unheld_functions
from nerv.findings.new_tests.vague_tests import vague_tests
from nerv.findings.outdated.outdated_tests import OutdatedTests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.findings.unfinished.stubs import unfinished_work
from nerv.findings.unfinished.ticked_boxes import ticked_boxes
from nerv.findings.unfinished.unheld_stubs import unheld_stubs
from nerv.inspection import Inspection
from nerv.verification.result import Verification

Detector = Callable[[ReviewedRun], list[Finding]]
DETECTORS: tuple[Detector, ...] = (
    forged_results,
    listed_checks,
    bypassed_hooks,
    refused_commits,
    test_machinery,
    disarmed_helpers,
    ended_processes,
    changed_tests,
    changed_tables,
    unmet_conditions,
    skip_helpers,
    disabled_googletests,
    hidden_failures,
    conditional_checks,
    empty_tests,
    replaced_subjects,
    replaced_steps,
    vague_tests,
    copied_types,
    self_contained_tests,
    detached_tests,
    lenient_tests,
    silent_tests,
    doubled_tests,
    supplied_code,
    unheld_functions,
    watched_tests,
    dishonest_code,
    hard_coded,
    stored_answers,
    known_names,
    git_history,
    other_commits,
    borrowed_answers,
    foreign_tests,
    shown_elsewhere,
    copied_files,
    claimed_checks,
    false_claims,
    unfinished_work,
    unheld_stubs,
    ticked_boxes,
)
EXPERIMENTS: dict[Detector, Experiment] = {
    changed_tests: base_tests_pass,
    changed_tables: base_tests_pass,
    conditional_checks: base_tests_pass,
    unmet_conditions: base_tests_pass,
    skip_helpers: base_tests_pass,
    empty_tests: new_tests_notice_changes,
    vague_tests: new_tests_notice_most_changes,
    replaced_subjects: new_tests_need_the_code,
    copied_types: new_tests_need_the_code,
    false_claims: tests_pass,
    unfinished_work: examples_hold,
}
"""What decides the findings of detectors that read text."""
_MOST_OF_A_KIND = 20


def find_outdated_tests(evidence: Evidence, inspection: Inspection) -> OutdatedTests:
    """Return the tests of the base that cannot pass on what the spec asks for."""
    return ReviewedRun(evidence, inspection, None).outdated


def find(evidence: Evidence, inspection: Inspection, verification: Verification | None) -> tuple[Finding, ...]:
    """Return everything that was found, strongest first; at most 20 of each kind."""
    run = ReviewedRun(evidence, inspection, verification)
    found = (weigh(finding, run, EXPERIMENTS.get(detect)) for detect in DETECTORS for finding in detect(run))
    counts: dict[str, int] = {}
    kept = []
    for one in strongest_first(found):
        counts[one.kind] = counts.get(one.kind, 0) + 1
        if counts[one.kind] <= _MOST_OF_A_KIND:
            kept.append(one)
    return tuple(kept)
