"""Findings in a linked object, whatever its source hid: constructors, exports, extra libraries, foreign symbols."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from forgetest.verdict import Finding

_SYMTAB, _RELA, _DYNAMIC, _DYNSYM = 2, 4, 6, 11
_INIT_ARRAYS = (14, 15, 16)
_NEEDED, _INIT, _FINI = 1, 12, 13
_FUNCTION, _RESOLVER = 2, 10
_RESOLVED = {62: 37, 183: 1032}
"""By machine (x86_64, aarch64): the relocation whose value is computed by a function of the object."""

_OWN_CONSTRUCTORS = {183: ("init_have_lse_atomics", "__init_cpu_features")}
"""By machine: the constructors of compiler_builtins, allowed once each."""
_LIBRARIES = re.compile(r"libcarrier|libstd-|lib(gcc_s|c|m|dl|rt|pthread|util)\.so|ld-linux")
_ORDINARY = re.compile(
    r"_R|_ZN|mem(cpy|move|set|cmp)$|bcmp$|strlen$|_Unwind_|rust_eh_personality$|__rust|__tls_get_addr$|_?__?cxa|_ITM_"
    r"|__gmon|__stack_chk|(fmod|powi?|exp(2|10|m1)?|log(2|10|1p)?|a?(sin|cos|tan)h?|atan2|cbrt|hypot|ldexp"
    r"|[tl]gamma(_r)?|ceil|floor|trunc|round(even)?|rint|fma|fmin|fmax|fdim|getauxval)f?$"
)
"""Symbols that an ordinary sample imports from outside Rust; with `extern` blocks, any other is a foreign call."""


@dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    address: int
    offset: int
    size: int
    link: int


def findings(data: bytes, entries: Collection[str], *, foreign: bool) -> list[Finding]:
    """Return what an ordinary sample's object would not have. `foreign`: the sample has `extern` blocks."""
    try:
        return _elf_findings(_Elf(data), entries, foreign=foreign)
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        return [Finding(kind="object", detail=f"is not as a linker leaves it: {error}")]


def _elf_findings(elf: _Elf, entries: Collection[str], *, foreign: bool) -> list[Finding]:
    found = [Finding(kind="constructor", detail=f"runs {name} when it is loaded") for name in elf.constructors()]
    loaded = [library for library in elf.libraries() if not _LIBRARIES.match(library)]
    found += [Finding(kind="library", detail=f"loads {library}") for library in loaded]
    for name, is_defined in elf.symbols():
        if is_defined and name not in entries:
            found.append(Finding(kind="export", detail=f"exports the symbol {name}", concern="foreign"))
        elif not is_defined and foreign and not _ORDINARY.match(name):
            found.append(Finding(kind="foreign_symbol", detail=f"calls {name} outside Rust", concern="foreign"))
    return found


class _Elf:
    """The parts of a 64-bit little-endian ELF file that matter here."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        (self._machine,) = struct.unpack_from("<H", data, 0x12)
        (table,) = struct.unpack_from("<Q", data, 0x28)
        size, count = struct.unpack_from("<HH", data, 0x3A)
        self._sections = []
        for index in range(count):
            _, kind, _, address, offset, length, link, _, _, _ = struct.unpack_from(
                "<IIQQQQIIQQ", data, table + index * size
            )
            self._sections.append(_Section(kind, address, offset, length, link))

    def constructors(self) -> Iterator[str]:
        """Yield the functions that run before or after the entry point is called."""
        arrays = [section for section in self._sections if section.kind in _INIT_ARRAYS]
        functions = {
            value: (section, name)
            for section, (name, info, _, _, value, _) in self._entries(_SYMTAB, "<IBBHQQ")
            if info & 15 == _FUNCTION
        }
        own = set(_OWN_CONSTRUCTORS.get(self._machine, ()))
        for _, (at, info, target) in self._entries(_RELA, "<QQq"):
            if any(section.address <= at < section.address + section.size for section in arrays):
                name = self._string(*functions[target]) if target in functions else "a function without a name"
                if name not in own:
                    yield name
                own.discard(name)
            if info & 0xFFFFFFFF == _RESOLVED.get(self._machine):
                yield "a symbol resolver"
        if any(info & 15 == _RESOLVER for _, (_, info, *_) in self._entries(_DYNSYM, "<IBBHQQ")):
            yield "a symbol resolver"
        for _, (tag, _) in self._entries(_DYNAMIC, "<qQ"):
            if tag in (_INIT, _FINI):
                yield "an init or fini function"

    def libraries(self) -> Iterator[str]:
        """Yield the shared libraries that it needs."""
        for section, (tag, value) in self._entries(_DYNAMIC, "<qQ"):
            if tag == _NEEDED:
                yield self._string(section, value)

    def symbols(self) -> Iterator[tuple[str, bool]]:
        """Yield the dynamic symbols, and whether each is defined here."""
        for section, (name, _, _, index, _, _) in self._entries(_DYNSYM, "<IBBHQQ"):
            if name:
                yield self._string(section, name), index != 0

    def _entries(self, kind: int, layout: str) -> Iterator[tuple[_Section, tuple[int, ...]]]:
        for section in self._sections:
            if section.kind == kind:
                chunk = self._data[section.offset : section.offset + section.size]
                chunk = chunk[: len(chunk) - len(chunk) % struct.calcsize(layout)]
                for values in struct.iter_unpack(layout, chunk):
                    yield section, values

    def _string(self, section: _Section, offset: int) -> str:
        start = self._sections[section.link].offset + offset
        return self._data[start : self._data.index(b"\0", start)].decode(errors="replace")
