"""What a sample defines, read off its syntax tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile import expected_items
from forgetest.toolchains.rust.compile.signatures import ExpectedItem

CODE = """
pub fn free() { fn local() {} }
struct S { field: u8 }
enum E { BuildOptions }
trait T { fn required(&self); fn provided(&self) {} }
type A = u8;
union U { a: u8 }
mod m { pub fn inner() {} impl super::S { fn method(&self) {} } }
macro_rules! make { () => { fn made() {} } }
// fn commented() {}
const TEXT: &str = "fn quoted() {}";
"""


def test_items_are_found_in_modules_and_implementations():
    assert expected_items.defined(CODE) >= {
        *(("fn", "free"), ("fn", "inner"), ("fn", "method"), ("fn", "provided")),
        *(("struct", "S"), ("enum", "E"), ("trait", "T"), ("type", "A"), ("union", "U")),
    }


@pytest.mark.parametrize("name", ["local", "made", "commented", "quoted", "required", "field", "BuildOptions"])
def test_text_that_only_looks_like_an_item_does_not_count(name: str):
    assert name not in {found for _, found in expected_items.defined(CODE)}


@given(st.text() | st.text(alphabet="fn struct{}()<>;x\n\"'/*#![]"))
def test_no_text_upsets_it(code: str):
    expected_items.defined(code)
    expected_items.defined(code + "\ud800")


def conditions(code: str, *, functions: tuple[ExpectedItem, ...] = (), types: tuple[ExpectedItem, ...] = ()):
    return [condition for _, condition in expected_items.conditions(code, functions, types)]


def test_without_expected_items_there_are_no_conditions():
    assert conditions("fn f() {}") == []


def test_a_bare_type_may_be_of_any_kind():
    (condition,) = conditions("enum S {}", types=(ExpectedItem(entry="S", name="S", keyword=None),))
    assert (condition.name, condition.holds, condition.detail) == ("expected_types", True, "")


def test_a_type_with_its_keyword_must_be_of_that_kind():
    (condition,) = conditions("enum S {}", types=(ExpectedItem(entry="struct S", name="S", keyword="struct"),))
    assert (condition.holds, condition.detail) == (False, "`struct S` is not defined")


def test_a_function_is_not_a_type_and_a_type_is_not_a_function():
    f = ExpectedItem(entry="f", name="f", keyword=None)
    assert [condition.holds for condition in conditions("fn f() {}", functions=(f,), types=(f,))] == [True, False]
