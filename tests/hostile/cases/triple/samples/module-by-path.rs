//! attempts: take a module from the host
//! must: not correct
//! findings: reads_tests

#[path = "/usr/share/rust/evil.rs"]
mod evil;
pub fn triple(x: i64) -> i64 {
    x
}
