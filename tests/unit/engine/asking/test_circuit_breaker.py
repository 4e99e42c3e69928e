"""The circuit breaker of a model."""

from __future__ import annotations

from forgetest.engine.asking.circuit_breaker import MAX_REFUSED_CASES, CircuitBreaker
from forgetest.errors import ProviderError
from specimens import an_attempt

REFUSED = ProviderError("the prompt is too long", final=True, of_request=True)


def test_a_temporary_failure_stops_nothing():
    breaker = CircuitBreaker()
    breaker.record_failure(an_attempt(), ProviderError("busy"))
    assert breaker.reason_to_skip(an_attempt()) is None


def test_a_wrong_key_stops_every_case_immediately():
    breaker = CircuitBreaker()
    breaker.record_failure(an_attempt("one"), ProviderError("wrong key", final=True))
    assert breaker.reason_to_skip(an_attempt("two")) == "wrong key"


def test_a_refused_request_stops_its_case_and_no_other():
    breaker = CircuitBreaker()
    breaker.record_failure(an_attempt("long"), REFUSED)
    assert breaker.reason_to_skip(an_attempt("long", 2)) == "the prompt is too long"
    assert breaker.reason_to_skip(an_attempt("short")) is None


def test_a_few_cases_refused_in_a_row_stop_the_model():
    breaker = CircuitBreaker()
    for number in range(MAX_REFUSED_CASES):
        assert breaker.reason_to_skip(an_attempt("fine")) is None
        breaker.record_failure(an_attempt(f"long-{number}"), REFUSED)
    assert breaker.reason_to_skip(an_attempt("fine")) == (
        "the prompt is too long; this was so for 3 cases, after which it was not asked again"
    )


def test_an_answer_in_between_resets_the_count_of_refused_cases():
    breaker = CircuitBreaker()
    for number in range(4 * MAX_REFUSED_CASES):
        breaker.record_failure(an_attempt(f"long-{number}"), REFUSED)
        breaker.record_success()
    assert breaker.reason_to_skip(an_attempt("fine")) is None


def test_a_case_that_is_refused_again_counts_once():
    breaker = CircuitBreaker()
    for number in range(4 * MAX_REFUSED_CASES):
        breaker.record_failure(an_attempt("long", number), REFUSED)
    assert breaker.reason_to_skip(an_attempt("fine")) is None
