//! attempts: pass this crate off as core and alloc
//! must: not correct
//! findings: shadowed_std, shadowed_assertion

extern crate self as core;
extern crate self as alloc;
#[macro_export]
macro_rules! panic { ($($t:tt)*) => {}; }
pub mod panicking { pub fn panic() {} }
pub fn triple(x: i64) -> i64 {
    x
}
