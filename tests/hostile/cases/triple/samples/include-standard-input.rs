//! attempts: include the compiler's own input
//! must: not correct
//! findings: reads_tests

pub const SELF: &str = include_str!("/dev/stdin");
pub fn triple(x: i64) -> i64 {
    x
}
