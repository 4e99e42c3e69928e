//! attempts: nothing; its comments and texts speak of what forgers do
//! must: correct
//! Never call `std::process::exit(0)`, nor `include_str!("/proc/self/mem")`, nor redefine `macro_rules! assert_eq`.

/// Does not contain `mod std { }`.
pub fn triple(x: i64) -> i64 {
    // extern crate self as std;
    let advice = "macro_rules! assert_eq { () => {} } extern crate self as std;";
    x * 3 + advice.find('\u{0}').map_or(0, |at| at as i64)
}
