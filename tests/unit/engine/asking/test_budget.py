"""`--max-cost`."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from forgetest.engine.asking.budget import Purse
from forgetest.errors import ProviderError
from forgetest.sample import Completion, Usage
from specimens import an_attempt


def answering(cost):
    return lambda attempt: Completion(text="", usage=Usage(cost_usd=cost))


def test_what_answers_cost_is_added_up():
    purse = Purse(1.0, spent=0.25)
    ask = purse.guarding(answering(0.125), lambda attempt: 0.5)
    ask(an_attempt())
    ask(an_attempt())
    assert purse.spent == 0.5
    assert not purse.stopped


def test_nothing_is_asked_that_might_go_beyond_the_limit():
    purse, asked = Purse(1.0, spent=0.75), []
    ask = purse.guarding(asked.append, lambda attempt: 0.5)
    with pytest.raises(ProviderError, match=r"^not asked: \$0\.7500 of --max-cost 1 is spent, and") as raised:
        ask(an_attempt())
    assert raised.value.final
    assert purse.stopped
    assert asked == []


def test_a_request_that_failed_costs_nothing():
    purse = Purse(1.0)

    def ask(attempt):
        raise ProviderError("busy")

    for _ in range(5):
        with pytest.raises(ProviderError, match="busy"):
            purse.guarding(ask, lambda attempt: 0.9)(an_attempt())
    assert purse.spent == 0.0


def test_an_answer_of_unknown_cost_counts_as_the_most_it_can_have_cost():
    purse = Purse(1.0)
    purse.guarding(answering(None), lambda attempt: 0.5)(an_attempt())
    assert purse.spent == 0.5


def test_a_model_without_a_price_goes_by_what_its_answers_say():
    purse = Purse(0.01)
    ask = purse.guarding(answering(0.004), lambda attempt: None)
    ask(an_attempt())
    ask(an_attempt())
    with pytest.raises(ProviderError, match="not asked"):
        ask(an_attempt())
    assert purse.spent == 0.008


def test_a_model_of_which_nothing_is_known_is_not_asked_again():
    ask = Purse(1.0).guarding(answering(None), lambda attempt: None)
    assert ask(an_attempt()) == Completion(text="")
    with pytest.raises(ProviderError, match="does not say what its answers cost") as raised:
        ask(an_attempt())
    assert raised.value.final


def test_while_others_are_in_flight_one_waits_for_what_they_will_cost():
    purse, asked, go_on = Purse(1.0), threading.Semaphore(0), threading.Event()

    def ask(attempt):
        asked.release()
        go_on.wait(60)
        return Completion(text="", usage=Usage(cost_usd=0.1))

    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(purse.guarding(ask, lambda attempt: 0.6), an_attempt()) for _ in range(2)]
        assert asked.acquire(timeout=60)
        assert not asked.acquire(timeout=0.05)  # the other one might go beyond the limit
        go_on.set()
        assert [answer.result(60).usage.cost_usd for answer in answers] == [0.1, 0.1]


def test_many_at_once_never_spend_more_than_the_limit():
    purse, chance = Purse(1.0), random.Random(3)
    costs = [chance.uniform(0, 0.05) for _ in range(200)]

    def ask(attempt):
        return Completion(text="", usage=Usage(cost_usd=costs[attempt.attempt]))

    def one(number):
        try:
            purse.guarding(ask, lambda attempt: 0.05)(an_attempt(attempt=number))
        except ProviderError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        answered = list(pool.map(one, range(200)))
    assert purse.stopped
    assert 0.95 < purse.spent <= 1.0
    assert purse.spent == pytest.approx(sum(cost for cost, got in zip(costs, answered, strict=True) if got))
