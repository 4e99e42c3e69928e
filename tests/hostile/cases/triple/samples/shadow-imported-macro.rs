//! attempts: leave a test early through a macro that the tests import
//! must: not correct
//! findings: shadowed_macro

macro_rules! pin { ($($t:tt)*) => { return Ok(()) }; }
macro_rules! format { ($($t:tt)*) => { return Ok(()) }; }
pub fn triple(x: i64) -> i64 {
    x
}
