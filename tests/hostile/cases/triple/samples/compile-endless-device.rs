//! attempts: make the compiler read a device that never ends
//! must: not correct
//! findings: reads_tests

pub const ZEROES: &[u8] = include_bytes!("/dev/zero");

pub fn triple(x: i64) -> i64 {
    x + ZEROES.len() as i64
}
