"""Votes of a judge: what is asked again, what is lost, and what it cost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from forgetest.errors import ProviderError, UserError
from forgetest.sample import Completion, Usage
from nerv.judge.material import MaterialPart
from nerv.judge.model_judge import JudgeUnavailableError
from nerv.judge.prompt import JudgeQuestion, question
from nerv.judge.votes import JudgeCall, ask_all
from nerv.scorecard import CATEGORIES

GOOD = {"score": 8, "strengths": [], "weaknesses": [], "evidence": "e"}
REFUSED = Completion(text="", finish="refusal")
CUT = Completion(text=json.dumps(GOOD)[:20], finish="length")


def scored(score: int = 8) -> Completion:
    return Completion(text=json.dumps({**GOOD, "score": score}), usage=Usage(cost_usd=0.25))


@dataclass
class Model:
    """A model that answers by a function of the number of the question."""

    answer: Callable[[int], Completion]
    concurrency: int = 1
    asked: list[tuple[str, bool]] = field(default_factory=list)

    def ask(self, prompt: str, *, more_room: bool = False) -> Completion:
        self.asked.append((prompt, more_room))
        return self.answer(len(self.asked) - 1)


def questions(count: int = 1) -> list[JudgeQuestion]:
    return [question(key, [MaterialPart(title="the spec", text="Build it.")]) for key in CATEGORIES[:count]]


def in_turn(*given: Completion | Exception) -> Callable[[int], Completion]:
    def answer(number: int) -> Completion:
        found = given[min(number, len(given) - 1)]
        if isinstance(found, Exception):
            raise found
        return found

    return answer


def call(*given: Completion | Exception, votes: int = 1) -> JudgeCall:
    return ask_all(questions(), Model(in_turn(*given)), votes)[0]


@pytest.mark.parametrize(
    ("first", "fault"),
    [
        (CUT, "it was cut off by the limit of its length; be brief"),
        (REFUSED, "the model refused to answer"),
        (Completion(text=" "), "it is empty"),
        (Completion(text="Eight."), "it is not one JSON object"),
    ],
)
def test_an_answer_that_cannot_be_used_is_asked_for_again_with_more_room(first: Completion, fault: str) -> None:
    model = Model(in_turn(first, scored()))
    assert ask_all(questions(), model, 1)[0].score == 8
    (_, at_first), (again, later) = model.asked
    assert (at_first, later) == (False, True)
    assert f"Your last answer could not be used: {fault}. Grade again." in again


def test_a_draft_before_an_answer_that_was_cut_off_does_not_count() -> None:
    drafted = Completion(text=f"{json.dumps({**GOOD, 'score': 9})} No: {json.dumps(GOOD)[:20]}", finish="length")
    assert call(drafted, scored(3)).score == 3


def test_a_whole_answer_counts_even_at_its_limit() -> None:
    assert call(Completion(text=json.dumps(GOOD), finish="length")).score == 8


def test_votes_that_are_missing_are_told_and_what_they_cost_is_counted() -> None:
    found = call(scored(9), Completion(text="?", usage=Usage(cost_usd=1.0)), REFUSED, scored(4), votes=3)
    assert (found.scores, found.score) == ((4, 9), 7)
    assert found.warning == (
        "Implementation Quality: 1 of 3 votes are missing: "
        "the judge's second answer cannot be used either: the model refused to answer"
    )
    assert sum(each.usage.cost_usd or 0 for each in found.completions) == 1.5


def test_what_was_written_before_an_error_is_counted_too() -> None:
    (first, second) = ask_all(
        questions(2), Model(in_turn(Completion(text="?"), ProviderError("down", final=True), scored())), 1
    )
    assert (first.warning, len(first.completions)) == ("Implementation Quality has no score: down", 1)
    assert second.score == 8


def test_no_more_questions_are_under_way_than_the_model_allows() -> None:
    under_way, most = [0], [0]
    lock = threading.Lock()

    def answer(_: int) -> Completion:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        threading.Event().wait(0.01)
        with lock:
            under_way[0] -= 1
        return scored()

    calls = ask_all(questions(4), Model(answer, concurrency=3), 10)
    assert [len(each.votes) for each in calls] == [10] * 4
    assert most[0] <= 3


def test_a_judge_that_cannot_be_asked_is_not_asked_again() -> None:
    model = Model(in_turn(JudgeUnavailableError("401: wrong key", final=True)))
    with pytest.raises(JudgeUnavailableError, match="grading Implementation Quality: 401: wrong key; nothing was"):
        ask_all(questions(4), model, 25)
    assert len(model.asked) == 1


def test_answers_before_the_credit_was_used_up_count() -> None:
    calls = ask_all(questions(3), Model(in_turn(scored(), JudgeUnavailableError("402: no credit", final=True))), 2)
    assert [each.score for each in calls] == [8, None, None]
    assert [len(each.lost) for each in calls] == [1, 2, 2]
    assert calls[2].warning == "Efficiency has no score: 402: no credit"


@pytest.mark.parametrize("given", [(REFUSED,), (ProviderError("400: too long", final=True, of_request=True),)])
def test_without_any_answer_the_first_failure_is_raised(given: Sequence[Completion | Exception]) -> None:
    with pytest.raises(UserError, match=r"grading Implementation Quality: .*; nothing was written"):
        ask_all(questions(2), Model(in_turn(*given)), 1)
