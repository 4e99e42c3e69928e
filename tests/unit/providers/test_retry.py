"""Retries of a failed request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import ProviderError
from forgetest.providers.retry import MAX_DELAY_S, MAX_RETRY_AFTER_S, MAX_TRIES, retry_delay_s, with_retries


class Service:
    """Raises the given failures, then answers."""

    def __init__(self, *failures: ProviderError) -> None:
        self.failures = list(failures)
        self.asked = 0

    def ask(self, question):
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return f"the answer to {question}"


def test_a_temporary_failure_is_retried():
    service, delays = Service(ProviderError("busy"), ProviderError("busy")), []
    answer = with_retries(service.ask, sleep=delays.append, jitter=lambda: 1.0)(42)
    assert answer == "the answer to 42"
    assert (service.asked, delays) == (3, [1.0, 2.0])


def test_a_final_error_is_not_retried():
    service = Service(ProviderError("wrong key", final=True))
    with pytest.raises(ProviderError, match=r"^wrong key$"):
        with_retries(service.ask, sleep=lambda _: None)(42)
    assert service.asked == 1


def test_the_last_error_says_how_often_the_service_was_asked():
    service = Service(*[ProviderError("busy")] * 100)
    with pytest.raises(ProviderError, match=rf"^busy \(asked {MAX_TRIES} times\)$") as raised:
        with_retries(service.ask, sleep=lambda _: None)(42)
    assert service.asked == MAX_TRIES
    assert not raised.value.final


def test_the_delay_that_a_service_asks_for_is_kept():
    service, delays = Service(ProviderError("slow down", retry_after_s=7.0)), []
    with_retries(service.ask, sleep=delays.append, jitter=lambda: 0.0)(42)
    assert delays == [7.0]


def test_an_error_that_is_not_a_providers_is_not_retried():
    def ask(question):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with_retries(ask, sleep=lambda _: None)(42)


@given(st.integers(0, 200), st.none() | st.floats(0, 1e6), st.floats(0, 1))
def test_every_delay_is_bounded(number, retry_after_s, jitter):
    most = MAX_DELAY_S if retry_after_s is None else MAX_RETRY_AFTER_S + MAX_DELAY_S
    assert 0 <= retry_delay_s(number, retry_after_s, jitter) <= most


@given(st.integers(0, 5), st.floats(0, MAX_RETRY_AFTER_S), st.floats(0, 1))
def test_no_delay_is_shorter_than_the_service_asks_for(number, retry_after_s, jitter):
    assert retry_delay_s(number, retry_after_s, jitter) >= retry_after_s


@given(st.integers(0, 5), st.floats(0, 1))
def test_delays_grow_with_the_number_of_tries(number, jitter):
    assert retry_delay_s(number, None, jitter) <= retry_delay_s(number + 1, None, jitter)
