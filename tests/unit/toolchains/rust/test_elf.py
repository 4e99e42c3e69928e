"""The reader of objects, on a real one: the extension module of msgspec."""

from pathlib import Path

import pytest
from msgspec import _core

from forgetest.toolchains.rust.elf import DYNAMIC, DYNSYM, ERRORS, EXECUTABLE, FUNCTION, Elf

NEEDED = 1


@pytest.fixture(scope="module")
def elf() -> Elf:
    return Elf(Path(_core.__file__).read_bytes())


def test_symbols_have_names_kinds_and_places(elf: Elf):
    (entry,) = [symbol for symbol in elf.symbols(DYNSYM) if symbol.name == "PyInit__core"]
    assert (entry.kind, entry.is_defined) == (FUNCTION, True)
    assert elf.section_name(elf.sections[entry.section]) == ".text"
    (imported,) = [symbol for symbol in elf.symbols(DYNSYM) if symbol.name == "PyModule_Create2"]
    assert not imported.is_defined


def test_code_is_in_executable_sections(elf: Elf):
    assert ".text" in {elf.section_name(section) for section in elf.sections if section.flags & EXECUTABLE}


def test_needed_libraries_are_strings_of_the_dynamic_section(elf: Elf):
    needed = [elf.string(section, value) for section, (tag, value) in elf.entries(DYNAMIC, "<qQ") if tag == NEEDED]
    assert any(name.startswith("libc.so") for name in needed)


@pytest.mark.parametrize("size", [0, 10, 100, 1000])
def test_a_truncated_object_raises_one_of_its_errors(elf: Elf, size: int):
    with pytest.raises(ERRORS):
        Elf(elf.data[:size]).symbols(DYNSYM)
