"""The table of models that every summary shows, and the formats of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from forgetest import language
from forgetest.report import Report
from forgetest.report.aggregate import ModelAggregate, Total
from forgetest.sample import Attempt
from forgetest.statistics.intervals import Estimate, Interval, PassAtK

UNKNOWN = "n/a"

_MOST_NAMES = 10
"""Further flaky samples are only counted; the report lists them all."""


def headings(pass_k: Sequence[int]) -> list[str]:
    """Return the headings of the columns."""
    return ["Model", *(f"Pass@{k}" for k in pass_k), "Compile %", "Tests %", "Score", "Cost", "Latency"]


def values(model: str, figures: ModelAggregate) -> list[str]:
    """Return one model's row."""
    return [
        model,
        *(pass_at_k(passing) for passing in figures.pass_at_k.values()),
        estimate(figures.compilation_rate, percent),
        estimate(figures.mean_test_pass_rate, percent),
        estimate(figures.mean_score, score),
        _cost_text(figures.cost_usd),
        estimate(figures.mean_latency_ms, _latency),
    ]


def intervals(figures: ModelAggregate) -> list[str]:
    """Return the 95% intervals for the row below a model's; empty where there is none."""
    return [
        "",
        *(_interval_text(passing.estimate, _percents) for passing in figures.pass_at_k.values()),
        _interval_text(figures.compilation_rate, _percents),
        _interval_text(figures.mean_test_pass_rate, _percents),
        _interval_text(figures.mean_score, _score_bounds),
        "",
        _interval_text(figures.mean_latency_ms, _latencies),
    ]


def unjudged(report: Report, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield a sentence for each model with unjudged samples; `quoted` writes a name the way the format needs it."""
    for model, figures in report.aggregate.per_model.items():
        if figures.unjudged:
            count = f"{figures.unjudged} of {counted(figures.asked, 'sample')}"
            yield f"{quoted(model)}: {count} not judged, and in no rate"


def left_out(report: Report, _quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield a sentence for each language whose cases were left out, because its tools are missing."""
    for each in report.settings.further.get("left_out", ()):
        yield left_out_sentence(each["language"], each["cases"], each["reason"])


def left_out_sentence(name: str, cases: int, reason: str) -> str:
    """Return the sentence about the cases in one language that a run leaves out."""
    return f"{counted(cases, 'case')} in {language.find(name).title} left out, and in no rate: {reason}"


def flaky(report: Report, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield a sentence that names the flaky samples, if there are any."""
    found = report.aggregate.flaky
    if found:
        yield f"{counted(len(found), 'sample')} flaky, with another verdict when judged again: {_names(found, quoted)}"


def visible_gap(report: Report, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield a sentence for each model whose samples have visible and hidden tests."""
    for model, figures in report.aggregate.per_model.items():
        gap = figures.visible_gap
        if gap is not None:
            count = f"{gap.pass_visible - gap.pass_all} of {counted(gap.samples, 'sample')}"
            rates = f"{percent(gap.visible_test_rate)} of visible and {percent(gap.hidden_test_rate)} of hidden tests"
            yield f"{quoted(model)}: all visible tests passed and a hidden one failed in {count}; {rates} pass"


def integrity(report: Report, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield sentences that name the samples that tried to cheat, and those whose success is not proved."""
    aggregate = report.aggregate
    if found := aggregate.found_out:
        count, names = counted(len(found), "sample"), _names(found, quoted)
        yield f"{count} not correct by integrity findings, whatever tests say: {names}"
    if found := aggregate.unverified:
        count, names = counted(len(found), "sample"), _names(found, quoted)
        yield f"{count} correct but not verified, because of unsafe code: {names}"
    if found := aggregate.unprotected:
        why = "the sample shared an interpreter with its tests, or its own methods answered for its values"
        yield f"{counted(len(found), 'sample')} correct but not verified, because {why}: {_names(found, quoted)}"
    if found := aggregate.uncontrolled:
        why = "a control was passed, a passed test has none, or the sample itself decides what it equals"
        yield f"{counted(len(found), 'sample')} correct but not verified, because {why}: {_names(found, quoted)}"


def _names(attempts: Sequence[Attempt], quoted: Callable[[str], str]) -> str:
    names = [
        f"{quoted(f'{a.eval_set_id}/{a.case_id} {a.model_name}')} attempt {a.attempt}" for a in attempts[:_MOST_NAMES]
    ]
    more = f" and {len(attempts) - _MOST_NAMES} more" if len(attempts) > _MOST_NAMES else ""
    return ", ".join(names) + more


def pass_at_k(passing: PassAtK) -> str:
    """Return the mean, with known/total if it is not known for all cases."""
    return _with_coverage(estimate(passing.estimate, percent), passing.known, passing.total)


def estimate(found: Estimate | None, write: Callable[[float], str]) -> str:
    """Return the value without its interval."""
    return UNKNOWN if found is None else write(found.value)


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{100 * share:.1f}%"


def score(value: float) -> str:
    """Return a score with three decimals."""
    return f"{value:.3f}"


def counted(number: int, noun: str) -> str:
    """Return the number with its noun: `1 case`, `2 cases`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _cost_text(cost: Total) -> str:
    if cost.value is None:
        return UNKNOWN
    return _with_coverage(dollars(cost.value), cost.known, cost.total)


def dollars(value: float) -> str:
    """Return an amount of money, with more decimals for small ones."""
    if 0 < value < 0.0001:
        return "<$0.0001"
    return f"${value:.4f}" if value < 1 else f"${value:.2f}"


def _latency(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _interval_text(found: Estimate | None, write: Callable[[Interval], str]) -> str:
    return write(found.interval) if found and found.interval else ""


def _percents(ends: Interval) -> str:
    return f"{100 * ends.low:.0f}..{100 * ends.high:.0f}"


def _score_bounds(ends: Interval) -> str:
    return f"{ends.low:.2f}..{ends.high:.2f}"


def _latencies(ends: Interval) -> str:
    if ends.high < 1000:
        return f"{ends.low:.0f}..{ends.high:.0f}"
    return f"{ends.low / 1000:.1f}..{ends.high / 1000:.1f} s"


def _with_coverage(text: str, known: int, total: int) -> str:
    return text if known == total or text == UNKNOWN else f"{text} ({known}/{total})"
