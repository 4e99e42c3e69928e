from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.sample import Usage, split_usage, total_usage

counts = st.none() | st.integers(0, 10**6)


@given(counts, counts, counts, st.integers(1, 20))
def test_the_shares_of_several_answers_add_up_to_the_total_usage(prompt, completion, cached, count):
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion, cached_tokens=cached)
    assert total_usage(split_usage(usage, count)) == usage


def test_shares_of_an_unknown_usage_are_unknown():
    assert total_usage([Usage(prompt_tokens=1, cost_usd=0.5), Usage(prompt_tokens=2)]) == Usage(prompt_tokens=3)
