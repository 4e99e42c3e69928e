"""The rate limiter of a model."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.engine.asking.rate_limit import RateLimiter, RateLimits
from forgetest.engine.asking.requests import Call
from forgetest.errors import ProviderError
from forgetest.providers.retry import MAX_RETRY_AFTER_S
from forgetest.sample import Completion, Request, Usage

ANSWER = Completion(text="", usage=Usage(prompt_tokens=60, completion_tokens=40))


def a_call(*, max_tokens: int = 100, count: int = 1) -> Call:
    """A call whose prompt is estimated at 60 tokens."""
    request = Request(model="small", system="", prompt="word" * 44, max_tokens=max_tokens)
    return Call(model_name="acme/small", request=request, count=count)


class Clock:
    """Time that passes only while a thread waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float | None) -> None:
        assert seconds is not None, "nothing would end this wait"
        self.now += seconds


def a_limiter(**limits) -> tuple[RateLimiter, Clock]:
    clock = Clock()
    return RateLimiter(RateLimits(**{"in_flight": 8, **limits}), clock=clock, wait=clock.wait), clock


def test_without_limits_nobody_waits():
    limiter, clock = a_limiter()
    for _ in range(8):
        limiter.begin(1000)
    assert clock.now == 1000.0


def test_requests_are_sent_no_faster_than_the_limit_per_minute():
    limiter, _ = a_limiter(requests_per_minute=30)
    moments = []
    for _ in range(4):
        moments.append(limiter.begin(10))
        limiter.succeeded([ANSWER], 10)
    assert moments == [1000.0, 1002.0, 1004.0, 1006.0]


def test_the_tokens_that_count_are_those_that_were_used():
    limiter, _ = a_limiter(tokens_per_minute=6000)
    limiter.begin(4000)
    limiter.succeeded([ANSWER], 4000)
    assert limiter.begin(100) == pytest.approx(1001.0)  # 100 tokens are a second


def test_the_longest_answer_is_expected_before_the_first_and_the_average_after_it():
    limiter, clock = a_limiter(tokens_per_minute=6000)
    call_model = limiter.limit(lambda call: [ANSWER])
    call_model(a_call(max_tokens=5940))
    assert clock.now == 1000.0
    call_model(a_call(max_tokens=5940))
    assert clock.now == pytest.approx(1001.0)
    call_model(a_call(max_tokens=5940))
    assert clock.now == pytest.approx(1002.0)


def test_a_call_for_several_answers_is_expected_to_take_the_tokens_of_each():
    limiter, clock = a_limiter(tokens_per_minute=6000)
    call_model = limiter.limit(lambda call: [ANSWER] * call.count)
    call_model(a_call())
    call_model(a_call(count=3))
    assert clock.now == pytest.approx(1001.0)
    call_model(a_call())
    assert clock.now == pytest.approx(1001.0 + 3 * 1.0)  # each answer reports 60 + 40 tokens


def test_a_service_that_asks_to_be_left_alone_gets_no_request_from_any_thread():
    limiter, _ = a_limiter()
    first, _ = limiter.begin(1), limiter.begin(1)
    limiter.failed(ProviderError("slow down", overloaded=True, retry_after_s=7.0), first)
    assert limiter.begin(1) == 1007.0


def test_a_service_whose_answer_reports_an_exhausted_limit_is_left_alone():
    limiter, _ = a_limiter()
    limiter.begin(1)
    limiter.succeeded([Completion(text="", leave_alone_s=3.0)], 1)
    assert limiter.begin(1) == 1003.0


def test_the_time_a_service_is_left_alone_is_bounded():
    limiter, _ = a_limiter()
    limiter.failed(ProviderError("slow down", retry_after_s=1e9), limiter.begin(1))
    assert limiter.begin(1) == 1000.0 + MAX_RETRY_AFTER_S


def test_requests_sent_before_an_overload_halve_the_number_in_flight_only_once():
    limiter, clock = a_limiter()
    began = [limiter.begin(1) for _ in range(8)]
    for moment in began:
        limiter.failed(ProviderError("busy", overloaded=True), moment)
    assert limiter.allowed_in_flight == 4.0
    clock.now += 1
    limiter.failed(ProviderError("busy", overloaded=True), limiter.begin(1))
    assert limiter.allowed_in_flight == 2.0


def test_other_failures_do_not_slow_it_down():
    limiter, _ = a_limiter()
    limiter.failed(ProviderError("the connection broke"), limiter.begin(1))
    assert limiter.allowed_in_flight == 8.0


@given(st.lists(st.booleans(), max_size=200))
def test_the_number_in_flight_stays_between_one_and_the_limit(outcomes):
    limiter, clock = a_limiter(in_flight=5)
    for succeeds in outcomes:
        clock.now += 1
        began = limiter.begin(1)
        if succeeds:
            limiter.succeeded([ANSWER], 1)
        else:
            limiter.failed(ProviderError("busy", overloaded=True), began)
        assert 1.0 <= limiter.allowed_in_flight <= 5.0


def test_answers_bring_the_number_in_flight_back():
    limiter, _ = a_limiter(in_flight=4)
    limiter.failed(ProviderError("busy", overloaded=True), limiter.begin(1))
    assert limiter.allowed_in_flight == 2.0
    for _ in range(20):
        limiter.begin(1)
        limiter.succeeded([ANSWER], 1)
    assert limiter.allowed_in_flight == 4.0


def test_a_request_above_the_number_in_flight_waits_until_another_returns():
    limiter = RateLimiter(RateLimits(in_flight=1))
    began, second = limiter.begin(1), threading.Thread(target=limiter.begin, args=(1,), daemon=True)
    second.start()
    second.join(0.05)
    assert second.is_alive()
    limiter.failed(ProviderError("broken"), began)
    second.join(60)
    assert not second.is_alive()


def test_a_crash_frees_its_place():
    limiter, _ = a_limiter(in_flight=1)

    def call_model(call):
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            limiter.limit(call_model)(a_call())


def test_the_time_to_leave_a_service_alone_is_not_part_of_the_answer():
    limiter, _ = a_limiter()
    call_model = limiter.limit(lambda call: [Completion(text="x", leave_alone_s=1.0)])
    assert call_model(a_call()) == [Completion(text="x")]
