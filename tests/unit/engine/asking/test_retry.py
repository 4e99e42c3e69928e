"""Asking again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.engine.asking.retry import LONGEST_ASKED_S, LONGEST_PAUSE_S, TRIES, patient, pause_s
from forgetest.errors import ProviderError
from forgetest.sample import Completion
from specimens import an_attempt


class Service:
    """Fails as it is told, then answers."""

    def __init__(self, *failures: ProviderError) -> None:
        self.failures = list(failures)
        self.asked = 0

    def ask(self, attempt):
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return Completion(text="done")


def test_a_failure_that_passes_is_asked_over_and_leaves_no_trace():
    service, pauses = Service(ProviderError("busy"), ProviderError("busy")), []
    answer = patient(service.ask, sleep=pauses.append, chance=lambda: 1.0)(an_attempt())
    assert answer.text == "done"
    assert (service.asked, pauses) == (3, [1.0, 2.0])


def test_what_is_final_is_asked_once():
    service = Service(ProviderError("wrong key", final=True))
    with pytest.raises(ProviderError, match=r"^wrong key$"):
        patient(service.ask, sleep=lambda _: None)(an_attempt())
    assert service.asked == 1


def test_in_the_end_it_gives_up_and_says_how_often_it_asked():
    service = Service(*[ProviderError("busy")] * 100)
    with pytest.raises(ProviderError, match=rf"^busy \(asked {TRIES} times\)$") as raised:
        patient(service.ask, sleep=lambda _: None)(an_attempt())
    assert service.asked == TRIES
    assert not raised.value.final


def test_a_service_is_left_alone_for_as_long_as_it_asks():
    service, pauses = Service(ProviderError("slow down", retry_after_s=7.0)), []
    patient(service.ask, sleep=pauses.append, chance=lambda: 0.0)(an_attempt())
    assert pauses == [7.0]


def test_an_error_that_no_provider_raises_is_not_asked_over():
    def ask(attempt):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        patient(ask, sleep=lambda _: None)(an_attempt())


@given(st.integers(0, 200), st.none() | st.floats(0, 1e6), st.floats(0, 1))
def test_no_pause_is_negative_or_endless(number, retry_after_s, chance):
    most = LONGEST_PAUSE_S if retry_after_s is None else LONGEST_ASKED_S + LONGEST_PAUSE_S
    assert 0 <= pause_s(number, retry_after_s, chance) <= most


@given(st.integers(0, 5), st.floats(0, LONGEST_ASKED_S), st.floats(0, 1))
def test_no_pause_is_shorter_than_the_service_asks_for(number, retry_after_s, chance):
    assert pause_s(number, retry_after_s, chance) >= retry_after_s


@given(st.integers(0, 5), st.floats(0, 1))
def test_pauses_grow_whatever_the_chance(number, chance):
    assert pause_s(number, None, chance) <= pause_s(number + 1, None, chance)
