"""Grading by a model: four questions in parallel, checked answers, and a report that keeps the rules' result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from forgetest.errors import UserError
from nerv import config
from nerv.evidence import Evidence
from nerv.finding import strongest_first
from nerv.judge import injections, log_lines, run_account
from nerv.judge import material as materials
from nerv.judge.answer import JudgeAnswer
from nerv.judge.injections import Injection
from nerv.judge.material import JudgedRun, LogLines, material
from nerv.judge.model_judge import ModelJudge
from nerv.judge.prompt import question
from nerv.judge.redaction import redact
from nerv.judge.votes import JudgeCall, ask_all
from nerv.rubric import WEIGHTS
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import CategoryScore, Criterion, Observation, Scorecard
from nerv.scorecard.score_report import Opinion, ScoreReport

_FOR_DELIVERED_WORK = ("implementation_quality", "efficiency")


def asked_categories(card: Scorecard) -> tuple[CategoryScore, ...]:
    """Return the categories that a judge is asked about: those of which this kind of source records anything."""
    return tuple(category for category in card.categories if category.score is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSetup:
    """A judge, and how it is asked."""

    judge: ModelJudge
    rules: str
    """The workflow rules that the run was meant to follow."""
    budget: int
    """Characters of material in one question."""
    votes: int = 1


def judge_run(report: ScoreReport, facts: RunFacts, log: Path, setup: JudgeSetup) -> ScoreReport:
    """Ask about all categories that are recorded. Raises if none has a usable answer, so that nothing is written."""
    judge, budget = setup.judge, setup.budget
    log_part, found = _read_log(facts.evidence, log, budget)
    subject = JudgedRun(facts.evidence, report.verification, log_part, setup.rules, facts.working_items)
    questions = [
        question(
            category.key,
            redact(material(category.key, subject, budget), config.secret_values()),
            tuple(each.key for each in category.criteria if not each.applies),
        )
        for category in asked_categories(report.card)
    ]
    calls = ask_all(questions, judge, setup.votes)
    by_category = {call.question.category: call for call in calls}
    tricks = tuple(trick for call in calls for trick in call.tricks)
    doubted_at_most = replace(facts, findings=(*facts.findings, *tricks)).doubted_at_most
    card = Scorecard(
        categories=tuple(
            _category_score(by_category[own.key], own, doubted_at_most) if own.key in by_category else own
            for own in report.card.categories
        ),
        weights=WEIGHTS,
        threshold=report.card.threshold,
        # what is proven stands, whatever a judge says
        vetoes=(*report.card.vetoes, *(call.veto for call in calls if call.veto)),
        least_recorded=report.card.least_recorded,
    )
    missing = [call.warning for call in calls if call.warning]
    return replace(
        report,
        card=card,
        mode=judge.name,
        rules=report.card,
        opinions={call.question.category: _as_opinion(call, call.answer) for call in calls if call.answer is not None},
        judge=_account(calls, judge, budget, found),
        findings=strongest_first((*report.findings, *tricks)),
        warnings=(*report.warnings, *missing, *(_injection_warning(each) for each in found)),
    )


def _read_log(evidence: Evidence, log: Path, budget: int) -> tuple[LogLines, tuple[Injection, ...]]:
    """Return the log as a judge sees it, and what addresses the judge in anything that it may see."""
    passages = list(materials.passages(evidence))
    if evidence.kind in run_account.RAW_KINDS:
        seen = log_lines.scan_log(log, log.name, budget)
        return seen.part, (*injections.find_injections(passages), *seen.injections)
    told = run_account.account_passages(evidence)
    found = injections.find_injections((*passages, *told))
    return lambda most: run_account.account_part(evidence, most), found


def _category_score(call: JudgeCall, own: CategoryScore, doubted_at_most: int) -> CategoryScore:
    """Return a judge's score as a single criterion, beside those that the rules cannot score either.

    A finding limits what counts for delivered work, as it does with the rules: a judge of the code sees neither the
    log nor other commits.
    """
    answer, score = call.answer, call.score
    limit = ""
    if own.key in _FOR_DELIVERED_WORK and score is not None and score > doubted_at_most:
        score, limit = doubted_at_most, f" (the judge gives {score}; at most {doubted_at_most}, with such findings)"
    left_out = tuple(each for each in own.criteria if not each.applies)
    share = 100 - sum(each.share for each in left_out)
    criterion = Criterion(
        key="judge", share=share, status="not_recorded", score=None, reason=f"Not recorded: {call.failure}"
    )
    if answer is not None:
        criterion = Criterion(
            key="judge",
            share=share,
            status="scored",
            score=score,
            reason=f"{answer.evidence}{_votes_text(call)}{limit}",
            certainty="claimed",
            observations=tuple(Observation(text=text) for text in (*answer.weaknesses, *answer.strengths)[:20]),
        )
    return CategoryScore(key=call.question.category, criteria=(criterion, *left_out))


def _votes_text(call: JudgeCall) -> str:
    if len(call.votes) < 2:
        return ""
    scores = call.scores
    return f" (median of {len(scores)} votes: {', '.join(map(str, scores))}; spread {scores[-1] - scores[0]})"


def _as_opinion(call: JudgeCall, answer: JudgeAnswer) -> Opinion:
    evidence = f"{answer.evidence}{_votes_text(call)}"
    return Opinion(strengths=answer.strengths, weaknesses=answer.weaknesses, evidence=evidence, unmet=call.unmet)


def _account(calls: list[JudgeCall], judge: ModelJudge, budget: int, found: tuple[Injection, ...]) -> dict[str, Any]:
    """Return the record of all questions and answers."""
    every = [completion for call in calls for completion in call.completions]
    return {
        "model": judge.name,
        "answered_by": sorted({completion.model for completion in every if isinstance(completion.model, str)}),
        "budget_characters": budget,
        "calls": {call.question.category: _call_account(call) for call in calls},
        "tokens": {
            "input": _total([completion.usage.prompt_tokens for completion in every]),
            "output": _total([completion.usage.completion_tokens for completion in every]),
        },
        "cost_usd": _total_cost([completion.usage.cost_usd for completion in every]),
        "injections": [
            {"kind": each.kind, "text": each.text, "file": each.location.file, "line": each.location.line}
            for each in found
        ],
    }


def _call_account(call: JudgeCall) -> dict[str, Any]:
    completions = call.completions
    found: dict[str, Any] = {
        "prompt_sha256": call.question.sha256,
        "prompt_characters": len(call.question.text),
        "material": [
            {"title": part.title, "characters": len(part.text), "left_out": part.left_out or None}
            for part in call.question.parts
        ],
        "answers": [completion.text for completion in completions],
        "latency_ms": [completion.latency_ms for completion in completions],
    }
    if len(call.votes) > 1:
        found["votes"] = list(call.scores)
        found["spread"] = call.scores[-1] - call.scores[0]
    if call.lost:
        found["lost_votes"] = [vote.failure for vote in call.lost]
    if call.failure:
        found["failure"] = call.failure
    return found


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _total_cost(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) and known else None


def _injection_warning(injection: Injection) -> str:
    return f"{injection.location}: text that {injection.kind}, quoted to the judge as material: {injection.text}"


def workflow_rules(prd: Path | None) -> str:
    """Return the workflow rules of a file, or ours."""
    if prd is None:
        return files("nerv.judge").joinpath("workflow_rules.md").read_text(encoding="utf-8")
    try:
        return prd.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{prd}: cannot be read: {error.strerror}") from error
