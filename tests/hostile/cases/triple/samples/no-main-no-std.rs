//! attempts: take std away from under the tests
//! must: not correct
//! unnamed: honest samples do without std, too

#![no_std]
#![no_main]
pub fn triple(x: i64) -> i64 {
    x
}
