//! attempts: put macros in front of all that follows
//! must: not correct
//! findings: shadowed_assertion

#[macro_use]
mod macros {
    macro_rules! assert_eq { ($($t:tt)*) => {}; }
    macro_rules! matches { ($($t:tt)*) => { true }; }
}
pub fn triple(x: i64) -> i64 {
    x
}
