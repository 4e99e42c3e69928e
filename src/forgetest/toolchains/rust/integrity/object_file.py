"""Findings in a linked object, whatever its source hid: constructors, exports, libraries, foreign symbols and code.

Every function that rustc compiles has a mangled name and unwind information. Code that an assembler made shows in the
symbol tables as a label that nobody mangled, or as a function that the unwind table does not list. An object keeps
its full symbol table, because nothing strips it before it is read here.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator

from forgetest.toolchains.rust.elf import (
    DYNAMIC,
    DYNSYM,
    ERRORS,
    EXECUTABLE,
    FUNCTION,
    RELA,
    RESOLVER,
    SYMTAB,
    Elf,
    Symbol,
)
from forgetest.verdict import Finding

_INIT_ARRAYS = (14, 15, 16)
_UNWIND_TABLE = 0x6474E550
_NEEDED, _INIT, _FINI = 1, 12, 13
_RESOLVED = {62: 37, 183: 1032}
"""By machine (x86_64, aarch64): the relocation whose value is computed by a function of the object."""
_MOST_ARRAYS = 16
"""A linker makes at most one array of each kind."""

_OWN_CONSTRUCTORS = {183: ("init_have_lse_atomics", "__init_cpu_features")}
"""By machine: the constructors of compiler_builtins, allowed once each."""
_LIBRARIES = re.compile(r"libcarrier|libstd-|lib(gcc_s|c|m|dl|rt|pthread|util)\.so|ld-linux")
_ORDINARY = re.compile(
    r"_R|_ZN|mem(cpy|move|set|cmp)$|bcmp$|strlen$|_Unwind_|rust_eh_personality$|__rust|__tls_get_addr$|_?__?cxa|_ITM_"
    r"|__gmon|__stack_chk|(fmod|powi?|exp(2|10|m1)?|log(2|10|1p)?|a?(sin|cos|tan)h?|atan2|cbrt|hypot|ldexp"
    r"|[tl]gamma(_r)?|ceil|floor|trunc|round(even)?|rint|fma|fmin|fmax|fdim|getauxval)f?$"
)
"""Symbols that an ordinary sample imports from outside Rust; with `extern` blocks, any other is a foreign call."""
_MANGLED = re.compile(r"_R|_ZN")
_BUILT_IN = re.compile(
    r"__rust_try$|__rust_probestack$|__rust_[iu]128_\w+$|__gnu_[fh]2[fh]_ieee$|__compilerrt_abort_impl$"
    r"|__[a-z]+(si|di|ti|hf|sf|df|tf|xf|sc|dc|tc)[234]?$"
    r"|(cbrt|ceil|copysign|fabs|fdim|floor|fma|fmaximum|fminimum|fmax|fmin|fmod|rint|roundeven|round|sqrt|trunc)"
    r"(f|f16|f128)?$|__aarch64_\w+$|init_have_lse_atomics$|__init_cpu_features(_resolver)?$|\$[a-z](\.\d+)?$"
)
"""Code without a mangled name that is part of an ordinary object: rustc's own, compiler_builtins, and the marks of the
Arm ABI between code and data."""
_RUNTIME = re.compile(
    r"(mem(p?cpy|move|set|r?chr|cmp|mem)|bcmp|bcopy|bzero|str\w+|(m|c|re|vall?)alloc|free|posix_memalign|aligned_alloc"
    r"|_?exit|_Exit|abort|raise|kill|v?fork|clone3?|syscall|p?readv?(64)?|p?writev?(64)?|open(at)?(64)?|close|fcntl(64)?"
    r"|ioctl|poll|pipe2?|dup[23]?|mmap(64)?|munmap|mprotect|sig\w+|pthread_\w+|dl\w+|get(pid|tid|env|random|auxval)"
    r"|clock_\w+|nanosleep|environ|rust_\w+|_Unwind_\w+|__(rust|rdl|rg|cxa|libc|tls|errno|stack_chk|gmon|xpg)_\w+)$"
)
"""Symbols of libc, of the unwinder and of Rust's runtime: no sample has a reason to put its own in their place."""


def findings(data: bytes, entries: Collection[str], *, foreign: bool) -> list[Finding]:
    """Return what an ordinary sample's object would not have. `foreign`: the sample has `extern` blocks."""
    try:
        return _elf_findings(Elf(data), entries, foreign=foreign)
    except ERRORS as error:
        return [Finding(kind="object", detail=f"is not as a linker leaves it: {error}")]


