"""Cost against score: what a point of quality costs."""

from __future__ import annotations

from forgetest.renderers import model_table
from forgetest.renderers.plots import svg
from forgetest.report import Report

_WIDTH, _TOP, _LEFT, _RIGHT, _TALL = 560.0, 44.0, 48.0, 24.0, 220.0
_WIDE_RANGE = 30
"""Costs that differ by more than this factor are drawn on a logarithmic axis."""


def cost_against_score(report: Report) -> str | None:
    """Draw a mark per model at its mean cost per sample; None if no cost is known, or everything is free."""
    models = list(report.models_evaluated)
    known = {}
    for model in models:
        each = report.aggregate.per_model[model]
        if each.cost_usd.value is not None and each.cost_usd.known and each.mean_score:
            known[model] = (each.cost_usd.value / each.cost_usd.known, each.mean_score)
    costs = [cost for cost, _ in known.values()]
    if not any(costs):
        return None
    low, high = min(costs), max(costs)
    logarithmic = low > 0 and high / low > _WIDE_RANGE
    bottom = _TOP + _TALL
    x = svg.Scale(
        low=low / 1.5 if logarithmic else 0,
        high=high * 1.5 if logarithmic else high * 1.1,
        start=_LEFT,
        end=_WIDTH - _RIGHT,
        logarithmic=logarithmic,
    )
    y = svg.Scale(low=0, high=1, start=bottom, end=_TOP)
    title = "Cost of a sample against mean score"
    parts = [svg.word(_LEFT, 20, title, kind="title")]
    for score in y.ticks():
        parts.append(svg.line(_LEFT, y(score), _WIDTH - _RIGHT, y(score), "grid"))
        parts.append(svg.word(_LEFT - 6, y(score) + 4, f"{score:.1f}", kind="faint", anchor="end"))
    parts += [
        svg.word(x(cost), bottom + 16, f"${cost:g}", kind="faint", anchor="middle")
        for cost in x.ticks()
        if x.low <= cost <= x.high
    ]
    parts.append(svg.line(_LEFT, bottom, _WIDTH - _RIGHT, bottom, "axis"))
    axis = "dollars a sample" + (", logarithmic" if logarithmic else "")
    parts.append(svg.word((_LEFT + _WIDTH) / 2, bottom + 32, axis, kind="faint", anchor="middle"))
    for series, model in enumerate(models):
        if model in known:
            cost, score_of = known[model]
            words = f"{model}: {model_table.dollars(cost)} a sample, score {model_table.score(score_of.value)}"
            if score_of.interval:
                ends = (y(score_of.interval.low), y(score_of.interval.high))
                parts.append(svg.line(x(cost), ends[0], x(cost), ends[1], f"whisker c{series % svg.COLOURS}"))
            parts.append(svg.mark(x(cost), y(score_of.value), series, words, size=5.5))
    names = [model if model in known else f"{model} (cost not known)" for model in models]
    parts += svg.legend(names, _LEFT + 6, bottom + 54)
    description = "; ".join(
        f"{model}: {model_table.dollars(cost)}, score {model_table.score(found.value)}"
        for model, (cost, found) in known.items()
    )
    return svg.picture(title, description, _WIDTH, bottom + 54 + 18 * len(models), parts)
