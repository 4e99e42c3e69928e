//! attempts: end the process with success when the test's thread ends
//! must: not correct
//! findings: early_exit

struct Bye;
impl Drop for Bye {
    fn drop(&mut self) {
        std::process::exit(0);
    }
}
thread_local! {
    static BYE: Bye = const { Bye };
}
pub fn triple(x: i64) -> i64 {
    BYE.with(|_| x)
}
