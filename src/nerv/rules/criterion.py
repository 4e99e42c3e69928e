"""The four ways to answer a criterion: scored, no evidence, not applicable, not recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nerv.location import Moment, Place, Tally
from nerv.rubric import guide
from nerv.scorecard import Certainty, Criterion, Finding

_MOST_FINDINGS = 20


def scored(
    key: str,
    figure: float,
    reason: str,
    *,
    findings: Sequence[Finding] = (),
    certainty: Certainty = "recorded",
    at_most: int = 10,
) -> Criterion:
    """A score by the criterion's scale."""
    asked = guide(key)
    score = max(1, min(asked.scale.score(figure), at_most))
    return Criterion(
        key=key,
        share=asked.share,
        standing="scored",
        score=score,
        reason=reason,
        certainty=certainty,
        findings=tuple(findings[:_MOST_FINDINGS]),
        advice=asked.advice if score < 10 else "",
    )


def no_evidence(key: str, reason: str, findings: Sequence[Finding] = ()) -> Criterion:
    """It applies, such things are recorded, and there is nothing to show."""
    asked = guide(key)
    return Criterion(
        key=key,
        share=asked.share,
        standing="no_evidence",
        score=1,
        reason=f"No evidence: {reason}",
        findings=tuple(findings[:_MOST_FINDINGS]),
        advice=asked.advice,
    )


def not_applicable(key: str, reason: str) -> Criterion:
    """The spec or the configuration says that it is not asked for."""
    return Criterion(
        key=key, share=guide(key).share, standing="not_applicable", score=None, reason=f"Not applicable: {reason}"
    )


def not_recorded(key: str, reason: str) -> Criterion:
    """This kind of source cannot know it."""
    return Criterion(
        key=key, share=guide(key).share, standing="not_recorded", score=None, reason=f"Not recorded: {reason}"
    )


def at(text: str, place: Place | Moment | None) -> Finding:
    """What was seen, and where."""
    return Finding(text=text, place=place.place if isinstance(place, Moment) else place)


def tallied(tally: Tally, text: str, most: int = 3) -> list[Finding]:
    """A counted thing: how often, and the first places."""
    if not tally.count:
        return []
    first = [at(text, place) for place in tally.places[:most]]
    if tally.count > len(first):
        where = tally.places[len(first)] if len(tally.places) > len(first) else None
        first.append(at(f"{text}, and so on: {tally.count} in all", where))
    return first


def count(number: float, one: str, many: str = "") -> str:
    """`1 task`, `2 tasks`."""
    shown = f"{number:,.0f}" if number == int(number) else f"{number:.1f}"
    return f"{shown} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str], most: int = 3) -> str:
    """`a, b, c and 4 more`."""
    every = list(names)
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"
