from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.providers.http.errors import UnknownParameter, retry_after_s, unknown_parameter


@given(st.text() | st.from_regex(r"\w{3}, \d+ \w{3} \d+ \d+:\d+:\d+ GMT"))
def test_the_time_to_wait_is_finite_or_unknown_for_any_header(value: str) -> None:
    seconds = retry_after_s({"retry-after": value})
    assert seconds is None or 0 <= seconds < float("inf")


def test_a_parameter_that_a_service_does_not_know_is_recognised() -> None:
    sent = ("temperature", "seed")
    deprecated = "`temperature` is deprecated for this model."
    assert unknown_parameter(sent, 400, deprecated) == UnknownParameter("temperature")
    assert unknown_parameter(sent, 400, "seed: Extra inputs are not permitted") == UnknownParameter("seed")
    assert unknown_parameter(sent, 400, "Unsupported parameter.", "seed") == UnknownParameter("seed")
    assert unknown_parameter(sent, 400, "Unsupported parameter: 'tools'; see temperature.", "tools") is None


def test_a_value_out_of_bounds_is_not_an_unknown_parameter() -> None:
    assert unknown_parameter(("temperature",), 400, "temperature must be at most 1") is None
    assert unknown_parameter(("temperature",), 500, "temperature is not supported") is None
    assert unknown_parameter(("temperature",), 400, {"not": "a text"}) is None


def test_a_parameter_name_inside_another_word_does_not_count() -> None:
    assert unknown_parameter(("max_tokens",), 400, "max_tokens_to_sample is not supported") is None
