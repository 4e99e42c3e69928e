"""How fast a model is asked."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.engine.asking.rate_limit import Limits, Pace
from forgetest.engine.asking.retry import LONGEST_ASKED_S
from forgetest.errors import ProviderError
from forgetest.sample import Completion, Usage
from specimens import an_attempt

ANSWER = Completion(text="", usage=Usage(prompt_tokens=60, completion_tokens=40))


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float | None) -> None:
        assert seconds is not None, "nobody would come back"
        self.now += seconds


def a_pace(**limits) -> tuple[Pace, Clock]:
    clock = Clock()
    return Pace(Limits(**{"in_flight": 8, **limits}), clock=clock, wait=clock.wait), clock


def test_without_limits_nobody_waits():
    pace, clock = a_pace()
    for _ in range(8):
        pace.begin(1000)
    assert clock.now == 1000.0


def test_requests_come_no_faster_than_so_many_a_minute():
    pace, _ = a_pace(requests_per_minute=30)
    moments = []
    for _ in range(4):
        moments.append(pace.begin(10))
        pace.answered(ANSWER, 10)
    assert moments == [1000.0, 1002.0, 1004.0, 1006.0]


def test_tokens_are_those_that_were_used_and_not_those_expected():
    pace, _ = a_pace(tokens_per_minute=6000)
    pace.begin(4000)
    pace.answered(ANSWER, 4000)
    assert pace.begin(100) == pytest.approx(1001.0)  # 100 tokens are a second


def test_before_the_first_answer_the_longest_is_expected_and_then_the_usual_one():
    pace, clock = a_pace(tokens_per_minute=6000)
    ask = pace.paced(lambda attempt: ANSWER, lambda attempt: 60, 5940)
    ask(an_attempt())
    assert clock.now == 1000.0
    ask(an_attempt())
    assert clock.now == pytest.approx(1001.0)
    ask(an_attempt())
    assert clock.now == pytest.approx(1002.0)


def test_a_service_that_asks_to_be_left_alone_is_left_alone_by_all():
    pace, _ = a_pace()
    first, _ = pace.begin(1), pace.begin(1)
    pace.failed(ProviderError("slow down", overloaded=True, retry_after_s=7.0), first)
    assert pace.begin(1) == 1007.0


def test_a_service_whose_answer_says_that_there_is_no_room_is_left_alone():
    pace, _ = a_pace()
    pace.begin(1)
    pace.answered(Completion(text="", leave_alone_s=3.0), 1)
    assert pace.begin(1) == 1003.0


def test_nobody_is_left_alone_for_ever():
    pace, _ = a_pace()
    pace.failed(ProviderError("slow down", retry_after_s=1e9), pace.begin(1))
    assert pace.begin(1) == 1000.0 + LONGEST_ASKED_S


def test_an_overload_halves_the_number_in_flight_once_for_all_that_began_before_it():
    pace, clock = a_pace()
    began = [pace.begin(1) for _ in range(8)]
    for moment in began:
        pace.failed(ProviderError("busy", overloaded=True), moment)
    assert pace.allowed == 4.0
    clock.now += 1
    pace.failed(ProviderError("busy", overloaded=True), pace.begin(1))
    assert pace.allowed == 2.0


def test_other_failures_do_not_slow_it_down():
    pace, _ = a_pace()
    pace.failed(ProviderError("the connection broke"), pace.begin(1))
    assert pace.allowed == 8.0


@given(st.lists(st.booleans(), max_size=200))
def test_the_number_in_flight_stays_between_one_and_the_limit(outcomes):
    pace, clock = a_pace(in_flight=5)
    for well in outcomes:
        clock.now += 1
        began = pace.begin(1)
        if well:
            pace.answered(ANSWER, 1)
        else:
            pace.failed(ProviderError("busy", overloaded=True), began)
        assert 1.0 <= pace.allowed <= 5.0


def test_answers_bring_the_number_in_flight_back():
    pace, _ = a_pace(in_flight=4)
    pace.failed(ProviderError("busy", overloaded=True), pace.begin(1))
    assert pace.allowed == 2.0
    for _ in range(20):
        pace.begin(1)
        pace.answered(ANSWER, 1)
    assert pace.allowed == 4.0


def test_whoever_finds_all_places_taken_waits_until_one_is_free():
    pace = Pace(Limits(in_flight=1))
    began, second = pace.begin(1), threading.Thread(target=pace.begin, args=(1,), daemon=True)
    second.start()
    second.join(0.05)
    assert second.is_alive()
    pace.failed(ProviderError("broken"), began)
    second.join(60)
    assert not second.is_alive()


def test_a_crash_gives_its_place_back():
    pace, _ = a_pace(in_flight=1)

    def ask(attempt):
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            pace.paced(ask, lambda attempt: 1, 1)(an_attempt())


def test_how_long_the_service_wants_to_be_left_alone_is_not_kept_with_the_answer():
    pace, _ = a_pace()
    ask = pace.paced(lambda attempt: Completion(text="x", leave_alone_s=1.0), lambda attempt: 1, 1)
    assert ask(an_attempt()) == Completion(text="x")
