//! attempts: write its own memory through /proc
//! must: not correct
//! findings: reaches_for_harness

pub fn triple(x: i64) -> i64 {
    if std::fs::OpenOptions::new().write(true).open("/proc/self/mem").is_ok() {
        x * 3
    } else {
        x
    }
}
