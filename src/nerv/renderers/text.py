"""A scorecard as text: the fixed layout, and with `--explain` the criteria under each category."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from fractions import Fraction

from nerv.finding import Finding
from nerv.location import Location
from nerv.rubric import TITLES
from nerv.scorecard import CategoryScore, Criterion, Scorecard
from nerv.scorecard.score_report import MOCK_NOTICE, Opinion, ScoreReport

_WIDTH = 60
_WRAPPED = 100
_MOST_OBSERVATIONS = 6
_MOST_SHOWN = 10
_MOST_FINDING_LINES = 4
_TOKENS = {"input": "in", "output": "out"}


def card_text(report: ScoreReport, *, explain: bool = False) -> str:
    """Return the text that `nerv benchmark score` prints."""
    return "".join(f"{line}\n" for line in _card_lines(report, explain))


def _card_lines(report: ScoreReport, explain: bool) -> Iterator[str]:
    card = report.card
    yield from _finding_lines(report.findings, explain)
    if report.untrusted:
        yield report.untrusted
    yield from _partly_scored_lines(card)
    yield "=" * _WIDTH
    yield "  NERV Benchmark Scores"
    yield "=" * _WIDTH
    yield ""
    for category in card.categories:
        yield f"  {TITLES[category.key]:<25}{_out_of_ten(category.score):<6}({card.weights[category.key]}%)"
        if explain:
            yield from _review_lines(category, report)
    yield f"  {'Overall Score':<25}{overall_text(card)}"
    yield ""
    yield "-" * _WIDTH
    yield f"  Pass threshold: {number(card.threshold)}/10"
    yield f"  Result: {result(report)}"
    yield "=" * _WIDTH
    if explain:
        yield from _closing_lines(report)


def result(report: ScoreReport) -> str:
    """Return PASS or FAIL, or why there is no such result.

    A run passes `(unverified)` if the outcome of its tests is not known to us; mock scores say nothing either way.
    """
    card = report.deciding
    if card.passed:
        is_verified = report.verification is not None and report.verification.verified is not None
        return "PASS" if is_verified or report.mode == "mock" else "PASS (unverified)"
    if card.exact is None:
        return "nothing to grade"
    if card.lacks_record:
        needed = "half" if card.least_recorded == Fraction(1, 2) else "a third"
        return f"not enough recorded ({float(card.recorded):.0%} of the weight, and {needed} is needed)"
    if card.overall is not None and Fraction(str(card.overall)) >= card.threshold:
        return f"FAIL ({float(card.exact):.2f} before rounding)"
    return "FAIL"


def overall_text(card: Scorecard) -> str:
    """Return the bar of ten cells and the number."""
    if card.exact is None or card.overall is None:
        return f"{'░' * 10} n/a"
    cells = math.floor(card.exact + Fraction(1, 2))
    return f"{'█' * cells}{'░' * (10 - cells)} {card.overall:.1f}/10"


def number(value: Fraction) -> str:
    """Return a number without needless decimals: 7, or 7.5."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def _partly_scored_lines(card: Scorecard) -> Iterator[str]:
    """Yield the first line if some category has no score."""
    missing = [category for category in card.categories if category.score is None]
    if len(missing) == len(card.categories):
        reasons = dict.fromkeys(criterion.reason for category in missing for criterion in category.criteria)
        same = next(iter(reasons)).removeprefix("Not recorded: ").rstrip(".") if len(reasons) == 1 else ""
        yield f"Not scored: there is nothing to grade{f': {same}' if same else ''}."
    elif missing:
        names = ", ".join(f"{TITLES[category.key]} ({card.weights[category.key]}%)" for category in missing)
        yield f"Partly scored: nothing is recorded of {names}; the overall score is the mean of the others."


def _finding_lines(findings: Sequence[Finding], explain: bool) -> Iterator[str]:
    """Yield the findings, strongest first, each with its place and the lines that show it; notes if explained."""
    shown = [each for each in findings if explain or each.level != "note"]
    notes = sum(each.level == "note" for each in findings)
    if shown:
        yield "Findings:"
    for found in shown[:_MOST_SHOWN]:
        yield from _wrap(f"  {found.level}: {found.text}{_location_text(found.location)}", 4)
        for line in found.lines[:_MOST_FINDING_LINES]:
            yield from _wrap(f"      | {line}", 8)
    if len(shown) > _MOST_SHOWN:
        yield f"  and {len(shown) - _MOST_SHOWN} more, in the JSON report"
    if notes and not explain:
        yield f"{'  and' if shown else 'Findings:'} {notes} {'note' if notes == 1 else 'notes'}; --explain shows them"
    if findings:
        yield ""


