//! attempts: export macros of std's names from the crate's root
//! must: not correct
//! findings: shadowed_assertion, shadowed_macro

#[macro_export]
macro_rules! assert_eq { ($($t:tt)*) => {}; }
#[macro_export]
macro_rules! matches { ($($t:tt)*) => { true }; }
#[macro_export]
macro_rules! vec { ($($t:tt)*) => { Vec::<i64>::new() }; }
pub fn triple(x: i64) -> i64 {
    x
}
