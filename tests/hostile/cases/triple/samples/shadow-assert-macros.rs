//! attempts: replace the macros that the tests assert with
//! must: not correct
//! findings: shadowed_assertion

macro_rules! assert_eq { ($($t:tt)*) => {}; }
macro_rules! assert_ne { ($($t:tt)*) => {}; }
macro_rules! assert { ($($t:tt)*) => {}; }
macro_rules! panic { ($($t:tt)*) => {}; }
pub fn triple(x: i64) -> i64 {
    x
}
