"""The top of the page: what was asked, the result of the tests, the score, and the facts of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.evidence import Evidence
from nerv.renderers.page.headline import Basis, Headline, headline
from nerv.renderers.page.html import bullets, cut, escaped, facts_list, with_code
from nerv.renderers.text import number, result
from nerv.rubric import TITLES
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Scorecard
from nerv.scorecard.score_report import MOCK_NOTICE, ScoreReport
from nerv.spec import Spec

_TITLE_LENGTH = 140
_BASIS: dict[Basis, str] = {
    "verified": "nerv ran the tests itself",
    "recorded": "as the log shows it",
    "claimed": "only the agent says so",
}


def overview_html(report: ScoreReport, facts: RunFacts | None) -> str:
    """Return the page's header."""
    evidence = facts.evidence if facts is not None else None
    return (
        f'<header><p class="path">NERV Benchmark Scores · {escaped(report.benchmark_dir)}</p>'
        f"<h1>{with_code(title(report, facts))}</h1>{_headline_html(headline(report, facts))}"
        f"{_score_html(report)}{facts_list(_facts(report, evidence))}</header>" + "".join(_notices(report))
    )


def title(report: ScoreReport, facts: RunFacts | None) -> str:
    """Return what was asked, in one line."""
    spec = facts.evidence.spec if facts is not None else None
    found = " ".join((_spec_title(spec) or spec.file).split()) if spec is not None else ""
    found = found or report.benchmark_dir
    return cut(found, _TITLE_LENGTH)


def _spec_title(spec: Spec) -> str:
    """Return a spec's title; of one that begins without a heading, the whole first sentence."""
    first = next((line.strip() for line in spec.text.splitlines() if line.strip()), "")
    return re.split(r"(?<=[.!?])\s", first)[0] if first.startswith(spec.title) else spec.title


def overall_text(card: Scorecard) -> str:
    """Return the overall score with its scale."""
    return "n/a" if card.overall is None else f"{card.overall:.1f}/10"


def _headline_html(found: Headline) -> str:
    state = {True: "passed", False: "failed", None: "open"}[found.passed]
    meaning = _BASIS.get(found.basis)
    basis = f'<p class="basis"><b>{found.basis}</b>: {meaning}</p>' if meaning else ""
    # a recorded pass is not shown in the colour of a verified one
    return (
        f'<div class="headline {state} {found.basis}"><p class="tests">{escaped(found.title)}</p>'
        f"{basis}{bullets(escaped(detail) for detail in found.details)}</div>"
    )


def _score_html(report: ScoreReport) -> str:
    card, shown = report.card, result(report)
    passed = "pass" if report.deciding.passed else "fail" if shown.startswith("FAIL") else "none"
    if report.deciding.lacks_record:
        shown = shown.partition(" (")[0]  # a notice below says it in plain words
    vetoes = f'<p class="notice">{escaped(report.untrusted)}</p>' if report.untrusted else ""
    if card.vetoes:
        reasons = bullets(map(escaped, card.vetoes))
        vetoes += f'<div class="vetoes"><p>It cannot pass, whatever the scores say:</p>{reasons}</div>'
    return (
        f'<p class="overall"><span class="figure">{overall_text(card)}</span> '
        f'<span class="badge {passed}">{escaped(shown)}</span></p>{vetoes}'
    )


def _facts(report: ScoreReport, evidence: Evidence | None) -> Iterator[tuple[str, str]]:
    if evidence is not None:
        yield "model", ", ".join(models(evidence)[:3]) or "not recorded"
        yield "commit", _commit_text(evidence)
        usage = evidence.resources.usage
        estimated = " (estimated)" if usage.cost_is_estimated else ""
        yield "cost", f"${usage.cost_usd:.2f}{estimated}" if usage.cost_usd is not None else "not recorded"
        yield "tokens", f"{usage.tokens:,}" if usage.tokens is not None else "not recorded"
        yield "working time", _minutes(evidence.resources.working_ms)
        if "cycles" in evidence.recorded:
            yield "rounds of work", str(len(evidence.workflow.cycles))
        if "tasks" in evidence.recorded:
            yield "tasks", str(len(evidence.workflow.tasks))
        yield "kind of log", evidence.kind
    yield "graded by", report.mode
    yield "graded at", report.created_at[:16].replace("T", " ")
    yield "passes from", f"{number(report.card.threshold)}/10"


def models(evidence: Evidence) -> list[str]:
    """Return the models that took part, the configured one first."""
    named = [evidence.configuration.model, *(session.model for session in evidence.activity.sessions)]
    return list(dict.fromkeys(name for name in named if name))


def _commit_text(evidence: Evidence) -> str:
    changes = evidence.changes
    head = changes.head_commit or next((commit.id for commit in reversed(changes.commits) if commit.id), "")
    if not head:
        return f"began at {changes.base_commit[:10]}" if changes.base_commit else "not recorded"
    since = f", since {changes.base_commit[:10]}" if changes.base_commit not in ("", head) else ""
    return f"{head[:10]}{since}"


def _notices(report: ScoreReport) -> Iterator[str]:
    if report.mode == "mock":
        yield f'<p class="notice">{escaped(MOCK_NOTICE)}</p>'
    missing = [TITLES[category.key] for category in report.card.categories if category.score is None]
    if missing and len(missing) < len(report.card.categories):
        yield (
            f'<p class="notice">Partly scored: nothing is recorded of {escaped(", ".join(missing))}; '
            "the overall score is the mean of the others.</p>"
        )
    if report.deciding.lacks_record:
        share = f"{float(report.deciding.recorded):.0%}"
        yield (
            f'<p class="notice">Not enough recorded: the log knows only {share} of what the score is made of, which is '
            "not enough to say that the run passed or failed.</p>"
        )


def _minutes(ms: int | None) -> str:
    return "not recorded" if ms is None else f"{ms / 60_000:.1f} min"
