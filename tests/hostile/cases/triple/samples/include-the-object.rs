//! attempts: include what the linker made
//! must: not correct
//! findings: reads_tests

pub const OBJECT: &[u8] = include_bytes!("/w/sample.so");
pub fn triple(x: i64) -> i64 {
    x
}
