"""Which samples may be built together with others."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.sharing.eligible import may_share

RIGHT = "pub fn triple(x: i64) -> i64 { x * 3 }\n"

SHARED = {
    "a plain function": RIGHT,
    "own types and derives": "#[derive(Debug, Clone, PartialEq)] pub struct P { x: u8 }" + RIGHT,
    "a trait for other people's types": "trait T { fn t(&self); } impl T for u8 { fn t(&self) {} }" + RIGHT,
    "docs on top": "//! Triples.\n/// Triples it.\n" + RIGHT,
    "lint levels on top": "#![allow(dead_code, clippy::needless_return)]\n" + RIGHT,
    "lint levels on an item": "#[allow(unused_variables)]\n#[inline]\n#[must_use]\n" + RIGHT,
    "visible to its crate": "pub(crate) fn helper() {}" + RIGHT,
    "own tests with everything in them": RIGHT + "#[cfg(test)] mod tests { use crate::triple; unsafe fn f() {} }",
    "a module that looks up": "mod inner { pub fn f() { super::triple(1); } }" + RIGHT,
    "modules that look up twice": "mod a { mod b { fn f() { super::super::triple(1); } } }" + RIGHT,
    "a macro of its own": "macro_rules! three { () => { 3 } } fn f() -> i64 { three!() }" + RIGHT,
    "words that only mean something as macros": "fn f(env: u8, file: u8) {} struct Location; fn process() {}" + RIGHT,
    "modules of std": "use std::{fmt, collections::{HashMap, *}, cmp::Ordering as O}; use std::iter;" + RIGHT,
    "macros by their paths": "fn f() { std::println!(); core::assert!(!true); if !(1 > 2) {} }" + RIGHT,
    "an import that is not used": "use std::any::{Any, TypeId};" + RIGHT,
    "words in strings and comments": 'const S: &str = "unsafe extern crate"; // unsafe\n' + RIGHT,
}

ALONE = {
    "nothing": "",
    "unsafe": "pub fn f() { unsafe { std::hint::unreachable_unchecked() } }" + RIGHT,
    "unsafe that a macro hides": "macro_rules! m { ($i:item) => { $i } } m! { unsafe fn f() {} }" + RIGHT,
    "foreign functions": 'extern "C" fn f() {}' + RIGHT,
    "its crate": "fn f() { crate::triple(1); }" + RIGHT,
    "its crate, in a visibility": "mod a { pub(in crate::a) fn f() {} }" + RIGHT,
    "the crate of a macro": "macro_rules! m { () => { $crate::triple(1) } }" + RIGHT,
    "what is around it": "use super::*;" + RIGHT,
    "what is around it, from a module": "mod a { fn f() { super::super::f(); } }" + RIGHT,
    "what is around it, by way of itself": "mod a { use self::super::super as up; }" + RIGHT,
    "a block that is no module": "fn f() { { super::triple(1); } }" + RIGHT,
    "looking up through a macro": "macro_rules! m { () => { super::f() } } mod a { }" + RIGHT,
    "own tests that a macro could open": "macro_rules! m { () => {} }" + RIGHT + "#[cfg(test)] mod t { use crate::f; }",
    "no own tests but for their name": RIGHT + "#[cfg(not(test))] mod tests { }",
    "a macro for everybody": "#[macro_export] macro_rules! assert_eq { () => {} }" + RIGHT,
    "an attribute on the crate": "#![no_implicit_prelude]\n" + RIGHT,
    "lint levels that break": "#![deny(warnings)]\n" + RIGHT,
    "lint levels that break, on an item": "#[forbid(unused)]\n" + RIGHT,
    "a file": 'const S: &str = include_str!("/w/other");' + RIGHT,
    "a file, spelt as a raw name": 'const S: &str = r#include_str!("/w/other");' + RIGHT,
    "a module in a file": '#[path = "/w/other.rs"] mod other;' + RIGHT,
    "an attribute by condition": "#[cfg_attr(all(), no_mangle)] pub fn f() {}" + RIGHT,
    "an exported symbol": "#[no_mangle] pub fn f() {}" + RIGHT,
    "an exported symbol, spelt newly": "#[unsafe(no_mangle)] pub fn f() {}" + RIGHT,
    "a section": '#[link_section = ".init_array"] static F: fn() = f;' + RIGHT,
    "an attribute made by a macro": "macro_rules! m { ($a:meta) => { #[$a] fn f() {} } }" + RIGHT,
    "docs that are computed": '#[doc = concat!("a", "b")] fn f() {}' + RIGHT,
    "a derive of somebody's": "#[derive(Serialize)] struct S;" + RIGHT,
    "where it stands": "fn f() -> &'static str { module_path!() }" + RIGHT,
    "the name of a type": "fn f() -> &'static str { std::any::type_name::<u8>() }" + RIGHT,
    "the panic hook": "fn f() { std::panic::set_hook(Box::new(|_| {})) }" + RIGHT,
    "an end of the process": "fn f() { std::process::exit(0) }" + RIGHT,
    "an end that lays hold of what follows": RIGHT + "#[allow(unused)]",
    "an open comment": RIGHT + "/*",
    "a shebang": "#!/usr/bin/env rust\n" + RIGHT,
    "what is around it, behind a mark": "mod inner { use super::\u200esuper::*; }" + RIGHT,
    "a comment that rustc does not see": "#!/*\nunsafe fn f() {} // */\n" + RIGHT,
    "an escape of any length": "const C: (char, char, &str) = ('\\u{4_______________1}', '\"', \"/*\"); unsafe {}"
    + RIGHT,
    "a suffix that hides a string": 'macro_rules! m { ($($t:tt)*) => {} } m!("x"r#"y"#);' + RIGHT,
    "a byte order mark": "\ufeff" + RIGHT,
    "std as a whole": "use std as everything;" + RIGHT,
    "everything of std": "use std::*;" + RIGHT,
    "std in a group": "use std::{fmt, process::exit};" + RIGHT,
    "std itself in a group": "use std::{self as s};" + RIGHT,
    "the environment": 'fn f() { std::env::var("HOME"); }' + RIGHT,
    "sockets": 'use std::net; fn f() { net::TcpListener::bind("[::1]:1"); }' + RIGHT,
    "std through a macro": "macro_rules! m { ($a:ident) => { $a::process::exit(0) } } fn f() { m!(std) }" + RIGHT,
    "an unknown macro": 'fn f() { global_asm!(""); }' + RIGHT,
    "a macro by another name": 'use include_str as text; const S: &str = text!("/w/x");' + RIGHT,
    "a macro by a known name": 'use include_str as vec; const S: &str = vec!("/w/x");' + RIGHT,
    "a macro that a macro names": "macro_rules! m { ($a:ident) => { $a!() } } fn f() { m!(file); }" + RIGHT,
    "a module in another file": "mod other;" + RIGHT,
    "the number of a type": "use std::any::TypeId; fn f() -> TypeId { TypeId::of::<u8>() }" + RIGHT,
    "a reserved word": "fn f() { yield 1; }" + RIGHT,
    "very long": RIGHT + "// long\n" * 10_000,
}


@pytest.mark.parametrize("code", SHARED.values(), ids=SHARED)
def test_a_self_contained_sample_may_share(code: str):
    assert may_share(code)


@pytest.mark.parametrize("code", ALONE.values(), ids=ALONE)
def test_a_sample_that_refers_to_anything_outside_may_not_share(code: str):
    assert not may_share(code)
