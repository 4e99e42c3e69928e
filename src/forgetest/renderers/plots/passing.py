"""Pass@k over k, with its 95% band."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from forgetest.renderers.plots import svg
from forgetest.report import Report
from forgetest.statistics.intervals import PassAtK, mean_pass_at_k

_WIDTH, _TOP, _LEFT, _RIGHT, _TALL = 560.0, 44.0, 48.0, 16.0, 220.0
_POINTS = 40
"""More values of k than this are thinned out."""


def pass_at_k_over_k(report: Report) -> str | None:
    """Return a plot with one line per model; None if nothing was judged."""
    models = list(report.models_evaluated)
    curves = {model: _curve(_counts(report, model)) for model in models}
    most = max((k for curve in curves.values() for k, _ in curve), default=0)
    if not most:
        return None
    bottom = _TOP + _TALL
    x = svg.Scale(low=min(1, most - 1), high=max(most, 2), start=_LEFT, end=_WIDTH - _RIGHT)
    y = svg.Scale(low=0, high=1, start=bottom, end=_TOP)
    parts = [svg.word(_LEFT, 20, "Pass@k over k", kind="title")]
    for share in y.ticks():
        parts.append(svg.line(_LEFT, y(share), _WIDTH - _RIGHT, y(share), "grid"))
        parts.append(svg.word(_LEFT - 6, y(share) + 4, f"{100 * share:.0f}%", kind="faint", anchor="end"))
    parts += [
        svg.word(x(k), bottom + 16, f"{k:.0f}", kind="faint", anchor="middle")
        for k in x.ticks(8)
        if k == int(k) and 1 <= k <= most
    ]
    parts.append(svg.line(_LEFT, bottom, _WIDTH - _RIGHT, bottom, "axis"))
    parts.append(svg.word((_LEFT + _WIDTH) / 2, bottom + 32, "k", kind="faint", anchor="middle"))
    for series, model in enumerate(models):
        parts += _series(curves[model], series, model, x, y)
    parts += svg.legend([_label(report, model, curves[model]) for model in models], _LEFT + 6, bottom + 54)
    description = "; ".join(f"{model}: {_ends(curves[model])}" for model in models if curves[model])
    return svg.picture("Pass@k over k", description, _WIDTH, bottom + 54 + 18 * len(models), parts)


Curve = list[tuple[int, PassAtK]]

_ENOUGH = 0.9
"""A line goes as far as this share of the cases does, and is about those alone."""


def _counts(report: Report, model: str) -> list[tuple[int, int]]:
    cases = (models[model] for models in report.aggregate.per_case.values() if model in models)
    return [(case.judged, case.correct) for case in cases if case.judged]


def _curve(counts: Sequence[tuple[int, int]]) -> Curve:
    if not counts:
        return []
    # every point is the mean over the same cases: a line that loses cases on its way could fall
    tried = sorted((judged for judged, _ in counts), reverse=True)
    most = tried[ceil(_ENOUGH * len(tried)) - 1]
    same = [(judged, correct) for judged, correct in counts if judged >= most]
    chosen = range(1, most + 1) if most <= _POINTS else _sample_of_ks(most)
    return [(k, mean_pass_at_k(same, k)) for k in chosen]


def _label(report: Report, model: str, curve: Curve) -> str:
    cases, known = len(report.aggregate.per_case), curve[0][1].known if curve else 0
    return model if known == cases else f"{model} ({known} of {cases} cases)"


def _sample_of_ks(most: int) -> list[int]:
    return sorted({round(most ** (step / (_POINTS - 1))) for step in range(_POINTS)})


def _series(curve: Curve, series: int, model: str, x: svg.Scale, y: svg.Scale) -> list[str]:
    known = [(k, each.estimate) for k, each in curve if each.estimate]
    middle = [(x(k), y(estimate.value)) for k, estimate in known]
    ends = [(x(k), estimate.interval) for k, estimate in known if estimate.interval]
    low = [(place, y(interval.low)) for place, interval in ends]
    high = [(place, y(interval.high)) for place, interval in ends]
    parts = [svg.band(low, high, series), svg.path(middle, series)] if len(middle) > 1 else []
    if len(middle) == 1 and ends:
        parts.append(svg.line(low[0][0], low[0][1], high[0][0], high[0][1], f"whisker c{series % svg.COLOURS}"))
    if len(middle) <= 12:
        parts += [
            svg.mark(*place, series, f"{model}: Pass@{k} {100 * estimate.value:.1f}%")
            for place, (k, estimate) in zip(middle, known, strict=True)
        ]
    return parts


def _ends(curve: Curve) -> str:
    ends = [curve[0]] if len(curve) == 1 else [curve[0], curve[-1]]
    return ", ".join(f"Pass@{k} {100 * each.estimate.value:.1f}%" for k, each in ends if each.estimate)
