from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.providers.http.errors import Refused, refused, retry_after_s


@given(st.text() | st.from_regex(r"\w{3}, \d+ \w{3} \d+ \d+:\d+:\d+ GMT"))
def test_whatever_the_header_says_the_time_to_wait_is_finite_or_unknown(value: str) -> None:
    seconds = retry_after_s({"retry-after": value})
    assert seconds is None or 0 <= seconds < float("inf")


def test_a_parameter_is_refused_by_a_service_that_does_not_know_it() -> None:
    sent = ("temperature", "seed")
    assert refused(sent, 400, "`temperature` is deprecated for this model.") == Refused("temperature")
    assert refused(sent, 400, "seed: Extra inputs are not permitted") == Refused("seed")
    assert refused(sent, 400, "Unsupported parameter.", "seed") == Refused("seed")
    assert refused(sent, 400, "Unsupported parameter: 'tools'; see temperature.", "tools") is None


def test_a_value_out_of_bounds_or_another_failure_is_no_refusal() -> None:
    assert refused(("temperature",), 400, "temperature must be at most 1") is None
    assert refused(("temperature",), 500, "temperature is not supported") is None
    assert refused(("temperature",), 400, {"not": "a text"}) is None


def test_a_name_within_another_is_not_meant() -> None:
    assert refused(("max_tokens",), 400, "max_tokens_to_sample is not supported") is None
