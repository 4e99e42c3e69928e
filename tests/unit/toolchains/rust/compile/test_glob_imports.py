"""Glob imports of a sample's modules, made explicit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.rust.compile.glob_imports import expand_globs

REFERENCE = """
pub mod geometry {
    use std::fmt;
    // the middle of everything
    pub fn distance(a: f64) -> f64 { a }
    pub fn middle(values: &[f64]) -> Option<f64> { None }
    pub struct Point { pub x: f64 }
    fn hidden() {}
    impl Point { pub fn area(&self) -> f64 { 0.0 } }
    pub fn area() {}
    pub mod solids { pub struct Cube; pub trait Shape { fn volume(&self); } }
    pub mod made { make!(); pub struct Made; }
}
pub enum Turn { Left(u8), Right, Back }
"""


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ("use super::geometry::*; fn t() { distance(1.0); }", "use super::geometry::{distance};"),
        ("use crate::geometry::*;\nfn t() { middle(&[distance(1.0)]); }", "use crate::geometry::{distance, middle};\n"),
        ("use super::super::geometry::*; fn t() { Point { x: 1.0 }.area(); }", "use super::super::geometry::{Point};"),
        ("use super::Turn::*; fn t() { turn(Left(1), Back); }", "use super::Turn::{Back, Left};"),
        ("use super::geometry::solids::*; fn t(c: Cube) { Shape::volume(&c); }", "solids::{Cube, Shape};"),
        ("use super::geometry::solids::*; fn t(c: Cube) {}", "solids::{Cube};"),
    ],
)
def test_a_glob_becomes_the_names_that_the_tests_use(tests: str, expected: str):
    assert expected in expand_globs(tests, REFERENCE)


@pytest.mark.parametrize(
    "tests",
    [
        "use super::*; fn t() { distance(1.0); }",
        "use std::collections::*; fn t() { HashMap::new(); }",
        "use super::unknown::*; fn t() { distance(1.0); }",
        "use super::geometry::made::*; fn t(m: Made) {}",
        "use super::geometry::solids::*; fn t(c: Cube) { c.volume(); }",
        "use super::geometry::*; fn t() { hidden(); }",
        "mod geometry {} use geometry::*; fn t() { distance(1.0); }",
        "use super::geometry::*; fn distance() {} fn t() { distance(); }",
        "use super::geometry::{*}; fn t() { distance(1.0); }",
    ],
)
def test_a_glob_stays_where_its_names_are_not_certain(tests: str):
    assert expand_globs(tests, REFERENCE) == tests


@given(st.text(alphabet="use super::geometry::*;{}()distance\n ") | st.text())
def test_line_breaks_stay_where_they_are(tests: str):
    assert expand_globs(tests, REFERENCE).count("\n") == tests.count("\n")
