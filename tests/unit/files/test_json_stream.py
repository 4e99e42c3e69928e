"""Reading a JSON object piece by piece, in any formatting and truncated anywhere."""

import io
import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.files import json_stream
from forgetest.files.json_stream import NotAnObjectError, NotJsonError, pieces

awkward = st.text(st.sampled_from('ab"\\{}[],:\n é'), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | awkward,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(awkward, inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(["id", "results", "aggregate", "settings"])


def put_together(text: bytes) -> dict[str, object]:
    found: dict[str, object] = {}
    for piece in pieces(io.BytesIO(text), arrays=("results",)):
        if piece.element is None:
            found[piece.name] = json.loads(piece.text)
        else:
            assert piece.element == len(found[piece.name])
            found[piece.name].append(json.loads(piece.text))
    return found


@settings(deadline=None)
@given(st.dictionaries(names, values), st.sampled_from([None, 0, 2]), st.integers(1, 9))
def test_the_pieces_make_up_the_object_whatever_its_formatting_and_the_chunk_size(document, indent, chunk):
    text = json.dumps(document, indent=indent, ensure_ascii=bool(indent)).encode()
    before, json_stream.CHUNK = json_stream.CHUNK, chunk
    try:
        assert put_together(text) == document
    finally:
        json_stream.CHUNK = before


@settings(deadline=None)
@given(st.dictionaries(names, values, min_size=1), st.data())
def test_a_truncated_object_is_always_an_error(document, data):
    text = json.dumps(document).encode()
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(NotJsonError):
        put_together(cut)


@settings(deadline=None)
@given(st.lists(values, max_size=4), st.sampled_from([None, 0, 2]), st.integers(1, 9))
def test_a_decoder_changes_no_piece_and_what_it_decodes_is_the_piece(elements, indent, chunk):
    text = json.dumps({"results": elements}, indent=indent).encode()
    before, json_stream.CHUNK = json_stream.CHUNK, chunk
    try:
        plain = list(pieces(io.BytesIO(text), arrays=("results",)))
        decoded = list(pieces(io.BytesIO(text), arrays=("results",), decode=msgspec.json.decode))
    finally:
        json_stream.CHUNK = before
    assert [piece._replace(decoded=None) for piece in decoded] == plain
    for piece in decoded:
        assert piece.decoded in (None, json.loads(piece.text))


def test_elements_that_the_decoder_refuses_come_as_text():
    text = json.dumps({"results": [{"a": 1}, {"a": "x"}]}, indent=2).encode()
    decoder = msgspec.json.Decoder(dict[str, int])
    _, first, second = pieces(io.BytesIO(text), arrays=("results",), decode=decoder.decode)
    assert (first.decoded, second.decoded) == ({"a": 1}, None)
    assert json.loads(second.text) == {"a": "x"}


def test_unusual_indentation_is_read_correctly():
    text = b'{\n  "results": [\n    {\n      "a": {\n    },\n      "b": "}"\n    },\n    {\n    }\n  ]\n}\n'
    assert put_together(text) == {"results": [{"a": {}, "b": "}"}, {}]}


def test_a_skipped_value_is_reported_by_key_but_not_kept():
    text = b'{"aggregate": {"a": ["}", {"b": 1}]}, "id": "x"}'
    found = list(pieces(io.BytesIO(text), skipped=("aggregate",)))
    assert [(piece.name, piece.text) for piece in found] == [("aggregate", b""), ("id", b'"x"')]


@pytest.mark.parametrize("text", [b"[]", b"3", b'"text"'])
def test_a_document_that_is_not_an_object_has_its_own_error(text):
    with pytest.raises(NotAnObjectError):
        put_together(text)


@pytest.mark.parametrize(
    "text", [b'{"a": 1} x', b'{"a" 1}', b"{1: 2}", b'{"a": 1,}', b'{"a": }', b'{"results": [1 2]}']
)
def test_an_error_names_the_position(text):
    with pytest.raises(NotJsonError, match=r"not expected at byte \d+"):
        put_together(text)
