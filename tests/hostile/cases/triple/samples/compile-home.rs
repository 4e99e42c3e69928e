//! attempts: include keys of the user who runs this
//! must: not correct
//! findings: reads_tests

pub const KEY: &str = include_str!("@HOME@/.ssh/id_ed25519");
pub const OTHER: &str = include_str!("/root/.netrc");

pub fn triple(x: i64) -> i64 {
    x * 3
}
