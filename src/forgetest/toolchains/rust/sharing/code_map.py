"""Tells whose code is where in a shared object, so that each sample's tests run without the other samples' code.

Every function of the object has a mangled name. That of a sample, of its tests, or of a generic function of std that
was compiled for one of its types contains the sample's secret name. The other functions are std's, compiled into the
object because it uses them, and belong to all. Anything else belongs to nobody: nothing that rustc makes of safe code
explains it, and then no sample of the object is judged by it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MANGLING = "-Csymbol-mangling-version=v0"
"""The compiler's flag for names that hold every type and the crate that a function was compiled for."""

_SYMTAB = 2
_EXECUTABLE = 4
_OBJECT, _FUNCTION, _SECTION, _FILE, _THREAD_LOCAL = 1, 2, 3, 4, 6
_FIRST_RESERVED = 0xFF00
_TRAPS = {62: b"\xcc", 183: b"\0"}
"""By machine (x86_64, aarch64): a byte that ends the process wherever in a function it is executed."""
_EXECUTABLE_SECTIONS = (b".text", b".plt")

_SECRET = re.compile(r"f[0-9a-f]{24}(?=_)")
_COMPILED_HERE = re.compile(r"_R[\w.$]*_6sample|__rust_try(\.\w+)?$")
_BUILTINS = re.compile(
    r"_R\w+17compiler_builtins\w*$|__\w+(hf|sf|df|xf|tf|si|di|ti)\d?$"
    r"|(fmod|fma|fmin|fmax|fdim|ceil|floor|trunc|rint|round(even)?|sqrt|cbrt|ldexp|l?gamma(_r)?)f?$"
)
"""Functions of compiler_builtins, the one library that is linked into the object."""
_DATA = re.compile(r"DW\.ref\.rust_eh_personality$|_DYNAMIC$|_GLOBAL_OFFSET_TABLE_$|GCC_except_table\d+$")


class UnknownCode(Exception):  # noqa: N818  (a finding, not an error)
    """Something in the object belongs to nobody."""


class CodeRange(NamedTuple):
    """A range of the object's file."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeMap:
    """The code of a shared object."""

    object: bytes
    """The object, with traps in place of everything in its code that belongs to no function."""
    own: dict[str, list[CodeRange]]
    """The code of each sample, by secret name."""

    def without(self, secrets: Collection[str]) -> bytes:
        """Return the object with traps in place of these samples' code."""
        erased, trap = bytearray(self.object), _trap(self.object)
        for code in (code for secret in secrets for code in self.own[secret]):
            erased[code.offset : code.offset + code.length] = trap * code.length
        return bytes(erased)


def read(object_: bytes, secrets: Sequence[str]) -> CodeMap:
    """Return whose code is where in the object of these samples; raise UnknownCode for what belongs to nobody."""
    try:
        return _read(object_, set(secrets))
    except (struct.error, IndexError, ValueError, KeyError) as error:
        raise UnknownCode(f"is not as a linker leaves it: {error}") from error


def _read(object_: bytes, secrets: set[str]) -> CodeMap:
    sections = list(_sections(object_))
    names = sections[struct.unpack_from("<H", object_, 0x3E)[0]]
    text = None
    for index, section in enumerate(sections):
        if section.flags & _EXECUTABLE:
            start = names.offset + section.name
            section_name = object_[start : object_.index(b"\0", start)]
            if section_name not in _EXECUTABLE_SECTIONS:
                raise UnknownCode(f"has code in {section_name!r}")
            if section_name == b".text":
                text = index
    if text is None:
        raise UnknownCode("has no code")
    section = sections[text]
    owned: list[tuple[int, int, str]] = []
    for name, kind, index, value, size in _symbols(object_, sections):
        owner = _owner(name, secrets, is_code=index == text)
        if index == text:
            if kind != _FUNCTION or value < section.address or value + size > section.address + section.size:
                raise UnknownCode(f"{name} is no function")
            owned.append((value - section.address + section.offset, size, owner))
    return _map(object_, owned, CodeRange(section.offset, section.size), secrets)


def _map(object_: bytes, owned: list[tuple[int, int, str]], text: CodeRange, secrets: set[str]) -> CodeMap:
    own: dict[str, list[CodeRange]] = {secret: [] for secret in secrets}
    filled, trap = bytearray(object_), _trap(object_)
    end, last_owner = text.offset, ""
    for offset, length, owner in sorted(owned):
        if offset < end and owner != last_owner:
            raise UnknownCode("has functions that overlap")
        filled[end:offset] = trap * (offset - end)
        if owner:
            ranges = own[owner]
            if ranges and owner == last_owner:  # with the gap between them, which holds only traps
                offset, length = ranges[-1].offset, max(end, offset + length) - ranges[-1].offset
                ranges.pop()
            ranges.append(CodeRange(offset, length))
        end, last_owner = max(end, offset + length), owner
    filled[end : text.offset + text.length] = trap * (text.offset + text.length - end)
    return CodeMap(object=bytes(filled), own=own)


def _owner(name: str, secrets: set[str], *, is_code: bool) -> str:
    """Return the sample that a symbol belongs to; empty if it belongs to all."""
    found: set[str] = set(_SECRET.findall(name))
    if len(found) == 1 and found <= secrets:
        return found.pop()
    if found or not (_COMPILED_HERE.match(name) or _BUILTINS.match(name) or (not is_code and _DATA.match(name))):
        raise UnknownCode(f"{name} belongs to nobody")
    return ""


def _trap(object_: bytes) -> bytes:
    (machine,) = struct.unpack_from("<H", object_, 0x12)
    return _TRAPS[machine]


@dataclass(frozen=True, slots=True)
class _Section:
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int


def _sections(object_: bytes) -> Iterator[_Section]:
    (table,) = struct.unpack_from("<Q", object_, 0x28)
    size, count = struct.unpack_from("<HH", object_, 0x3A)
    for index in range(count):
        name, kind, flags, address, offset, length, link = struct.unpack_from("<IIQQQQI", object_, table + index * size)
        yield _Section(name, kind, flags, address, offset, length, link)


def _symbols(object_: bytes, sections: Sequence[_Section]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the name, kind, section, value and size of everything that the object defines."""
    for section in sections:
        if section.kind != _SYMTAB:
            continue
        strings = sections[section.link].offset
        for name, info, _, index, value, size in struct.iter_unpack(
            "<IBBHQQ", object_[section.offset : section.offset + section.size]
        ):
            kind = info & 15
            if index == 0 or kind in (_SECTION, _FILE):
                continue
            if index >= _FIRST_RESERVED:
                raise UnknownCode("has a symbol without a section")
            start = strings + name
            yield object_[start : object_.index(b"\0", start)].decode(), kind, index, value, size
