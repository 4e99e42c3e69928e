from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.sample import Usage, in_total, shared

counts = st.none() | st.integers(0, 10**6)


@given(counts, counts, counts, st.integers(1, 20))
def test_the_shares_of_several_answers_are_together_all_that_was_used(prompt, completion, cached, count):
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion, cached_tokens=cached)
    assert in_total(shared(usage, count)) == usage


def test_no_share_is_known_of_what_is_not_known():
    assert in_total([Usage(prompt_tokens=1, cost_usd=0.5), Usage(prompt_tokens=2)]) == Usage(prompt_tokens=3)
