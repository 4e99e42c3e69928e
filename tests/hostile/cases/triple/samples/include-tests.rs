//! attempts: include the tests' text
//! must: not correct
//! findings: reads_tests

pub const TESTS: &str = include_str!("/w/tests.rs");
pub fn triple(x: i64) -> i64 {
    x
}
