"""Pickles that hold text are read; all others are refused, and nothing in them runs."""

from __future__ import annotations

import base64
import os
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.datasets.imports import pickled_text

PROTOCOLS = st.integers(0, pickle.HIGHEST_PROTOCOL)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


@given(TEXTS, PROTOCOLS)
def test_text_is_read_as_it_was_whatever_the_protocol(text: str, protocol: int):
    assert pickled_text.unpack(packed(pickle.dumps(text, protocol))) == text


@given(st.dictionaries(TEXTS, TEXTS, max_size=4), PROTOCOLS.filter(lambda protocol: protocol > 0))
def test_a_dictionary_of_texts_is_read_as_it_was(texts: dict[str, str], protocol: int):
    assert pickled_text.read(pickle.dumps(texts, protocol)) == texts


@given(st.integers() | st.lists(TEXTS) | st.tuples(TEXTS) | st.binary() | st.none() | st.floats(), PROTOCOLS)
def test_anything_else_is_refused(value: Any, protocol: int):
    with pytest.raises(ValueError, match="a pickle of something else than text"):
        pickled_text.read(pickle.dumps(value, protocol))


@given(st.binary() | st.builds(lambda data, cut: pickle.dumps(data)[:cut], TEXTS, st.integers(0, 60)))
def test_no_bytes_whatever_do_anything_but_raise_a_message(data: bytes):
    try:
        found = pickled_text.read(data)
    except ValueError:
        return
    assert isinstance(found, (str, dict))


def test_nothing_in_a_pickle_is_executed(tmp_path: Path):
    class Hostile:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "executed"),)

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(ValueError, match="something else than text"):
            pickled_text.unpack(packed(pickle.dumps(Hostile(), protocol)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not base64!", "cannot be unpacked"),
        (base64.b64encode(b"not zlib").decode(), "cannot be unpacked"),
        (base64.b64encode(zlib.compress(b"x" * 1000)[:-6]).decode(), "it is cut off"),
        (packed(b""), "a pickle that is cut off"),
        (packed(b"s."), "a pickle that is damaged"),
        (packed(b"(V1\n."), "a pickle that is damaged"),
    ],
)
def test_what_is_damaged_is_said_to_be(text: str, message: str):
    with pytest.raises(ValueError, match=message):
        pickled_text.unpack(text)


def test_a_small_archive_of_something_huge_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pickled_text, "MOST_UNPACKED", 1 << 20)

    with pytest.raises(ValueError, match="more than 1 MiB when it is unpacked"):
        pickled_text.unpack(packed(pickle.dumps("x" * (1 << 21))))
