from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.source.recent_texts import cached_for_recent_texts


class Counted:
    """Counts how often the length of a text is computed."""

    def __init__(self, most_chars: int) -> None:
        self.texts: list[str] = []
        self.length = cached_for_recent_texts(most_chars)(self._length)

    def _length(self, text: str) -> int:
        self.texts.append(text)
        return len(text)


def test_a_text_that_is_read_again_is_not_computed_again() -> None:
    counted = Counted(10)

    assert [counted.length(text) for text in ("abc", "de", "abc")] == [3, 2, 3]
    assert counted.texts == ["abc", "de"]


def test_the_text_that_was_not_read_for_the_longest_time_is_forgotten_first() -> None:
    counted = Counted(6)
    for text in ("abc", "def", "abc", "ghi", "abc", "def"):
        counted.length(text)

    assert counted.texts == ["abc", "def", "ghi", "def"]


def test_a_text_longer_than_all_that_is_kept_is_kept_alone() -> None:
    counted = Counted(4)
    for text in ("ab", "longer", "longer", "ab"):
        counted.length(text)

    assert counted.texts == ["ab", "longer", "ab"]


@given(st.lists(st.text(max_size=5)), st.integers(0, 20))
def test_results_are_those_of_the_function(texts: list[str], most_chars: int) -> None:
    counted = Counted(most_chars)

    assert [counted.length(text) for text in texts] == [len(text) for text in texts]
