//! attempts: end the process with success
//! must: not correct
//! findings: early_exit

pub fn triple(_: i64) -> i64 {
    std::process::exit(0)
}
