"""Effect of findings on the scores: what a finding shows to be worth less cannot score high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nerv.finding import Finding, FindingLevel, strongest_first
from nerv.scorecard import CategoryScore, Criterion, Observation

_AT_MOST: dict[FindingLevel, int] = {"likely": 4, "proven": 2}
"""The highest score of the criterion that a finding is about."""
_REQUIREMENTS_AT_MOST: dict[FindingLevel, int] = {"likely": 6, "proven": 4}
"""The highest score of `requirements` if a finding is about the tests: they no longer show what was built."""
_MOST_OBSERVATIONS = 20


def with_findings(categories: Sequence[CategoryScore], findings: Sequence[Finding]) -> tuple[CategoryScore, ...]:
    """Return the categories, with the criteria lowered that likely and proven findings are about."""
    serious = strongest_first(each for each in findings if each.level != "note")
    if not serious:
        return tuple(categories)
    return tuple(
        replace(category, criteria=tuple(_lowered(criterion, serious) for criterion in category.criteria))
        for category in categories
    )


def _lowered(criterion: Criterion, serious: Sequence[Finding]) -> Criterion:
    own = [each for each in serious if each.criterion == criterion.key]
    limits = [_AT_MOST[each.level] for each in own]
    if criterion.key == "requirements":
        about_tests = [each for each in serious if each.criterion == "tests"]
        limits += [_REQUIREMENTS_AT_MOST[each.level] for each in about_tests]
        own += about_tests
    if not own or criterion.score is None:
        return criterion
    shown = tuple(Observation(text=each.text, location=each.location) for each in own)
    limit = min(limits)
    reason = f"{criterion.reason} At most {limit} because of a finding: {own[0].text}"
    return replace(
        criterion,
        score=min(criterion.score, limit),
        reason=reason if criterion.score > limit else criterion.reason,
        observations=(*shown, *criterion.observations)[:_MOST_OBSERVATIONS],
    )