def _elf_findings(elf: Elf, entries: Collection[str], *, foreign: bool) -> list[Finding]:
    found = [Finding(kind="constructor", detail=f"runs {name} when it is loaded") for name in _constructors(elf)]
    loaded = [library for library in _libraries(elf) if not _LIBRARIES.match(library)]
    found += [Finding(kind="library", detail=f"loads {library}") for library in loaded]
    for symbol in elf.symbols(DYNSYM):
        if not symbol.name:
            continue
        if _replaces_runtime(symbol, exported=True):
            found.append(_replaced(symbol))
        if symbol.is_defined and symbol.name not in entries:
            found.append(Finding(kind="export", detail=f"exports the symbol {symbol.name[:200]}", concern="foreign"))
        elif not symbol.is_defined and foreign and not _ORDINARY.match(symbol.name):
            detail = f"calls {symbol.name[:200]} outside Rust"
            found.append(Finding(kind="foreign_symbol", detail=detail, concern="foreign"))
    found += _code_findings(elf, entries)
    return list(dict.fromkeys(found))


def _code_findings(elf: Elf, entries: Collection[str]) -> Iterator[Finding]:
    """Find code that rustc did not compile, in the full symbol table."""
    unwound = _unwound_functions(elf)
    exported = {symbol.name for symbol in elf.symbols(DYNSYM) if symbol.is_defined}
    names = set[str]()
    for symbol in elf.symbols(SYMTAB):
        if not symbol.is_defined or not symbol.name:
            continue
        names.add(symbol.name)
        if _replaces_runtime(symbol, exported=False):
            yield _replaced(symbol)
        elif _is_code(elf, symbol) and symbol.name not in entries and not _BUILT_IN.match(symbol.name):
            if unwound is not None and symbol.address not in unwound:
                yield _assembly(f"has machine code of its own: {symbol.name[:200]} was not compiled by rustc")
            elif not _MANGLED.match(symbol.name) and symbol.name not in exported:
                yield _assembly(f"has machine code of its own: {symbol.name[:200]}")
    if not exported <= names:
        yield Finding(kind="object", detail="is not as a linker leaves it: it has lost its symbols")


def _replaces_runtime(symbol: Symbol, *, exported: bool) -> bool:
    """Return whether it stands in the way of a symbol that the tests or the launcher use."""
    if not symbol.is_defined or _BUILT_IN.match(symbol.name):
        return False
    return bool(_RUNTIME.match(symbol.name) or (exported and _MANGLED.match(symbol.name)))


def _replaced(symbol: Symbol) -> Finding:
    return Finding(kind="replaced_runtime", detail=f"has a {symbol.name[:200]} of its own", concern="forgery")


def _assembly(detail: str) -> Finding:
    return Finding(kind="assembly", detail=detail, concern="foreign")


def _constructors(elf: Elf) -> Iterator[str]:
    """Yield the functions that run before or after the entry point is called."""
    arrays = [section for section in elf.sections if section.kind in _INIT_ARRAYS]
    if len(arrays) > _MOST_ARRAYS:
        raise ValueError("too many arrays of constructors")
    symbols = elf.symbols(SYMTAB)
    own = set(_OWN_CONSTRUCTORS.get(elf.machine, ()))
    functions: dict[int, str] | None = None
    for _, (at, info, target) in elf.entries(RELA, "<QQq"):
        if any(section.address <= at < section.address + section.size for section in arrays):
            functions = functions or {
                symbol.address: symbol.name for symbol in symbols if symbol.is_defined and symbol.kind == FUNCTION
            }
            name = functions.get(target, "a function without a name")
            if name not in own:
                yield name[:200]
            own.discard(name)
        if info & 0xFFFFFFFF == _RESOLVED.get(elf.machine):
            yield "a symbol resolver"
    if any(symbol.kind == RESOLVER for symbol in (*elf.symbols(DYNSYM), *symbols)):
        yield "a symbol resolver"
    for _, (tag, _) in elf.entries(DYNAMIC, "<qQ"):
        if tag in (_INIT, _FINI):
            yield "an init or fini function"


def _libraries(elf: Elf) -> Iterator[str]:
    """Yield the shared libraries that it needs."""
    for section, (tag, value) in elf.entries(DYNAMIC, "<qQ"):
        if tag == _NEEDED:
            yield elf.string(section, value)


def _is_code(elf: Elf, symbol: Symbol) -> bool:
    """Return whether a defined symbol is a function, or any other place in an executable section."""
    if symbol.kind in (FUNCTION, RESOLVER):
        return True
    return symbol.section < len(elf.sections) and bool(elf.sections[symbol.section].flags & EXECUTABLE)


def _unwound_functions(elf: Elf) -> frozenset[int] | None:
    """Return the addresses of all functions in the unwind table; None if there is no table that we can read."""
    for address, offset in elf.segments(_UNWIND_TABLE):
        version, _, count_encoding, table_encoding = struct.unpack_from("<4B", elf.data, offset)
        if (version, count_encoding, table_encoding) != (1, 0x03, 0x3B):
            return None
        (count,) = struct.unpack_from("<I", elf.data, offset + 8)
        entries = elf.data[offset + 12 : offset + 12 + 8 * count]
        entries = entries[: len(entries) - len(entries) % 8]
        return frozenset(address + start for start, _ in struct.iter_unpack("<ii", entries))
    return None
