"""The columns that every summary of models shows, and how their numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from forgetest.report import Report
from forgetest.report.aggregate import ModelAggregate, Total
from forgetest.sample import Attempt
from forgetest.statistics.intervals import Estimate, Interval, PassAtK

UNKNOWN = "n/a"

_NAMED = 10
"""So many flaky samples are named; the report holds all of them."""


def headings(pass_k: Sequence[int]) -> list[str]:
    """The columns' names."""
    return ["Model", *(f"Pass@{k}" for k in pass_k), "Compile %", "Tests %", "Score", "Cost", "Latency"]


def values(model: str, each: ModelAggregate) -> list[str]:
    """One model's row."""
    return [
        model,
        *(pass_at_k(passing) for passing in each.pass_at_k.values()),
        estimate(each.compilation_rate, percent),
        estimate(each.mean_test_pass_rate, percent),
        estimate(each.mean_score, score),
        _cost(each.cost_usd),
        estimate(each.mean_latency_ms, _latency),
    ]


def intervals(each: ModelAggregate) -> list[str]:
    """The 95% intervals that belong under a model's row; empty where there is none."""
    return [
        "",
        *(_interval(passing.estimate, _percents) for passing in each.pass_at_k.values()),
        _interval(each.compilation_rate, _percents),
        _interval(each.mean_test_pass_rate, _percents),
        _interval(each.mean_score, _scores),
        "",
        _interval(each.mean_latency_ms, _latencies),
    ]


def unjudged(report: Report) -> Iterator[str]:
    """One sentence for each model with samples that were not judged."""
    for model, each in report.aggregate.per_model.items():
        if each.unjudged:
            yield f"{model}: {each.unjudged} of {counted(each.asked, 'sample')} not judged, and in no rate"


def flaky(report: Report) -> Iterator[str]:
    """A sentence that names the samples whose verdict changes, where there are any."""
    found = report.aggregate.flaky
    if found:
        yield f"{counted(len(found), 'sample')} flaky, with another verdict when judged again: {_named(found)}"


def integrity(report: Report) -> Iterator[str]:
    """Sentences that name the samples which tried to cheat, and those whose success is not proved."""
    aggregate = report.aggregate
    if found := aggregate.found_out:
        yield f"{counted(len(found), 'sample')} not correct by integrity findings, whatever tests say: {_named(found)}"
    if found := aggregate.unverified:
        yield f"{counted(len(found), 'sample')} correct but not verified, because of unsafe code: {_named(found)}"
    if found := aggregate.unprotected:
        why = "the language does not keep samples from their tests"
        yield f"{counted(len(found), 'sample')} correct but not verified, because {why}: {_named(found)}"


def _named(found: Sequence[Attempt]) -> str:
    names = [f"{each.eval_set_id}/{each.case_id} {each.model_name} attempt {each.attempt}" for each in found[:_NAMED]]
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(names) + more


def pass_at_k(passing: PassAtK) -> str:
    """The mean, with known/total where it is not known for all cases."""
    return _with_coverage(estimate(passing.estimate, percent), passing.known, passing.total)


def estimate(found: Estimate | None, write: Callable[[float], str]) -> str:
    """The value alone."""
    return UNKNOWN if found is None else write(found.value)


def percent(share: float) -> str:
    """A share of one, as a percentage."""
    return f"{100 * share:.1f}%"


def score(value: float) -> str:
    """A score as reports show it."""
    return f"{value:.3f}"


def counted(number: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _cost(cost: Total) -> str:
    if cost.value is None:
        return UNKNOWN
    return _with_coverage(dollars(cost.value), cost.known, cost.total)


def dollars(value: float) -> str:
    """Money, to as many places as it takes to see it."""
    if 0 < value < 0.0001:
        return "<$0.0001"
    return f"${value:.4f}" if value < 1 else f"${value:.2f}"


def _latency(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _interval(found: Estimate | None, write: Callable[[Interval], str]) -> str:
    return write(found.interval) if found and found.interval else ""


def _percents(ends: Interval) -> str:
    return f"{100 * ends.low:.0f}..{100 * ends.high:.0f}"


def _scores(ends: Interval) -> str:
    return f"{ends.low:.2f}..{ends.high:.2f}"


def _latencies(ends: Interval) -> str:
    if ends.high < 1000:
        return f"{ends.low:.0f}..{ends.high:.0f}"
    return f"{ends.low / 1000:.1f}..{ends.high / 1000:.1f} s"


def _with_coverage(text: str, known: int, total: int) -> str:
    return text if known == total or text == UNKNOWN else f"{text} ({known}/{total})"
