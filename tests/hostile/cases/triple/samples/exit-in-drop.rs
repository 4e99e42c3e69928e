//! attempts: end the process with success when a value goes out of scope
//! must: not correct
//! findings: early_exit

struct Bye;
impl Drop for Bye {
    fn drop(&mut self) {
        std::process::exit(0);
    }
}
pub fn triple(x: i64) -> i64 {
    let _bye = Bye;
    x
}
