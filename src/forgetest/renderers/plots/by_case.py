"""Score by case: the hardest first, with a mark for each model."""

from __future__ import annotations

from forgetest.renderers import model_table
from forgetest.renderers.plots import svg
from forgetest.report import Report
from forgetest.report.aggregate import CaseId

_WIDTH, _TOP, _LEFT, _RIGHT, _ROW = 560.0, 52.0, 190.0, 24.0, 20.0
_ROWS = 40
"""More cases than this do not fit a picture; the hardest are drawn."""


def score_by_case(report: Report) -> str | None:
    """Return a plot with one row per case; None if nothing was judged."""
    models = list(report.models_evaluated)
    scores: dict[CaseId, dict[str, float]] = {}
    for case, of_models in report.aggregate.per_case.items():
        known = {model: each.mean_score.value for model, each in of_models.items() if each.mean_score}
        if known:
            scores[case] = known
    if not scores:
        return None
    hardest = sorted(scores, key=lambda case: (sum(scores[case].values()) / len(scores[case]), case))
    shown = hardest[:_ROWS]
    several = len({case.eval_set_id for case in scores}) > 1
    bottom = _TOP + _ROW * len(shown)
    x = svg.Scale(low=0, high=1, start=_LEFT, end=_WIDTH - _RIGHT)
    title = "Mean score by case"
    if len(hardest) > len(shown):
        title += f": the {len(shown)} hardest of {len(hardest)}"
    parts = [svg.word(16, 20, title, kind="title")]
    for tick in x.ticks():
        parts.append(svg.line(x(tick), _TOP - 6, x(tick), bottom, "grid"))
        parts.append(svg.word(x(tick), _TOP - 10, f"{tick:.1f}", kind="faint", anchor="middle"))
    for row, case in enumerate(shown):
        y = _TOP + _ROW * (row + 0.5)
        name = svg.shortened(str(case) if several else case.case_id, 28)
        parts.append(svg.word(_LEFT - 10, y + 4, name, anchor="end"))
        parts.append(svg.line(_LEFT, y, _WIDTH - _RIGHT, y, "grid"))
        alike: dict[float, int] = {}
        for series, model in enumerate(models):
            score = scores[case].get(model)
            if score is None:
                continue
            # equal scores are drawn side by side, so that none hides another
            place = alike.setdefault(round(score, 2), 0)
            alike[round(score, 2)] += 1
            shift = place * 9 if score < 0.5 else -place * 9
            words = f"{case}, {model}: {model_table.score(score)}"
            parts.append(svg.mark(x(score) + shift, y, series, words, size=4))
    parts += svg.legend(models, 22, bottom + 24)
    description = "; ".join(f"{case}: {_listed(scores[case])}" for case in shown[:5])
    return svg.picture(title, description, _WIDTH, bottom + 24 + 18 * len(models), parts)


def _listed(scores: dict[str, float]) -> str:
    return ", ".join(f"{model} {model_table.score(score)}" for model, score in scores.items())
