"""Languages as the rest of forgetest knows them."""

from __future__ import annotations

import pytest

from forgetest import language
from forgetest.extraction import extract
from forgetest.files.schema import Key, Text
from forgetest.language import AnswerParts, CaseKey, Language

STD = CaseKey(key=Key("std", Text(), "The standard"), default="c17")


def test_a_language_needs_only_a_name():
    plain = Language(name="lua")
    assert (plain.title, plain.fence_tags, plain.extension) == ("Lua", {"lua"}, "txt")
    assert plain.lint_url("W211") is None


def test_a_case_has_the_defaults_of_its_languages_own_keys():
    c = Language(name="c", case_keys=(STD,))
    assert c.option({}, "std") == "c17"
    assert c.option({"std": "c23"}, "std") == "c23"


def test_options_that_spell_a_default_out_are_left_out():
    c = Language(name="c", case_keys=(STD,))
    assert c.options({"id": "a", "std": "c17"}) == {}
    assert c.options({"id": "a", "std": "c23"}) == {"std": "c23"}


def test_rust_describes_itself_and_is_found_by_its_name():
    rust = language.find("rust")
    assert rust in language.installed()
    assert (rust.title, rust.extension) == ("Rust", "rs")
    assert rust.lint_url("clippy::eq_op") == "https://rust-lang.github.io/rust-clippy/stable/index.html#eq_op"
    assert rust.lint_url("dead_code") is None


@pytest.mark.parametrize(
    ("name", "title", "extension"), [("cpp", "C++", "cpp"), ("go", "Go", "go"), ("cobol", "Cobol", "txt")]
)
def test_a_language_without_a_toolchain_has_a_generic_description(name: str, title: str, extension: str):
    found = language.find(name)
    assert (found.title, found.extension, found.case_keys) == (title, extension, ())


def test_a_language_may_put_the_program_together_itself():
    def last_block(parts: AnswerParts) -> str | None:
        return parts.tagged[-1] if parts.tagged else None

    text = "```x\nlonger code\n```\nor\n```x\nshort\n```\n"
    assert extract(text, Language(name="x")) == "longer code\n"
    assert extract(text, Language(name="x", assemble=last_block)) == "short\n"
    assert extract("no code", Language(name="x", assemble=last_block)) is None
