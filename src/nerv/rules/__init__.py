"""The rules: pure functions that score the four categories from the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from nerv.evidence import Evidence
from nerv.finding import Finding
from nerv.inspection import Inspection
from nerv.rubric import guides_of
from nerv.rules import efficiency, experience, implementation, workflow
from nerv.rules.criterion import not_recorded
from nerv.rules.finding_effects import with_findings
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import CATEGORIES, CategoryKey, CategoryScore
from nerv.verification.result import Verification

__all__ = ["score", "score_facts"]


def score(
    evidence: Evidence,
    inspection: Inspection | None = None,
    verification: Verification | None = None,
    findings: Sequence[Finding] = (),
) -> tuple[CategoryScore, ...]:
    """Score a run in the order of `CATEGORIES`; inspects its code unless an inspection is given."""
    return score_facts(RunFacts.derive(evidence, inspection, verification, findings))


def score_facts(facts: RunFacts) -> tuple[CategoryScore, ...]:
    """Score a run whose facts are derived already."""
    if facts.evidence.nothing_to_grade:
        return tuple(_not_graded(key, facts.evidence.nothing_to_grade) for key in CATEGORIES)
    categories = (
        CategoryScore(key="implementation_quality", criteria=implementation.criteria(facts)),
        CategoryScore(key="workflow_quality", criteria=workflow.criteria(facts)),
        CategoryScore(key="efficiency", criteria=efficiency.criteria(facts)),
        CategoryScore(key="user_experience", criteria=experience.criteria(facts)),
    )
    return with_findings(categories, facts.findings)


def _not_graded(key: CategoryKey, reason: str) -> CategoryScore:
    return CategoryScore(key=key, criteria=tuple(not_recorded(guide.key, reason) for guide in guides_of(key)))
