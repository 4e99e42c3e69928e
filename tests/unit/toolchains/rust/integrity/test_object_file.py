"""What a linked object shows, on objects made by hand; real ones are judged in the contract suite."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.integrity import object_file

X86_64, AARCH64 = 62, 183
RELATIVE, IRELATIVE = {X86_64: 8, AARCH64: 1027}, {X86_64: 37, AARCH64: 1032}
SYMTAB, STRTAB, RELA, DYNAMIC, DYNSYM, INIT_ARRAY, FINI_ARRAY = 2, 3, 4, 6, 11, 14, 15
FUNCTION, RESOLVER = 2, 10


@dataclass
class Object:
    """An object with sections made from what is listed; addresses are chosen by hand."""

    machine: int = X86_64
    functions: dict[str, int] = field(default_factory=dict)
    """Local functions and their addresses."""
    exports: dict[str, int] = field(default_factory=dict)
    """Defined dynamic symbols and their types."""
    imports: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    tags: tuple[int, ...] = ()
    arrays: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Kind of section → address and size."""
    relocations: tuple[tuple[int, int, int], ...] = ()
    """Address, type, addend."""

    def bytes(self) -> bytes:
        strings = bytearray(b"\0")

        def name(text: str) -> int:
            strings.extend(text.encode() + b"\0")
            return len(strings) - len(text.encode()) - 1

        symtab = b"".join(struct.pack("<IBBHQQ", name(n), FUNCTION, 0, 1, at, 8) for n, at in self.functions.items())
        dynsym = struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)
        dynsym += b"".join(struct.pack("<IBBHQQ", name(n), 16 | kind, 0, 1, 64, 8) for n, kind in self.exports.items())
        dynsym += b"".join(struct.pack("<IBBHQQ", name(n), 16, 0, 0, 0, 0) for n in self.imports)
        dynamic = b"".join(struct.pack("<qQ", 1, name(library)) for library in self.libraries)
        dynamic += b"".join(struct.pack("<qQ", tag, 64) for tag in self.tags)
        rela = b"".join(struct.pack("<QQq", at, kind, addend) for at, kind, addend in self.relocations)
        contents = [(0, 0, b""), (STRTAB, 0, bytes(strings)), (SYMTAB, 0, symtab), (DYNSYM, 0, dynsym)]
        contents += [(DYNAMIC, 0, dynamic), (RELA, 0, rela)]
        contents += [(kind, address, bytes(size)) for kind, (address, size) in self.arrays.items()]
        body, headers = bytearray(64), bytearray()
        for kind, address, content in contents:
            headers += struct.pack("<IIQQQQIIQQ", 0, kind, 0, address, len(body), len(content), 1, 0, 1, 0)
            body += content
        struct.pack_into("<4sBBB", body, 0, b"\x7fELF", 2, 1, 1)
        struct.pack_into("<HH", body, 0x10, 3, self.machine)
        struct.pack_into("<Q", body, 0x28, len(body))
        struct.pack_into("<HHH", body, 0x3A, 64, len(contents), 1)
        return bytes(body + headers)


ORDINARY = Object(
    exports={"entry": FUNCTION},
    imports=("_ZN4core9panicking5panic17h0E", "_RNvC3std4exit", "memcpy", "_Unwind_Resume", "__tls_get_addr", "pow"),
    libraries=("libcarrier.so", "libc.so.6", "libgcc_s.so.1", "libstd-0123.so", "ld-linux-x86-64.so.2"),
)


def findings(made: Object, *, foreign: bool = True) -> list[tuple[str, str]]:
    return [
        (finding.kind, finding.detail) for finding in object_file.findings(made.bytes(), ("entry",), foreign=foreign)
    ]


def test_an_ordinary_object_has_no_findings():
    assert findings(ORDINARY) == []


