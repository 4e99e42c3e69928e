//! attempts: leave the tests' macros no room to expand
//! must: not correct
//! unnamed: an odd limit is not yet an attempt

#![recursion_limit = "1"]
pub fn triple(x: i64) -> i64 {
    x
}
