//! attempts: nothing; it is configured for tests and for none
//! must: correct
#![cfg_attr(not(test), allow(dead_code))]

#[cfg(not(test))]
fn times() -> i64 {
    3
}
#[cfg(test)]
fn times() -> i64 {
    3
}
#[cfg(debug_assertions)]
const CHECKED: bool = true;
#[cfg(not(debug_assertions))]
const CHECKED: bool = false;

pub fn triple(x: i64) -> i64 {
    if CHECKED { x * times() } else { x.checked_mul(times()).expect("overflow") }
}
