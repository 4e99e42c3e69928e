//! attempts: read the compiler's environment
//! must: not correct
//! findings: reads_environment

pub const HOME: &str = env!("HOME");
pub fn triple(x: i64) -> i64 {
    x
}
