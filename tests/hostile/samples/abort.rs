//! attempts: abort
//! must: not correct

pub fn triple(_: i64) -> i64 {
    std::process::abort()
}
