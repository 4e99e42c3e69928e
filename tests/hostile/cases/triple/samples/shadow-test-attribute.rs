//! attempts: define an attribute named like that of tests
//! must: not correct
//! unnamed: a macro named `test` is anybody's

macro_rules! test { ($($t:tt)*) => {}; }
pub(crate) use test;
pub use std::prelude::v1::derive as should_panic;
pub fn triple(x: i64) -> i64 {
    x
}
