"""The outcome of the significance tests in sentences, the same in text and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from forgetest.comparison import Comparison
from forgetest.comparison.per_model import ModelChange
from forgetest.renderers.model_table import percent
from forgetest.statistics.intervals import Estimate
from forgetest.statistics.significance import ModelSignificance

_TESTS = {"mcnemar": "McNemar's exact test", "permutation": "paired permutation test"}


def points(change: float) -> str:
    """Return a change of a share or a score, with its sign."""
    return f"{100 * change:+.1f} points"


def p_value(p: float) -> str:
    """Return a p-value as text."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def ruling(comparison: Comparison) -> str:
    """Return the outcome of `--gate significant` in a sentence."""
    if not comparison.changes:
        return "No case was judged in both reports."
    if all(change.baseline == change.current for change in comparison.changes):
        return "No case has changed."
    return {
        "regressed": "The data show a regression.",
        "clean": f"The data rule out a drop of more than {_points_text(comparison.threshold)}.",
        "inconclusive": "The data are inconclusive: "
        f"neither a regression nor the absence of a drop of more than {_points_text(comparison.threshold)} is shown.",
    }[comparison.ruling]


def sentences(model: ModelChange, comparison: Comparison, quoted: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the outcome for one model; `quoted` writes a name the way the format needs it."""
    evidence = model.evidence
    yield f"{evidence.ruling}: pass rate {_rates(model)}, {_change_text(evidence)}; {_test_result(evidence)}"
    certain = [
        f"{quoted(f'{change.eval_set_id}/{change.case_id}')} ({p_value(change.evidence.p_adjusted)})"
        for change in comparison.changes
        if change.model == model.model and change.evidence is not None and change.evidence.regressed
    ]
    if certain:
        yield f"surely worse, after correction for all cases: {', '.join(certain)}"
    if evidence.ruling == "inconclusive":
        yield from _how_to_settle(evidence, comparison.threshold)


def _rates(model: ModelChange) -> str:
    return f"{_rate(model.baseline.pass_rate)} → {_rate(model.current.pass_rate)}"


def _rate(rate: Estimate) -> str:
    ends = rate.interval
    return percent(rate.value) + (f" ({100 * ends.low:.0f}..{100 * ends.high:.0f})" if ends else "")


def _change_text(evidence: ModelSignificance) -> str:
    ends = evidence.change.interval
    if ends is None:
        return points(evidence.change.value)
    return f"{points(evidence.change.value)} (95%: {100 * ends.low:+.1f} to {100 * ends.high:+.1f})"


def _test_result(evidence: ModelSignificance) -> str:
    test = _TESTS[evidence.test]
    if evidence.change.value > 0:
        return f"{p_value(evidence.p.better)} for a rise by chance ({test})"
    if evidence.p_adjusted != evidence.p.worse:
        test += f", {p_value(evidence.p_adjusted)} after correction for all models"
    return f"{p_value(evidence.p.worse)} for a drop by chance ({test})"


def _how_to_settle(evidence: ModelSignificance, threshold: float) -> Iterator[str]:
    detectable = (
        f"a true drop of {_points_text(threshold)} would be found in {100 * evidence.power:.0f} of 100 such comparisons"
    )
    if evidence.minimum_detectable_effect is not None:
        detectable += f", one of {_points_text(evidence.minimum_detectable_effect)} in 80"
    yield detectable
    ways = []
    if evidence.cases_to_settle is not None:
        ways.append(f"about {evidence.cases_to_settle} such cases")
    if evidence.attempts_to_settle is not None:
        ways.append(f"about {evidence.attempts_to_settle} attempts at each of these")
    if ways:
        yield f"to settle it: {', or '.join(ways)}"


def _points_text(share: float) -> str:
    return f"{100 * share:.3g} points"
