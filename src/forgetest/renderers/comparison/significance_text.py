"""What the data can bear, in sentences: the same in text and markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from forgetest.comparison import Comparison
from forgetest.comparison.per_model import ModelChange
from forgetest.renderers.model_table import percent
from forgetest.statistics.intervals import Estimate
from forgetest.statistics.significance import Evidence

_TESTS = {"mcnemar": "McNemar's exact test", "permutation": "paired permutation test"}


def points(change: float) -> str:
    """A change of a share or a score, with its sign."""
    return f"{100 * change:+.1f} points"


def p_value(p: float) -> str:
    """A p-value as it is written."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def ruling(comparison: Comparison) -> str:
    """The outcome of `--gate significant`, in a sentence."""
    if all(change.baseline == change.current for change in comparison.changes):
        return "No case has changed."
    return {
        "regressed": "The data show a regression.",
        "clean": f"The data rule out a drop of more than {_size(comparison.threshold)}.",
        "inconclusive": "The data are inconclusive: "
        f"neither a regression nor the absence of a drop of more than {_size(comparison.threshold)} is shown.",
    }[comparison.ruling]


def sentences(each: ModelChange, comparison: Comparison, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """What the data say of one model; `quoted` is how the format writes names that are not ours."""
    found = each.evidence
    yield f"{found.ruling}: pass rate {_rates(each)}, {_change(found)}; {_tested(found)}"
    surely = [
        f"{quoted(f'{change.eval_set_id}/{change.case_id}')} ({p_value(change.evidence.p_adjusted)})"
        for change in comparison.changes
        if change.model == each.model and change.evidence is not None and change.evidence.regressed
    ]
    if surely:
        yield f"surely worse, after correction for all cases: {', '.join(surely)}"
    if found.ruling == "inconclusive":
        yield from _open(found, comparison.threshold)


def _rates(each: ModelChange) -> str:
    return f"{_rate(each.baseline.pass_rate)} → {_rate(each.current.pass_rate)}"


def _rate(found: Estimate) -> str:
    ends = found.interval
    return percent(found.value) + (f" ({100 * ends.low:.0f}..{100 * ends.high:.0f})" if ends else "")


def _change(found: Evidence) -> str:
    ends = found.change.interval
    if ends is None:
        return points(found.change.value)
    return f"{points(found.change.value)} (95%: {100 * ends.low:+.1f} to {100 * ends.high:+.1f})"


def _tested(found: Evidence) -> str:
    test = _TESTS[found.test]
    if found.change.value > 0:
        return f"{p_value(found.p.better)} for a rise by chance ({test})"
    if found.p_adjusted != found.p.worse:
        test += f", {p_value(found.p_adjusted)} after correction for all models"
    return f"{p_value(found.p.worse)} for a drop by chance ({test})"


def _open(found: Evidence, threshold: float) -> Iterator[str]:
    told = f"a true drop of {_size(threshold)} would be found in {100 * found.power:.0f} of 100 such comparisons"
    if found.minimum_detectable_effect is not None:
        told += f", one of {_size(found.minimum_detectable_effect)} in 80"
    yield told
    ways = []
    if found.cases_to_settle is not None:
        ways.append(f"about {found.cases_to_settle} such cases")
    if found.attempts_to_settle is not None:
        ways.append(f"about {found.attempts_to_settle} attempts at each of these")
    if ways:
        yield f"to settle it: {', or '.join(ways)}"


def _size(share: float) -> str:
    return f"{100 * share:.3g} points"
