"""The four results of a criterion: scored, no evidence, not applicable, not recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nerv.location import Location, Moment, Occurrences
from nerv.rubric import guide
from nerv.scorecard import Certainty, Criterion, Observation

_MOST_OBSERVATIONS = 20


def scored(
    key: str,
    figure: float,
    reason: str,
    *,
    observations: Sequence[Observation] = (),
    certainty: Certainty = "recorded",
    at_most: int = 10,
) -> Criterion:
    """Return the criterion with a score by its scale."""
    asked = guide(key)
    score = max(1, min(asked.scale.score(figure), at_most))
    return Criterion(
        key=key,
        share=asked.share,
        status="scored",
        score=score,
        reason=reason,
        certainty=certainty,
        observations=tuple(observations[:_MOST_OBSERVATIONS]),
        advice=asked.advice if score < 10 else "",
    )


def no_evidence(key: str, reason: str, observations: Sequence[Observation] = ()) -> Criterion:
    """Return the criterion without evidence, although it applies and such things are recorded."""
    asked = guide(key)
    return Criterion(
        key=key,
        share=asked.share,
        status="no_evidence",
        score=1,
        reason=f"No evidence: {reason}",
        observations=tuple(observations[:_MOST_OBSERVATIONS]),
        advice=asked.advice,
    )


def not_applicable(key: str, reason: str) -> Criterion:
    """Return the criterion as one that the spec or the configuration rules out."""
    return Criterion(
        key=key, share=guide(key).share, status="not_applicable", score=None, reason=f"Not applicable: {reason}"
    )


def not_recorded(key: str, reason: str) -> Criterion:
    """Return the criterion as one that this kind of source cannot know."""
    return Criterion(
        key=key, share=guide(key).share, status="not_recorded", score=None, reason=f"Not recorded: {reason}"
    )


def at(text: str, location: Location | Moment | None) -> Observation:
    """Return an observation at a location."""
    return Observation(text=text, location=location.location if isinstance(location, Moment) else location)


def tallied(occurrences: Occurrences, text: str, most: int = 3) -> list[Observation]:
    """Return observations of something that was counted: its first locations and the total."""
    if not occurrences.count:
        return []
    first = [at(text, location) for location in occurrences.locations[:most]]
    if occurrences.count > len(first):
        where = occurrences.locations[len(first)] if len(occurrences.locations) > len(first) else None
        first.append(at(f"{text}: {occurrences.count} times in total", where))
    return first


def count(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 task`, `2 tasks`."""
    shown = f"{number:,.0f}" if number == int(number) else f"{number:.1f}"
    return f"{shown} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str], most: int = 3) -> str:
    """Return the first names and the number of the rest: `a, b, c and 4 more`."""
    every = list(names)
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"
