"""Signatures that a case does not state, read off its reference solution."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forgetest.toolchains.rust.compile import derived, signatures
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.testfile import NO_TESTS
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.tools import Tools

REFERENCE = """
use std::ops::Add;

pub fn most(values: &[i64]) -> Option<i64> { values.iter().copied().max() }
fn helper() -> u8 { 3 }
pub(crate) async fn later<T: Send>(value: T) -> T where T: Clone { value }
pub unsafe fn dangerous() {}
pub fn commented(/* how many */ n: usize) {}

pub struct Point(pub i32, i32);
pub struct Colour { pub red: u8, secret: u8, pub names: Vec<String> }
pub enum Turn { Left(u8), Right { by: u8 }, Back }

impl Point {
    pub fn new(x: i32, y: i32) -> Self { Point(x, y) }
    pub fn unused(&self) {}
    fn private(&self) {}
}
impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output { other }
}
impl std::fmt::Display for Point { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { Ok(()) } }

pub struct Cache<K, V>(Vec<(K, V)>);
impl<K: Eq + Clone, V> Cache<K, V> {
    pub fn get(&self, key: &K) -> Option<&V> { None }
}
impl<Item> Wide<Item> { pub fn get(&self) -> Item { todo!() } }
"""
TESTS = "most(); later(); Point::new(1, 2); private(); Turn::Left(1); Turn::Right; colour.red; secret; names; c.get(1)"
NAMES = ("most", "later", "Point", "Turn", "Colour", "Cache", "Wide", "dangerous", "commented")


def entries(*stated: str, names: tuple[str, ...] = NAMES) -> list[str]:
    tools = Tools(version="", sysroot="", host="", linker="", mounts=(), run_libraries=())
    case_build = CaseBuild(
        tools=tools,
        crates=Crates(),
        runtime="",
        test_file=replace(NO_TESTS, body=TESTS),
        functions=tuple(signatures.function(entry, (), "case", ("Point",)) for entry in stated),
        types=(),
        names=names,
    )
    found = derived.items(REFERENCE, TESTS, case_build, ())
    assert all(item.signature_check for item in found)
    return [item.entry for item in found]


ALL = [
    "fn most(values: &[i64]) -> Option<i64>",
    "async fn later<T: Send>(value: T) -> T where T: Clone",
    "fn Point(i32, i32) -> Point",
    "Colour { red: u8 }",
    "fn Turn::Left(u8) -> Turn",
    "fn Point::new(x: i32, y: i32) -> Point",
    "fn <Point as std::ops::Add>::add(self, other: Point) -> Point",
    "fn Cache<K, V>::get(&self, key: &K) -> Option<&V> where K: Eq + Clone",
]


def test_functions_constructors_methods_operators_and_fields_that_the_tests_use_are_derived():
    assert entries() == ALL


@pytest.mark.parametrize(
    ("stated", "path"),
    [
        ("fn most(&[i64]) -> Option<i64>", "fn most("),
        ("fn Cache<K, V>::get(&self, key: &K) -> Option<&V>", "fn Cache"),
        ("fn <Point as std::ops::Add>::add(self, other: Point) -> Point", "fn <Point"),
        ("fn Point(i32, i32) -> Point", "fn Point("),
        ("async fn later<T: Fn(u8) -> u8>(value: T) -> T", "async fn later"),
    ],
)
def test_what_the_case_states_is_not_derived(stated: str, path: str):
    assert entries(stated) == [entry for entry in ALL if not entry.startswith(path)]


def test_nothing_is_derived_of_items_that_the_tests_do_not_import():
    assert entries(names=()) == []
    assert entries(names=("most", "helper")) == [ALL[0], "fn helper() -> u8"]


def test_a_fields_check_accepts_no_type_that_merely_turns_into_the_right_one():
    tools = Tools(version="", sysroot="", host="", linker="", mounts=(), run_libraries=())
    case_build = CaseBuild(
        tools=tools, crates=Crates(), runtime="", test_file=NO_TESTS, functions=(), types=(), names=("Colour",)
    )
    [item] = derived.items(REFERENCE, TESTS, case_build, ())
    assert f"fn pin(value: &{SAMPLE_ROOT}::Colour)" in str(item.signature_check)
    assert "is(&value.red, |_: u8| ())" in str(item.signature_check)
    assert not item.has_shim
