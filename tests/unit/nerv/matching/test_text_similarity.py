"""Text similarity matches tasks with requirements as people do, on the labels for the six example specs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from external_data import external, needs_external
from nerv.matching.text_similarity import Vocabulary, covered_items, related_items, stems
from nerv.spec import markdown

SPECS = external("nerv_specs")
LABELS = tomllib.loads((Path(__file__).parent / "similarity_labels.toml").read_text())
SPEC = """
# Shop
## Cart
- [ ] Add products to the cart
- [ ] Cart badge shows the count
## Accounts
- [ ] Login returns a token
- [ ] Passwords are hashed with bcrypt
"""


def vocabulary(text: str = SPEC) -> Vocabulary:
    return Vocabulary.of(markdown.parse(text, "spec.md"))


def judged() -> Iterator[tuple[str, set[int], set[int]]]:
    """Yield each labelled task: its spec, the items that were found, and the labelled ones."""
    for name, tasks in LABELS.items():
        known = vocabulary((SPECS / f"{name}.md").read_text())
        for title, wanted in tasks.items():
            yield name, {index + 1 for index in related_items(title, known)}, set(wanted)


@needs_external("nerv_specs")
def test_tasks_are_related_to_the_items_that_people_chose() -> None:
    """Measured when it was chosen: precision 0.92, recall 0.86 of 113 pairs; 75 of 76 tasks right on whether any."""
    found = list(judged())
    right = sum(len(got & wanted) for _, got, wanted in found)
    precision = right / sum(len(got) for _, got, _ in found)
    recall = right / sum(len(wanted) for _, _, wanted in found)
    assert precision >= 0.9
    assert recall >= 0.83
    assert sum(bool(got) == bool(wanted) for _, got, wanted in found) >= len(found) - 2


@needs_external("nerv_specs")
@pytest.mark.parametrize("name", LABELS)
def test_no_single_spec_falls_far_below_the_average(name: str) -> None:
    mine = [(got, wanted) for spec, got, wanted in judged() if spec == name]
    right = sum(len(got & wanted) for got, wanted in mine)
    assert right / sum(len(got) for got, _ in mine) >= 0.75
    assert right / sum(len(wanted) for _, wanted in mine) >= 0.7


def test_a_task_may_be_named_after_the_heading() -> None:
    assert related_items("Cart", vocabulary()) == (0, 1)


def test_words_are_compared_by_their_stems() -> None:
    assert stems("hashing passwords") == stems("Hashed password")
    assert stems("PasswordHash") == stems("password_hash")


def test_repeated_words_change_nothing() -> None:
    title = "Login with a token"
    assert related_items(f"{title} {title} {title}", vocabulary()) == related_items(title, vocabulary()) == (2,)


def test_words_that_the_spec_does_not_use_lower_the_similarity() -> None:
    filler = "synergy leverage quarterly roadmap stakeholders alignment host offsite"
    assert set(related_items(f"Login with a token {filler}", vocabulary())) <= {2}
    assert related_items(filler, vocabulary()) == ()


def test_a_longer_text_covers_the_items_that_it_mostly_mentions() -> None:
    text = "test_password_is_hashed bcrypt compare hash_password user database connection assert"
    assert list(covered_items(text, vocabulary())) == [3]
