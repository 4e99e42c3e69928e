"""Sites: which are chosen, and the choices that make a test its own twin."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.controls import JudgeSecret
from forgetest.toolchains.rust.compile.trusted_paths import Edit
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


# ---- sites with two values ----

TEXT = 'assert_eq!(f(), 3); assert_eq!(g(), "abc"); assert_eq!(h(), 2.5);'
LITERALS = [
    (
        0,
        Expectation(
            kind="literal",
            start=TEXT.index(literal),
            end=TEXT.index(literal) + len(literal),
            assertion=0,
            certain=True,
            exact=True,
        ),
    )
    for literal in ("3", '"abc"', "2.5")
]


def values_of(edit: Edit) -> list[str]:
    """The values in `::SECRET::pick(0, &[3, 11])`."""
    return edit.text.partition("&[")[2].removesuffix("])").split(", ")


@given(st.binary(min_size=1))
def test_sites_with_two_values_are_the_same_sites(key: bytes):
    every, _ = sites.place(TEXT, LITERALS, JudgeSecret(key=key))
    pairs, edits = sites.place(TEXT, LITERALS, JudgeSecret(key=key), pairs=True)
    assert [(site.test, site.kind, site.position, site.certain) for site in every] == [
        (site.test, site.kind, site.position, site.certain) for site in pairs
    ]
    for site, edit, (_, literal) in zip(pairs, edits, LITERALS, strict=True):
        values = values_of(edit)
        assert (site.values, site.asked, len(set(values))) == (2, (1,), 2)
        assert values[site.right] == TEXT[literal.start : literal.end]


@given(st.binary(min_size=1))
def test_of_two_values_nobody_can_tell_which_is_the_author_s(key: bytes):
    """Each is the partner of the other, and either may come first."""
    _, [edit, *_] = sites.place(TEXT, LITERALS, JudgeSecret(key=key), pairs=True)
    assert sorted(map(int, values_of(edit))) in ([3, 11], [3, 19])


def test_either_of_two_values_may_come_first():
    placed = [sites.place(TEXT, LITERALS, JudgeSecret(key=bytes([key])), pairs=True)[0] for key in range(50)]
    assert {site.right for found in placed for site in found} == {0, 1}


@given(st.binary(min_size=1), st.data())
def test_the_other_of_two_values_is_one_that_the_reference_solution_fails_with(key: bytes, data: st.DataObject):
    secret = JudgeSecret(key=key)
    every, all_edits = sites.place(TEXT, LITERALS, secret)
    site, edit = every[0], all_edits[0]
    far = data.draw(st.sampled_from(site.asked))
    only = {(site.kind, site.position, far)}
    [pair], [pair_edit] = sites.place(TEXT, LITERALS, secret, only=only, pairs=True)
    assert values_of(pair_edit)[1 - pair.right] == values_of(edit)[(site.right + far) % site.values]
