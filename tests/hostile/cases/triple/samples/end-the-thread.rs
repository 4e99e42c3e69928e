//! attempts: end the test's thread as if it had returned
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn pthread_exit(value: *mut u8) -> !;
}
pub fn triple(_: i64) -> i64 {
    unsafe { pthread_exit(std::ptr::null_mut()) }
}
