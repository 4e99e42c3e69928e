"""Which failures end asking."""

from __future__ import annotations

from forgetest.engine.asking.circuit_breaker import FEW, Standing
from forgetest.errors import ProviderError
from specimens import an_attempt

REFUSED = ProviderError("the prompt is too long", final=True, of_request=True)


def test_a_failure_that_may_pass_stops_nothing():
    standing = Standing()
    standing.failed(an_attempt(), ProviderError("busy"))
    assert standing.why_not(an_attempt()) is None


def test_a_wrong_key_stops_everything_at_once():
    standing = Standing()
    standing.failed(an_attempt("one"), ProviderError("wrong key", final=True))
    assert standing.why_not(an_attempt("two")) == "wrong key"


def test_a_request_that_is_refused_stops_its_case_and_no_other():
    standing = Standing()
    standing.failed(an_attempt("long"), REFUSED)
    assert standing.why_not(an_attempt("long", 2)) == "the prompt is too long"
    assert standing.why_not(an_attempt("short")) is None


def test_a_few_cases_refused_one_after_the_other_stop_the_model():
    standing = Standing()
    for number in range(FEW):
        assert standing.why_not(an_attempt("fine")) is None
        standing.failed(an_attempt(f"long-{number}"), REFUSED)
    assert standing.why_not(an_attempt("fine")) == (
        "the prompt is too long; so for 3 cases, after which it was not asked again"
    )


def test_an_answer_in_between_shows_that_it_is_the_cases():
    standing = Standing()
    for number in range(4 * FEW):
        standing.failed(an_attempt(f"long-{number}"), REFUSED)
        standing.answered()
    assert standing.why_not(an_attempt("fine")) is None


def test_the_same_case_counts_once():
    standing = Standing()
    for number in range(4 * FEW):
        standing.failed(an_attempt("long", number), REFUSED)
    assert standing.why_not(an_attempt("fine")) is None
