"""The generator of attacks: its variety, and that its samples are files of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

import corpus
from attack.disguises import DISGUISES
from attack.generate import attacks
from attack.lies import DECISIONS, REACHES


def test_the_same_seed_makes_the_same_attacks_and_another_one_others():
    assert attacks(1, 50) == attacks(1, 50)
    assert not set(attacks(1, 50)) & set(attacks(2, 50))


def test_no_two_attacks_combine_the_same_tricks_for_the_same_case():
    made = attacks(3, 1000)
    assert len({(attack.case, attack.tricks) for attack in made}) == 1000
    assert len({attack.code for attack in made}) == 1000


def test_every_trick_occurs():
    used = {trick for attack in attacks(4, 1000) for trick in attack.tricks}
    assert {*DISGUISES, *REACHES, *DECISIONS} <= used


def test_every_attack_is_for_a_case_of_the_corpus():
    for case in {attack.case for attack in attacks(5, 500)}:
        assert corpus.case_named(case).expectations.test_file


@pytest.mark.parametrize("attack", attacks(6, 30), ids=lambda attack: attack.case)
def test_an_attack_can_become_a_sample_of_the_corpus(attack, tmp_path: Path):
    file = tmp_path / attack.case / "samples" / "generated.rs"
    file.parent.mkdir(parents=True)
    file.write_bytes(attack.as_sample().encode())
    header = corpus.header(file)
    assert header["must"] == "not correct"
    assert header["class"] in corpus.CLASSES