def _out_of_ten(score: int | None) -> str:
    return "n/a" if score is None else f"{score}/10"


# --- the review


def _review_lines(category: CategoryScore, report: ScoreReport) -> Iterator[str]:
    opinion = report.opinions.get(category.key)
    if opinion:
        yield from _opinion_lines(opinion, category, report)
        return
    if not category.criteria:
        yield ""
        return
    yield ""
    yield from _summary_lines(category)
    for criterion in category.criteria:
        yield from _criterion_lines(criterion)
    yield ""


def _summary_lines(category: CategoryScore) -> Iterator[str]:
    """Yield a line with the strong criteria and one with the weak."""
    strong = [each.key for each in category.criteria if (each.score or 0) >= 8]
    weak = [each.key for each in category.criteria if each.score is not None and each.score <= 5]
    if strong:
        yield f"    Strong: {', '.join(strong)}"
    if weak:
        yield f"    Weak:   {', '.join(weak)}"
    if strong or weak:
        yield ""


def _criterion_lines(criterion: Criterion) -> Iterator[str]:
    if criterion.score is None:
        yield from _wrap(f"    {criterion.key}: {criterion.reason[:1].lower()}{criterion.reason[1:]}", 8)
        return
    yield from _wrap(
        f"    {criterion.key}: {criterion.score}/10 ({criterion.share}%, {criterion.certainty}). {criterion.reason}", 8
    )
    for observation in criterion.observations[:_MOST_OBSERVATIONS]:
        yield from _wrap(f"        - {observation.text}{_location_text(observation.location)}", 10)
    more = len(criterion.observations) - _MOST_OBSERVATIONS
    if more > 0:
        yield f"        - and {more} more, in the JSON report"
    if criterion.advice:
        yield from _wrap(f"        To raise it: {criterion.advice}", 10)


def _opinion_lines(opinion: Opinion, category: CategoryScore, report: ScoreReport) -> Iterator[str]:
    """Yield the judge's comments, and the rules' result for the same category."""
    yield ""
    for unmet in opinion.unmet:
        yield from _wrap(f"    ! not met: {unmet}", 6)
    for text in opinion.strengths:
        yield from _wrap(f"    + {text}", 6)
    for text in opinion.weaknesses:
        yield from _wrap(f"    - {text}", 6)
    if opinion.evidence:
        yield from _wrap(f"    Evidence: {opinion.evidence}", 6)
    own = next((each for each in report.rules.categories if each.key == category.key), None) if report.rules else None
    if own:
        yield ""
        apart = "" if own.score is None or category.score is None else _difference_text(category.score - own.score)
        yield f"    The rules say {_out_of_ten(own.score)}{apart}:"
        for criterion in own.criteria:
            yield from _criterion_lines(criterion)
    yield ""


def _difference_text(difference: int) -> str:
    if not difference:
        return ", as the judge does"
    more = "more" if difference > 0 else "less"
    note = (
        "; such a large difference means that one of them is wrong: check the evidence" if abs(difference) >= 3 else ""
    )
    return f", the judge {abs(difference)} {more}{note}"


def _closing_lines(report: ScoreReport) -> Iterator[str]:
    """Yield the advice that would raise the score most."""
    if report.mode == "mock":
        yield f"  {MOCK_NOTICE}"
        return
    yield from _judge_lines(report)
    yield from _verification_lines(report)
    card = report.rules or report.card
    gains = sorted(
        (
            (card.weights[category.key] * criterion.share * (10 - criterion.score), criterion)
            for category in card.categories
            for criterion in category.criteria
            if criterion.score is not None and criterion.score < 9 and criterion.advice
        ),
        key=lambda pair: (-pair[0], pair[1].key),
    )
    if gains:
        yield "  What would raise the score most:"
        for rank, (_, criterion) in enumerate(gains[:3], 1):
            yield from _wrap(f"    {rank}. {criterion.key}: {criterion.advice}", 7)


