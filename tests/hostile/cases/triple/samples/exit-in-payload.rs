//! attempts: end the process with success when the panic's payload is dropped
//! must: not correct
//! findings: early_exit

struct Bye;
impl Drop for Bye {
    fn drop(&mut self) {
        std::process::exit(0);
    }
}
pub fn triple(_: i64) -> i64 {
    std::panic::panic_any(Bye)
}
