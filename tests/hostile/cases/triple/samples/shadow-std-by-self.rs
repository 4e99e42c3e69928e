//! attempts: pass this crate off as std
//! must: not correct
//! findings: shadowed_std, shadowed_assertion

extern crate self as std;
#[macro_export]
macro_rules! assert_eq { ($($t:tt)*) => {}; }
#[macro_export]
macro_rules! assert { ($($t:tt)*) => {}; }
pub fn triple(x: i64) -> i64 {
    x
}
