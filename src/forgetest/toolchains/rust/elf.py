"""Reads the objects that the linker makes: 64-bit little-endian ELF files.

An object is made of a sample, so nothing in it is trusted: whatever is not as a linker leaves it is an error, and
reading takes time linear in its size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SYMTAB, RELA, DYNAMIC, DYNSYM = 2, 4, 6, 11
"""Kinds of sections."""
EXECUTABLE = 4
"""The flag of a section with code."""
FUNCTION, SECTION, FILE, RESOLVER = 2, 3, 4, 10
"""Kinds of symbols."""

ERRORS = (struct.error, IndexError, OverflowError, ValueError)
"""What reading a damaged object raises."""

_NAMES_PER_BYTE, _LEAST_NAMES = 4, 1 << 20
"""Names may share their ends, or be the same, but a linker's names are not many times as long as its object."""


class Section(NamedTuple):
    """An entry of the table of sections."""

    name_at: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int


class Symbol(NamedTuple):
    """An entry of a symbol table."""

    name: str
    kind: int
    section: int
    address: int
    size: int

    @property
    def is_defined(self) -> bool:
        """True if the symbol stands for something in this object."""
        return self.section != 0


class Elf:
    """An object; its methods raise one of ERRORS if it is damaged."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (self.machine,) = struct.unpack_from("<H", data, 0x12)
        (table,) = struct.unpack_from("<Q", data, 0x28)
        size, count, self._names_index = struct.unpack_from("<HHH", data, 0x3A)
        self.sections = [Section(*struct.unpack_from("<IIQQQQI", data, table + index * size)) for index in range(count)]
        self._symbols: dict[int, list[Symbol]] = {}

    def section_name(self, section: Section) -> str:
        """Return the name of a section."""
        return self._string(self.sections[self._names_index], section.name_at)

    def symbols(self, kind: int) -> Sequence[Symbol]:
        """Return the symbols of the tables of this kind, without the empty first entry."""
        if kind not in self._symbols:
            self._symbols[kind] = list(self._read_symbols(kind))
        return self._symbols[kind]

    def _read_symbols(self, kind: int) -> Iterator[Symbol]:
        left = _NAMES_PER_BYTE * len(self.data) + _LEAST_NAMES
        for section, (name_at, info, _, index, address, size) in self.entries(kind, "<IBBHQQ"):
            name = self._string(self.sections[section.link], name_at) if name_at else ""
            left -= len(name)
            if left < 0:
                raise ValueError("its names overlap")
            if name or index:
                yield Symbol(name, info & 15, index, address, size)

    def string(self, section: Section, at: int) -> str:
        """Return a string that an entry of a section refers to."""
        return self._string(self.sections[section.link], at)

    def entries(self, kind: int, layout: str) -> Iterator[tuple[Section, Sequence[int]]]:
        """Yield all entries of the sections of one kind."""
        sections = [section for section in self.sections if section.kind == kind]
        if sum(section.size for section in sections) > len(self.data):
            raise ValueError("its sections overlap")
        for section in sections:
            for values in struct.iter_unpack(layout, self.data[section.offset : section.offset + section.size]):
                yield section, values

    def segments(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield the address and the offset in the file of each segment of one kind."""
        (table,) = struct.unpack_from("<Q", self.data, 0x20)
        size, count = struct.unpack_from("<HH", self.data, 0x36)
        for index in range(count):
            found, _, offset, address = struct.unpack_from("<IIQQ", self.data, table + index * size)
            if found == kind:
                yield address, offset

    def _string(self, strings: Section, at: int) -> str:
        start = strings.offset + at
        return self.data[start : self.data.index(b"\0", start)].decode()
