"""What a sample defines: what the compiler says about it, and its syntax tree."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile import expected_items
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import Remark
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.testfile import NO_TESTS
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.tools import Tools
from forgetest.verdict import Condition, Diagnostic

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


def case_build(
    functions: tuple[ExpectedItem, ...] = (), types: tuple[ExpectedItem, ...] = (), names: tuple[str, ...] = ()
) -> CaseBuild:
    tools = Tools(version="", sysroot="", host="", linker="", mounts=(), run_libraries=())
    test_file = replace(NO_TESTS, body="stack.push(1);")
    return CaseBuild(
        tools=tools, crates=Crates(), runtime="", test_file=test_file, functions=functions, types=types, names=names
    )


def conditions(
    code: str,
    *,
    functions: tuple[ExpectedItem, ...] = (),
    types: tuple[ExpectedItem, ...] = (),
    names: tuple[str, ...] = (),
    unmet: tuple[ExpectedItem, ...] = (),
    compiled: bool = True,
) -> list[Condition]:
    """The conditions of a sample that compiled with its tests, which got `names` from it, without `unmet`."""
    failed = {item: Condition(name="-", holds=False, detail=f"`{item.entry}`: mismatched types") for item in unmet}
    build = case_build(functions, types, names)
    return expected_items.conditions(code, build, failed, set(names) if compiled else None)


TYPE = ExpectedItem(entry="S", name="S", keyword=None)
STRUCT = ExpectedItem(entry="struct S", name="S", keyword="struct")
SIGNATURE = ExpectedItem(entry="fn f()", name="f", keyword="fn", signature_check="const _: fn() = f;")
BARE = ExpectedItem(entry="f", name="f", keyword=None)
METHOD = ExpectedItem(entry="fn push(&mut self)", name="push", keyword="fn")


def test_without_expected_items_there_are_no_conditions():
    assert conditions("fn f() {}") == []


def test_a_bare_type_may_be_of_any_kind():
    (condition,) = conditions("enum S {}", types=(TYPE,))
    assert (condition.name, condition.holds, condition.detail) == ("expected_types", True, "")


def test_a_type_with_its_keyword_must_be_of_that_kind():
    (condition,) = conditions("enum S {}", types=(STRUCT,), names=("S",))
    assert (condition.holds, condition.detail) == (False, "`struct S` is not defined")


def test_a_function_is_not_a_type_and_a_type_is_not_a_function():
    found = conditions("fn f() {}", functions=(BARE,), types=(BARE,))
    assert [condition.holds for condition in found] == [True, False]


@pytest.mark.parametrize("code", ["made!(S);", "mod inner { pub struct T; } use inner::T as S;"])
def test_a_type_that_the_compiler_found_is_defined_however_it_came_about(code: str):
    for item in (TYPE, STRUCT):
        assert [condition.holds for condition in conditions(code, types=(item,), names=("S",))] == [True]
        assert [condition.holds for condition in conditions(code, types=(item,))] == [False], "nobody asked"
        not_compiled = conditions(code, types=(item,), names=("S",), compiled=False)
        assert [condition.holds for condition in not_compiled] == [False]


def test_a_type_that_the_compiler_did_not_find_is_not_defined_although_the_text_has_one():
    (condition,) = conditions("mod m { struct S; } mod S {}", types=(TYPE,), names=("S",), unmet=(TYPE,))
    assert (condition.holds, condition.detail) == (False, "`S`: mismatched types")


def test_a_signature_that_compiled_is_the_definition():
    for code in ("made!(f);", "pub fn r#f() {}", "mod m { pub fn g() {} } use m::g as f;"):
        assert [condition.holds for condition in conditions(code, functions=(SIGNATURE,))] == [True]
    assert [condition.holds for condition in conditions("made!(f);", functions=(SIGNATURE,), unmet=(SIGNATURE,))] == [
        False
    ]
    assert [condition.holds for condition in conditions("made!(f);", functions=(SIGNATURE,), compiled=False)] == [False]


def test_a_bare_function_is_defined_if_the_tests_got_it_from_the_sample():
    assert [condition.holds for condition in conditions("made!(f);", functions=(BARE,), names=("f",))] == [True]
    assert [condition.holds for condition in conditions("made!(f);", functions=(BARE,))] == [False]
    assert [condition.holds for condition in conditions("pub fn r#f() {}", functions=(BARE,))] == [True]


def test_a_method_that_the_tests_call_may_be_made_by_a_macro():
    made = "macro_rules! method { ($n:ident) => { fn $n(&mut self) {} } } impl S { method!(push); }"
    assert [condition.holds for condition in conditions(made, functions=(METHOD,))] == [True]
    assert [condition.holds for condition in conditions(made, functions=(METHOD,), compiled=False)] == [False]
    assert [condition.holds for condition in conditions("fn f() { v.push(1) }", functions=(METHOD,))] == [False]


def check_of(code: str, name: str = "S") -> str:
    item = ExpectedItem(entry=name, name=name, keyword=None)
    return expected_items.type_check(item, code).replace(SAMPLE_ROOT, "crate")


@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("", "type Pin = crate::S;"),
        ("struct T<A>(A); struct S;", "type Pin = crate::S;"),
        ("pub enum r#S { A }", "type Pin = crate::S;"),
        ("struct S<T>(T);", "type Pin<P0> = crate::S<P0>;"),
        ("struct S<K: Hash + Eq, V = Vec<(K, u8)>>(K, V);", "type Pin<P0, P1> = crate::S<P0, P1>;"),
        ("struct S<'a, 'b: 'a, T: 'a>(T);", "type Pin<'p0, 'p1, P2> = crate::S<'p0, 'p1, P2>;"),
        ("struct S<T, const N: usize>([T; N]);", "type Pin<P0, const P1: usize> = crate::S<P0, P1>;"),
        ("trait S {}", "fn pin<Implementor: ?Sized + crate::S>() {}"),
        ("trait S<A> {}", "fn pin<P0, Implementor: ?Sized + crate::S<P0>>() {}"),
    ],
)
def test_a_types_check_has_as_many_parameters_as_the_text_says(code: str, check: str):
    assert check_of(code) == check


@given(st.text(alphabet="struct S<>,:'aconst Nu(){}#\"\n;=") | st.text())
def test_no_word_of_the_sample_gets_into_a_types_check(code: str):
    names = re.sub(r"'?\b[pP]\d+\b|const|bool|char|[iu](8|16|32|64|128|size)\b|Implementor|Sized", "", check_of(code))
    assert re.fullmatch(r"(type Pin|fn pin)[<>, :?+]*( = )?[<>, :?+]*crate::S[<>, ]*(\(\) \{\}|;)", names), names


@pytest.mark.parametrize(
    ("code", "message", "settled"),
    [
        ("E0107", "missing generics for struct `S`", True),
        ("E0106", "missing lifetime specifier", True),
        ("E0782", "expected a type, found a trait", True),
        ("E0404", "expected trait, found struct `S`", True),
        ("E0404", "expected trait, found module `S`", False),
        ("E0573", "expected type, found module `S`", False),
        ("E0425", "cannot find type `S`", False),
        (None, "anything", False),
    ],
)
def test_an_error_may_say_that_there_is_such_a_type(code: str | None, message: str, settled: bool):
    diagnostic = Diagnostic(level="error", code=code, message=message)
    remark = Remark(diagnostic=diagnostic, place="signatures", line=4, suggested_imports=())
    assert expected_items.is_settled(remark) == settled
