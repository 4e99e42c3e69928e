"""Whose code is where, on objects made by hand; real ones are judged in the contract suite."""

from __future__ import annotations

import contextlib
import struct
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.sharing import code_map
from forgetest.toolchains.rust.sharing.code_map import CodeMap, CodeRange, UnknownCode

A, B = "fa1" + "0" * 22, "fb2" + "0" * 22
OF_A, OF_B = f"_RNvNtCs1_6sample32{A}_sample6triple", f"_RNvNtCs1_6sample32{B}_sample6triple"
OF_STD = "_RNvMNtCsg_4core5sliceSf4iterCs1_6sample"
NO_TYPE, OBJECT, FUNCTION, FILE = 0, 1, 2, 4
PROGBITS, SYMTAB, STRTAB = 1, 2, 3
ADDRESS = 0x1000
TEXT, DATA = 1, 2
ABSOLUTE = 0xFFF1


@dataclass
class Symbol:
    name: str
    at: int = 0
    size: int = 0
    kind: int = FUNCTION
    section: int = TEXT


@dataclass
class Object:
    """An object whose code is a row of bytes, each its own position."""

    symbols: list[Symbol] = field(default_factory=list)
    code: bytes = bytes(range(64))
    text_name: bytes = b".text"
    machine: int = 62

    def bytes(self) -> bytes:
        section_names = b"\0" + self.text_name + b"\0.data\0"
        strings, symtab = b"\0", b""
        for symbol in self.symbols:
            value = ADDRESS + symbol.at if symbol.section == TEXT else symbol.at
            symtab += struct.pack("<IBBHQQ", len(strings), symbol.kind, 0, symbol.section, value, symbol.size)
            strings += symbol.name.encode() + b"\0"
        sections = [
            (0, 0, 0, 0, b""),
            (1, PROGBITS, 6, ADDRESS, self.code),
            (2 + len(self.text_name), PROGBITS, 3, 0x9000, bytes(8)),
            (0, STRTAB, 0, 0, strings),
            (0, SYMTAB, 0, 0, symtab),
            (0, STRTAB, 0, 0, section_names),
        ]
        body, headers = bytearray(64), b""
        for name, kind, flags, address, content in sections:
            headers += struct.pack("<IIQQQQIIQQ", name, kind, flags, address, len(body), len(content), 3, 0, 1, 0)
            body += content
        struct.pack_into("<4s", body, 0, b"\x7fELF")
        struct.pack_into("<HH", body, 0x10, 3, self.machine)
        struct.pack_into("<Q", body, 0x28, len(body))
        struct.pack_into("<HHH", body, 0x3A, 64, len(sections), len(sections) - 1)
        return bytes(body) + headers


def read(*symbols: Symbol, **further: object) -> CodeMap:
    return code_map.read(Object(list(symbols), **further).bytes(), [A, B])  # type: ignore[arg-type]


def test_code_belongs_to_the_sample_whose_secret_name_it_has():
    found = read(Symbol(OF_A, 0, 16), Symbol(OF_STD, 16, 16), Symbol(f"{B}_entry", 32, 8), Symbol(OF_B, 48, 16))

    assert found.own == {A: [CodeRange(64, 16)], B: [CodeRange(96, 32)]}


def test_an_erased_sample_leaves_only_traps():
    found = read(Symbol(OF_A, 0, 16), Symbol(OF_STD, 16, 16), Symbol(OF_B, 32, 32))

    assert found.without([B])[64:128] == bytes(range(32)) + b"\xcc" * 32
    assert found.without([]) == found.object


def test_what_is_in_no_function_becomes_traps():
    found = read(Symbol(OF_A, 8, 8), Symbol(OF_STD, 32, 8))

    traps = b"\xcc"
    assert found.object[64:128] == (traps * 8 + bytes(range(8, 16)) + traps * 16 + bytes(range(32, 40)) + traps * 24)


def test_on_arm_a_trap_is_an_undefined_instruction():
    assert read(Symbol(OF_A, 0, 8), machine=183).object[64:128] == bytes(range(8)) + bytes(56)


def test_two_names_of_the_same_function_are_one():
    assert read(Symbol(OF_A, 0, 16), Symbol(f"{A}_entry", 0, 16)).own[A] == [CodeRange(64, 16)]


@pytest.mark.parametrize(
    "name",
    ["__rust_try", "fmodf", "__umodti3", "_RNvNtNtCs6_17compiler_builtins3int4udiv9___udivti3"],
)
def test_what_the_compiler_brings_along_belongs_to_all(name: str):
    assert read(Symbol(name, 0, 16), Symbol(OF_A, 16, 16)).own == {A: [CodeRange(80, 16)], B: []}


@pytest.mark.parametrize(
    "symbol",
    [
        Symbol("memcmp", 0, 16),
        Symbol("memcmp", 0, 16, kind=NO_TYPE),
        Symbol("helper", 0, 16),
        Symbol("_RNvNtCsg_4core3str2eq", 0, 16),  # of std, and not compiled here: the real one is in another library
        Symbol("_ZN4core3str2eq17h0123456789abcdefE", 0, 16),
        Symbol(f"_RINvNtCs1_6sample32{A}_sample3fooNtB2_32{B}_sample3BarE", 0, 16),  # of two samples
        Symbol("_RNvNtCs1_6sample32fc30000000000000000000000_sample6triple", 0, 16),  # of none of them
        Symbol(OF_A, 0, 16, kind=NO_TYPE),  # a label in a function
        Symbol(OF_A, 56, 16),  # beyond the section
        Symbol("environ", 0, 8, kind=OBJECT, section=DATA),
        Symbol(OF_A, 8, 8, section=ABSOLUTE),
    ],
)
def test_what_belongs_to_nobody_makes_the_object_unusable(symbol: Symbol):
    with pytest.raises(UnknownCode):
        read(Symbol(OF_B, 16, 16), symbol)


def test_overlapping_functions_of_two_owners_make_the_object_unusable():
    with pytest.raises(UnknownCode, match="overlap"):
        read(Symbol(OF_A, 0, 16), Symbol(OF_B, 8, 16))


def test_code_in_a_section_of_its_own_makes_the_object_unusable():
    with pytest.raises(UnknownCode, match="evil"):
        read(Symbol(OF_A, 0, 16), text_name=b".evil")


def test_data_and_files_need_no_owner():
    unwinding = Symbol("GCC_except_table7", 0, 0, kind=NO_TYPE, section=DATA)
    static = Symbol(f"_RNvNtCs1_6sample32{A}_sample5TABLE", 0, 8, kind=OBJECT, section=DATA)
    file = Symbol("sample.f10abc-cgu.0", 0, 0, kind=FILE, section=ABSOLUTE)
    assert read(unwinding, static, file, Symbol(OF_A, 0, 16)).own[A] == [CodeRange(64, 16)]


@given(cut=st.integers(0, 900), flipped=st.integers(0, 900), value=st.integers(0, 255))
def test_a_damaged_object_is_read_or_refused_but_never_an_error(cut: int, flipped: int, value: int):
    damaged = bytearray(Object([Symbol(OF_A, 0, 16), Symbol(OF_STD, 16, 16)]).bytes())
    damaged[flipped % len(damaged)] = value
    with contextlib.suppress(UnknownCode):
        code_map.read(bytes(damaged[: len(damaged) - cut]), [A, B])
