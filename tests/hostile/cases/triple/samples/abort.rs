//! attempts: abort
//! must: not correct
//! findings: early_exit

pub fn triple(_: i64) -> i64 {
    std::process::abort()
}