@pytest.mark.parametrize("machine", [X86_64, AARCH64])
@pytest.mark.parametrize("array", [INIT_ARRAY, FINI_ARRAY])
def test_a_constructor_is_a_finding_with_its_name(machine: int, array: int):
    made = Object(
        machine=machine,
        functions={"other": 0x100, "sneaky": 0x200},
        arrays={array: (0x1000, 16)},
        relocations=((0x1008, RELATIVE[machine], 0x200), (0x2000, RELATIVE[machine], 0x100)),
    )
    assert findings(made) == [("constructor", "runs sneaky when it is loaded")]


def test_a_constructor_without_a_name_is_a_finding():
    made = Object(arrays={INIT_ARRAY: (0x1000, 8)}, relocations=((0x1000, RELATIVE[X86_64], 0x200),))
    assert findings(made) == [("constructor", "runs a function without a name when it is loaded")]


def with_constructors(machine: int, *names: str) -> Object:
    functions = {name: 0x100 * number for number, name in enumerate(names, 1)}
    relocations = tuple((0x1000 + 8 * number, RELATIVE[machine], at) for number, at in enumerate(functions.values()))
    return Object(machine=machine, functions=functions, arrays={INIT_ARRAY: (0x1000, 64)}, relocations=relocations)


def test_the_compilers_own_constructors_are_allowed_on_their_machine():
    assert findings(with_constructors(AARCH64, "init_have_lse_atomics", "__init_cpu_features")) == []
    assert len(findings(with_constructors(X86_64, "init_have_lse_atomics"))) == 1


def test_the_name_of_an_allowed_constructor_counts_once():
    made = with_constructors(AARCH64, "init_have_lse_atomics")
    made.arrays = {INIT_ARRAY: (0x1000, 64)}
    made.relocations += ((0x1010, RELATIVE[AARCH64], 0x100),)
    assert findings(made) == [("constructor", "runs init_have_lse_atomics when it is loaded")]


@pytest.mark.parametrize("tag", [12, 13])
def test_an_init_or_fini_function_is_a_constructor(tag: int):
    assert findings(Object(tags=(tag,))) == [("constructor", "runs an init or fini function when it is loaded")]


@pytest.mark.parametrize("machine", [X86_64, AARCH64])
def test_a_symbol_resolver_is_a_constructor(machine: int):
    by_relocation = Object(machine=machine, relocations=((0x3000, IRELATIVE[machine], 0x100),))
    assert findings(by_relocation) == [("constructor", "runs a symbol resolver when it is loaded")]
    by_symbol = Object(machine=machine, exports={"entry": RESOLVER})
    assert findings(by_symbol) == [("constructor", "runs a symbol resolver when it is loaded")]


@pytest.mark.parametrize(
    "data", [b"", b"\x7fELF", ORDINARY.bytes()[:300], ORDINARY.bytes().replace(b"\0entry\0", b"\0entry\1")]
)
def test_an_unreadable_object_is_a_finding(data: bytes):
    (finding,) = object_file.findings(data, ("entry",), foreign=True)[:1]
    assert finding.forbids


@given(st.integers(0, 700), st.binary(min_size=1, max_size=16))
def test_any_bytes_can_be_read_as_an_object(at: int, noise: bytes):
    data = ORDINARY.bytes()
    object_file.findings(data[:at] + noise + data[at + len(noise) :], ("entry",), foreign=True)


def test_an_export_other_than_the_entry_is_a_finding():
    assert findings(Object(exports={"entry": FUNCTION, "malloc": FUNCTION})) == [
        ("export", "exports the symbol malloc")
    ]


def test_an_unexpected_library_is_a_finding():
    assert findings(Object(libraries=("libssl.so.3", "libc.so.6"))) == [("library", "loads libssl.so.3")]


def test_a_foreign_symbol_is_a_finding_only_with_an_extern_block():
    assert findings(Object(imports=("fork",))) == [("foreign_symbol", "calls fork outside Rust")]
    assert findings(Object(imports=("fork",)), foreign=False) == []
