"""Grading by a model: four questions in parallel, checked answers, and a report that keeps the rules' result."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from forgetest.errors import ForgetestError, ProviderError, UserError
from forgetest.providers import Provider
from forgetest.providers.retry import with_retries
from forgetest.sample import Completion, Request
from nerv.evidence import Evidence
from nerv.judge import answer as answers
from nerv.judge import injections, log_lines
from nerv.judge import material as materials
from nerv.judge.answer import JudgeAnswer
from nerv.judge.injections import Injection
from nerv.judge.prompt import SYSTEM, JudgeQuestion, question
from nerv.rubric import TITLES, WEIGHTS
from nerv.scorecard import CATEGORIES, CategoryScore, Criterion, Observation, Scorecard
from nerv.scorecard.score_report import Opinion, ScoreReport

_MAX_TOKENS = 4_096
_LONGEST_PAUSE_S = 30.0

Ask = Callable[[str], Completion]
"""A prompt to the judge, once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJudge:
    """A model that judges."""

    name: str
    """Name in the report: `claude`, or `provider/model`."""
    provider: Provider
    model: str
    timeout_s: float | None = None
    """Time limit for one answer; None where the provider enforces its own."""

    def ask(self, prompt: str) -> Completion:
        """Ask, with retries after temporary errors."""
        request = Request(model=self.model, system=SYSTEM, prompt=prompt, temperature=0.0, max_tokens=_MAX_TOKENS)
        return with_retries(self._generate, sleep=_sleep_briefly)(request)

    def _generate(self, request: Request) -> Completion:
        if self.timeout_s is None:
            return self.provider.generate(request)
        done: queue.SimpleQueue[Completion | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                done.put(self.provider.generate(request))
            except BaseException as error:
                done.put(error)

        # a daemon: an answer that is no longer awaited must not delay the exit
        threading.Thread(target=work, daemon=True).start()
        try:
            result = done.get(timeout=self.timeout_s)
        except queue.Empty:
            message = f"{self.name} did not answer within {self.timeout_s:g} s; --judge-timeout allows more"
            raise ProviderError(message, final=True) from None
        if isinstance(result, BaseException):
            raise result
        return result


def _sleep_briefly(seconds: float) -> None:
    """Wait, but not longer than a user would, whatever the service asks for."""
    time.sleep(min(seconds, _LONGEST_PAUSE_S))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One question with its answer."""

    question: JudgeQuestion
    answer: JudgeAnswer
    completions: tuple[Completion, ...]
    """One, or two if the first answer could not be used."""


def judge_run(
    report: ScoreReport, evidence: Evidence, log: Path, judge: ModelJudge, prd: Path | None, budget: int
) -> ScoreReport:
    """Ask about all four categories. Raises if an answer cannot be used, so that nothing is written."""
    rules = _workflow_rules(prd)
    seen = log_lines.scan_log(log, log.name, budget)
    found = (*injections.find_injections(materials.passages(evidence)), *seen.injections)
    questions = [
        question(category, materials.material(category, evidence, seen.part, rules, budget)) for category in CATEGORIES
    ]
    calls = _ask_all(questions, judge.ask)
    card = Scorecard(
        categories=tuple(_category_score(call) for call in calls), weights=WEIGHTS, threshold=report.card.threshold
    )
    return replace(
        report,
        card=card,
        mode=judge.name,
        rules=report.card,
        opinions={call.question.category: _as_opinion(call.answer) for call in calls},
        judge=_account(calls, judge, budget, found),
        warnings=(*report.warnings, *(_injection_warning(each) for each in found)),
    )


def _ask_all(questions: list[JudgeQuestion], ask: Ask) -> list[JudgeCall]:
    """Ask all questions in parallel, each in its own thread; the first failure is raised."""
    done: queue.SimpleQueue[tuple[int, JudgeCall | BaseException]] = queue.SimpleQueue()

    def work(index: int) -> None:
        try:
            done.put((index, _ask_once_or_twice(questions[index], ask)))
        except BaseException as error:
            done.put((index, error))

    for index in range(len(questions)):
        threading.Thread(target=work, args=(index,), daemon=True).start()
    calls: dict[int, JudgeCall] = {}
    while len(calls) < len(questions):
        try:
            index, result = done.get(timeout=1.0)  # with a timeout, so that Ctrl-C is handled promptly
        except queue.Empty:
            continue
        if isinstance(result, BaseException):
            raise _with_category(result, questions[index])
        calls[index] = result
    return [calls[index] for index in range(len(questions))]


def _ask_once_or_twice(asked: JudgeQuestion, ask: Ask) -> JudgeCall:
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
    return JudgeCall(question=asked, answer=answer, completions=tuple(completions))


def _with_category(error: BaseException, asked: JudgeQuestion) -> BaseException:
    if isinstance(error, ForgetestError):
        return UserError(f"grading {TITLES[asked.category]}: {error}; nothing was written")
    return error


def _category_score(call: JudgeCall) -> CategoryScore:
    """Return a judge's score as a single criterion."""
    criterion = Criterion(
        key="judge",
        share=100,
        status="scored",
        score=call.answer.score,
        reason=call.answer.evidence,
        certainty="claimed",
        observations=tuple(Observation(text=text) for text in (*call.answer.weaknesses, *call.answer.strengths)[:20]),
    )
    return CategoryScore(key=call.question.category, criteria=(criterion,))


def _as_opinion(answer: JudgeAnswer) -> Opinion:
    return Opinion(strengths=answer.strengths, weaknesses=answer.weaknesses, evidence=answer.evidence)


def _account(calls: list[JudgeCall], judge: ModelJudge, budget: int, found: tuple[Injection, ...]) -> dict[str, Any]:
    """Return the record of all questions and answers."""
    every = [completion for call in calls for completion in call.completions]
    return {
        "model": judge.name,
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
    return {
        "prompt_sha256": call.question.sha256,
        "prompt_characters": len(call.question.text),
        "material": [
            {"title": part.title, "characters": len(part.text), "left_out": part.left_out or None}
            for part in call.question.parts
        ],
        "answers": [completion.text for completion in call.completions],
        "latency_ms": [completion.latency_ms for completion in call.completions],
    }


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
