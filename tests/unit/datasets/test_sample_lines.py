"""Files of samples that never end, or become much larger than they are."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.datasets import sample_lines
from forgetest.errors import UserError
from forgetest.files import json_lines

SAMPLE = b'{"case_id": "add", "code": "fn add() {}"}\n'


def read(name: object) -> list[bytes]:
    with sample_lines.open_samples(str(name)) as file:
        return list(sample_lines.lines(file, str(name)))


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_lines, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(sample_lines, "MOST_COPIED", 4 << 20)


def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match=r"pipe: a pipe, not a file; to read from it, write: --samples-from - < "):
        sample_lines.open_samples(str(tmp_path / "pipe"))


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(UserError, match=f"{device}: a device, not a file"):
        sample_lines.open_samples(device)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        sample_lines.open_samples(str(tmp_path))


def test_a_redirected_file_is_read_by_its_descriptor(tmp_path: Path) -> None:
    (tmp_path / "samples").write_bytes(SAMPLE)
    with (tmp_path / "samples").open("rb") as file:
        assert read(f"/dev/fd/{file.fileno()}") == read(f"/proc/self/fd/{file.fileno()}") == [SAMPLE]


def test_the_longest_line_is_read_and_one_byte_more_is_refused(tmp_path: Path, short_lines: None) -> None:
    file = tmp_path / "samples"
    longest = b"x" * ((1 << 20) - 1) + b"\n"
    file.write_bytes(SAMPLE + longest)
    assert read(file) == [SAMPLE, longest]
    file.write_bytes(SAMPLE + b"x" + longest)
    with pytest.raises(UserError, match="samples:2: longer than 1 MiB, the longest line that is read"):
        read(file)


@pytest.mark.parametrize("layers", [1, 2])
def test_a_small_archive_of_a_huge_line_is_refused_before_it_is_unpacked(
    tmp_path: Path, short_lines: None, layers: int
) -> None:
    content = SAMPLE + b" " * (64 << 20)
    for _ in range(layers):
        content = gzip.compress(content)
    (tmp_path / "bomb.gz").write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match=r"bomb\.gz:2: longer than 1 MiB"):
            read(tmp_path / "bomb.gz")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_an_archive_of_too_many_lines_is_refused(tmp_path: Path, short_lines: None) -> None:
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"\n" * (5 << 20)))
    with pytest.raises(UserError, match=r"bomb\.gz: more than 0 GiB; unpack it into a file"):
        read(tmp_path / "bomb.gz")


def test_an_archive_that_is_packed_again_and_again_is_refused(tmp_path: Path) -> None:
    (tmp_path / "twice.gz").write_bytes(gzip.compress(gzip.compress(SAMPLE)))
    assert read(tmp_path / "twice.gz") == [SAMPLE]
    (tmp_path / "thrice.gz").write_bytes(gzip.compress((tmp_path / "twice.gz").read_bytes()))
    with pytest.raises(UserError, match="packed more than 2 times; unpack it first"):
        read(tmp_path / "thrice.gz")


def test_endless_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch, short_lines: None) -> None:
    with Path("/dev/zero").open("rb") as endless:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless))
        with pytest.raises(UserError, match="-:1: longer than 1 MiB"):
            read("-")
        sys.stdin.detach()


def test_a_line_takes_little_more_than_its_size_in_memory() -> None:
    size = 3 << 20
    nested = b'{"case_id": "add", "code": "x", "other": [' + b"[]," * (size // 3) + b"[]]}"
    many_keys = (
        b'{"case_id": "add", "code": "x"' + b"".join(b',"%x":[]' % number for number in range(size // 12)) + b"}"
    )
    for line in (nested, many_keys):
        tracemalloc.start()
        try:
            assert sample_lines.decode(line) == {"case_id": "add", "code": "x"}
            assert tracemalloc.get_traced_memory()[1] < 2 * len(line)
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("key", ["tokens", "model", "attempt", "code"])
def test_a_huge_value_where_a_small_one_belongs_is_refused(key: str) -> None:
    line = b'{"case_id": "add", "%s": [%s1]}' % (key.encode(), b"1," * (1 << 16))
    with pytest.raises(ValueError, match=f"{key}: longer than 64 KiB"):
        sample_lines.decode(line)


def test_long_code_is_read() -> None:
    code = "é" * (1 << 20)
    assert sample_lines.decode(json.dumps({"code": code}).encode()) == {"code": code}


KNOWN = st.sampled_from(["case_id", "code", "answer", "tokens", "model", "attempt", "cost_usd"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.dictionaries(KNOWN | st.text(), VALUES))
def test_known_keys_are_read_as_from_any_json_line(sample: dict[str, object]) -> None:
    line = msgspec.json.encode(sample) + b"\n"
    known = sample_lines._Line.__struct_fields__
    assert sample_lines.decode(line) == {k: v for k, v in json_lines.decode(line).items() if k in known}


@pytest.mark.parametrize(
    "line", [b"[]", b"[eval_set]", b"3", b'"x"', b"{", b'{"code": \xff}', b'{"code": "\xff"}', b"x", b'{"a":' * 9999]
)
def test_what_is_no_sample_is_refused_as_any_json_line_is(line: bytes) -> None:
    with pytest.raises(ValueError, match=r".") as expected:
        json_lines.decode(line)
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        sample_lines.decode(line)
