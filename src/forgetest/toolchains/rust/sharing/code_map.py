"""Tells whose code is where in a shared object, so that each sample's tests run without the other samples' code.

Every function of the object has a mangled name. That of a sample, of its tests, or of a generic function of std that
was compiled for one of its types contains the sample's secret name. The other functions are std's, compiled into the
object because it uses them, and belong to all. Anything else belongs to nobody: nothing that rustc makes of safe code
explains it, and then no sample of the object is judged by it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forgetest.toolchains.rust.elf import ERRORS, EXECUTABLE, FILE, FUNCTION, SECTION, SYMTAB, Elf

MANGLING = "-Csymbol-mangling-version=v0"
"""The compiler's flag for names that hold every type and the crate that a function was compiled for."""

_FIRST_RESERVED = 0xFF00
_TRAPS = {62: b"\xcc", 183: b"\0"}
"""By machine (x86_64, aarch64)."""
_EXECUTABLE_SECTIONS = (".text", ".plt")

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
    trap: bytes
    """A byte that ends the process wherever in a function it is executed."""

    def without(self, secrets: Collection[str]) -> bytes:
        """Return the object with traps in place of these samples' code."""
        erased = bytearray(self.object)
        for code in (code for secret in secrets for code in self.own[secret]):
            erased[code.offset : code.offset + code.length] = self.trap * code.length
        return bytes(erased)


def read(object_: bytes, secrets: Sequence[str]) -> CodeMap:
    """Return whose code is where in the object of these samples; raise UnknownCode for what belongs to nobody."""
    try:
        return _read(Elf(object_), set(secrets))
    except (*ERRORS, KeyError) as error:
        raise UnknownCode(f"is not as a linker leaves it: {error}") from error


def _read(elf: Elf, secrets: set[str]) -> CodeMap:
    text = None
    for index, section in enumerate(elf.sections):
        if section.flags & EXECUTABLE:
            section_name = elf.section_name(section)
            if section_name not in _EXECUTABLE_SECTIONS:
                raise UnknownCode(f"has code in {section_name!r}")
            if section_name == ".text":
                text = index
    if text is None:
        raise UnknownCode("has no code")
    section = elf.sections[text]
    owned: list[tuple[int, int, str]] = []
    for symbol in elf.symbols(SYMTAB):
        if not symbol.is_defined or symbol.kind in (SECTION, FILE):
            continue
        if symbol.section >= _FIRST_RESERVED:
            raise UnknownCode("has a symbol without a section")
        owner = _owner(symbol.name, secrets, is_code=symbol.section == text)
        if symbol.section == text:
            start = symbol.address - section.address
            if symbol.kind != FUNCTION or start < 0 or start + symbol.size > section.size:
                raise UnknownCode(f"{symbol.name} is no function")
            owned.append((start + section.offset, symbol.size, owner))
    return _map(elf, owned, CodeRange(section.offset, section.size), secrets)


def _map(elf: Elf, owned: list[tuple[int, int, str]], text: CodeRange, secrets: set[str]) -> CodeMap:
    own: dict[str, list[CodeRange]] = {secret: [] for secret in secrets}
    filled, trap = bytearray(elf.data), _TRAPS[elf.machine]
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
    return CodeMap(object=bytes(filled), own=own, trap=trap)


def _owner(name: str, secrets: set[str], *, is_code: bool) -> str:
    """Return the sample that a symbol belongs to; empty if it belongs to all."""
    found: set[str] = set(_SECRET.findall(name))
    if len(found) == 1 and found <= secrets:
        return found.pop()
    if found or not (_COMPILED_HERE.match(name) or _BUILTINS.match(name) or (not is_code and _DATA.match(name))):
        raise UnknownCode(f"{name} belongs to nobody")
    return ""
