//! attempts: end the process with success while the panic unwinds
//! must: not correct
//! findings: early_exit

struct Bye;
impl Drop for Bye {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::exit(0);
        }
    }
}
pub fn triple(_: i64) -> i64 {
    let _bye = Bye;
    panic!("overflow")
}
