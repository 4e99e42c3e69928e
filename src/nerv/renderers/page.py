"""A scored run as one self-contained HTML page without scripts: scores, timeline, evidence."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from nerv.evidence import Evidence
from nerv.location import Location
from nerv.renderers.page_charts import completion_chart, cost_chart, legend, spending_title, timeline
from nerv.renderers.text import number, result
from nerv.rubric import TITLES
from nerv.scorecard import CategoryScore, Criterion, Scorecard
from nerv.scorecard.score_report import MOCK_NOTICE, Opinion, ScoreReport

_STATUS = {"not_applicable": "does not apply", "not_recorded": "not recorded", "no_evidence": "no evidence"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(report: ScoreReport, evidence: Evidence | None) -> str:
    """Return the page."""
    title = f"{_overall(report.card)} · {report.benchmark_dir}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_escaped(title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(_sections(report, evidence))
        + "\n</main>\n</body>\n</html>\n"
    )


def _sections(report: ScoreReport, evidence: Evidence | None) -> Iterator[str]:
    yield _header_html(report, evidence)
    if report.mode == "mock":
        yield f'<p class="notice">{_escaped(MOCK_NOTICE)}</p>'
    missing = [TITLES[category.key] for category in report.card.categories if category.score is None]
    if len(missing) == len(report.card.categories):
        yield '<p class="notice">Not scored: there is nothing to grade.</p>'
    elif missing:
        yield (
            f'<p class="notice">Partly scored: nothing is recorded of {_escaped(", ".join(missing))}; '
            "the overall score is the mean of the others.</p>"
        )
    yield _cards_html(report.card)
    if evidence is not None:
        yield from _charts_html(evidence)
    for category in report.card.categories:
        yield _category_html(category, report)
    if evidence is not None:
        yield _spec_html(evidence)
    yield from _closing_html(report)


def _header_html(report: ScoreReport, evidence: Evidence | None) -> str:
    card = report.card
    facts = [("graded by", report.mode), ("at", report.created_at), ("threshold", f"{number(card.threshold)}/10")]
    if evidence is not None:
        usage = evidence.resources.usage
        facts += [
            ("spec", evidence.spec.title or evidence.spec.file),
            ("cycles", str(len(evidence.workflow.cycles)) if "cycles" in evidence.recorded else "not recorded"),
            ("tasks", str(len(evidence.workflow.tasks)) if "tasks" in evidence.recorded else "not recorded"),
            ("tokens", f"{usage.tokens:,}" if usage.tokens is not None else "n/a"),
            ("cost", f"${usage.cost_usd:.2f}" if usage.cost_usd is not None else "n/a"),
            ("working time", _minutes(evidence.resources.working_ms)),
        ]
    listed = "".join(f"<div><dt>{_escaped(name)}</dt><dd>{_escaped(value)}</dd></div>" for name, value in facts)
    passed = "pass" if card.passed else "fail"
    return (
        f'<header><p class="path">{_escaped(report.benchmark_dir)}</p><h1>NERV Benchmark Scores</h1>'
        f'<p class="overall"><span class="figure">{_overall(card)}</span> '
        f'<span class="badge {passed}">{_escaped(result(card))}</span></p><dl class="facts">{listed}</dl></header>'
    )


def _cards_html(card: Scorecard) -> str:
    cells = []
    for category in card.categories:
        score = category.score
        filled = 0 if score is None else score * 10
        cells.append(
            f'<a class="card" href="#{category.key}"><span class="title">{TITLES[category.key]}</span>'
            f'<span class="score">{"n/a" if score is None else f"{score}/10"}</span>'
            f'<span class="bar"><span style="width:{filled}%" class="{_tone(score)}"></span></span>'
            f'<span class="weight">{card.weights[category.key]}% of the overall score</span></a>'
        )
    return f'<nav class="cards" aria-label="Categories">{"".join(cells)}</nav>'


def _charts_html(evidence: Evidence) -> Iterator[str]:
    drawn = timeline(evidence)
    if drawn:
        yield f"<section><h2>Timeline</h2>{drawn}{legend(drawn)}</section>"
    charts = [
        f"<figure><figcaption>{name}</figcaption>{chart}</figure>"
        for name, chart in (
            ("Spec completion over time", completion_chart(evidence)),
            (spending_title(evidence), cost_chart(evidence)),
        )
        if chart
    ]
    if charts:
        yield f"<section><h2>Over time</h2>{''.join(charts)}</section>"


def _category_html(category: CategoryScore, report: ScoreReport) -> str:
    score = category.score
    heading = f"{TITLES[category.key]} <span>{'n/a' if score is None else f'{score}/10'}</span>"
    opinion = report.opinions.get(category.key)
    body = _opinion_html(opinion) if opinion else ""
    shown = category
    if opinion and report.rules:
        shown = next(each for each in report.rules.categories if each.key == category.key)
        body += f"<h3>The rules say {'n/a' if shown.score is None else f'{shown.score}/10'}</h3>"
    elif opinion:
        return f'<section id="{category.key}"><h2>{heading}</h2>{body}</section>'
    rows = "".join(_criterion_html(criterion) for criterion in shown.criteria)
    return f'<section id="{category.key}"><h2>{heading}</h2>{body}{rows}</section>'


def _opinion_html(opinion: Opinion) -> str:
    lists = "".join(
        f'<div class="{kind}"><h3>{name}</h3><ul>{"".join(f"<li>{_escaped(text)}</li>" for text in texts)}</ul></div>'
        for kind, name, texts in (("strong", "Strong", opinion.strengths), ("weak", "Weak", opinion.weaknesses))
        if texts
    )
    evidence = f"<p>{_escaped(opinion.evidence)}</p>" if opinion.evidence else ""
    return f'<div class="verdicts">{lists}</div>{evidence}'


def _criterion_html(criterion: Criterion) -> str:
    score = f"{criterion.score}/10" if criterion.score is not None else _STATUS.get(criterion.status, "n/a")
    observations = "".join(
        f"<li>{_escaped(observation.text)}{_location_html(observation.location)}</li>"
        for observation in criterion.observations
    )
    listed = f"<ul>{observations}</ul>" if observations else ""
    advice = f'<p class="advice">To raise it: {_escaped(criterion.advice)}</p>' if criterion.advice else ""
    sure = f", {criterion.certainty}" if criterion.score is not None else ""
    reason = criterion.reason if criterion.score is not None else _without_status(criterion.reason)
    opened = " open" if criterion.score is not None and criterion.score <= 5 else ""
    return (
        f'<details class="criterion"{opened}><summary><span class="chip {_tone(criterion.score)}">{score}</span> '
        f'<b>{_escaped(criterion.key)}</b> <span class="share">{criterion.share}%{sure}</span> '
        f"<span>{_escaped(reason)}</span></summary>{listed}{advice}</details>"
    )


def _without_status(reason: str) -> str:
    """Return the reason without its status, which the label next to it already shows."""
    _, _, why = reason.partition(": ")
    return f"{why[:1].upper()}{why[1:]}"


def _spec_html(evidence: Evidence) -> str:
    items = "".join(
        f"<li>{'☑' if item.ticked else '☐'} {_escaped(item.text)}{_location_html(item.location)}</li>"
        for item in evidence.spec.items[:500]
    )
    return (
        f"<section><details><summary><h2>The spec: {len(evidence.spec.items)} items</h2></summary>"
        f'<ol class="spec">{items}</ol></details></section>'
    )


def _closing_html(report: ScoreReport) -> Iterator[str]:
    if report.warnings:
        listed = "".join(f"<li>{_escaped(warning)}</li>" for warning in report.warnings)
        yield f"<section><h2>Warnings</h2><ul>{listed}</ul></section>"
    if report.inputs:
        rows = "".join(
            f"<li>{_escaped(name)} <code>{_escaped(digest[:16])}</code></li>" for name, digest in report.inputs.items()
        )
        yield f"<section><details><summary><h2>Files that were read</h2></summary><ul>{rows}</ul></details></section>"


def _overall(card: Scorecard) -> str:
    return "n/a" if card.overall is None else f"{card.overall:.1f}/10"


def _tone(score: int | None) -> str:
    if score is None:
        return "none"
    return "good" if score >= 8 else "fair" if score >= 6 else "poor" if score >= 4 else "bad"


def _location_html(location: Location | None) -> str:
    return f" <code>{_escaped(str(location))}</code>" if location else ""


def _minutes(ms: int | None) -> str:
    return "n/a" if ms is None else f"{ms / 60_000:.1f} min"


def _escaped(text: str) -> str:
    """Return the text escaped for HTML, with unprintable characters replaced."""
    return escape("".join(letter if letter.isprintable() or letter == " " else "·" for letter in text))


def _style() -> str:
    return files(__package__).joinpath("page.css").read_text(encoding="utf-8")
