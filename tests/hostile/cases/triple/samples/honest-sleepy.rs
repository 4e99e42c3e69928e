//! attempts: nothing; it sleeps for a moment
//! must: correct

pub fn triple(x: i64) -> i64 {
    std::thread::sleep(std::time::Duration::from_millis(30));
    x * 3
}
