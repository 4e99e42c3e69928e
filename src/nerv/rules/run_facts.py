"""Facts that several rules need, derived once from a run's evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerv.evidence import Evidence, Subject, Task
from nerv.finding import Finding
from nerv.inspection import Inspection, inspect
from nerv.matching.spec_names import DefinitionIndex
from nerv.matching.text_similarity import Vocabulary, related_items
from nerv.rules.requirements import Requirements, assess_requirements
from nerv.rules.test_evidence import TestEvidence, gather_test_evidence
from nerv.verification.result import Verification

_DOCUMENT = re.compile(
    r"\.(?:md|rst|adoc)$|(?:^|/)(?:licen[cs]e|copying|notice|authors|readme|changelog)[^/.]*(?:\.txt)?$", re.I
)
"""A text file of any other name may be what a program reads."""
_WORDS_PER_ITEM = 150
_ITEMS_PER_TASK = 6
_FEWEST_EXPECTED_TASKS = 3
_MOST, _INCOMPLETE_AT_MOST, _HALF_AT_MOST = 10, 6, 4
"""Tidy and cheap code does not make up for code that the spec names and the result lacks."""
_UNPROVEN_SHARE = 0.5
"""Worth of a completed item that nothing shows to work, in figures per item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """A run's evidence, with the facts about its code, tests and requirements."""

    evidence: Evidence
    inspection: Inspection
    definition_index: DefinitionIndex
    tests: TestEvidence
    requirements: Requirements
    items_by_task: Mapping[str, tuple[int, ...]]
    """The indices of the spec items that each task serves, judged by its title; keyed by task id."""
    verification: Verification | None = None
    """What our own run of the tests showed; None if there was none."""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def derive(
        cls,
        evidence: Evidence,
        inspection: Inspection | None = None,
        verification: Verification | None = None,
        findings: Sequence[Finding] = (),
    ) -> RunFacts:
        """Derive the facts; inspects the code unless that was done before."""
        inspection = inspection or inspect(evidence.changes.written)
        vocabulary = Vocabulary.of(evidence.spec)
        definition_index = DefinitionIndex(inspection.definitions)
        tests = gather_test_evidence(evidence, inspection, vocabulary, verification)
        items_by_title = {
            title: related_items(title, vocabulary) for title in {task.title for task in evidence.workflow.tasks}
        }
        items_by_task = {task.id: items_by_title[task.title] for task in evidence.workflow.tasks}
        return cls(
            evidence=evidence,
            inspection=inspection,
            definition_index=definition_index,
            tests=tests,
            requirements=assess_requirements(evidence, definition_index, vocabulary, tests, items_by_task),
            items_by_task=items_by_task,
            verification=verification,
            findings=tuple(findings),
        )

    def records(self, *subjects: Subject) -> bool:
        """Return whether this kind of source can know all of these subjects."""
        return self.evidence.recorded.issuperset(subjects)

    @property
    def knows_requirements(self) -> bool:
        """Return whether this kind of source can show that a requirement is met."""
        return self.has_code or bool(self.evidence.recorded & {"spec_completion", "tasks", "tests"})

    @property
    def has_code(self) -> bool:
        """Return whether this kind of source can show code."""
        return bool(self.evidence.recorded & {"diff", "repository"})

    @property
    def knows_whole_project(self) -> bool:
        """Return whether the whole project is known, so that something that is not there does not exist."""
        changes = self.evidence.changes
        if self.inspection.unparsed:
            return False
        if changes.repository is not None or self.records("repository") or changes.diff is None:
            return True
        return all(change.kind == "added" for change in changes.diff.files)

    @property
    def changed_only_documents(self) -> bool:
        """Return whether a session wrote prose alone; with a spec beside it, a run owes the code that is asked for."""
        diff = self.evidence.changes.diff
        if diff is None or not diff.files or self.evidence.spec.given:
            return False
        return all(_DOCUMENT.search(change.path) for change in diff.files)

    @property
    def size(self) -> float:
        """The size of the work in items: those of the spec, or one per 150 words if it has fewer."""
        return max(1, len(self.evidence.spec.items), len(self.evidence.spec.text.split()) // _WORDS_PER_ITEM)

    @property
    def completed_items(self) -> float:
        """The number of completed items; none if the source records tasks and no task was finished."""
        if self.records("tasks") and not self.finished_tasks:
            return 0
        return self.requirements.completed * self.size

    @property
    def working_items(self) -> float:
        """The number of completed items, of which those that nothing shows to work count half.

        Tests or audits show it, or our own run of the tests; if that failed, nothing works.
        """
        completed = self.completed_items
        if self.shown_to_work is False:
            return 0
        if self.tests.shows_change:
            return completed
        backed = min(completed, self.requirements.backed * self.size)
        return backed + _UNPROVEN_SHARE * (completed - backed)

    @property
    def shown_to_work(self) -> bool | None:
        """True if tests or an audit confirm at least one item; False if our own run of the tests failed."""
        if self.tests.rejected:
            return False
        return True if self.tests.shows_change or self.requirements.backed else None

    @property
    def incomplete_at_most(self) -> int:
        """The highest score of what counts for delivered work: less if the result lacks named code, or is in doubt."""
        return self._thin_at_most if self.lacking_at_most == _MOST else self.lacking_at_most

    @property
    def lacking_at_most(self) -> int:
        """The highest score of what says that work was delivered: less if named code is missing, or there is doubt."""
        absent = self.requirements.absent
        if not absent and not self.is_doubted:
            return _MOST
        return _INCOMPLETE_AT_MOST if absent < 0.5 else _HALF_AT_MOST

    def lacking_text(self, reason: str) -> str:
        """Return the reason of a criterion, with why it is limited by `lacking_at_most`."""
        if self.lacking_at_most == _MOST:
            return reason
        return f"{reason.removesuffix('.')}; at most {self.lacking_at_most}, as {self.why_incomplete}."

    @property
    def _thin_at_most(self) -> int:
        """The highest score where tests alone show that it works: less if they try nothing, or a function needs none.

        A small share of what the spec states says nothing: it depends on how the spec is written. Nor does none at all
        if our own runs show that the tests fail without the change.
        """
        if self.tests.accepted or self.evidence.workflow.audits:
            return _MOST
        tries_nothing = self.tests.tried_share == 0 and not self.tests.shows_change
        return _INCOMPLETE_AT_MOST if self.tests.unheld or tries_nothing else _MOST

    @property
    def is_doubted(self) -> bool:
        """True if a finding above a note speaks against the tests or against what was built."""
        return any(each.level != "note" and each.criterion in ("tests", "requirements") for each in self.findings)

    @property
    def doubted_at_most(self) -> int:
        """The highest score of delivered work, whoever gives it, with such a finding."""
        return _INCOMPLETE_AT_MOST if self.is_doubted else _MOST

    @property
    def why_incomplete(self) -> str:
        """The reason for `incomplete_at_most`, as the end of a sentence."""
        if self.requirements.absent:
            return "the result lacks code that the spec names"
        if self.is_doubted:
            return "a finding speaks against it"
        if self.tests.unheld:
            return f"no test notices if `{min(self.tests.unheld)}` fails"
        return "tests try nothing of what the spec states"

    @property
    def failure_is_shown(self) -> bool:
        """True if tests, audits or the end of the run show that something was not done or does not work."""
        failed = self.shown_to_work is False or (self.tests.last is not None and not self.tests.last.succeeded)
        statuses = {one.status for one in self.requirements.each}
        return failed or bool(self.requirements.absent) or bool(statuses & {"missed", "contradicted", "unfinished"})

    @property
    def expected_tasks(self) -> int:
        """The number of tasks that a spec of this size takes; figures per task are divided by it."""
        return max(_FEWEST_EXPECTED_TASKS, math.ceil(self.size / _ITEMS_PER_TASK))

    @property
    def started_tasks(self) -> tuple[Task, ...]:
        """The tasks that were at least started."""
        return tuple(task for task in self.evidence.workflow.tasks if task.status != "created")

    @property
    def finished_tasks(self) -> tuple[Task, ...]:
        """The tasks that were completed."""
        return tuple(task for task in self.evidence.workflow.tasks if task.status == "completed")
