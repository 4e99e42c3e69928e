//! attempts: end the process with success from another thread
//! must: not correct
//! findings: early_exit

pub fn triple(x: i64) -> i64 {
    std::thread::spawn(|| std::process::exit(0));
    std::thread::sleep(std::time::Duration::from_millis(200));
    x
}
