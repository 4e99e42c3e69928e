"""`--max-cost`."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from forgetest.engine.asking.budget import Budget
from forgetest.engine.asking.requests import Call
from forgetest.errors import ProviderError
from forgetest.sample import Completion, Request, Usage

CALL = Call(model_name="acme/small", request=Request(model="small", system="", prompt=""))


def answering(cost):
    return lambda call: [Completion(text="", usage=Usage(cost_usd=cost))]


def test_the_costs_of_answers_are_added_up():
    budget = Budget(1.0, spent=0.25)
    call_model = budget.guard(answering(0.125), lambda call: 0.5)
    call_model(CALL)
    call_model(CALL)
    assert budget.spent == 0.5


def test_a_call_that_might_exceed_the_limit_is_not_made():
    budget, asked = Budget(1.0, spent=0.75), []
    call_model = budget.guard(asked.append, lambda call: 0.5)
    with pytest.raises(ProviderError, match=r"^not asked: \$0\.7500 of --max-cost 1 is spent, and") as raised:
        call_model(CALL)
    assert raised.value.final
    assert asked == []


def test_a_request_that_failed_costs_nothing():
    budget = Budget(1.0)

    def call_model(call):
        raise ProviderError("busy")

    for _ in range(5):
        with pytest.raises(ProviderError, match="busy"):
            budget.guard(call_model, lambda call: 0.9)(CALL)
    assert budget.spent == 0.0


def test_an_answer_of_unknown_cost_counts_as_much_as_it_could_have_cost():
    budget = Budget(1.0)
    budget.guard(answering(None), lambda call: 0.5)(CALL)
    assert budget.spent == 0.5


def test_a_model_without_a_price_is_limited_by_the_costs_that_its_answers_report():
    budget = Budget(0.01)
    call_model = budget.guard(answering(0.004), lambda call: None)
    call_model(CALL)
    call_model(CALL)
    with pytest.raises(ProviderError, match="not asked"):
        call_model(CALL)
    assert budget.spent == 0.008


def test_a_model_with_neither_a_price_nor_reported_costs_is_asked_only_once():
    call_model = Budget(1.0).guard(answering(None), lambda call: None)
    assert call_model(CALL) == [Completion(text="")]
    with pytest.raises(ProviderError, match="does not say what its answers cost") as raised:
        call_model(CALL)
    assert raised.value.final


def test_a_call_waits_while_calls_in_flight_may_turn_out_cheaper():
    budget, asked, go_on = Budget(1.0), threading.Semaphore(0), threading.Event()

    def call_model(call):
        asked.release()
        go_on.wait(60)
        return [Completion(text="", usage=Usage(cost_usd=0.1))]

    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(budget.guard(call_model, lambda call: 0.6), CALL) for _ in range(2)]
        assert asked.acquire(timeout=60)
        assert not asked.acquire(timeout=0.05)  # the other one might go beyond the limit
        go_on.set()
        assert [answer.result(60)[0].usage.cost_usd for answer in answers] == [0.1, 0.1]


def test_many_threads_never_spend_more_than_the_limit():
    budget, rng = Budget(1.0), random.Random(3)
    costs = [rng.uniform(0, 0.05) for _ in range(200)]

    def call_model(call):
        return [Completion(text="", usage=Usage(cost_usd=costs[int(call.model_name)]))]

    def one(number):
        try:
            budget.guard(call_model, lambda call: 0.05)(replace(CALL, model_name=str(number)))
        except ProviderError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        answered = list(pool.map(one, range(200)))
    assert not all(answered)
    assert 0.95 < budget.spent <= 1.0
    assert budget.spent == pytest.approx(sum(cost for cost, got in zip(costs, answered, strict=True) if got))


def test_all_answers_to_one_request_count():
    budget = Budget(1.0)
    call_model = budget.guard(lambda call: answering(0.1)(call) * call.count, lambda call: 0.2 * call.count)
    call_model(replace(CALL, count=3))
    assert budget.spent == pytest.approx(0.3)
