"""Sites: which are chosen, and the choices that make a test its own twin."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile.twins import sites
from forgetest.toolchains.rust.compile.twins.expectations import Expectation
from forgetest.toolchains.rust.compile.twins.sites import Site


@st.composite
def one_site(draw: st.DrawFn) -> Site:
    values = draw(st.integers(2, 8))
    asked = draw(st.lists(st.integers(1, values - 1), min_size=1, unique=True))
    return Site(
        test=draw(st.integers(0, 3)),
        kind=draw(st.sampled_from(["literal", "variant", "truth", "end"])),
        position=draw(st.integers(0, 100)),
        line=1,
        certain=draw(st.booleans()),
        right=draw(st.integers(0, values - 1)),
        values=values,
        asked=tuple(sorted(asked)),
    )


some_sites = st.lists(one_site(), min_size=1, max_size=40)


def picked(choices: bytes, placed: list[Site]) -> list[int]:
    """The value that counts at each site, as `carrier::pick` takes it."""
    return [byte % site.values for byte, site in zip(choices, placed, strict=True)]


@given(some_sites, st.integers())
def test_the_choices_of_a_test_are_right_at_all_of_its_sites(placed: list[Site], seed: int):
    values = picked(sites.choices(placed, 0, None, random.Random(seed)), placed)
    assert all(value == site.right for value, site in zip(values, placed, strict=True) if site.test == 0)


@given(some_sites, st.integers())
def test_the_choices_of_a_twin_are_wrong_at_its_own_site_alone(placed: list[Site], seed: int):
    for twin in sites.twins(placed):
        values = picked(sites.choices(placed, twin.test, twin, random.Random(seed)), placed)
        own = [(number, value == site.right) for number, (value, site) in enumerate(zip(values, placed, strict=True))
               if site.test == twin.test]  # fmt: skip
        assert [number for number, is_right in own if not is_right] == [twin.number]


@given(some_sites, st.integers())
def test_every_value_that_may_be_asked_has_a_twin_of_its_own(placed: list[Site], seed: int):
    found = {
        (twin.number, picked(sites.choices(placed, twin.test, twin, random.Random(seed)), placed)[twin.number])
        for twin in sites.twins(placed)
    }
    assert len(found) == sum(len(site.asked) for site in placed)


def test_choices_at_the_sites_of_other_tests_are_random():
    placed = [Site(test=1, kind="literal", position=0, line=1, certain=True, right=1)] * 64
    seen = {sites.choices(placed, 0, None, random.Random(seed)) for seed in range(50)}
    assert len(seen) == 50


def test_the_bytes_of_a_right_choice_are_not_always_the_same():
    placed = [Site(test=0, kind="literal", position=0, line=1, certain=True, right=1, values=8)]
    assert len({sites.choices(placed, 0, None, random.Random(seed)) for seed in range(200)}) == 32


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
