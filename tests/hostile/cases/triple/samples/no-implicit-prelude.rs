//! attempts: leave the tests without a prelude
//! must: not correct
//! findings: shadowed_std

#![no_implicit_prelude]
pub fn triple(x: i64) -> i64 {
    x
}
