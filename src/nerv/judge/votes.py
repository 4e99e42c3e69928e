"""The votes of a judge: each question is asked once or several times, and what most answers say counts."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from forgetest.errors import ForgetestError, UserError
from forgetest.sample import Completion
from nerv.finding import Finding
from nerv.judge import answer as answers
from nerv.judge.answer import JudgeAnswer
from nerv.judge.model_judge import JudgeUnavailableError
from nerv.judge.prompt import JudgeQuestion
from nerv.rubric import TITLES
from nerv.scorecard.score_report import UnmetRequirement

_Named = TypeVar("_Named")
_MOST_TRIES = 2
"""Answers to one question, until one can be used."""


class AskedModel(Protocol):
    """A model that can be asked."""

    @property
    def concurrency(self) -> int:
        """Number of questions that may be under way at once."""

    def ask(self, prompt: str, *, more_room: bool = False) -> Completion:
        """Ask once; `more_room` allows a longer answer than usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVote:
    """What came of asking a question once, and a second time if the first answer could not be used."""

    answer: JudgeAnswer | None
    completions: tuple[Completion, ...] = ()
    failure: str = ""
    """Why there is no answer, if so."""
    is_unavailable: bool = False
    """True if no other question would be answered either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One question with its votes."""

    question: JudgeQuestion
    votes: tuple[JudgeVote, ...]
    """Those with an answer."""
    lost: tuple[JudgeVote, ...] = ()
    """Those without one."""

    @property
    def failure(self) -> str:
        """Why there is no answer to the question; empty if there is one."""
        return "" if self.votes or not self.lost else self.lost[0].failure

    @property
    def completions(self) -> tuple[Completion, ...]:
        """Everything that the model wrote, and that was paid for."""
        return tuple(completion for vote in (*self.votes, *self.lost) for completion in vote.completions)

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the votes, lowest first."""
        return tuple(sorted(answer.score for answer in self._answers))

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
        return min(self._answers, key=lambda answer: abs(answer.score - median))

    @property
    def unmet(self) -> tuple[UnmetRequirement, ...]:
        """Requirements that are not met."""
        return self._named_by_most(lambda answer: answer.unmet)

    @property
    def tricks(self) -> tuple[Finding, ...]:
        """What was done to make the result look better than it is."""
        return self._named_by_most(lambda answer: answer.tricks)

    @property
    def veto(self) -> str:
        """Why the run cannot pass; empty if it may."""
        if not self.unmet:
            return ""
        more = f"; and {len(self.unmet) - 1} more" if len(self.unmet) > 1 else ""
        return f"the judge finds what the spec asks for and the result does not do: {self.unmet[0]}{more}"

    @property
    def warning(self) -> str:
        """What is missing of the answers, as a sentence; empty if nothing is."""
        title = TITLES[self.question.category]
        if self.failure:
            return f"{title} has no score: {self.failure}"
        if self.lost:
            asked = len(self.votes) + len(self.lost)
            return f"{title}: {len(self.lost)} of {asked} votes are missing: {self.lost[0].failure}"
        return ""

    @property
    def _answers(self) -> tuple[JudgeAnswer, ...]:
        return tuple(vote.answer for vote in self.votes if vote.answer is not None)

    def _named_by_most(self, part: Callable[[JudgeAnswer], tuple[_Named, ...]]) -> tuple[_Named, ...]:
        """Return what is named if most votes name anything: by the answer, or by the first vote that does."""
        named = [found for answer in self._answers if (found := part(answer))]
        if self.answer is None or 2 * len(named) <= len(self.votes):
            return ()
        return part(self.answer) or named[0]


def ask_all(questions: Sequence[JudgeQuestion], model: AskedModel, votes: int) -> list[JudgeCall]:
    """Ask all questions, each `votes` times, and as many at once as the model allows.

    Raises if no question has an answer.
    """
    waiting: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
    # every question once before any of them again, so that a judge that cannot be asked is known early
    for vote in range(votes):
        for index in range(len(questions)):
            waiting.put((index, vote))
    done: queue.SimpleQueue[tuple[int, int, JudgeVote | BaseException]] = queue.SimpleQueue()
    is_unavailable = threading.Event()

    def work() -> None:
        while not is_unavailable.is_set():
            try:
                index, vote = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                found = _ask_once_or_twice(questions[index], model)
                if found.is_unavailable:
                    is_unavailable.set()
                done.put((index, vote, found))
            except BaseException as error:
                done.put((index, vote, error))

    # daemons: an answer that is no longer awaited must not delay the exit
    workers = [threading.Thread(target=work, daemon=True) for _ in range(min(waiting.qsize(), model.concurrency))]
    for worker in workers:
        worker.start()
    given: list[dict[int, JudgeVote]] = [{} for _ in questions]
    while any(worker.is_alive() for worker in workers) or not done.empty():
        try:
            index, vote, result = done.get(timeout=0.1)  # with a timeout, so that Ctrl-C is handled promptly
        except queue.Empty:
            continue
        if isinstance(result, BaseException):
            raise result
        given[index][vote] = result
    return _calls(questions, given, votes)


def _calls(questions: Sequence[JudgeQuestion], given: list[dict[int, JudgeVote]], votes: int) -> list[JudgeCall]:
    """Return the votes on each question in the order in which it was asked: the same answers give the same report."""
    lost = [vote for of_question in given for vote in of_question.values() if vote.answer is None]
    unavailable = next((vote for vote in lost if vote.is_unavailable), None)
    not_asked = JudgeVote(answer=None, failure=unavailable.failure if unavailable else "it was not asked")
    if not any(vote.answer for of_question in given for vote in of_question.values()):
        index = next(index for index, of_question in enumerate(given) if of_question)
        first = unavailable or given[index][min(given[index])]
        message = f"grading {TITLES[questions[index].category]}: {first.failure}; nothing was written"
        raise JudgeUnavailableError(message, final=True) if unavailable else UserError(message)
    calls = []
    for question, of_question in zip(questions, given, strict=True):
        all_votes = [of_question.get(vote, not_asked) for vote in range(votes)]
        calls.append(
            JudgeCall(
                question=question,
                votes=tuple(vote for vote in all_votes if vote.answer is not None),
                lost=tuple(vote for vote in all_votes if vote.answer is None),
            )
        )
    return calls


def _ask_once_or_twice(asked: JudgeQuestion, model: AskedModel) -> JudgeVote:
    completions: list[Completion] = []
    fault = ""
    try:
        while len(completions) < _MOST_TRIES:
            completion = model.ask(asked.repair(fault) if fault else asked.text, more_room=bool(fault))
            completions.append(completion)
            answer = _read(completion, asked)
            if isinstance(answer, JudgeAnswer):
                return JudgeVote(answer=answer, completions=tuple(completions))
            fault = answer
    except ForgetestError as error:
        is_unavailable = isinstance(error, JudgeUnavailableError)
        return JudgeVote(answer=None, completions=tuple(completions), failure=str(error), is_unavailable=is_unavailable)
    shown = " ".join(completions[-1].text.split())[:120]
    failure = f"the judge's second answer cannot be used either: {fault}" + (f": {shown!r}" if shown else "")
    return JudgeVote(answer=None, completions=tuple(completions), failure=failure)


def _read(completion: Completion, asked: JudgeQuestion) -> JudgeAnswer | str:
    """Return the answer of a completion, or why it has none."""
    if completion.finish != "stop" and not answers.is_whole(completion.text):
        if completion.finish == "refusal":
            return "the model refused to answer"
        return "it was cut off by the limit of its length; be brief"
    if not completion.text.strip():
        return "it is empty"
    return answers.read(completion.text, asked.text)
