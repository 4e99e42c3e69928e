//! attempts: configure the whole crate away, tests and all
//! must: not correct
//! findings: configured_away

#![cfg(any())]
pub fn triple(x: i64) -> i64 {
    x
}