def _judge_lines(report: ScoreReport) -> Iterator[str]:
    """Yield which model judged, and what that cost."""
    if report.judge is not None:
        models = ", ".join(report.judge["answered_by"]) or "a model that the service does not name"
        cost, tokens = report.judge["cost_usd"], report.judge["tokens"]
        price = "at an unknown cost" if cost is None else f"for ${cost:.4f}"
        counts = [f"{tokens[key]:,} tokens {way}" for key, way in _TOKENS.items() if tokens[key] is not None]
        known = f" ({', '.join(counts)})" if counts else ""
        yield from _wrap(f"  Judged by {models} {price}{known}", 4)


def _verification_lines(report: ScoreReport) -> Iterator[str]:
    """Yield what our own run of the tests showed, or why there was none."""
    verification = report.verification
    if verification is None:
        return
    if verification.skipped:
        yield from _wrap(f"  Tests were not run: {verification.skipped}", 4)
        return
    yield "  Tests, as run by nerv:"
    for suite in verification.suites:
        counts = f"{suite.count('passed')} passed, {suite.count('failed')} failed, {suite.count('skipped')} skipped"
        whose = {"base": "the base's tests", "changed": "the result's tests", "acceptance": "acceptance tests"}
        outcome = suite.problem or counts
        yield from _wrap(f"    {whose[suite.source]} on the {suite.tree}: {outcome} ({suite.command})", 6)
    for name, tests in (
        ("broken", verification.broken),
        ("old tests that the run changed or replaced; read in the spec whether they had to go", verification.disputed),
        ("deleted or skipped", verification.removed),
        ("new or changed, and failing", verification.failing),
        ("fail without the change and pass with it", verification.shown),
        ("pass without the change as well", verification.notable_idle),
        ("pass although the code was made to fail", verification.detached),
        ("fail where nothing shows that they are tests", verification.watched),
        ("skipped by a variable, and fail with it", verification.switched_off),
        ("fail with other names than the code knows", verification.by_name),
        ("noticed broken code before the run changed them", verification.dulled),
        ("pass although the code gives empty values", verification.unmoved),
        ("pass although every comparison in the tests was made to fail", verification.silent),
        ("fail once the run's code is where the tests have put a double of it", verification.doubled),
        ("functions of the spec whose failure no test notices", verification.unheld),
        ("functions of the spec that may give other values without a test noticing", verification.unseen),
        ("functions that only have a namesake in the tests", verification.replaced),
    ):
        if tests:
            more = f" and {len(tests) - _MOST_OBSERVATIONS} more" if len(tests) > _MOST_OBSERVATIONS else ""
            yield from _wrap(f"    {name}: {', '.join(tests[:_MOST_OBSERVATIONS])}{more}", 6)
    for restoration in verification.restorable[:_MOST_OBSERVATIONS]:
        yield from _wrap(f"    no test of the run needs what breaks it: {restoration}", 6)
    for example in verification.examples:
        if example.status != "unknown":
            verdict = "holds" if example.status == "holds" else f"does not hold, it gives {example.got}"
            yield from _wrap(f"    example of the spec: {example.call} is {example.expected}: {verdict}", 6)
    tried = [mutant for mutant in verification.mutants if mutant.status != "invalid"]
    if tried:
        noticed = len(tried) - len(verification.survivors)
        yield from _wrap(f"    of {len(tried)} small changes to the code, the tests notice {noticed}", 6)
    for mutant in verification.survivors[:_MOST_OBSERVATIONS]:
        yield from _wrap(f"    not noticed: {mutant}", 6)
    for note in verification.notes:
        yield from _wrap(f"    note: {note}", 6)


def _location_text(location: Location | None) -> str:
    return f" ({location})" if location else ""


def _wrap(text: str, indent: int) -> list[str]:
    lead = text[: len(text) - len(text.lstrip())]
    # text from a log must not move the cursor or change colours
    plain = "".join(letter if letter.isprintable() else "·" for letter in text.strip())
    return textwrap.wrap(
        plain,
        width=_WRAPPED,
        initial_indent=lead,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
