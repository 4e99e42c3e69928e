"""A run's evidence, with all that several rules derive from it, derived once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from nerv.evidence import Evidence, Subject, Task
from nerv.inspection import Inspection, inspect
from nerv.matching.spec_names import DefinitionIndex
from nerv.matching.text_similarity import Vocabulary, related
from nerv.rules.requirements import Requirements, requirements
from nerv.rules.test_evidence import Tested, tested

_WORDS_AN_ITEM = 150
_ITEMS_A_TASK = 6
_FEWEST_TASKS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What was asked for and what came of it."""

    evidence: Evidence
    inspection: Inspection
    definition_index: DefinitionIndex
    tested: Tested
    requirements: Requirements
    served: Mapping[str, tuple[int, ...]]
    """The items that each task serves, by its title."""

    @classmethod
    def of(cls, evidence: Evidence, inspection: Inspection | None = None) -> Work:
        """Look at the code, the tests and the requirements of a run."""
        inspection = inspection or inspect(evidence.written)
        vocabulary = Vocabulary.of(evidence.spec)
        definition_index = DefinitionIndex(inspection.definitions)
        tests = tested(evidence, inspection, vocabulary)
        by_title = {title: related(title, vocabulary) for title in {task.title for task in evidence.tasks}}
        served = {task.id: by_title[task.title] for task in evidence.tasks}
        return cls(
            evidence=evidence,
            inspection=inspection,
            definition_index=definition_index,
            tested=tests,
            requirements=requirements(evidence, definition_index, vocabulary, tests, served),
            served=served,
        )

    def records(self, *subjects: Subject) -> bool:
        """Whether this kind of source can know all of these."""
        return self.evidence.recorded.issuperset(subjects)

    @property
    def has_code(self) -> bool:
        """Whether this kind of source can show code."""
        return bool(self.evidence.recorded & {"diff", "repository"})

    @property
    def size(self) -> float:
        """The size of the work in items, which is the spec's: its own, or one for every 150 words of it."""
        return max(1, len(self.evidence.spec.items), len(self.evidence.spec.text.split()) // _WORDS_AN_ITEM)

    @property
    def done(self) -> float:
        """How many of these items are completed."""
        return self.requirements.completed * self.size

    @property
    def expected_tasks(self) -> int:
        """How many tasks a spec of this size takes; what is counted per task is divided by it."""
        return max(_FEWEST_TASKS, math.ceil(self.size / _ITEMS_A_TASK))

    @property
    def worked_on(self) -> tuple[Task, ...]:
        """The tasks that were at least begun."""
        return tuple(task for task in self.evidence.tasks if task.status != "created")

    @property
    def finished(self) -> tuple[Task, ...]:
        """The tasks that were completed."""
        return tuple(task for task in self.evidence.tasks if task.status == "completed")
