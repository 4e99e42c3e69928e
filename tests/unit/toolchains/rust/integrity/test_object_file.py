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
PROGBITS, TEXT = 1, 6
"""The kind of a section with code, and its number in the objects below."""
UNWIND_AT = 0x5000
OTHER, SNEAKY = "_RNvC6sample5other", "_ZN6sample6sneaky17h0123456789abcdefE"


@dataclass
class Object:
    """An object with sections made from what is listed; addresses are chosen by hand."""

    machine: int = X86_64
    functions: dict[str, int] = field(default_factory=dict)
    """Local functions and their addresses."""
    labels: dict[str, int] = field(default_factory=dict)
    """Labels in the code, which are no functions, and their addresses."""
    unwound: tuple[int, ...] | None = None
    """Addresses in the unwind table; None for an object without one."""
    is_stripped: bool = False
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
        symtab += b"".join(struct.pack("<IBBHQQ", name(n), 0, 0, TEXT, at, 0) for n, at in self.labels.items())
        if not self.is_stripped:
            exports = self.exports.items()
            symtab += b"".join(struct.pack("<IBBHQQ", name(n), 16 | kind, 0, 1, 64, 8) for n, kind in exports)
        dynsym = struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)
        dynsym += b"".join(struct.pack("<IBBHQQ", name(n), 16 | kind, 0, 1, 64, 8) for n, kind in self.exports.items())
        dynsym += b"".join(struct.pack("<IBBHQQ", name(n), 16, 0, 0, 0, 0) for n in self.imports)
        dynamic = b"".join(struct.pack("<qQ", 1, name(library)) for library in self.libraries)
        dynamic += b"".join(struct.pack("<qQ", tag, 64) for tag in self.tags)
        rela = b"".join(struct.pack("<QQq", at, kind, addend) for at, kind, addend in self.relocations)
        contents = [(0, 0, b""), (STRTAB, 0, bytes(strings)), (SYMTAB, 0, symtab), (DYNSYM, 0, dynsym)]
        contents += [(DYNAMIC, 0, dynamic), (RELA, 0, rela), (PROGBITS, 0, bytes(16))]
        contents += [(kind, address, bytes(size)) for kind, (address, size) in self.arrays.items()]
        body, headers = bytearray(64), bytearray()
        for number, (kind, address, content) in enumerate(contents):
            flags = 4 if number == TEXT else 0
            headers += struct.pack("<IIQQQQIIQQ", 0, kind, flags, address, len(body), len(content), 1, 0, 1, 0)
            body += content
        if self.unwound is not None:
            table = struct.pack("<4BiI", 1, 0x1B, 0x03, 0x3B, 0, len(self.unwound))
            table += b"".join(struct.pack("<ii", at - UNWIND_AT, 0) for at in self.unwound)
            segment = struct.pack("<IIQQQQQQ", 0x6474E550, 4, len(body), UNWIND_AT, 0, len(table), len(table), 4)
            body += table
            struct.pack_into("<Q", body, 0x20, len(body))
            struct.pack_into("<HH", body, 0x36, len(segment), 1)
            body += segment
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
        functions={OTHER: 0x100, SNEAKY: 0x200},
        arrays={array: (0x1000, 16)},
        relocations=((0x1008, RELATIVE[machine], 0x200), (0x2000, RELATIVE[machine], 0x100)),
    )
    assert findings(made) == [("constructor", f"runs {SNEAKY} when it is loaded")]


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
    hidden = Object(machine=machine, exports={"entry": RESOLVER}, is_stripped=True)
    assert ("constructor", "runs a symbol resolver when it is loaded") in findings(hidden)


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
    assert findings(Object(exports={"entry": FUNCTION, "for_c": FUNCTION})) == [("export", "exports the symbol for_c")]


def test_an_unexpected_library_is_a_finding():
    assert findings(Object(libraries=("libssl.so.3", "libc.so.6"))) == [("library", "loads libssl.so.3")]


def test_a_foreign_symbol_is_a_finding_only_with_an_extern_block():
    assert findings(Object(imports=("fork",))) == [("foreign_symbol", "calls fork outside Rust")]
    assert findings(Object(imports=("fork",)), foreign=False) == []


@pytest.mark.parametrize(
    "name", ["memcmp", "bcmp", "memcpy", "malloc", "write", "_Unwind_Resume", "rust_eh_personality", "__rust_alloc"]
)
def test_a_symbol_of_the_runtime_in_a_sample_is_a_forgery_wherever_it_is_defined(name: str):
    replaced = ("replaced_runtime", f"has a {name} of its own")
    assert findings(Object(exports={"entry": FUNCTION, name: FUNCTION})) == [
        replaced,
        ("export", f"exports the symbol {name}"),
    ]
    assert findings(Object(functions={name: 0x100})) == [replaced]
    assert findings(Object(labels={name: 0x100})) == [replaced]
    [finding] = object_file.findings(Object(labels={name: 0x100}).bytes(), (), foreign=False)
    assert finding.forbids
    assert finding.is_about == "forgery"


def test_a_mangled_name_that_is_exported_takes_the_place_of_stds():
    assert [kind for kind, _ in findings(Object(exports={OTHER: FUNCTION}))] == ["replaced_runtime", "export"]


def test_a_label_that_nobody_mangled_is_machine_code():
    assert findings(Object(labels={"leave": 0x100})) == [("assembly", "has machine code of its own: leave")]
    assert findings(Object(functions={"leave": 0x100})) == [("assembly", "has machine code of its own: leave")]


def test_a_mangled_function_without_unwind_information_is_machine_code():
    made = Object(functions={OTHER: 0x100, SNEAKY: 0x200}, unwound=(0x100,))
    expected = ("assembly", f"has machine code of its own: {SNEAKY} was not compiled by rustc")
    assert findings(made) == [expected]
    assert findings(Object(functions={OTHER: 0x100, SNEAKY: 0x200}, unwound=(0x200, 0x100))) == []
    assert findings(Object(functions={OTHER: 0x100})) == [], "no table: nothing to compare with"


@pytest.mark.parametrize("name", ["__udivti3", "__fixunsdfti", "__rust_try", "__rust_u128_mulo", "fmodf", "$x.3"])
def test_the_compilers_own_code_is_no_finding(name: str):
    assert findings(Object(functions={name: 0x100}, unwound=())) == []


def test_an_object_that_lost_its_symbol_table_is_a_finding():
    found = findings(Object(exports={"entry": FUNCTION}, is_stripped=True))
    assert found == [("object", "is not as a linker leaves it: it has lost its symbols")]


def test_an_object_of_overlapping_sections_is_not_read_again_and_again():
    data = bytearray(Object(functions={f"_R{number}": number for number in range(5_000)}).bytes())
    (table,) = struct.unpack_from("<Q", data, 0x28)
    symtab = bytes(data[table + 2 * 64 : table + 3 * 64])
    data += symtab * 50_000
    struct.pack_into("<H", data, 0x3C, 50_000)
    assert [finding.kind for finding in object_file.findings(bytes(data), ("entry",), foreign=True)] == ["object"]


def test_a_name_without_an_end_costs_no_more_than_its_beginning():
    data = bytearray(Object(functions={f"_R{number}": number for number in range(20_000)}).bytes())
    strings = data.index(b"_R0\0")
    end = data.index(b"_R19999\0") + 7
    data[strings:end] = b"_" * (end - strings)
    assert object_file.findings(bytes(data), ("entry",), foreign=True)
