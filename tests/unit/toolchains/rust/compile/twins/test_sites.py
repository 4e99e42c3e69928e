"""Sites: which are chosen, and the choices that make a test its own twin."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile.twins import sites
from forgetest.toolchains.rust.compile.twins.expectations import Expectation
from forgetest.toolchains.rust.compile.twins.sites import Site

some_sites = st.lists(
    st.builds(
        Site,
        test=st.integers(0, 3),
        kind=st.sampled_from(["literal", "truth", "end"]),
        position=st.integers(0, 100),
        line=st.just(1),
        certain=st.booleans(),
        right=st.booleans(),
    ),
    min_size=1,
    max_size=40,
)


def bits_of(choices: bytes, count: int) -> list[bool]:
    return [bool(choices[index // 8] >> index % 8 & 1) for index in range(count)]


@given(some_sites, st.integers())
def test_the_choices_of_a_test_are_right_at_all_of_its_sites(placed: list[Site], seed: int):
    bits = bits_of(sites.choices(placed, 0, None, random.Random(seed)), len(placed))
    assert all(bit == site.right for bit, site in zip(bits, placed, strict=True) if site.test == 0)


@given(some_sites, st.integers())
def test_the_choices_of_a_twin_are_wrong_at_its_own_site_alone(placed: list[Site], seed: int):
    for twin in sites.twins(placed):
        bits = bits_of(sites.choices(placed, twin.test, twin, random.Random(seed)), len(placed))
        own = [(number, bit == site.right) for number, (bit, site) in enumerate(zip(bits, placed, strict=True))
               if site.test == twin.test]  # fmt: skip
        assert [number for number, is_right in own if not is_right] == [twin.number]


def test_bits_of_other_tests_are_random():
    placed = [Site(test=1, kind="literal", position=0, line=1, certain=True, right=True)] * 64
    seen = {sites.choices(placed, 0, None, random.Random(seed)) for seed in range(50)}
    assert len(seen) == 50


def expectation(kind: str, start: int, assertion: int) -> Expectation:
    return Expectation(kind=kind, start=start, end=start, assertion=assertion, certain=True)  # type: ignore[arg-type]


@given(st.integers())
def test_literals_of_different_assertions_come_first(seed: int):
    vector = [expectation("literal", start, 1) for start in range(10, 15)]
    single = expectation("literal", 20, 2)
    truth = expectation("truth", 30, 3)
    picked = sites.chosen([*vector, single, truth], random.Random(seed), 3)
    assert single in picked[:2]
    assert truth not in picked
    assert sites.chosen([truth, single], random.Random(seed), 3) == [single, truth]
