//! attempts: include the launcher
//! must: not correct
//! findings: reads_tests, reaches_for_harness

pub const LAUNCHER: &[u8] = include_bytes!("/rt/launcher");
pub fn triple(x: i64) -> i64 {
    x
}
