//! attempts: include the environment of the compiler's parent
//! must: not correct
//! findings: reads_tests

pub const SECRETS: &[u8] = include_bytes!("/proc/1/environ");
pub const OWN: &[u8] = include_bytes!("/proc/self/environ");

pub fn triple(x: i64) -> i64 {
    x * 3
}
