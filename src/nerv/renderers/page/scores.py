"""The scores: a card for each category, and its criteria with their evidence."""

from __future__ import annotations

from nerv.renderers.page.html import bullets, escaped, location_html, tone, with_code
from nerv.rubric import TITLES
from nerv.scorecard import CategoryScore, Certainty, Criterion, Scorecard
from nerv.scorecard.score_report import Opinion, ScoreReport

_STATUS = {"not_applicable": "does not apply", "not_recorded": "not recorded", "no_evidence": "no evidence"}
_CERTAINTY: dict[Certainty, str] = {
    "verified": "checked by nerv",
    "recorded": "from the record",
    "claimed": "only claimed",
    "inferred": "estimated",
}


def cards_html(card: Scorecard) -> str:
    """Return a card for each category, which leads to its criteria."""
    cells = []
    for category in card.categories:
        score = category.score
        filled = 0 if score is None else score * 10
        cells.append(
            f'<a class="card" href="#{category.key}"><span class="title">{TITLES[category.key]}</span>'
            f'<span class="score">{_out_of_ten(score)}</span>'
            f'<span class="bar"><span style="width:{filled}%" class="{tone(score)}"></span></span>'
            f'<span class="weight">{card.weights[category.key]}% of the overall score</span></a>'
        )
    return f'<nav class="cards" aria-label="Categories">{"".join(cells)}</nav>'


def category_html(category: CategoryScore, report: ScoreReport) -> str:
    """Return a category's criteria; with a judge its comments, and the rules' criteria for comparison."""
    heading = f"{TITLES[category.key]} <span>{_out_of_ten(category.score)}</span>"
    opinion = report.opinions.get(category.key)
    body = _opinion_html(opinion) if opinion else ""
    shown = category
    if opinion and report.rules:
        shown = next(each for each in report.rules.categories if each.key == category.key)
        body += f"<h3>The rules say {_out_of_ten(shown.score)}</h3>"
    elif opinion:
        return f'<section id="{category.key}"><h2>{heading}</h2>{body}</section>'
    rows = "".join(_criterion_html(criterion) for criterion in shown.criteria)
    if category.score is None and not opinion:  # closed: nothing but reasons why there is no score
        return f'<section id="{category.key}"><details><summary><h2>{heading}</h2></summary>{rows}</details></section>'
    return f'<section id="{category.key}"><h2>{heading}</h2>{body}{rows}</section>'


def _opinion_html(opinion: Opinion) -> str:
    lists = "".join(
        f'<div class="{kind}"><h3>{name}</h3>{bullets(map(escaped, texts))}</div>'
        for kind, name, texts in (
            ("weak", "Not met", tuple(map(str, opinion.unmet))),
            ("strong", "Strong", opinion.strengths),
            ("weak", "Weak", opinion.weaknesses),
        )
        if texts
    )
    evidence = f"<p>{escaped(opinion.evidence)}</p>" if opinion.evidence else ""
    return f'<div class="verdicts">{lists}</div>{evidence}'


def _criterion_html(criterion: Criterion) -> str:
    score = _out_of_ten(criterion.score) if criterion.score is not None else _STATUS.get(criterion.status, "n/a")
    listed = bullets(
        f"{with_code(observation.text)}{location_html(observation.location)}" for observation in criterion.observations
    )
    advice = f'<p class="advice">To raise it: {escaped(criterion.advice)}</p>' if criterion.advice else ""
    sure = f", {_CERTAINTY[criterion.certainty]}" if criterion.score is not None else ""
    reason = criterion.reason if criterion.score is not None else _without_status(criterion.reason)
    opened = " open" if criterion.score is not None and criterion.score <= 5 else ""
    return (
        f'<details class="criterion"{opened}><summary><span class="chip {tone(criterion.score)}">{score}</span> '
        f'<b>{escaped(criterion.key.replace("_", " "))}</b> <span class="share">{criterion.share}%{sure}</span> '
        f"<span>{with_code(reason)}</span></summary>{listed}{advice}</details>"
    )


def _without_status(reason: str) -> str:
    """Return the reason without its status, which the label next to it already shows."""
    _, _, why = reason.partition(": ")
    return f"{why[:1].upper()}{why[1:]}"


def _out_of_ten(score: int | None) -> str:
    return "n/a" if score is None else f"{score}/10"
