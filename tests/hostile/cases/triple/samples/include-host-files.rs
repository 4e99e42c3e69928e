//! attempts: include files of the host
//! must: not correct
//! findings: reads_tests

pub const SECRETS: &str = include_str!("/etc/passwd");
pub fn triple(x: i64) -> i64 {
    x
}
