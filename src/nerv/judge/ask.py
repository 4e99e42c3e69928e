"""Grading by a model: four questions in parallel, checked answers, and a report that keeps the rules' result."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from forgetest.errors import ForgetestError, UserError
from forgetest.sample import Completion
from nerv.evidence import Evidence
from nerv.finding import Finding, strongest_first
from nerv.judge import answer as answers
from nerv.judge import injections, log_lines, run_account
from nerv.judge import material as materials
from nerv.judge.answer import JudgeAnswer
from nerv.judge.injections import Injection
from nerv.judge.material import JudgedRun, LogLines, material
from nerv.judge.model_judge import ModelJudge
from nerv.judge.prompt import JudgeQuestion, question
from nerv.rubric import TITLES, WEIGHTS
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import CategoryScore, Criterion, Observation, Scorecard
from nerv.scorecard.score_report import Opinion, ScoreReport, UnmetRequirement

_FOR_DELIVERED_WORK = ("implementation_quality", "efficiency")
Ask = Callable[[str], Completion]
"""A prompt to the judge, once."""
_Named = TypeVar("_Named")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVote:
    """One usable answer to a question."""

    answer: JudgeAnswer
    completions: tuple[Completion, ...]
    """One, or two if the first answer could not be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One question with its votes."""

    question: JudgeQuestion
    votes: tuple[JudgeVote, ...]
    failure: str = ""
    """Why there is no vote, if so."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the votes, lowest first."""
        return tuple(sorted(vote.answer.score for vote in self.votes))

    @property
    def score(self) -> int | None:
        """The median of the votes, rounded half up; None without a vote."""
        scores = self.scores
        return (scores[(len(scores) - 1) // 2] + scores[len(scores) // 2] + 1) // 2 if scores else None

    @property
    def answer(self) -> JudgeAnswer | None:
        """The answer whose score is nearest to the median."""
        median = self.score
        if median is None:
            return None
        return min((vote.answer for vote in self.votes), key=lambda answer: abs(answer.score - median))

    @property
    def unmet(self) -> tuple[UnmetRequirement, ...]:
        """Requirements that are not met."""
        return self._named_by_most(lambda answer: answer.unmet)

    @property
    def tricks(self) -> tuple[Finding, ...]:
        """What was done to make the result look better than it is."""
        return self._named_by_most(lambda answer: answer.tricks)

    def _named_by_most(self, part: Callable[[JudgeAnswer], tuple[_Named, ...]]) -> tuple[_Named, ...]:
        """Return what is named if most votes name anything: by the answer, or by the first vote that does."""
        named = [found for vote in self.votes if (found := part(vote.answer))]
        if self.answer is None or 2 * len(named) <= len(self.votes):
            return ()
        return part(self.answer) or named[0]

    @property
    def veto(self) -> str:
        """Why the run cannot pass; empty if it may."""
        if not self.unmet:
            return ""
        more = f"; and {len(self.unmet) - 1} more" if len(self.unmet) > 1 else ""
        return f"the judge finds what the spec asks for and the result does not do: {self.unmet[0]}{more}"


def asked_categories(card: Scorecard) -> tuple[CategoryScore, ...]:
    """Return the categories that a judge is asked about: those of which this kind of source records anything."""
    return tuple(category for category in card.categories if category.score is not None)


def judge_run(
    report: ScoreReport,
    facts: RunFacts,
    log: Path,
    judge: ModelJudge,
    prd: Path | None,
    budget: int,
    votes: int = 1,
) -> ScoreReport:
    """Ask about all categories that are recorded. Raises if none has a usable answer, so that nothing is written."""
    rules = _workflow_rules(prd)
    log_part, found = _read_log(facts.evidence, log, budget)
    subject = JudgedRun(facts.evidence, report.verification, log_part, rules, facts.working_items)
    questions = [
        question(
            category.key,
            material(category.key, subject, budget),
            tuple(each.key for each in category.criteria if not each.applies),
        )
        for category in asked_categories(report.card)
    ]
    calls = _ask_all(questions, judge.ask, votes)
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
    failures = [f"{TITLES[call.question.category]} has no score: {call.failure}" for call in calls if call.failure]
    return replace(
        report,
        card=card,
        mode=judge.name,
        rules=report.card,
        opinions={call.question.category: _as_opinion(call, call.answer) for call in calls if call.answer is not None},
        judge=_account(calls, judge, budget, found),
        findings=strongest_first((*report.findings, *tricks)),
        warnings=(*report.warnings, *failures, *(_injection_warning(each) for each in found)),
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


def _ask_all(questions: list[JudgeQuestion], ask: Ask, votes: int) -> list[JudgeCall]:
    """Ask all questions in parallel, each `votes` times; raise the first failure if no question has an answer."""
    done: queue.SimpleQueue[tuple[int, int, JudgeVote | BaseException]] = queue.SimpleQueue()

    def work(index: int, vote: int) -> None:
        try:
            done.put((index, vote, _ask_once_or_twice(questions[index], ask)))
        except BaseException as error:
            done.put((index, vote, error))

    for index in range(len(questions)):
        for vote in range(votes):
            threading.Thread(target=work, args=(index, vote), daemon=True).start()
    given: list[dict[int, JudgeVote]] = [{} for _ in questions]
    failures: dict[int, ForgetestError] = {}
    outstanding = len(questions) * votes
    while outstanding:
        try:
            index, vote, result = done.get(timeout=1.0)  # with a timeout, so that Ctrl-C is handled promptly
        except queue.Empty:
            continue
        outstanding -= 1
        if isinstance(result, JudgeVote):
            given[index][vote] = result
        elif isinstance(result, ForgetestError):
            failures.setdefault(index, result)
        else:
            raise result
    if not any(given):
        first = min(failures)
        raise UserError(f"grading {TITLES[questions[first].category]}: {failures[first]}; nothing was written")
    return [
        # in the order in which they were asked, not in that of arrival: the same answers give the same report
        JudgeCall(
            question=asked,
            votes=tuple(votes_given[vote] for vote in sorted(votes_given)),
            failure="" if votes_given else str(failures[index]),
        )
        for index, (asked, votes_given) in enumerate(zip(questions, given, strict=True))
    ]


def _ask_once_or_twice(asked: JudgeQuestion, ask: Ask) -> JudgeVote:
    completion = ask(asked.text)
    completions = [completion]
    answer = answers.read(completion.text)
    if isinstance(answer, str):
        completion = ask(asked.repair(answer))
        completions.append(completion)
        answer = answers.read(completion.text)
    if isinstance(answer, str):
        shown = " ".join(completion.text.split())[:120]
        raise UserError(f"the judge's second answer cannot be used either: {answer}: {shown!r}")
    return JudgeVote(answer=answer, completions=tuple(completions))


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
    every = [completion for call in calls for vote in call.votes for completion in vote.completions]
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
    completions = [completion for vote in call.votes for completion in vote.completions]
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


def _workflow_rules(prd: Path | None) -> str:
    if prd is None:
        return files("nerv.judge").joinpath("workflow_rules.md").read_text(encoding="utf-8")
    try:
        return prd.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{prd}: cannot be read: {error.strerror}") from error
